import assert from 'node:assert/strict';
import { nearest } from '../../../../src/platform/webview/charts/pointing.ts';
import { xmlText } from '../../../../src/platform/webview/charts/save.ts';
import { ticksUpTo, timeTicks } from '../../../../src/platform/webview/charts/scale.ts';

const hour = 3_600_000;
const at = (text: string): number => Date.parse(`${text}Z`);

describe('the axes of a chart', () => {
  it('count in round steps, from nothing to above the highest value', () => {
    assert.deepEqual(ticksUpTo(183, 4), [0, 50, 100, 150, 200]);
    assert.deepEqual(ticksUpTo(3, 5), [0, 1, 2, 3]);
    assert.deepEqual(ticksUpTo(0, 4), [0, 1]);
    assert.deepEqual(ticksUpTo(1_000_000, 2), [0, 500_000, 1_000_000]);
    for (const high of [1, 7, 99, 101, 50_001]) {
      const ticks = ticksUpTo(high, 4);
      assert.ok(ticks.length <= 5 && (ticks.at(-1) ?? 0) >= high, `${high}: ${ticks.join()}`);
    }
  });

  it('name whole hours of the day, as many as have room', () => {
    const ticks = timeTicks(at('2026-11-20T08:00'), at('2026-11-22T20:00'), 'hour', 3);
    assert.deepEqual(ticks, [at('2026-11-21T00:00'), at('2026-11-22T00:00')]);
    assert.deepEqual(
      timeTicks(at('2026-11-20T08:00'), at('2026-11-20T13:00'), 'hour', 6),
      [8, 9, 10, 11, 12, 13].map((each) => at('2026-11-20T00:00') + each * hour),
    );
  });

  it('name days from the first one on, also over years', () => {
    const first = at('2026-11-20T00:00');
    assert.deepEqual(
      timeTicks(first, first + 28 * 24 * hour, 'day', 3),
      [0, 14, 28].map((days) => first + days * 24 * hour),
    );
    assert.ok(timeTicks(first, first + 4000 * 24 * hour, 'day', 3).length <= 4);
    assert.deepEqual(timeTicks(first, first, 'day', 3), [first]);
  });
});

describe('the values of a chart', () => {
  const marks = [10, 20, 40].map((x) => ({ x, y: 100 - x, title: '', lines: [] }));

  it('are those that the pointer is nearest to', () => {
    assert.deepEqual(
      [0, 14, 16, 29, 31, 900].map((place) => nearest(marks, place, 'x')),
      [0, 0, 1, 1, 2, 2],
    );
    assert.equal(nearest(marks, 62, 'y'), 2);
    assert.equal(nearest([], 5, 'x'), -1);
  });
});

describe('a picture of a chart', () => {
  it('holds nothing that XML has no place for', () => {
    assert.equal(xmlText('a\u0000\u001b\ufffe\ud800b\n\t😀'), 'ab\n\t😀');
  });
});
