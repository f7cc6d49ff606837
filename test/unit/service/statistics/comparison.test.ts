import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareCampaigns, compareMails } from '../../../../src/service/statistics/comparison.ts';
import { formatNumber } from '../../../../src/l10n.ts';
import { formatPercent } from '../../../../src/service/format.ts';
import { anyRows, fieldRow, isBroken, leaves } from '../../features/statistics/records.ts';
import { createRunOptions } from '../../fuzz/setup.ts';

describe('compareCampaigns', () => {
  const comparison = compareCampaigns([
    { name: 'A', rows: [fieldRow], previousRows: [{ ...fieldRow, open_unique: 1190 }] },
    { name: 'B', rows: undefined },
    { name: 'A', rows: [], previousRows: [] },
    {
      name: '\u202E',
      rows: [
        { ...fieldRow, sent: 10, fail: null, open_unique: 20, special: '7' },
        { sent: 30, open_unique: 5 },
      ],
    },
  ]);
  const row = (label: string) => comparison.rows.find((one) => one.label === label)?.cells;

  it('has a column for each campaign', () => {
    assert.deepEqual(comparison.columns, ['A', 'B', 'A (2)', 'Campaign 4']);
    assert.deepEqual(
      row('Unique opens')?.map(({ value, rate, change }) => [value, rate, change]),
      [
        [formatNumber(1200), formatPercent(1200 / 3990), '+10'],
        ['–', undefined, undefined],
        ['–', undefined, undefined],
        ['25', formatPercent(25 / 40), undefined],
      ],
    );
    assert.deepEqual(
      row('Failed')?.map(({ value }) => value),
      ['10', '–', '–', '–'],
    );
    assert.deepEqual(
      row('Special')?.map(({ value }) => value),
      ['–', '–', '–', '7'],
    );
    assert.equal(row('Email ID'), undefined);
  });

  it('keeps the order of recognized figures', () => {
    const { rows } = compareCampaigns([
      { name: 'A', rows: [{ click_total: 1, other: 1 }] },
      { name: 'B', rows: [{ sent: 1, open_unique: 1, unsubscribe_total: 0 }] },
    ]);
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['Sent', 'Unique opens', 'Total clicks', 'Unsubscribes', 'Other'],
    );
  });

  it('separates the sales by currency', () => {
    const { rows } = compareCampaigns([
      { name: 'A', rows: [{ sent: 1, tracking_sale: 5, currency: 'EUR' }] },
      { name: 'B', rows: [{ sent: 1, tracking_sale: 6, currency: 'USD' }] },
    ]);
    assert.deepEqual(
      rows
        .filter(({ label }) => label.startsWith('Sales'))
        .map(({ label, cells }) => [label, cells.map(({ value }) => value === '–')]),
      [
        ['Sales in EUR', [false, true]],
        ['Sales in USD', [true, false]],
      ],
    );
  });

  it('clamps bars to 0 to 1', () => {
    assert.deepEqual(comparison.bars.find(({ label }) => label === 'Unique opens')?.values, [
      1200 / 3990,
      null,
      null,
      25 / 40,
    ]);
    assert.deepEqual(
      compareCampaigns([
        { name: 'A', rows: [{ sent: 10, open_unique: 20 }] },
        { name: 'B', rows: [{ sent: 0, open_unique: 2 }] },
      ]).bars.find(({ label }) => label === 'Unique opens')?.values,
      [1, null],
    );
  });

  it('accepts any rows', () => {
    const someRows = fc.option(anyRows, { nil: undefined });
    const campaigns = fc.array(fc.record({ name: fc.string(), rows: someRows, previousRows: someRows }), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(campaigns, (all) => {
        const made = compareCampaigns(all);
        assert.deepEqual(leaves(made).filter(isBroken), []);
        assert.equal(new Set(made.columns).size, all.length);
        assert.ok(made.rows.every(({ cells }) => cells.length === all.length));
        assert.ok(
          made.bars.every(
            ({ values }) =>
              values.length === all.length && values.every((value) => value === null || (value >= 0 && value <= 1)),
          ),
        );
      }),
      createRunOptions(500),
    );
  });
});

describe('compareMails', () => {
  it('shows changes since the last read only', () => {
    const changes = (comparison: ReturnType<typeof compareMails>) =>
      comparison.rows.flatMap(({ cells }) => cells.flatMap(({ change }) => change ?? []));
    assert.deepEqual(changes(compareMails([fieldRow, {}])), []);
    assert.deepEqual(changes(compareMails([fieldRow, {}], [fieldRow, {}])), []);
    assert.ok(changes(compareMails([fieldRow, {}], [{ ...fieldRow, open_unique: 1190 }, {}])).includes('+10'));
  });

  it('compares a mail with its own last read, even if other mails were added or removed before it', () => {
    const [one, two] = [
      { mail_id: 1, sent: 100 },
      { mail_id: 2, sent: 30 },
    ] as const;
    const changes = (...args: Parameters<typeof compareMails>) =>
      compareMails(...args)
        .rows.find(({ label }) => label === 'Sent')
        ?.cells.map(({ change }) => change);
    assert.deepEqual(changes([two], [one, two]), [undefined]);
    assert.deepEqual(changes([one, { ...two, sent: 32 }], [two]), ['+100', '+2']);
  });
});
