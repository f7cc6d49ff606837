import assert from 'node:assert/strict';
import { functions } from '../../support/growth/functions.ts';
import { growthOf, largestFactor } from '../../support/growth/measure.ts';
import type { Growth } from '../../support/growth/measure.ts';
import { shapes } from '../../support/growth/shapes.ts';
import { isSoak, patience } from '../fuzz/setup.ts';

/** Each made a function slow once. */
const usual = new Set([
  'descendants-many-deep', 'attribute-selectors', 'font-faces', 'css-not', 'mso-open', 'if', 'subscriber', 'embeds', 'scripts', 'texts-with-address',
]);
/** Characters of the shorter and of the longer text. Below the first, what is sent is not composed to tell its size. */
const [short, long] = isSoak ? [50 * 1024, 400 * 1024] : [40 * 1024, 160 * 1024];

describe('A text twice as large takes at most 2.5 times as long', function () {
  this.timeout(patience * 10);
  for (const shape of shapes.filter(({ id }) => isSoak || usual.has(id))) {
    it(shape.id, () => {
      const tooSlow = (growth: Growth): boolean => growth.factor > largestFactor(short, long);
      const slow = functions
        .map((measured) => ({ measured, growth: growthOf(measured, shape, short, long, 1) }))
        // Another program may have held one up: a second look decides.
        .flatMap(({ measured, growth }) => (tooSlow(growth) ? [growthOf(measured, shape, short, long, 7)] : []))
        .filter(tooSlow);
      assert.deepEqual(slow, []);
    });
  }
});
