import assert from 'node:assert/strict';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  MailingClient,
  type ApiErrorKind,
  type Campaign,
  type FollowUpWithMails,
  type MailingList,
  type ProfileName,
  type Template,
} from '../../../src/service/client/index.ts';
import { campaignDocuments } from '../../../src/features/campaigns/documents.ts';
import { createCampaignTree } from '../../../src/features/campaigns/tree.ts';
import { getFollowUpDetails as followUpDetails } from '../../../src/features/followUps/model.ts';
import { followUpTree } from '../../../src/features/followUps/tree.ts';
import { listTree } from '../../../src/features/lists/tree.ts';
import { templateDocuments } from '../../../src/features/templates/documents.ts';
import { templateTree } from '../../../src/features/templates/tree.ts';
import { operationCases, type OperationCase } from '../../support/operations.ts';
import { RespondingDispatcher, anyJson, anyText, TIMEOUT_MS, createRunOptions, type RawResponse } from './setup.ts';
import { isApiError, isObject, type Row } from '../../../src/service/client/shapes.ts';

const kinds: readonly ApiErrorKind[] = [
  'unauthorized',
  'forbidden',
  'notFound',
  'invalid',
  'server',
  'rateLimited',
  'redirect',
  'notJson',
  'network',
  'timeout',
  'tls',
  'aborted',
];
const KEY = 'k3y-Fuzz/42';
/** The record id in all operation cases but a few. */
const RECORD_ID = 5;
const knownRecords = {
  mails: [RECORD_ID, RECORD_ID],
  campaigns: [RECORD_ID, RECORD_ID],
  emails: ['ann@example.com', 'bob@example.com'],
};
/** Some operation cases request another record. */
const getRequestedId = (one: OperationCase): number =>
  /^(getOneTemplate|getFollowUpById)$|updateTemplate/.test(one.operation) ||
  (one.operation === 'createOrUpdateFollowUp' && one.responseKind === 'updated')
    ? 1
    : RECORD_ID;

const prototypeNames = Object.getOwnPropertyNames(Object.prototype).join();

/** Asserts that all objects in a result have a standard prototype. */
function assertPlain(value: unknown) {
  if (typeof value !== 'object' || value === null) return;
  const prototype: object | null = Object.getPrototypeOf(value);
  assert.ok(
    prototype === Object.prototype || prototype === Array.prototype || prototype === null,
    'a response changed a prototype',
  );
  for (const child of Object.values(value)) assertPlain(child);
}

function assertRecord(value: unknown, isIdNeeded: boolean): asserts value is Row {
  assert.ok(isObject(value));
  if (isIdNeeded) assert.ok(Number.isSafeInteger(value['id']));
}

const idNames = ['templateId', 'followUpId', 'campaignId', 'mailId'];
const withoutIds = /Statistics/;

function assertResult(one: OperationCase, result: unknown) {
  assertPlain(result);
  if (one.responseKind === 'records') {
    assert.ok(Array.isArray(result));
    for (const record of result) assertRecord(record, !withoutIds.test(one.operation));
  } else if (one.responseKind === 'record') {
    assertRecord(result, true);
    assert.equal(result['id'], getRequestedId(one));
  } else {
    assert.ok(isObject(result));
    const storedIds = idNames.filter((name) => name in result).map((name) => result[name]);
    for (const id of storedIds) assert.ok(Number.isSafeInteger(id) && Number(id) > 0);
    if (one.responseKind === 'updated' || one.responseKind === 'stored') assert.equal(storedIds.length, 1);
    if ('message' in result) assert.equal(typeof result['message'], 'string');
  }
}

function assertError(one: OperationCase, error: unknown) {
  if (!isApiError(error)) throw error;
  assert.ok(kinds.includes(error.kind));
  assert.equal(error.operation, one.operation);
  assert.ok(error.outcome === 'refused' || (error.outcome === 'unknown' && one.isWrite));
  assert.match(error.message, /^Couldn't .+\. .+\. .+\.$/su);
  assert.doesNotMatch(error.message, /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
  assert.ok(error.message.length < 2500);
  assert.ok(!JSON.stringify({ ...error, message: error.message }).includes(KEY));
}

/** Calls an operation with a given response. Returns its result, or undefined after an expected error. */
async function callWithResponse(one: OperationCase, profile: ProfileName, answer: RawResponse) {
  const client = new MailingClient({
    baseUrl: 'http://service.example/site',
    apiKey: KEY,
    profile,
    dispatcher: new RespondingDispatcher(answer),
    timeoutMs: 5000,
    wait: () => Promise.resolve(),
  });
  try {
    const result = await one.call(client, 0, knownRecords);
    assertResult(one, result);
    return result;
  } catch (error) {
    assertError(one, error);
    return undefined;
  } finally {
    await client.close();
    assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), prototypeNames);
  }
}

