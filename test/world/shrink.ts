import type { Step } from './history.ts';

/** Returns a shorter history that still fails: drops steps and faults as long as `fails` says so. */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[]> {
  let shortest = steps;
  for (let size = Math.max(1, steps.length >> 1); ;) {
    let hasShrunk = false;
    for (let at = 0; at < shortest.length;) {
      const shorter = shortest.toSpliced(at, size);
      if (await fails(shorter)) {
        shortest = shorter;
        hasShrunk = true;
      } else at += size;
    }
    if (size === 1 && !hasShrunk) break;
    size = Math.max(1, size >> 1);
  }
  for (const [index, { faults }] of shortest.entries())
    for (const fault of faults) {
      const step = shortest[index] as Step;
      const calmer = shortest.with(index, { ...step, faults: step.faults.filter((other) => other !== fault) });
      if (await fails(calmer)) shortest = calmer;
    }
  return shortest;
}
