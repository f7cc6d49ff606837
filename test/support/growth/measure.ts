import type { MeasuredFunction } from './functions.ts';
import type { Shape } from './shapes.ts';

/** Shorter times are noise. */
const NOISE_MS = 8;

/** Allows 2.5 times the time for twice the length, converted to time per character. */
export const getMaxFactor = (short: number, long: number): number => 1.25 ** Math.log2(long / short);

/**
 * Returns the time per character for a long text relative to a short one.
 *
 * @param batches how often to measure; the least time counts. 1 means a single run
 */
export function measureGrowth(
  run: MeasuredFunction['run'],
  make: Shape['make'],
  lengths: readonly [short: number, long: number],
  batches: number,
): number {
  const [short, long] = [make(lengths[0]), make(lengths[1])];
  // Alternating, because another program that takes memory bandwidth would otherwise slow down only one of them.
  let [shortMs, longMs] = [Infinity, Infinity];
  for (let batch = 0; batch < batches; batch += 1) {
    shortMs = Math.min(shortMs, measureBatch(run, short, batches > 1));
    longMs = Math.min(longMs, measureBatch(run, long, batches > 1));
  }
  return Math.max(longMs, NOISE_MS) / Math.max(shortMs, NOISE_MS) / (long.length / short.length);
}

/** The CPU clock may tick every 4 ms. Batches of this length are accurate to 8 %. */
const BATCH_MS = 50;

/** Returns the CPU time of a run in ms: of one run, or the mean of runs that fill a batch. */
function measureBatch(run: MeasuredFunction['run'], text: string, isRepeated: boolean) {
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