const json = (body: string): RawResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
});
const operation = fc.constantFrom(...operationCases);
const profile = fc.constantFrom<ProfileName>('documented', 'acymailing');

/** JSON similar to a response, some of which is accepted as records. */
const responseLike = fc
  .tuple(
    anyJson,
    fc.constantFrom('1', '"1"', '5', '"5"', '6', 'true', '[5]', '{"id":5}', 'null', '5.5', '"5abc"'),
    fc.constantFrom('[@]', '@', '[[@]]', '[[@],[@]]', '{"5":@}', '[{"5":@}]', '{"templates":[@]}'),
  )
  .map(([extra, id, wrapping]) =>
    wrapping.replaceAll(
      '@',
      `{"id":${id},"templateId":${id},"campaignId":${id},"followUpId":${id},"mailId":${id},"name":"N"${extra.startsWith('{') && extra.length > 2 ? `,${extra.slice(1, -1)}` : ''}}`,
    ),
  );

const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(200, 201) },
  { weight: 2, arbitrary: fc.integer({ min: 200, max: 599 }) },
);
const encodings: Readonly<Record<string, (raw: Uint8Array) => Uint8Array>> = {
  gzip: gzipSync,
  deflate: deflateRawSync,
  identity: (raw) => raw,
  br: (raw) => raw,
  ['constructor']: (raw: Uint8Array) => raw,
};
const headers = fc.record(
  {
    'content-type': fc.oneof(
      fc.constantFrom('application/json', 'text/html; charset=latin1', 'x; charset=utf-16le'),
      anyText,
    ),
    location: fc.oneof(
      fc.constantFrom(
        '/other',
        'http://other.example/x',
        'javascript:alert(1)',
        '//',
        'http://service.example/site/index.php',
      ),
      anyText,
    ),
    'retry-after': fc.oneof(fc.constantFrom('1', '99999999999999999999', 'Thu, 01 Jan 2099 00:00:00 GMT'), anyText),
  },
  { requiredKeys: [] },
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  anyText.map((text) => Buffer.from(text)),
  anyJson.map((text) => Buffer.from(text)),
  fc.tuple(anyJson, fc.nat(100)).map(([text, end]) => Buffer.from(text).subarray(0, end)),
);

