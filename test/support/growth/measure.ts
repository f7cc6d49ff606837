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

/** Measures how much slower a function is on a long text than on a short one: of several runs, the best counts. */
export function growthOf({ name, run }: Measured, { id, make }: Shape, short: number, long: number, runs: number): Growth {
  const texts = [make(short), make(long)] as const;
  const [shortMs, longMs] = [bestOf(run, texts[0], runs), bestOf(run, texts[1], runs)];
  const factor = Math.max(longMs, LEAST_MS) / Math.max(shortMs, LEAST_MS) / (texts[1].length / texts[0].length);
  return { name, shape: id, short: shortMs, long: longMs, factor };
}

function bestOf(run: Measured['run'], text: string, runs: number): number {
  let best = Infinity;
  let total = 0;
  for (let turn = 0; turn < runs && total < 300; turn += 1) {
    const before = process.threadCpuUsage();
    run(text);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    best = Math.min(best, ms);
    total += ms;
  }
  return best;
}
