import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { shapes } from '../../support/growth/shapes.ts';
import { isSoak } from '../fuzz/setup.ts';

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
  'mso-hidden',
  'mso-links',
  'mso-drawings',
  'local-images',
  'one-rule',
  'line-words',
  'cell-lines',
  'linked-parts',
  'conflict-marks',
  'placeholders',
]);

// Counts, because a count is the same on every machine. Only test/timed and `npm run bench -- growth` notice regular expressions that go back and forth
// within one match, and copies by spreading.
describe('Doubling a text at most doubles how often any code is executed', function () {
  this.timeout(600_000);
  let counter: Worker;
  before(() => {
    counter = new Worker(new URL('../../support/growth/counter.ts', import.meta.url));
  });
  after(async () => {
    await counter.terminate();
    // The counter turned them off for the whole process.
    for (const flag of ['--opt', '--maglev']) setFlagsFromString(flag);
  });
  for (const { id } of shapes.filter((shape) => isSoak || regularShapes.has(shape.id))) {
    it(id, async () => {
      counter.postMessage(id);
      const [excess] = (await once(counter, 'message')) as [readonly string[]];
      assert.deepEqual(excess, []);
    });
  }
});
