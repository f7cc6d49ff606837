import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  ApiError,
  type ApiErrorKind,
  type MailingClient,
  type OperationName,
} from '../../../../src/service/client/index.ts';
import { operationCases } from '../../../support/operations.ts';
import { json, respond } from '../../../support/wire.ts';
import { KEY, getFailure, useAnswers, withService } from './setup.ts';
import { isApiError, type Json } from '../../../../src/service/client/shapes.ts';

type Call = (client: MailingClient) => Promise<object>;

/** Calls an operation with any arguments. */
async function callOperation(client: MailingClient, name: OperationName) {
  const operation = operationCases.find((candidate) => candidate.operation === name);
  await operation?.call(client, 0, { mails: [1], emails: ['ann@example.com'], campaigns: [1] });
}

const kinds: Readonly<Record<number, ApiErrorKind>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'rateLimited',
  500: 'server',
};

/**
 * Operation, status and message of the documented error table, or of real installations if undocumented. Empty body if neither specifies
 * one.
 */
const table: readonly (readonly [operation: OperationName, status: number, message?: string])[] = [
  ['getUserSubscriptionById', 422, 'User ID not provided in the query parameters.'],
  ['subscribeUsers', 422, 'Emails not provided in the request body.'],
  ['subscribeUsers', 422, 'List IDs not provided in the request body.'],
  ['subscribeUsers', 404, 'No users found.'],
  ['unsubscribeUsers', 404, 'No users found.'],
  ['getOneTemplate', 404, 'Template not found.'],
  ['getOneTemplate', 422, 'Template ID not provided in the request.'],
  ['getTemplates', 500, 'Error getting the collection of templates: disk full'],
  ['createTemplate', 422, 'Missing template name.'],
  ['createTemplate', 500, 'Error creating template.'],
  ['updateTemplate', 422, 'Missing or incorrect template ID.'],
  ['updateTemplate', 404, 'Missing or incorrect template ID.'],
  ['updateTemplate', 403, "You can't edit this template."],
  ['updateTemplate', 500, 'Error modifying template.'],
  ['deleteTemplate', 404, 'Template not found.'],
  ['deleteTemplate', 422, 'Template ID not provided in the request.'],
  ['deleteTemplate', 500, 'Failed deleting template.'],
  ['createList', 422, 'List name missing.'],
  ['deleteList', 422, 'List id not provided in the request body.'],
  ['deleteList', 404, 'List not found.'],
  ['deleteList', 500, 'Error deleting list.'],
  ['createOrUpdateFollowUp', 404],
  ['createOrUpdateFollowUp', 404, 'Follow-up not found.'],
  ['createOrUpdateFollowUp', 422],
  ['createOrUpdateFollowUp', 422, 'Invalid trigger.'],
  ['createOrUpdateFollowUp', 500],
  ['attachEmailToFollowUp', 404, 'Mail not found.'],
  ['attachEmailToFollowUp', 422, 'Delay missing.'],
  ['attachEmailToFollowUp', 500],
  ['deleteEmailFromFollowUp', 404],
  ['deleteEmailFromFollowUp', 500],
  ['deleteFollowUp', 404],
  ['deleteFollowUp', 422],
  ['deleteFollowUp', 500],
  ['getCampaigns', 500],
  ['getCampaignById', 404, 'Campaign not found.'],
  ['getCampaignById', 422],
  ['createOrUpdateCampaign', 404],
  ['createOrUpdateCampaign', 422, "Missing required parameters 'subject' or 'name'"],
  ['sendCampaign', 404],
  ['sendCampaign', 422, 'campaignId not provided'],
  ['sendCampaign', 415, 'Content-Type must be application/json'],
  ['deleteCampaign', 404],
  ['deleteCampaign', 422],
  ['deleteCampaign', 500],
  ['getCampaignStatistics', 404, 'Campaign not found'],
  ['getCampaignStatisticsLinks', 404, 'No variations found'],
  ['getLists', 405, 'Method not allowed.'],
  ['getLists', 403, 'Task not allowed.'],
];

