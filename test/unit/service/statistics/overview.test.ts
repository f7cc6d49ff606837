import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createOverview } from '../../../../src/service/statistics/overview.ts';
import type { CampaignStatistics } from '../../../../src/service/client/index.ts';
import type { Figure, Overview } from '../../../../src/service/statistics/model.ts';
import { formatNumber } from '../../../../src/l10n.ts';
import { formatServiceDateTime, formatPercent } from '../../../../src/service/format.ts';
import { anyRow, anyRows, fieldRow, isBroken, leaves } from '../../features/statistics/records.ts';
import { createRunOptions } from '../../fuzz/setup.ts';

const figure = (overview: Overview, key: string) =>
  [...overview.figures, ...overview.sales, ...overview.otherFigures].find((one) => one.key === key);
const value = (overview: Overview, key: string) => figure(overview, key)?.value;
const rate = (overview: Overview, key: string) => {
  const found = figure(overview, key)?.rate;
  return found && `${found.value} ${found.of}`;
};
const listTexts = (figures: readonly Figure[]) => figures.map(({ label, value: text }) => [label, text]);
const unopenedRow = { ...fieldRow, open_unique: 0, open_total: 0, click_unique: 0, click_total: 0 };
/** A campaign of which nothing was sent, opened or clicked. */
const zeroRow = { ...unopenedRow, sent: 0, fail: 0, bounce_unique: 0, unsubscribe_total: 0 };
const euro = (amount: number) =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency: 'EUR' }).format(amount);

