import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GenericSchema } from 'valibot';
import { formFromPage } from '../../../src/ui/page/form/protocol.ts';
import { readMessage } from '../../../src/ui/protocol.ts';
import { fromPage as previewFromPage } from '../../../src/features/preview/protocol.ts';
import { fromPage as sendReviewFromPage } from '../../../src/features/campaigns/review/protocol.ts';
import { fromPage as statisticsFromPage } from '../../../src/features/statistics/protocol.ts';
import { fromPage as subscribersFromPage } from '../../../src/features/subscriptions/subscribers/protocol.ts';
import { fromPage as subscriptionsFromPage } from '../../../src/features/subscriptions/user/protocol.ts';
import { anyText, anyValue, TIMEOUT_MS, createRunOptions, getMessageTypes } from './setup.ts';
import type { Row } from '../../../src/service/client/shapes.ts';

type AnyMessage = { readonly type: string } & Row;

const toolbar = { view: 'clients', lens: 'gmail', width: '600', scheme: 'dark', remote: false, isInboxOpen: true };

/** For each page, its protocol and one valid message of each type. */
const pages: Readonly<
  Record<
    string,
    {
      readonly schema: GenericSchema<unknown, AnyMessage> & Parameters<typeof getMessageTypes>[0];
      readonly good: readonly AnyMessage[];
    }
  >
> = {
  form: {
    schema: formFromPage,
    good: [
      { type: 'ready' },
      { type: 'edit', seq: 1, path: ['name'], value: 'N', final: true },
      { type: 'edit', seq: 2, path: ['frequency_options', 'unit'], final: false },
      { type: 'choose', seq: 3, path: ['listIds'], id: 4, chosen: false },
      { type: 'settle' },
      { type: 'undo' },
      { type: 'redo' },
      { type: 'run', command: 'send' },
      { type: 'run', command: 'editMail', id: 3 },
      { type: 'retry' },
    ],
  },
  preview: {
    schema: previewFromPage,
    good: [
      { type: 'ready' },
      { type: 'pictures', paths: ['img/logo.png'] },
      { type: 'retry' },
      { type: 'toolbar', toolbar },
      { type: 'reveal', part: 'stylesheet', offset: 0 },
      { type: 'revealProblem' },
      { type: 'openLink', href: 'x' },
      { type: 'copyLink', href: 'x' },
      { type: 'selectPerson', personId: 'typical' },
      { type: 'imageScaled', id: 0, width: 600, height: 400 },
      { type: 'imageScaled', id: 0, width: 600, height: 400, image: Uint8Array.of(1, 2) },
      { type: 'heatClosed' },
      { type: 'edit', document: 'mailing://test/templates/1/a.html', field: 'subject', text: 'Hello' },
    ],
  },
  sendReview: {
    schema: sendReviewFromPage,
    good: [{ type: 'ready' }, { type: 'continue' }, { type: 'cancel' }],
  },
  statistics: {
    schema: statisticsFromPage,
    good: [
      { type: 'ready' },
      { type: 'choose' },
      { type: 'compare' },
      { type: 'showCampaign', index: 3 },
      { type: 'refresh' },
      { type: 'cancel' },
      { type: 'width', isNarrow: true },
      { type: 'readTimeline' },
      { type: 'rows', requestId: 1, tab: 'links', page: 0 },
      { type: 'count', requestId: 2, tab: 'links' },
      { type: 'copy', columns: ['email'], rows: [{ email: 'a@example.com' }], missing: 0 },
      { type: 'export', tab: 'clicks', expected: 4 },
      { type: 'heatMap', address: 'https://example.com' },
    ],
  },
  subscribers: {
    schema: subscribersFromPage,
    good: [
      { type: 'ready' },
      { type: 'rows', requestId: 1, tab: 'subscribed', page: 1 },
      { type: 'count', requestId: 2, tab: 'subscribed' },
      { type: 'readLists' },
      { type: 'copy', columns: ['id'], rows: [{ id: 1 }], missing: 0 },
      { type: 'export', tab: 'unsubscribed' },
      { type: 'export', tab: 'subscribed', expected: 3 },
    ],
  },
  subscriptions: {
    schema: subscriptionsFromPage,
    good: [{ type: 'ready' }, { type: 'refresh' }, { type: 'change', kind: 'unsubscribe', listId: 2 }, { type: 'add' }],
  },
};

describe('Any message of a page', function () {
  this.timeout(TIMEOUT_MS);

  for (const [page, { schema, good }] of Object.entries(pages)) {
    it(`${page}: is accepted if it follows the protocol`, () => {
      assert.deepEqual(new Set(good.map(({ type }) => type)), new Set(getMessageTypes(schema)));
      for (const message of good) assert.deepEqual(readMessage(schema, message), message);
    });

    it(`${page}: loses fields that the protocol does not define`, () => {
      for (const message of good)
        assert.deepEqual(readMessage(schema, { ...message, extra: 1, constructor: 'x' }), message);
    });

    it(`${page}: is rejected for any other value`, () =>
      fc.assert(
        fc.property(
          fc.oneof(
            anyValue,
            anyText.map((type) => ({ type })),
            anyValue.map((type) => ({ type })),
          ),
          (value) => {
            const message = readMessage(schema, value);
            if (message !== undefined) assert.ok(good.some(({ type }) => type === message.type));
          },
        ),
        createRunOptions(1500),
      ));

    it(`${page}: is rejected if a field has another type`, () =>
      fc.assert(
        fc.property(fc.constantFrom(...good), anyText, anyValue, (message, name, value) => {
          const fields = Object.keys(message).filter((field) => field !== 'type');
          const field = fields[name.length % Math.max(1, fields.length)];
          if (field === undefined) return;
          const changed = { ...message, [field]: value };
          const result = readMessage(schema, changed);
          const original = message[field];
          if (field !== 'value' && typeof value !== typeof original && value !== undefined)
            assert.equal(result, undefined);
          if (result !== undefined) assert.deepEqual(result[field], value);
        }),
        createRunOptions(1500),
      ));
  }

  for (const [name, value] of [
    ['a type that every object has', { type: 'constructor' }],
    ['a __proto__ type', { type: '__proto__' }],
    ['a type in its prototype', Object.create({ type: 'ready' })],
    ['a list', [{ type: 'ready' }]],
    ['a request without an id', { type: 'rows', tab: 'subscribed', page: 0 }],
    ['a request with a name as its id', { type: 'rows', requestId: 'constructor', tab: 'subscribed', page: 0 }],
    ['a negative page', { type: 'rows', requestId: 1, tab: 'subscribed', page: -1 }],
    ['several pages', { type: 'rows', requestId: 1, tab: 'subscribed', page: [0, 1] }],
    ['an edit with an empty path', { type: 'edit', seq: 1, path: [], value: {}, final: true }],
    [
      'an edit with a deep path',
      { type: 'edit', seq: 1, path: Array.from({ length: 50 }, () => 'a'), value: 1, final: true },
    ],
  ] as const) {
    it(`is rejected: ${name}`, () => {
      for (const { schema } of Object.values(pages)) assert.equal(readMessage(schema, value), undefined);
    });
  }
});
