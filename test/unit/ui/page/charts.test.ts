import assert from 'node:assert/strict';
import { findNearest } from '../../../../src/ui/page/charts/svg.ts';
import { getCountTicks, getTimeTicks } from '../../../../src/ui/page/charts/lines.ts';

const hour = 3_600_000;
const at = (text: string) => Date.parse(`${text}Z`);

describe('chart axes', () => {
  it('use round steps from 0 to at least the highest value', () => {
    assert.deepEqual(getCountTicks(183, 4), [0, 50, 100, 150, 200]);
    assert.deepEqual(getCountTicks(3, 5), [0, 1, 2, 3]);
    assert.deepEqual(getCountTicks(0, 4), [0, 1]);
    assert.deepEqual(getCountTicks(1_000_000, 2), [0, 500_000, 1_000_000]);
    for (const high of [1, 7, 99, 101, 50_001]) {
      const ticks = getCountTicks(high, 4);
      assert.ok(ticks.length <= 5 && (ticks.at(-1) ?? 0) >= high, `${high}: ${ticks.join()}`);
    }
  });

  it('label full hours, as many as fit', () => {
    const ticks = getTimeTicks(at('2026-11-20T08:00'), at('2026-11-22T20:00'), 'hour', 3);
    assert.deepEqual(ticks, [at('2026-11-21T00:00'), at('2026-11-22T00:00')]);
    assert.deepEqual(
      getTimeTicks(at('2026-11-20T08:00'), at('2026-11-20T13:00'), 'hour', 6),
      [8, 9, 10, 11, 12, 13].map((each) => at('2026-11-20T00:00') + each * hour),
    );
  });

  it('label days from the first one, also across years', () => {
    const first = at('2026-11-20T00:00');
    assert.deepEqual(
      getTimeTicks(first, first + 28 * 24 * hour, 'day', 3),
      [0, 14, 28].map((days) => first + days * 24 * hour),
    );
    assert.ok(getTimeTicks(first, first + 4000 * 24 * hour, 'day', 3).length <= 4);
    assert.deepEqual(getTimeTicks(first, first, 'day', 3), [first]);
  });
});

describe('findNearest', () => {
  const marks = [10, 20, 40].map((x) => ({ x, y: 100 - x, title: '', lines: [] }));

  it('returns the value nearest to the pointer', () => {
    assert.deepEqual(
      [0, 14, 16, 29, 31, 900].map((place) => findNearest(marks, place, 'x')),
      [0, 0, 1, 1, 2, 2],
    );
    assert.equal(findNearest(marks, 62, 'y'), 2);
    assert.equal(findNearest([], 5, 'x'), -1);
  });
});
