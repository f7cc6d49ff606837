import type { MeasuredFunction } from './functions.ts';
import type { Shape } from './shapes.ts';

/** CPU time in ms for a short and a long text of a shape. */
export interface Growth {
  readonly name: string;
  readonly shape: string;
  readonly short: number;
  readonly long: number;
  /** Time per character for the long text relative to the short one. */
  readonly factor: number;
}

/** Shorter times are noise. */
const NOISE_MS = 8;

/** Allows 2.5 times the time for twice the length, converted to time per character. */
export const getMaxFactor = (short: number, long: number): number => 1.25 ** Math.log2(long / short);

/** Measures how much slower a function is on a long text than on a short one. @param batches how often to measure; the least time counts. 1 means a single run */
export function measureGrowth(
  { name, run }: MeasuredFunction,
  { id, make }: Shape,
  short: number,
  long: number,
  batches: number,
): Growth {
  const texts = [make(short), make(long)] as const;
  // Alternating, because another program that takes memory bandwidth would otherwise slow down only one of them.
  let [shortMs, longMs] = [Infinity, Infinity];
  for (let batch = 0; batch < batches; batch += 1) {
    shortMs = Math.min(shortMs, measureBatch(run, texts[0], batches > 1));
    longMs = Math.min(longMs, measureBatch(run, texts[1], batches > 1));
  }
  const factor = Math.max(longMs, NOISE_MS) / Math.max(shortMs, NOISE_MS) / (texts[1].length / texts[0].length);
  return { name, shape: id, short: shortMs, long: longMs, factor };
}

/** The CPU clock may tick every 4 ms. Batches of this length are accurate to 8 %. */
const BATCH_MS = 50;

/** Returns the CPU time of a run in ms: of one run, or the mean of runs that fill a batch. */
function measureBatch(run: MeasuredFunction['run'], text: string, isRepeated: boolean): number {
  const before = process.threadCpuUsage();
  let runs = 0;
  let ms = 0;
  do {
    run(text);
    runs += 1;
    const { user, system } = process.threadCpuUsage(before);
    ms = (user + system) / 1000;
  } while (isRepeated && ms < BATCH_MS);
  return ms / runs;
}

/** Returns the CPU time of a run in ms: the least of several batches, which excludes other programs and garbage collection. */
export function measureLeastTime(run: MeasuredFunction['run'], text: string, batches: number): number {
  return Math.min(...Array.from({ length: batches }, () => measureBatch(run, text, batches > 1)));
}