describe('createOverview', () => {
  it('has each figure with its rate and the base of the rate', () => {
    const overview = createOverview([fieldRow]);
    const recipients = `of ${formatNumber(4000)} recipients`;
    const sent = `of ${formatNumber(3990)} sent`;
    assert.deepEqual(
      overview.figures.map(({ key, label, value: text }) => [key, label, text, rate(overview, key)]),
      [
        ['total_subscribers', 'Recipients', formatNumber(4000), undefined],
        ['sent', 'Sent', formatNumber(3990), `${formatPercent(3990 / 4000)} ${recipients}`],
        ['fail', 'Failed', '10', `${formatPercent(10 / 4000)} ${recipients}`],
        ['delivered', 'Delivered', formatNumber(3950), `${formatPercent(3950 / 3990)} ${sent}`],
        ['open_unique', 'Unique opens', formatNumber(1200), `${formatPercent(1200 / 3990)} ${sent}`],
        ['open_total', 'Total opens', formatNumber(1800), `${formatNumber(1.5)} per recipient who opened`],
        ['click_unique', 'Unique clicks', '300', `${formatPercent(300 / 3990)} ${sent}`],
        ['click_total', 'Total clicks', '450', `${formatNumber(1.5)} per recipient who clicked`],
        ['click_to_open', 'Click-to-open rate', formatPercent(0.25), `300 of ${formatNumber(1200)} who opened`],
        ['bounce_unique', 'Bounces', '40', `${formatPercent(40 / 3990)} ${sent}`],
        ['unsubscribe_total', 'Unsubscribes', '12', `${formatPercent(12 / 3990)} ${sent}`],
      ],
    );
    assert.ok(overview.figures.every(({ meaning, change }) => meaning?.endsWith('.') === true && change === undefined));
    assert.deepEqual(
      [overview.isUnsent, overview.isUnopened, overview.remarks, overview.sales, overview.versions],
      [false, false, [], [], undefined],
    );
    assert.deepEqual(listTexts(overview.otherFigures), [
      ['Email ID', '24'],
      ['Sending began', formatServiceDateTime('2026-11-20 08:24:55')],
    ]);
  });

  it('has no rate for negative counts', () => {
    const overview = createOverview([{ ...fieldRow, open_unique: -5, click_unique: -1, bounce_unique: 5000 }]);
    assert.deepEqual(
      ['open_unique', 'open_total', 'click_unique', 'click_total', 'click_to_open'].map((key) => rate(overview, key)),
      [undefined, undefined, undefined, undefined, undefined],
    );
    assert.equal(value(overview, 'delivered'), '0');
  });

  it('has a funnel of the reported counts', () => {
    assert.deepEqual(createOverview([fieldRow]).funnel, [
      { label: 'Recipients', count: 4000, share: 1 },
      { label: 'Sent', count: 3990, share: 3990 / 4000 },
      { label: 'Delivered', count: 3950, share: 3950 / 4000 },
      { label: 'Opened', count: 1200, share: 0.3 },
      { label: 'Clicked', count: 300, share: 0.075 },
    ]);
    assert.deepEqual(createOverview([{ sent: 10, open_unique: 50, click_unique: -3 }]).funnel, [
      { label: 'Sent', count: 10, share: 1 },
      { label: 'Opened', count: 50, share: 1 },
      { label: 'Clicked', count: 0, share: 0 },
    ]);
    assert.deepEqual(createOverview([{ sent: 0, open_unique: 5 }]).funnel, [
      { label: 'Sent', count: 0, share: undefined },
      { label: 'Opened', count: 5, share: undefined },
    ]);
  });

  it('reports an unsent campaign', () => {
    const never = { sent: 0, send_date: '0000-00-00 00:00:00' };
    const records = [{ ...zeroRow, send_date: null }, { mail_id: 4, sent: null, send_date: '' }, never];
    for (const rows of [[], ...records.map((row) => [row])]) {
      const { isUnsent, ...others } = createOverview(rows);
      assert.equal(isUnsent, true, JSON.stringify(rows));
      assert.deepEqual(Object.values(others).flat(), [false]);
    }
  });

  it('reports no unsent campaign if sending began or only unrecognized fields exist', () => {
    const begun = createOverview([{ ...zeroRow, total_subscribers: 1 }]);
    assert.deepEqual([begun.isUnsent, begun.isUnopened], [false, false]);
    assert.match(begun.remarks[0] ?? '', /Sending began on .*2026.*no email was sent so far/);
    assert.equal(rate(begun, 'open_unique'), undefined);
    assert.equal(createOverview([{ new_column: '7' }]).isUnsent, false);
    assert.equal(createOverview([{ sent: 'many' } as object as CampaignStatistics]).isUnsent, false);
    assert.equal(createOverview([{ sent: 0, open_total: 3 }]).isUnsent, false);
  });

  it('reports a campaign without opens', () => {
    const unopened = createOverview([unopenedRow]);
    assert.equal(unopened.isUnopened, true);
    assert.equal(rate(unopened, 'open_total'), undefined);
    assert.equal(figure(unopened, 'click_to_open'), undefined);
    assert.equal(createOverview([{ ...unopenedRow, click_total: 1 }]).isUnopened, false);
    assert.equal(createOverview([{ sent: 5, open_unique: null, open_total: null }]).isUnopened, false);
  });

  describe('changes', () => {
    it('are relative to the previous read', () => {
      const overview = createOverview(
        [{ ...fieldRow, open_unique: 1212, bounce_unique: 39, tracking_sale: 12.5, currency: 'EUR' }],
        [fieldRow],
      );
      assert.deepEqual(
        ['open_unique', 'bounce_unique', 'delivered', 'sent', 'tracking_sale:EUR'].map(
          (key) => figure(overview, key)?.change,
        ),
        ['+12', '−1', '+1', undefined, `+${euro(12.5)}`],
      );
    });

    it('equal the counts if the previous read was empty', () => {
      const overview = createOverview([fieldRow], []);
      assert.equal(figure(overview, 'sent')?.change, `+${formatNumber(3990)}`);
      assert.equal(figure(overview, 'fail')?.change, '+10');
    });

    it('are missing for counts that the previous read lacks', () => {
      assert.equal(figure(createOverview([fieldRow], [{ sent: 3 }]), 'open_unique')?.change, undefined);
    });
  });

  describe('bounces', () => {
    const listReasons = ({ figures }: Overview) => figures.filter(({ key }) => key.startsWith('bounce_details:'));
    it('are listed by rule', () => {
      const reasons = { 'Mailbox full': 30, 'Unknown <b>user</b>': '10' };
      for (const details of [reasons, JSON.stringify(reasons)]) {
        const overview = createOverview([{ ...fieldRow, bounce_details: details }]);
        assert.deepEqual(
          listReasons(overview).map(({ label, value: text, rate: of }) => [label, text, of]),
          [
            ['Mailbox full', '30', { value: formatPercent(0.75), of: 'of 40 bounces' }],
            ['Unknown <b>user</b>', '10', { value: formatPercent(0.25), of: 'of 40 bounces' }],
          ],
        );
        assert.equal(figure(overview, 'bounce_details'), undefined);
      }
    });

    it('are summed over versions, with changes', () => {
      const overview = createOverview(
        [
          { ...fieldRow, bounce_details: '{"a":1}' },
          { ...fieldRow, bounce_details: { a: 2, b: 4 } },
        ],
        [{ ...fieldRow, bounce_details: '{"a":2}' }],
      );
      assert.deepEqual(
        ['a', 'b'].map((rule) => [
          value(overview, `bounce_details:${rule}`),
          figure(overview, `bounce_details:${rule}`)?.change,
        ]),
        [
          ['3', '+1'],
          ['4', '+4'],
        ],
      );
    });

    it('are shown unchanged if their rules can not be parsed', () => {
      for (const details of ['a:1:{s:3:"abc";i:1;}', { a: { b: 1 } }, [{ rule: 'a', count: 1 }], 7, '[1']) {
        assert.equal(
          value(createOverview([{ ...fieldRow, bounce_details: details }]), 'bounce_details'),
          typeof details === 'object' ? JSON.stringify(details) : String(details),
        );
      }
    });

    it('are limited to some rules and the sum of the others', () => {
      const details = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`rule ${at}`, 500 - at]));
      const reasons = listReasons(createOverview([{ ...fieldRow, bounce_details: details }]));
      assert.deepEqual(
        [reasons.length, reasons[0]?.value, reasons.at(-1)?.label, reasons.at(-1)?.value],
        [21, '500', 'Other reasons', formatNumber((480 * 481) / 2)],
      );
    });
  });

  it('sums sales only within a currency', () => {
    const rows = [
      { ...fieldRow, tracking_sale: 10.25, currency: 'EUR' },
      { ...fieldRow, tracking_sale: 5, currency: 'EUR' },
    ];
    assert.deepEqual(listTexts(createOverview(rows).sales), [['Sales', euro(15.25)]]);
    const several = createOverview([
      ...rows,
      { ...fieldRow, tracking_sale: 7, currency: 'Taler\u202E' },
      { ...fieldRow, tracking_sale: 1, currency: null },
      { ...fieldRow, tracking_sale: 0, currency: 'USD' },
    ]);
    assert.deepEqual(listTexts(several.sales), [
      ['Sales in EUR', euro(15.25)],
      ['Sales in Taler', '7 Taler'],
      ['Sales without currency', '1'],
    ]);
  });

  it('lists every unrecognized field', () => {
    const row = {
      sent: 1,
      fail: 0,
      total_subscribers: 1,
      spam_score: '1234',
      openRate: 0.5,
      note: 'a\u202Eb\nc',
      nested: { a: [1] },
      empty: null,
      flag: true,
      zip: '01234',
      made_on: '2026-11-20',
    };
    assert.deepEqual(listTexts(createOverview([row]).otherFigures), [
      ['Spam score', '1234'],
      ['Open rate', '0.5'],
      ['Note', 'ab c'],
      ['Nested', '{"a":[1]}'],
      ['Empty', '–'],
      ['Flag', 'true'],
      ['Zip', '01234'],
      ['Made on', formatServiceDateTime('2026-11-20')],
    ]);
    const several = createOverview([
      { points: 1, mail_id: 1, open_rate: 1, text: 'a', mixed: 1 },
      { points: '2.5', mail_id: 2, open_rate: 3, text: 'b', mixed: 'x' },
      { points: null, text: 'a' },
    ]);
    assert.deepEqual(
      several.otherFigures.map(({ key, value: text }) => [key, text]),
      [
        ['points', '1, 2.5'],
        ['mail_id', '1, 2'],
        ['open_rate', '1, 3'],
        ['text', 'a, b'],
        ['mixed', '1, x'],
      ],
    );
    assert.equal(
      createOverview([Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}`, at]))]).otherFigures.length,
      100,
    );
  });

  it('has no rate if the base is less than one', () => {
    assert.deepEqual(
      createOverview([{ total_subscribers: 5e-324, sent: 1 }]).figures.filter(({ rate }) =>
        /\u221E|NaN/u.test(rate?.value ?? ''),
      ),
      [],
    );
  });

  describe('several versions', () => {
    const rows = [
      { ...fieldRow, mail_id: 24 },
      { ...fieldRow, mail_id: 25, sent: 10, open_unique: 5, bounce_unique: 0 },
    ];

    it('are compared, with their sum', () => {
      const { versions, figures } = createOverview(rows, [{ ...fieldRow, mail_id: 25, sent: 8, open_unique: 5 }]);
      assert.deepEqual(versions?.columns, ['Email 24', 'Email 25', 'All versions']);
      const row = (label: string) => versions?.rows.find((one) => one.label === label)?.cells;
      assert.deepEqual(row('Sent'), [
        { value: formatNumber(3990), rate: formatPercent(3990 / 4000), change: `+${formatNumber(3990)}` },
        { value: '10', rate: formatPercent(10 / 4000), change: '+2' },
        { value: formatNumber(4000), rate: formatPercent(0.5), change: `+${formatNumber(3992)}` },
      ]);
      assert.deepEqual(
        row('Unique opens')?.map(({ rate: share }) => share),
        [formatPercent(1200 / 3990), formatPercent(0.5), formatPercent(1205 / 4000)],
      );
      assert.deepEqual(
        row('Click-to-open rate')?.map((cell) => cell.value),
        [0.25, 60, 600 / 1205].map(formatPercent),
      );
      for (const label of ['Click-to-open rate', 'Total opens'])
        assert.ok(row(label)?.every((cell) => cell.rate === undefined));
      assert.equal(figures.find(({ key }) => key === 'sent')?.value, formatNumber(4000));
      assert.ok(versions?.rows.every(({ cells }) => cells.length === 3));
    });

    it('have distinct names', () => {
      const ids = [7, '7', '\u202E', null, {}];
      const rows = ids.map((id) => ({ ...fieldRow, mail_id: id as number }));
      assert.deepEqual(createOverview(rows).versions?.columns.slice(0, -1), [
        'Email 7',
        'Email 7 (2)',
        'Email',
        'Version 4',
        'Email [object Object]',
      ]);
    });

    it('are limited to some columns, with the sum of all', () => {
      const many = createOverview(
        Array.from({ length: 300 }, (_, at) => ({ mail_id: at, sent: 1, open_unique: 1, open_total: 1 })),
      );
      assert.equal(many.versions?.columns.length, 21);
      assert.equal(value(many, 'sent'), '300');
      assert.match(many.remarks.join(' '), /shows the first 20 of 300 versions/);
    });

    it('have "–" for a missing field', () => {
      const { versions } = createOverview([{ sent: 5, special: 1 }, { sent: 6 }]);
      assert.deepEqual(
        versions?.rows.find(({ label }) => label === 'Special')?.cells.map(({ value: text }) => text),
        ['1', '–', '1'],
      );
    });
  });

  describe('remarks', () => {
    const contradictions: readonly (readonly [row: object, words: RegExp])[] = [
      [{ open_unique: 5000, open_total: 6000 }, /More recipients opened the email \(5,?.?000\) than it was sent to/],
      [{ open_total: 100 }, /More recipients opened the email .* than there were opens \(100\)/],
      [{ click_total: 100 }, /More recipients clicked \(300\) than there were clicks \(100\)/],
      [{ click_unique: 1300, click_total: 1300 }, /clicked .* than opened .*block images/],
      [{ bounce_unique: 4000 }, /More emails bounced/],
      [{ unsubscribe_total: 4000 }, /More recipients unsubscribed/],
      [{ fail: 20 }, /Sent .* and failed \(20\) emails exceed the number of recipients/],
      [{ sent: 5000, fail: 0 }, /More emails were sent .* than there are recipients/],
      [{ fail: 9 }, /^Waiting to be sent: 1 of .* emails/],
      [{ sent: -3 }, /"Sent" is negative: .3/],
      [{ sent: '<b>many</b>\u202E' }, /"Sent" isn't a number: "<b>many<\/b>"/],
      [{ tracking_sale: 'lots' }, /"Sales" isn't a number: "lots"/],
    ];
    it('report contradictions and invalid counts', () => {
      for (const [row, words] of contradictions)
        assert.match(createOverview([{ ...fieldRow, ...row }]).remarks.join('\n'), new RegExp(words, 'm'));
    });

    it('ignore invalid and missing counts', () => {
      assert.deepEqual(
        createOverview([{ ...fieldRow, sent: -3, click_unique: null }]).remarks.map((sentence) => sentence.slice(0, 8)),
        ['"Sent" i'],
      );
      assert.deepEqual(createOverview([{ ...fieldRow, sent: 3000, fail: null }]).remarks, []);
    });

    it('name the version and are limited', () => {
      const two = createOverview([fieldRow, { ...fieldRow, mail_id: 25, open_total: 0 }]).remarks;
      assert.deepEqual(
        two.map((sentence) => /^Email 25: More recipients opened/.test(sentence)),
        [true],
      );
      const many = createOverview(
        Array.from({ length: 50 }, () => ({ sent: -1, open_unique: 'x' }) as object as CampaignStatistics),
      ).remarks;
      assert.match(many.at(-2) ?? '', /^…and \d+ more/);
      assert.equal(many.length, 13);
    });
  });

  it('accepts any records', () => {
    fc.assert(
      fc.property(anyRows, fc.option(anyRows, { nil: undefined }), (rows, before) => {
        const overview = createOverview(rows, before);
        const broken = leaves(overview).filter(isBroken);
        assert.deepEqual(broken, []);
        for (const { share } of overview.funnel) assert.ok(share === undefined || (share >= 0 && share <= 1));
        const { versions } = overview;
        assert.ok(
          versions === undefined || versions.rows.every(({ cells }) => cells.length === versions.columns.length),
        );
      }),
      createRunOptions(1500),
    );
  });

  it('has no changes between equal reads', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const again = createOverview([row], [row]);
        assert.deepEqual(
          [...again.figures, ...again.sales, ...again.otherFigures].filter(({ change }) => change !== undefined),
          [],
        );
      }),
    );
  });
});
