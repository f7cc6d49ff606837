import assert from 'node:assert/strict';
import { formatServiceDateTime, formatPercent, formatTimestamp, joinParts } from '../../../src/service/format.ts';

describe('formatServiceDateTime', () => {
  it("shows the site's local time in any time zone", () => {
    const expected = new Intl.DateTimeFormat('en', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'UTC',
    }).format(Date.UTC(2026, 10, 20, 23, 24, 55));
    assert.equal(formatServiceDateTime('2026-11-20 23:24:55'), expected);
    assert.equal(formatServiceDateTime('2026-11-20T23:24'), expected);
  });

  it('shows no time for a date', () => {
    assert.equal(
      formatServiceDateTime('2026-11-20'),
      new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.UTC(2026, 10, 20)),
    );
  });

  it('returns undefined for an invalid date', () => {
    const texts = [null, undefined, '', '0000-00-00 00:00:00', '2026-02-30', 'tomorrow', '2026-13-01', '1763630695'];
    assert.deepEqual(
      texts.filter((text) => formatServiceDateTime(text) !== undefined),
      [],
    );
  });
});

describe('formatTimestamp', () => {
  it('formats a time, and returns undefined for none', () => {
    const expected = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(
      1_763_630_695_000,
    );
    assert.equal(formatTimestamp(1_763_630_695), expected);
    for (const seconds of [null, undefined, 0, Number.NaN, 1e300]) assert.equal(formatTimestamp(seconds), undefined);
  });
});

describe('numbers and descriptions', () => {
  it('formats percentages with at most one decimal', () => {
    const expected = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
    for (const share of [0, 0.3, 0.3125, 1, 1.5]) assert.equal(formatPercent(share), expected.format(share));
    assert.notEqual(formatPercent(0.312), formatPercent(0.31));
  });

  it('joins non-empty parts', () => {
    assert.equal(joinParts(['a', '', null, undefined, false, ' ', 'b']), 'a · b');
    assert.equal(joinParts([]), '');
  });
});