describe('Any response of a service', function () {
  this.timeout(TIMEOUT_MS);

  it('returns records or a named error for any JSON value', () =>
    fc.assert(
      fc.asyncProperty(
        operation,
        profile,
        fc.oneof(anyJson, responseLike),
        async (one, name, text) => void (await callWithResponse(one, name, json(text))),
      ),
      createRunOptions(4000),
    ));

  it('returns records or a named error for any bytes, status, headers and encoding', () =>
    fc.assert(
      fc.asyncProperty(
        operation,
        profile,
        status,
        headers,
        bytes,
        fc.constantFrom(undefined, ...Object.keys(encodings)),
        async (one, name, code, head, body, encoding) => {
          const encoded = encoding === undefined ? body : (encodings[encoding]?.(body) ?? body);
          await callWithResponse(one, name, {
            status: code,
            headers: { ...head, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) },
            body: encoded,
          });
        },
      ),
      createRunOptions(1500),
    ));

  it('never returns a record with another id than the requested one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...operationCases.filter(({ responseKind: answer }) => answer === 'record')),
        profile,
        fc.oneof(fc.integer(), fc.double(), fc.boolean(), anyText),
        async (one, name, id) => {
          const result = await callWithResponse(one, name, json(JSON.stringify([{ name: 'N', id }])));
          const isSame =
            (typeof id === 'number' || typeof id === 'string') &&
            String(id).trim() !== '' &&
            Number(id) === getRequestedId(one);
          if (result !== undefined) assert.ok(isSame);
        },
      ),
      createRunOptions(800),
    ));

  it('returns records that can be displayed, opened and written back unchanged', async () => {
    let shownCount = 0;
    const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
      body: anyJson,
      subject: anyJson,
      listIds: fc.oneof(fc.constantFrom('[1,2]', '"3,4"', '[]', 'null'), anyJson),
      sending_type: fc.oneof(fc.constantFrom('"auto"', '"scheduled"', '"now"'), anyJson),
      sending_date: anyJson,
      sending_params: fc.oneof(
        fc.constantFrom(
          '{"trigger_type":"every","every":{"type":86400,"number":2}}',
          '{"every":{"type":"day","number":"x"}}',
          '{"trigger_type":"asap"}',
          '{"every":[],"start_date":5}',
        ),
        anyJson,
      ),
      condition: fc.oneof(
        anyJson,
        fc.tuple(fc.constantFrom('lists', 'segments'), anyJson).map(([column, value]) => `{"${column}":${value}}`),
      ),
      loop_mail_skip: anyJson,
      mails: anyJson,
      drag_editor: anyJson,
      active: anyJson,
      creation_date: anyJson,
      color: anyJson,
    };
    // A few at a time: one invalid field is enough to reject a record.
    const fields = fc.array(
      fc.constantFrom(...Object.keys(values)).chain((field) => fc.tuple(fc.constant(field), values[field] ?? anyJson)),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          ...operationCases.filter(({ operation: name }) =>
            /^get(OneTemplate|CampaignById|FollowUpById|Lists|Campaigns|Templates|FollowUps)$/.test(name),
          ),
        ),
        profile,
        fields,
        async (one, name, fieldValues) => {
          const result = await callWithResponse(
            one,
            name,
            json(
              `[{"id":"${getRequestedId(one)}","name":"N"${fieldValues.map(([field, value]) => `,"${field}":${value}`).join('')}}]`,
            ),
          );
          if (result === undefined) return;
          for (const record of Array.isArray(result) ? result : [result]) await assertShown(one, record);
          shownCount += 1;
        },
      ),
      createRunOptions(1500),
    );
    // Enough responses were accepted as records.
    assert.ok(shownCount > 300, `${shownCount} were shown`);
  });

  describe('of extreme size or depth', () => {
    const deep = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
    const wide = 200_000;
    const some = operationCases.filter(({ operation: name }) =>
      ['getTemplates', 'getOneTemplate', 'subscribeUsers', 'createOrUpdateCampaign', 'getCampaignStatistics'].includes(
        name,
      ),
    );
    const table: Readonly<Record<string, () => string>> = {
      '10,000 nested arrays': () => deep('[', ']', 10_000),
      '10,000 nested objects': () => deep('{"a":', '}', 10_000),
      '200,000 nested arrays': () => deep('[', ']', wide),
      '10,000 nested errors': () => `{"errors":${deep('[', ']', 10_000)}}`,
      '200,000 zeros': () => `[${'0,'.repeat(wide)}0]`,
      '200,000 empty records': () => `[${'{},'.repeat(wide)}{}]`,
      '200,000 nulls': () => `[${'null,'.repeat(wide)}null]`,
      '50,000 records': () => `[${'{"id":5,"name":"N"},'.repeat(50_000)}{"id":5}]`,
      '20,000 fields': () => `[{"id":5${Array.from({ length: 20_000 }, (_, index) => `,"f${index}":1`).join('')}}]`,
      '100,000 errors': () => `{"errors":[${'"User not found: a@b.example",'.repeat(100_000)}"x"]}`,
      'a text that slows down naive patterns: @': () => JSON.stringify({ errors: [`${'@'.repeat(200_000)} x`] }),
      'a text that slows down naive patterns: user not found': () =>
        JSON.stringify({ errors: [`user${' '.repeat(200_000)}not`, 'user not '.repeat(50_000)] }),
      'a text that slows down naive patterns: spaces': () =>
        JSON.stringify({ message: `${' '.repeat(200_000)}x`, errors: ' \n'.repeat(100_000) }),
      'an id of 200,000 digits': () => `[{"id":"${'9'.repeat(wide)}","listIds":"${'9,'.repeat(100_000)}"}]`,
      'a name of 200,000 combining marks': () => JSON.stringify([{ id: 5, name: '\u0301'.repeat(wide) }]),
    };
    for (const [name, make] of Object.entries(table)) {
      it(name, async () => {
        const text = make();
        for (const one of some) await callWithResponse(one, 'documented', json(text));
      });
    }
  });
});

const ref = { connection: 'c', id: RECORD_ID };

/** Displays a record everywhere the extension would. Throws if that fails. */
async function assertShown(one: OperationCase, record: unknown) {
  if (/Template/.test(one.operation)) {
    templateTree.item(record as Template, ref);
    await assertDocuments(templateDocuments.parts, record as Template);
  } else if (/Campaign/.test(one.operation)) {
    createCampaignTree(() => false).item(record as Campaign, ref);
    await assertDocuments(campaignDocuments.parts, record as Campaign);
  } else if (/FollowUp/.test(one.operation)) {
    followUpTree.item(record as FollowUpWithMails, ref);
    // Details need a whole record: a page of follow-ups has no mails.
    if (one.responseKind === 'record') JSON.stringify(followUpDetails(record as FollowUpWithMails));
  } else listTree.item(record as MailingList, ref);
}

/** Asserts that parsing and rendering a document again returns the same text, so that saving without an edit changes nothing. */
async function assertDocuments<R>(
  parts: readonly { render(record: R): string; parse(text: string): object | Promise<object> }[],
  record: R,
) {
  for (const part of parts) {
    const text = part.render(record);
    assert.equal(typeof text, 'string');
    const fields = await Promise.resolve(part.parse(text)).catch((error: Error) => {
      assert.ok(error instanceof Error && error.name === 'InvalidDocument', String(error));
      return undefined;
    });
    if (isObject(fields)) assert.equal(part.render({ ...record, ...fields } as R), text);
  }
}
