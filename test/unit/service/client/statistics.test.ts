import assert from 'node:assert/strict';
import type { MailingClient, ProfileName } from '../../../../src/service/client/index.ts';
import { json, respond } from '../../../support/wire.ts';
import { getFailure, withService } from './setup.ts';
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

for (const profile of ['documented', 'acymailing'] as const satisfies readonly ProfileName[]) {
  describe(`statistics in responses of ${profile}`, () => {
    for (const { name, call, sent, converted } of operations) {
      const read = { ...sent, ...converted };
      const reads = (what: string, answer: Json, expected: readonly Row[]) =>
        it(`${name}: ${what}`, () =>
          withService(
            () => (typeof answer === 'string' ? respond(200, answer) : json(200, answer)),
            async (client) => assert.deepEqual(JSON.parse(JSON.stringify(await call(client))), expected),
            { profile },
          ));

      for (const nothing of [
        '[null]',
        '[]',
        '',
        '[[]]',
        '[[],[]]',
        '[[null],null]',
        '{}',
        '[{}]',
        'null',
        'false',
        '""',
        ' \n',
      ])
        reads(`nothing: ${JSON.stringify(nothing)}`, nothing, []);
      const [a, b] = [sent, { ...sent, extra: 'x' }];
      const [readA, readB] = [read, { ...read, extra: 'x' }];
      reads('a flat array', [a, b], [readA, readB]);
      reads('nested arrays, one for each version', [[a, b], [a]], [readA, readB, readA]);
      reads('nested arrays, some of them empty', [[], [a], [null], null, [b]], [readA, readB]);
      reads('a single object', a, [readA]);
      reads('a single object in arrays', [[[a]]], [readA]);
      reads('an object by ids', { 24: a, 25: b }, [readA, readB]);
      reads('an object of arrays by ids', { 24: [a, b], 25: [], 26: null }, [readA, readB]);
      reads('fields that no document names', [{ ...a, ...own }], [{ ...readA, ...own }]);
      reads('undocumented fields alone', [own], [own]);
      const fill = (value: Json) => Object.fromEntries(Object.keys(a).map((key) => [key, value]));
      const nested = { ...fill({ deep: [1] }), text: 'x' };
      reads('values of unexpected types', [fill('n/a')], [fill('n/a')]);
      reads('nested values instead of numbers', [nested], [nested]);

      it(`${name}: quotes the response if it has no records`, () =>
        withService(
          () => json(200, { message: 'Campaign not found' }),
          async (client) => {
            const error = await getFailure(() => call(client));
            assert.equal(error.kind, 'notJson');
            assert.match(error.message, /Campaign not found/);
          },
          { profile },
        ));
    }
  });
}
