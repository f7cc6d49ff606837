import assert from 'node:assert/strict';
import { functions, type MeasuredFunction } from '../support/growth/functions.ts';
import { measureGrowth, getMaxFactor } from '../support/growth/measure.ts';
import { shapes } from '../support/growth/shapes.ts';

/** Lengths of the shorter and the longer text in characters. */
const [short, long] = [50 * 1024, 400 * 1024];

// Only for a quiet machine: the soak runs it. `npm test` counts what is executed, in test/unit/growth.
describe('Doubling a text takes at most 2.5 times as long', function () {
  this.timeout(900_000);
  for (const shape of shapes) {
    it(shape.id, () => {
      const isSlow = ({ run }: MeasuredFunction, scale: number, batches: number) =>
        measureGrowth(run, shape.make, [scale * short, scale * long], batches) > getMaxFactor(short, long);
      // A single run may be slow because of another program. Repeated runs, also at twice the lengths, separate quadratic functions from noise.
      const slow = functions
        .filter((measured) => isSlow(measured, 1, 1) && isSlow(measured, 1, 3) && isSlow(measured, 2, 8))
        .map(({ name }) => name);
      assert.deepEqual(slow, []);
    });
  }
});
