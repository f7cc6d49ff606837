import assert from 'node:assert/strict';
import { functions } from '../../support/growth/functions.ts';
import { growthOf, largestFactor } from '../../support/growth/measure.ts';
import type { Measured } from '../../support/growth/functions.ts';
import { shapes } from '../../support/growth/shapes.ts';
import { isSoak, patience } from '../fuzz/setup.ts';

/** Each made a function slow once. */
const usual = new Set([
  'descendants-many-deep',
  'attribute-selectors',
  'font-faces',
  'css-not',
  'mso-open',
  'if',
  'subscriber',
  'embeds',
  'scripts',
  'texts-with-address',
]);
/** Characters of the shorter and of the longer text. Below the first, what is sent is not composed to tell its size. */
const [short, long] = isSoak ? [50 * 1024, 400 * 1024] : [40 * 1024, 160 * 1024];

describe('A text twice as large takes at most 2.5 times as long', function () {
  this.timeout(patience * 10);
  for (const shape of shapes.filter(({ id }) => isSoak || usual.has(id))) {
    it(shape.id, () => {
      const isSlow = (measured: Measured, longest: number, batches: number): boolean =>
        growthOf(measured, shape, short, longest, batches).factor > largestFactor(short, longest);
      // One run may be slow because of another program. Twice the length, measured often, separates quadratic functions from noise.
      const slow = functions
        .filter((measured) => isSlow(measured, long, 1) && isSlow(measured, 2 * long, 4))
        .map(({ name }) => name);
      assert.deepEqual(slow, []);
    });
  }
});
