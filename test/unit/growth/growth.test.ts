import assert from 'node:assert/strict';
import { functions, type MeasuredFunction } from '../../support/growth/functions.ts';
import { measureGrowth, getMaxFactor } from '../../support/growth/measure.ts';
import { shapes } from '../../support/growth/shapes.ts';
import { isSoak, TIMEOUT_MS } from '../fuzz/setup.ts';

/** Each of them once made a function slow. */
const regularShapes = new Set([
  'descendants-many-deep',
  'attribute-selectors',
  'attribute-values',
  'font-faces',
  'css-not',
  'mso-open',
  'mso-blanks',
  'declaration-blanks',
  'style-urls',
  'if',
  'subscriber',
  'embeds',
  'scripts',
  'texts-with-address',
]);
/** Lengths of the shorter and the longer text in characters. Shorter texts skip composing the email for its size. */
const [short, long] = isSoak ? [50 * 1024, 400 * 1024] : [40 * 1024, 160 * 1024];

describe('Doubling a text takes at most 2.5 times as long', function () {
  this.timeout(TIMEOUT_MS * 10);
  for (const shape of shapes.filter(({ id }) => isSoak || regularShapes.has(id))) {
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
