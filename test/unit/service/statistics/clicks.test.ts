import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  countClicksByUser,
  parseNumber,
  sumLinkClicks,
  addClickCounts,
} from '../../../../src/service/statistics/counts.ts';
import { RECIPIENT_CLICKS_KEY } from '../../../../src/service/statistics/model.ts';
import { anyRow, isBroken, leaves } from '../../features/statistics/records.ts';

describe('parseNumber', () => {
  it('accepts only numbers and their texts', () => {
    assert.deepEqual([1, '1', ' -2.5 ', '+3', -0].map(parseNumber), [1, 1, -2.5, 3, 0]);
    assert.equal(Object.is(parseNumber('-0'), 0), true);
    const others = [
      '',
      ' ',
      '1,204',
      '0x10',
      '1e3',
      'NaN',
      NaN,
      Infinity,
      1e300,
      '9'.repeat(30),
      true,
      null,
      [],
      [1],
      {},
    ];
    assert.deepEqual(
      others.filter((value) => parseNumber(value) !== undefined),
      [],
    );
  });
});

describe('addClickCounts', () => {
  const clicks = countClicksByUser([
    { user_id: 2, click: '3', email: 'Ann@example.com' },
    { user_id: '2', click: 1 },
    { user_id: 7, click: null },
    { user_id: 4, click: -5 },
    { click: 9 },
    { user_id: 5, click: 'often' },
  ]);

  it('adds the clicks of the row’s user', () => {
    const rows = addClickCounts(
      [{ user_id: 2 }, { user_id: '7' }, { user_id: 4 }, { user_id: '5' }, { user_id: 6 }, { name: 'missing' }],
      clicks,
    );
    assert.deepEqual(
      rows.map((row) => row[RECIPIENT_CLICKS_KEY]),
      [4, 1, 0, 1, 0, undefined],
    );
  });

  it('adds no count without clicks and replaces a field of the same name', () => {
    assert.deepEqual(addClickCounts([{ user_id: 2, [RECIPIENT_CLICKS_KEY]: 99 }], undefined), [{ user_id: 2 }]);
    assert.deepEqual(
      addClickCounts([{ user_id: 3, [RECIPIENT_CLICKS_KEY]: 99 }, { [RECIPIENT_CLICKS_KEY]: 99 }], clicks),
      [{ user_id: 3, [RECIPIENT_CLICKS_KEY]: 0 }, {}],
    );
  });

  it('keeps all other fields', () => {
    const row = { user_id: 1, open: 2, other: { a: [1] }, email: '2' };
    assert.deepEqual(addClickCounts([row], clicks), [{ ...row, [RECIPIENT_CLICKS_KEY]: 0 }]);
  });

  it('accepts any rows', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 10 }), fc.array(anyRow, { maxLength: 10 }), (rows, others) => {
        for (const row of addClickCounts(rows, countClicksByUser(others))) {
          const count = row[RECIPIENT_CLICKS_KEY];
          assert.ok(count === undefined || (typeof count === 'number' && Number.isFinite(count) && count >= 0));
        }
      }),
    );
  });
});

describe('sumLinkClicks', () => {
  it('sums the clicks by address over versions, the most clicked first', () => {
    assert.deepEqual(
      sumLinkClicks([
        { name: 'https://example.com/a', total_click: '1', unique_click: '1' },
        { name: 'https://example.com/b?x={subscriber:email}', total_click: 6, unique_click: 5 },
        { name: ' https://example.com/a ', total_click: 2, unique_click: 1 },
        { name: 'mailto:ann@example.com', total_click: 1, unique_click: 1 },
        { name: 'tel:+49123', total_click: null },
      ]),
      [
        { address: 'https://example.com/b?x={subscriber:email}', total: 6, unique: 5, share: 0.6 },
        { address: 'https://example.com/a', total: 3, unique: 2, share: 0.3 },
        { address: 'mailto:ann@example.com', total: 1, unique: 1, share: 0.1 },
        { address: 'tel:+49123', total: 0, unique: 0, share: 0 },
      ],
    );
  });

  it('skips everything that is not a link', () => {
    const names = ['javascript:alert(1)', 'command:x', 'data:text/html,x', 'vscode://x', '/relative', '', null, {}, 5];
    names.push('file:///etc/passwd', ' java\nscript:alert(1)');
    assert.deepEqual(sumLinkClicks(names.map((name) => ({ name, total_click: 1 }))), []);
  });

  it('accepts any rows', () => {
    const row = fc.oneof(
      anyRow,
      fc.record({ name: fc.webUrl(), total_click: fc.jsonValue(), unique_click: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const heat = sumLinkClicks(rows);
        assert.deepEqual(leaves(heat.map(({ total, unique, share }) => [total, unique, share])).filter(isBroken), []);
        assert.ok(
          heat.every(({ total, share }, at) => share >= 0 && share <= 1 && total <= (heat[at - 1]?.total ?? Infinity)),
        );
      }),
    );
  });
});
