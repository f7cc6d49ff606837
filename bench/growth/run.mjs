// Measures each function of the email layer and of the sync on texts of many shapes, and prints the shape that grows most.
import { functions } from '../../test/support/growth/functions.ts';
import { measureGrowth } from '../../test/support/growth/measure.ts';
import { shapes } from '../../test/support/growth/shapes.ts';

const sizes = [50, 100, 200, 400].map((size) => size * 1024);
const [shortest = 0] = sizes;
const longest = sizes.at(-1) ?? 0;

/** The floor column is the time of the longest text if time were proportional to length. */
export function measure() {
  const rows = functions.map(({ name, run }) => {
    const growths = shapes.map(({ id, make }) => ({
      id,
      make,
      factor: measureGrowth(run, make, [shortest, longest], 1),
    }));
    const [most] = growths.sort((one, other) => other.factor - one.factor);
    if (!most) throw new Error('There is no shape.');
    const { id, make } = most;
    const factor = measureGrowth(run, make, [shortest, longest], 5);
    // The time of each size, relative to the size before.
    const steps = sizes.slice(1).map((size, index) => 2 * measureGrowth(run, make, [sizes[index] ?? 0, size], 5));
    const text = make(longest);
    const start = performance.now();
    run(text);
    const long = performance.now() - start;
    return [
      `${name}: ${id} (${steps.map((step) => `× ${step.toFixed(1)}`).join(', ')})`,
      long,
      long / factor,
      factor,
      'ms',
    ];
  });
  return Promise.resolve({
    title: `Growth from 50 to 400 KB, ${shapes.length} shapes (floor: 8 times as long as for 50 KB)`,
    rows,
  });
}
