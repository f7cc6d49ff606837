// What each function of the email layer and of the sync takes for texts of many shapes: of each function, the shape that grows most.
import { functions } from '../../test/support/growth/functions.ts';
import { growthOf } from '../../test/support/growth/measure.ts';
import { shapes } from '../../test/support/growth/shapes.ts';

const sizes = [50, 100, 200, 400].map((size) => size * 1024);
const [shortest = 0] = sizes;
const longest = sizes.at(-1) ?? 0;

/** The floor column holds what the longest text would take in proportion to the shortest. */
export function measure() {
  const rows = functions.map((measured) => {
    const [worst] = shapes.map((shape) => growthOf(measured, shape, shortest, longest, 3)).sort((one, other) => other.factor - one.factor);
    if (!worst) throw new Error('There is no shape.');
    // Where the growth is: between two sizes that follow each other.
    const steps = sizes.slice(1).map((size, index) => growthOf(measured, shapeOf(worst.shape), sizes[index] ?? 0, size, 3).factor);
    const name = `${worst.name}: ${worst.shape} (steps ${steps.map((factor) => (2 * factor).toFixed(1)).join(', ')})`;
    return [name, worst.long, worst.long / worst.factor, worst.factor, 'ms'];
  });
  return Promise.resolve({ title: `Growth from 50 to 400 KB, ${shapes.length} shapes (floor: 8 times as long as for 50 KB)`, rows });
}

/** @param {string} id */
function shapeOf(id) {
  const shape = shapes.find((one) => one.id === id);
  if (!shape) throw new Error(`There is no shape "${id}".`);
  return shape;
}
