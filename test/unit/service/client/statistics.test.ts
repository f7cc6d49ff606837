import assert from 'node:assert/strict';
import type { MailingClient } from '../../../../src/service/client/index.ts';
import { json, respond } from '../../../support/wire.ts';
import { getFailure, useAnswers } from './setup.ts';
import type { Json, Row } from '../../../../src/service/client/shapes.ts';

interface Operation {
  readonly name: string;
  readonly call: (client: MailingClient) => Promise<readonly Row[]>;
  /** The response of the service. */
  readonly sent: Readonly<Record<string, Json>>;
  /** The fields that the client converts. */
  readonly converted: Row;
}

const operations: readonly Operation[] = [
  {
    name: 'getCampaignStatistics',
    call: (client) => client.getCampaignStatistics(1),
    sent: {
      mail_id: '24',
      total_subscribers: '10',
      sent: '9',
      send_date: '2026-11-20 08:24:55',
      fail: '1',
      open_unique: '4',
      open_total: ' 7 ',
      click_unique: 2,
      click_total: '3',
      bounce_unique: '0',
      bounce_details: '{"Mailbox full":1}',
      unsubscribe_total: null,
      tracking_sale: '12.50',
      currency: 'EUR',
    },
    converted: {
      mail_id: 24,
      total_subscribers: 10,
      sent: 9,
      fail: 1,
      open_unique: 4,
      open_total: 7,
      click_total: 3,
      bounce_unique: 0,
      tracking_sale: 12.5,
    },
  },
  {
    name: 'getCampaignStatisticsDetailed',
    call: (client) => client.getCampaignStatisticsDetailed(1),
    sent: {
      user_id: '2',
      mail_id: '24',
      send_date: '2026-11-20 08:24:55',
      fail: '0',
      sent: '1',
      open: '2',
      open_date: null,
      bounce: '0',
      bounce_rule: null,
      tracking_sale: '12.50',
      currency: 'EUR',
      unsubscribe: false,
      device: '',
      opened_with: null,
      email: 'ann@example.com',
    },
    converted: { user_id: 2, mail_id: 24, fail: 0, sent: 1, open: 2, bounce: 0, tracking_sale: 12.5, unsubscribe: 0 },
  },
  {
    name: 'getCampaignStatisticsClicks',
    call: (client) => client.getCampaignStatisticsClicks(1),
    sent: {
      url_id: '1',
      user_id: '2',
      click: '3',
      date_click: '2026-11-20 08:24:55',
      email: 'ann@example.com',
      url: 'https://example.com/a',
    },
    converted: { url_id: 1, user_id: 2, click: 3 },
  },
  {
    name: 'getCampaignStatisticsLinks',
    call: (client) => client.getCampaignStatisticsLinks(1),
    sent: {
      id: '1',
      name: 'https://example.com/a',
      total_click: '3',
      unique_click: '1',
      mail_subject: 'Hello',
      mail_name: 'C1',
    },
    converted: { id: 1, total_click: 3, unique_click: 1 },
  },
];

const own = { new_column: '7', nested: { a: ['1'] } };

describe('statistics in responses', () => {
  const answering = useAnswers();
  for (const { name, call, sent: a, converted } of operations) {
    const b = { ...a, extra: 'x' };
    const readA = { ...a, ...converted };
    const readB = { ...readA, extra: 'x' };
    const fill = (value: Json) => Object.fromEntries(Object.keys(a).map((key) => [key, value]));
    const nested = { ...fill({ deep: [1] }), text: 'x' };
    const answers: readonly (readonly [what: string, answer: Json, expected: readonly Row[]])[] = [
      ['a flat array', [a, b], [readA, readB]],
      ['nested arrays, one for each version', [[a, b], [a]], [readA, readB, readA]],
      ['nested arrays, some of them empty', [[], [a], [null], null, [b]], [readA, readB]],
      ['a single object', a, [readA]],
      ['a single object in arrays', [[[a]]], [readA]],
      ['an object by ids', { 24: a, 25: b }, [readA, readB]],
      ['an object of arrays by ids', { 24: [a, b], 25: [], 26: null }, [readA, readB]],
      ['fields that no document names', [{ ...a, ...own }], [{ ...readA, ...own }]],
      ['undocumented fields alone', [own], [own]],
      ['values of unexpected types', [fill('n/a')], [fill('n/a')]],
      ['nested values instead of numbers', [nested], [nested]],
    ];
    it(`${name}: reads records in any wrapping`, async () => {
      const read = async (answer: string): Promise<Json> =>
        JSON.parse(JSON.stringify(await call(answering(respond(200, answer)))));
      for (const nothing of '[null]|[]||[[]]|[[],[]]|[[null],null]|{}|[{}]|null|false|""| \n'.split('|'))
        assert.deepEqual(await read(nothing), [], nothing);
      for (const [what, answer, expected] of answers)
        assert.deepEqual(await read(JSON.stringify(answer)), expected, what);
    });
    it(`${name}: quotes the response if it has no records`, async () => {
      const error = await getFailure(() => call(answering(json(200, { message: 'Campaign not found' }))));
      assert.equal(error.kind, 'notJson');
      assert.match(error.message, /Campaign not found/);
    });
  }
});
