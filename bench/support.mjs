import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Path of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/u, '');

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2;
}

/**
 * Returns the peak growth of live memory during a task, in MB. Collects garbage at intervals, so that garbage doesn't count.
 * @param {() => Promise<unknown>} task
 */
export async function growth(task, intervalMs = 25) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));
  collectGarbage();
  const inUse = () => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1024 / 1024;
  };
  const before = inUse();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, inUse());
  }, intervalMs);
  try {
    await task();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}

/**
 * Returns the duration of a task in milliseconds.
 * @param {() => Promise<unknown>} work
 */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
