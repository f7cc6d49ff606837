import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TimelineCounter } from '../../../../../src/features/statistics/analysis/timeline.ts';
import { formatServiceDateTime } from '../../../../../src/service/format.ts';
import type { StatisticsRow } from '../../../../../src/service/statistics/model.ts';
import type { ActivityTimeline } from '../../../../../src/features/statistics/model.ts';
import { anyRow, isBroken, leaves } from '../records.ts';
import { createRunOptions } from '../../../fuzz/setup.ts';
import type { Json } from '../../../../../src/service/client/shapes.ts';

const whole = { readCount: 0, isComplete: true };
const opened = (...dates: readonly Json[]): StatisticsRow[] => dates.map((open_date) => ({ open: '1', open_date }));
const clicked = (...dates: readonly Json[]): StatisticsRow[] => dates.map((date_click) => ({ click: '2', date_click }));

function timelineOf(opens: readonly StatisticsRow[], clicks: readonly StatisticsRow[] = []) {
  const counter = new TimelineCounter();
  counter.addRecipients(opens);
  counter.addClicks(clicks);
  return counter.createTimeline(whole);
}
const counts = ({ points }: ActivityTimeline): [number, number][] => points.map(({ opens, clicks }) => [opens, clicks]);

describe('TimelineCounter', () => {
  it('counts by hour for a few days, without gaps', () => {
    const timeline = timelineOf(
      opened('2026-11-20 08:24:55', '2026-11-20 08:59:59', '2026-11-20 11:00:00'),
      clicked('2026-11-20 09:00:00'),
    );
    assert.equal(timeline.unit, 'hour');
    assert.deepEqual(counts(timeline), [
      [2, 0],
      [0, 1],
      [0, 0],
      [1, 0],
    ]);
    assert.deepEqual(
      [timeline.points[0]?.time, timeline.points[0]?.label],
      [Date.UTC(2026, 10, 20, 8), formatServiceDateTime('2026-11-20 08:00')],
    );
    assert.equal(timelineOf(opened('2026-11-20 08:24:55', '2026-11-24 07:00:00')).unit, 'hour');
  });

  it('counts by day for a longer span', () => {
    const timeline = timelineOf(opened('2026-11-20 08:24:55', '2026-11-24 08:24:55'), clicked('2026-11-20 00:00:00'));
    assert.equal(timeline.unit, 'day');
    assert.deepEqual(counts(timeline), [
      [1, 1],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
    ]);
    assert.equal(timeline.points[4]?.label, formatServiceDateTime('2026-11-24'));
  });

  it('ignores recipients without opens and clicks', () => {
    const timeline = timelineOf(
      [
        { open: '0', open_date: null },
        { open: '0', open_date: '2026-11-20 08:00:00' },
        { open: null, open_date: null },
        {},
        { open: -1 },
        { open_date: '0000-00-00 00:00:00' },
      ],
      [{ click: '0', date_click: '2026-11-20 08:00:00' }],
    );
    assert.deepEqual([timeline.points, timeline.undated], [[], 0]);
  });

  it('counts events without a valid date as undated', () => {
    const timeline = timelineOf(
      [...opened(null, '0000-00-00 00:00:00', 'soon', '', '2026-02-30'), ...opened('2026-11-20 08:00:00')],
      clicked(null, '2026-99-99'),
    );
    assert.deepEqual([counts(timeline), timeline.undated], [[[1, 0]], 7]);
  });

  it('leaves out implausible dates and explains that', () => {
    const timeline = timelineOf(opened('1970-01-01 00:00:01', '2999-12-31', '2026-11-20 08:00:00'));
    assert.deepEqual([timeline.points.length, timeline.undated], [1, 2]);
    assert.match(timeline.meaning, /2 opens and clicks have an implausible date/);
    assert.doesNotMatch(timelineOf(opened('2026-11-20 08:00:00')).meaning, /implausible/);
  });

  it('shows the busiest days if events are years apart', () => {
    const timeline = timelineOf(
      opened(
        '2001-05-05 01:00:00',
        ...Array.from({ length: 20 }, () => '2026-11-20 08:00:00'),
        '2026-12-24 08:00:00',
        '2090-01-01',
      ),
    );
    assert.equal(timeline.points.length, 35);
    assert.equal(
      timeline.points.reduce((sum, { opens }) => sum + opens, 0),
      21,
    );
    assert.equal(timeline.undated, 0);
    assert.match(
      timeline.meaning,
      /^The service stores one date for each recipient.* 2 opens and clicks between .*2001 and .*2090 are outside the days shown, .*2026 to .*2026\.$/,
    );
  });

  it('accumulates pages and reports the progress', () => {
    const counter = new TimelineCounter();
    assert.deepEqual(counts(counter.createTimeline({ readCount: 0, isComplete: false })), []);
    counter.addRecipients(opened('2026-11-20 08:00:00'));
    const {
      readCount: read,
      totalCount: of,
      isComplete: complete,
    } = counter.createTimeline({ readCount: 500, totalCount: 4000, isComplete: false });
    assert.deepEqual([read, of, complete], [500, 4000, false]);
    counter.addRecipients(opened('2026-11-20 08:00:01'));
    const last = counter.createTimeline({ readCount: 4000, isComplete: true });
    assert.deepEqual(counts(last), [[2, 0]]);
    assert.equal('totalCount' in last, false);
  });

  it('limits the number of points', () => {
    const counter = new TimelineCounter();
    for (let at = 0; at < 100; at += 1) {
      counter.addRecipients(
        opened(
          ...Array.from({ length: 500 }, (_, place) =>
            new Date(Date.UTC(2000, 0, 1) + (at * 500 + place) * 3_600_000 * 17).toISOString().slice(0, 19),
          ),
        ),
      );
    }
    const timeline = counter.createTimeline(whole);
    assert.equal(timeline.unit, 'day');
    assert.ok(timeline.points.length <= 400);
    assert.match(timeline.meaning, /outside the days shown/);
  });

  it('accepts any rows', () => {
    const dated = fc.oneof(
      fc.constantFrom<Json>(
        '2026-11-20 08:24:55',
        '2026-11-21',
        '1970-01-01',
        '2999-01-01',
        1_763_630_695,
        '1763630695',
        null,
      ),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 19)),
      fc.jsonValue(),
    );
    const row = fc.oneof(anyRow, fc.record({ open: fc.nat(3), open_date: dated, click: fc.nat(3), date_click: dated }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (opens, clicks) => {
        const timeline = timelineOf(opens, clicks);
        assert.deepEqual(leaves(timeline).filter(isBroken), []);
        assert.ok(timeline.points.length <= 400);
        const step = timeline.unit === 'hour' ? 3_600_000 : 86_400_000;
        assert.ok(
          timeline.points.every(
            ({ time }, at) => time === (timeline.points[0]?.time ?? 0) + at * step && time % step === 0,
          ),
        );
        assert.ok(
          timeline.points.reduce((sum, point) => sum + point.opens + point.clicks, timeline.undated) <=
            opens.length + clicks.length,
        );
      }),
      createRunOptions(1000),
    );
  });
});
