import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareCampaigns } from '../../../../../src/service/statistics/comparison.ts';
import { comparisonMarkdown, overviewMarkdown } from '../../../../../src/features/statistics/analysis/markdown.ts';
import { createOverview } from '../../../../../src/service/statistics/overview.ts';
import { TimelineCounter } from '../../../../../src/features/statistics/analysis/timeline.ts';
import { formatNumber } from '../../../../../src/l10n.ts';
import { formatServiceDateTime, formatPercent } from '../../../../../src/service/format.ts';
import { anyRows, fieldRow } from '../records.ts';
import { createRunOptions } from '../../../fuzz/setup.ts';

const sent = { name: 'Monthly letter no. 36', service: 'Shop', at: '20 Nov 2026, 08:24' };
const hostile =
  'x | y\n\n# Title <img src=x onerror=alert(1)> `code` [a](javascript:x) ![i](http://e.example/p.png) **b** _c_ ~~d~~ &amp; \\ $(alert) www.evil.example https://evil.example ann@evil.example \u202E';

/** The cells of each row of a table. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** Returns the lines with unescaped Markdown or HTML, apart from the document's own syntax. */
function active(text: string) {
  const own = text.split('\n').map((line) =>
    line
      .replace(/^(?:#{1,2} |- |\| )/, '')
      .replace(/^(?:-{3}:? \| )*-{3}:? \|$/, '')
      .replace(/^(?:--- \| )(?:---: \| ?)*$/, '')
      .replace(/ \|(?= |$)/g, ''),
  );
  return own.filter((line) =>
    /[<>`*_[\]{}\\|~$@!]|https?:|www\.|&(?!#\d+;)|^\s*(?:(?:\d+[.)]|[-+])(?:\s|$)|#|[-=]{2})/.test(line),
  );
}

describe('statistics as Markdown', () => {
  const counter = new TimelineCounter();
  counter.addRecipients([
    { open: 1, open_date: '2026-11-20 08:24:55' },
    { open: 1, open_date: '2026-11-20 11:24:55' },
    { open: 1 },
  ]);
  const timeline = counter.createTimeline({ readCount: 100, totalCount: 4000, isComplete: false });
  const overview = createOverview(
    [{ ...fieldRow, tracking_sale: 5, currency: 'Taler', points: 3 }],
    [{ ...fieldRow, open_unique: 1190 }],
  );

  it('contains everything that the page shows', () => {
    const text = overviewMarkdown({ ...sent, overview, timeline });
    assert.ok(
      text.startsWith(
        '# Statistics of Monthly letter no. 36\n\nShop, as of 20 Nov 2026, 08:24\n\n| Figure | Value | Rate | Change |\n| --- | ---: | ---: | ---: |\n',
      ),
      text,
    );
    const rows = rowsOf(text);
    assert.deepEqual(
      rows.find(([label]) => label === 'Unique opens'),
      ['Unique opens', formatNumber(1200), `${formatPercent(1200 / 3990)} of ${formatNumber(3990)} sent`, '+10'],
    );
    assert.deepEqual(
      rows.find(([label]) => label === 'Opened'),
      ['Opened', formatNumber(1200), formatPercent(0.3)],
    );
    assert.ok(rows.some(([label, value]) => label === 'Sales' && value === '5 Taler'));
    assert.ok(rows.some(([label, value]) => label === 'Points' && value === '3'));
    for (const time of ['2026-11-20 08:00', '2026-11-20 11:00'])
      assert.ok(
        rows.some(
          ([label, opens, clicks]) =>
            label === formatServiceDateTime(time)?.replace(/\s/g, ' ') && opens === '1' && clicks === '0',
        ),
        time,
      );
    assert.ok(
      !rows.some(([label]) => label === formatServiceDateTime('2026-11-20 09:00')?.replace(/\s/g, ' ')),
      'hours in which nothing happened are left out',
    );
    for (const words of [
      `Based on the first 100 of ${formatNumber(4000)} recipients.`,
      "1 open or click has no date and isn't shown.",
      '## Funnel',
      '## Opens and clicks over time',
      '## Other fields',
    ])
      assert.ok(text.includes(words), words);
    assert.ok(text.endsWith('\n') && !text.includes('## Remarks') && !text.includes('## Versions'));
  });

  it('contains versions and remarks if there are any', () => {
    const text = overviewMarkdown({
      ...sent,
      overview: createOverview([fieldRow, { ...fieldRow, mail_id: 25, open_total: 5 }]),
    });
    assert.match(text, /## Versions\n\n\| Figure \| Email 24 \| Email 25 \| All versions \|/);
    assert.match(text, /## Remarks\n\n- Email 25: More recipients opened/);
  });

  it('reports an unsent or unopened campaign', () => {
    assert.equal(
      overviewMarkdown({ ...sent, name: '', overview: createOverview([]) }),
      '# Statistics of a campaign\n\nShop, as of 20 Nov 2026, 08:24\n\nNo emails sent yet.\n',
    );
    assert.match(
      overviewMarkdown({ ...sent, overview: createOverview([{ sent: 5, open_unique: 0 }]) }),
      /\n\nNo opens yet\.\n\n/,
    );
  });

  it('has a column for each compared campaign', () => {
    const text = comparisonMarkdown({
      at: '08:24',
      comparison: compareCampaigns([
        { name: 'A', rows: [fieldRow], previousRows: [{ ...fieldRow, open_unique: 1190 }] },
        { name: 'B', rows: undefined },
      ]),
      failures: ['B'],
    });
    assert.deepEqual(
      rowsOf(text).find(([label]) => label === 'Unique opens'),
      ['Unique opens', `${formatNumber(1200)} (${formatPercent(1200 / 3990)}), +10`, '–'],
    );
    assert.match(text, /## Can.t be read\n\n- B\n$/);
  });

  it('escapes all text of the service', () => {
    const rows = [
      {
        ...fieldRow,
        mail_name: hostile,
        currency: hostile,
        tracking_sale: 3,
        bounce_details: { [hostile]: 3 },
        [hostile]: hostile,
        sent: hostile as unknown as number,
      },
      { ...fieldRow, mail_name: `1. ${hostile}` },
    ];
    const texts = [
      overviewMarkdown({
        name: hostile,
        service: `1) ${hostile}`,
        at: hostile,
        overview: createOverview(rows),
        timeline,
      }),
      comparisonMarkdown({
        at: hostile,
        comparison: compareCampaigns([
          { name: hostile, rows },
          { name: `- ${hostile}`, rows },
        ]),
        failures: [hostile, '1. a', '- b', '+ c', '---', '===', '# d'],
      }),
    ];
    for (const text of texts) {
      assert.deepEqual(active(text), []);
      for (const table of text.split('\n\n').filter((part) => part.startsWith('|')))
        assert.equal(new Set(rowsOf(table).map((row) => row.length)).size, 1);
    }
    assert.match(texts[0] ?? '', /\n1&#41; x &#124; y &#35; Title &#60;img/);
  });

  it('escapes the text of any records', () => {
    fc.assert(
      fc.property(anyRows, fc.string(), (rows, name) => {
        for (const text of [
          overviewMarkdown({ name, service: name, at: name, overview: createOverview(rows) }),
          comparisonMarkdown({
            at: name,
            comparison: compareCampaigns([
              { name, rows },
              { name: '', rows: [] },
            ]),
            failures: [name],
          }),
        ]) {
          assert.deepEqual(active(text), []);
          assert.doesNotMatch(text, /undefined|NaN|∞|[\u202A-\u202E]/u);
        }
      }),
      createRunOptions(500),
    );
  });
});