describe('service errors', () => {
  const answering = useAnswers();
  it('reports the documented errors of operations', async () => {
    for (const [operation, status, message] of table) {
      const client = answering(message === undefined ? respond(status, '') : json(status, { message }));
      const error = await getFailure(() => callOperation(client, operation));
      assert.deepEqual(
        [error.kind, error.operation, error.status, error.serverMessage, error.outcome],
        [
          kinds[status],
          operation,
          status,
          message,
          !operation.startsWith('get') && status === 500 ? 'unknown' : 'refused',
        ],
      );
      assert.match(error.message, /^Couldn't [^\n]*\. .+\.$/s);
      assert.ok(error.message.includes(message ?? ''));
    }
  });

  const descriptions: readonly (readonly [status: number, body: Json, kind: ApiErrorKind, words: RegExp])[] = [
    [403, { message: 'The REST API is not activated.' }, 'forbidden', /isn't activated.*Turn on the REST API/],
    [401, { message: 'Header Api-Key is missing' }, 'unauthorized', /didn't reach/],
    [401, { message: 'API key is invalid' }, 'unauthorized', /refused the API key.*Check the API key./],
    [401, { message: 'License key is invalid' }, 'unauthorized', /refused the API key/],
    [401, { message: 'License is expired' }, 'unauthorized', /license of the service has expired.*Renew/],
    [401, '', 'unauthorized', /refused the API key/],
    [410, '', 'notFound', /was deleted/],
    [418, '', 'invalid', /418/],
    [501, '', 'server', /501/],
  ];
  it('describes errors by status and message', async () => {
    for (const [status, body, kind, words] of descriptions) {
      const client = answering(body === '' ? respond(status, '') : json(status, body));
      const error = await getFailure(() => client.getLists());
      assert.equal(error.kind, kind);
      assert.match(error.message, words);
    }
  });

  it('reads the fields `error` and `errors` besides `message`', async () => {
    const refused = await getFailure(() => answering(json(400, { error: 'Invalid request' })).getFollowUpById(1));
    assert.deepEqual([refused.kind, refused.serverMessage], ['invalid', 'Invalid request']);
    const answer = { message: 'Could not send campaign', errors: ['No list selected'] };
    const error = await getFailure(() => answering(json(500, answer)).sendCampaign(1));
    assert.deepEqual(
      [error.kind, error.serverMessage, error.outcome],
      ['server', 'Could not send campaign No list selected', 'unknown'],
    );
    assert.match(error.message, /may have succeeded/);
  });

  it('distinguishes a 404 web page from a missing record', async () => {
    const page = '<!doctype html><h1>Not Found</h1>';
    const error = await getFailure(() => answering(respond(404, page)).getOneTemplate(1));
    assert.deepEqual([error.kind, error.status, error.outcome], ['notJson', 404, 'refused']);
    assert.ok(error.message.includes('"Not Found"'));
  });

  for (const [name, echo] of [
    ['as it is', KEY],
    ['in JSON', KEY.replace('/', '\\/')],
    ['in an address', encodeURIComponent(KEY)],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['with invisible characters in it', `${KEY.slice(0, 4)}\u200B${KEY.slice(4)}`],
  ] as const) {
    it(`redacts a key that the service echoes ${name}`, async () => {
      for (const answer of [
        json(401, { message: `Wrong key ${echo}!` }),
        respond(200, `Key ${echo} rejected`),
        respond(500, `x${echo}`.repeat(100)),
      ]) {
        const error = await getFailure(() => answering(answer).getLists());
        assert.ok(!`${error.message}${error.serverMessage}`.includes(echo));
        assert.match(error.message, /•••/);
      }
    });
  }

  it('redacts a key in the message of a write', async () => {
    assert.deepEqual(await answering(json(200, { message: `Done by ${KEY}` })).deleteList(1), {
      message: 'Done by •••',
    });
  });
});

describe('errors before a request', () => {
  const keys: readonly (readonly [
    name: string,
    key: string | (() => string | undefined | Promise<string | undefined>),
    words: RegExp,
  ])[] = [
    ['an empty key', '', /no API key/],
    ['a blank key', '  ', /no API key/],
    ['no key', () => undefined, /no API key/],
    ['no key, later', () => Promise.resolve(undefined), /no API key/],
    ['a key with a line break', 'secret-one\r\nX-Evil: 1', /no key can have/],
    ['a key with a letter no header can hold', 'secret-öne', /no key can have/],
    ['a key with a zero byte', 'secret-one\0', /no key can have/],
    ["a key that can't be read", () => Promise.reject(new Error('secret-one')), /couldn't be read/],
    [
      'a key function that throws',
      () => {
        throw new Error('secret-one');
      },
      /couldn't be read/,
    ],
  ];
  for (const [name, apiKey, words] of keys) {
    it(`rejects ${name}`, () =>
      withService(
        () => json(200, []),
        async (client, server) => {
          for (const write of [false, true]) {
            const error = await getFailure(() => (write ? client.sendCampaign(1) : client.getLists()), 'secret-');
            assert.deepEqual([error.kind, error.outcome, error.status], ['unauthorized', 'refused', undefined]);
            assert.match(error.message, words);
          }
          assert.equal(server.connections, 0);
        },
        { apiKey },
      ));
  }

  const invalidCalls: readonly (readonly [name: string, call: Call, words: RegExp])[] = [
    ['an id that is no number', (c) => c.getOneTemplate(Number.NaN), /templateId/],
    ['an id that is an object', (c) => c.deleteCampaign({} as never), /campaignId/],
    [
      'an invalid start date',
      (c) => c.createOrUpdateCampaign({ name: 'N', subject: 'S', start_date: '2026-02-30' }),
      /start_date/,
    ],
  ];
  for (const [name, invoke, words] of invalidCalls) {
    it(`rejects ${name}`, () =>
      withService(
        () => json(200, []),
        async (client, server) => {
          const error = await getFailure(() => invoke(client));
          assert.deepEqual([error.kind, error.outcome], ['invalid', 'refused']);
          assert.match(error.message, words);
          assert.equal(server.connections, 0);
        },
        { profile: 'acymailing' },
      ));
  }
});

describe('ApiError', () => {
  it('is recognized across copies of the module', () => {
    const copy = Object.assign(new Error('x'), { name: 'ApiError', kind: 'network', outcome: 'refused' });
    assert.ok(isApiError(copy));
    assert.ok(isApiError(new ApiError({ kind: 'network', operation: 'getLists', outcome: 'refused', message: 'x' })));
    assert.ok(!isApiError(new Error('x')));
    assert.ok(!isApiError({ name: 'ApiError', kind: 'network', outcome: 'refused' }));
  });

  it('loads without the packages of the client', () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context); } });
      await import(${JSON.stringify(new URL('../../../../src/service/client/errors.ts', import.meta.url).href)});
      await import(${JSON.stringify(new URL('../../../../src/service/client/address.ts', import.meta.url).href)});
      console.log('loaded:' + loaded.filter((name) => !/(errors|causes|shapes|address|l10n)(\\.ts)?$|^fs/.test(name)).join());
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    assert.equal(stdout.trim(), 'loaded:', stderr);
  });
});
