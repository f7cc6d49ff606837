import type { Measured } from './functions.ts';
import type { Shape } from './shapes.ts';

/** What a function takes for a short and a long text of a shape, in ms of CPU time. */
export interface Growth {
  readonly name: string;
  readonly shape: string;
  readonly short: number;
  readonly long: number;
  /** By how much more the long text takes for each character than the short one. */
  readonly factor: number;
}

/** Anything below is noise. */
const LEAST_MS = 8;

/** A function may be 2.5 times as slow on a text twice as large: so much more for each character, from one length to another. */
export const largestFactor = (short: number, long: number): number => 1.25 ** Math.log2(long / short);

/**
 * Measures how much slower a function is on a long text than on a short one.
 * @param batches how often it is measured: the least time counts. One is a glance, of a single run
 */
export function growthOf(
  { name, run }: Measured,
  { id, make }: Shape,
  short: number,
  long: number,
  batches: number,
): Growth {
  const texts = [make(short), make(long)] as const;
  const [shortMs, longMs] = [leastTime(run, texts[0], batches), leastTime(run, texts[1], batches)];
  const factor = Math.max(longMs, LEAST_MS) / Math.max(shortMs, LEAST_MS) / (texts[1].length / texts[0].length);
  return { name, shape: id, short: shortMs, long: longMs, factor };
}

/** The clock of CPU time may tick once in 4 ms: what is measured at a time takes long enough to tell 8 % apart. */
const BATCH_MS = 50;

/** Returns the CPU time of a run in ms, the least of several batches of runs: what another program or a collection of garbage adds is not the function's. */
export function leastTime(run: (text: string) => unknown, text: string, batches: number): number {
  let least = Infinity;
  for (let batch = 0; batch < batches; batch += 1) {
    const before = process.threadCpuUsage();
    let runs = 0;
    let ms = 0;
    do {
      run(text);
      runs += 1;
      const { user, system } = process.threadCpuUsage(before);
      ms = (user + system) / 1000;
    } while (batches > 1 && ms < BATCH_MS);
    least = Math.min(least, ms / runs);
  }
  return least;
}
