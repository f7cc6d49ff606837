import assert from 'node:assert/strict';
import { probe, type ApiErrorKind } from '../../../../src/service/client/index.ts';
import { WireServer, json, respond, type Reply } from '../../../support/wire.ts';
import { KEY, getFailure } from './setup.ts';

interface Answers {
  readonly documented: Reply;
  readonly acymailing: Reply;
}

async function runProbe(
  answers: Answers,
  test: (run: () => ReturnType<typeof probe>, server: WireServer) => Promise<void>,
) {
  const server = await WireServer.start((request) =>
    request.target.includes('page=mailer_front') ? answers.documented : answers.acymailing,
  );
  try {
    await test(() => probe({ baseUrl: `${server.url}/site/`, apiKey: KEY, wait: () => Promise.resolve() }), server);
  } finally {
    await server.close();
  }
}

const page = respond(200, '<html>Welcome</html>');
const missing = respond(404, '<html>Not here</html>');
const moved = respond(301, '', { Location: 'https://www.example.com/site/index.php?x=1' });
const respondWith = (status: number, message: string) => json(status, { message });

describe('probe', () => {
  it('detects the documented profile with one small read', () =>
    runProbe({ documented: json(200, [[]]), acymailing: page }, async (run, server) => {
      assert.deepEqual(await run(), { profile: 'documented' });
      assert.deepEqual(
        server.requests.map((request) => [request.method, request.target]),
        [['GET', '/site/index.php?page=mailer_front&option=com_mailer&ctrl=api&task=getLists&limit=1']],
      );
    }));

  for (const [name, documented] of [
    ['a web page', page],
    ['a 404 page', missing],
    ['a redirect', moved],
    ['another message', respondWith(200, 'Hello')],
  ] as const) {
    it(`detects the acymailing profile if the documented one gets ${name}`, () =>
      runProbe(
        { documented, acymailing: json(200, { message: 'Successfully authenticated', siteName: 'My\u202E site' }) },
        async (run, server) => {
          assert.deepEqual(await run(), { profile: 'acymailing', siteName: 'My site' });
          assert.equal(
            server.requests[1]?.target,
            '/site/index.php?page=acymailing_front&option=com_acym&ctrl=api&task=authenticate',
          );
          assert.equal(server.requests[1]?.headers.get('Api-Key'), KEY);
        },
      ));
  }

  const failures: readonly (readonly [name: string, answers: Answers, kind: ApiErrorKind, words: RegExp])[] = [
    [
      'a wrong key, documented',
      { documented: respondWith(401, 'API key is invalid'), acymailing: page },
      'unauthorized',
      /API key is invalid/,
    ],
    [
      'a wrong key, acymailing',
      { documented: page, acymailing: respondWith(401, 'API key is invalid') },
      'unauthorized',
      /API key is invalid/,
    ],
    [
      'an expired license',
      { documented: missing, acymailing: respondWith(401, 'License is expired') },
      'unauthorized',
      /license of the service has expired/,
    ],
    [
      'not activated',
      { documented: moved, acymailing: respondWith(403, 'The REST API is not activated.') },
      'forbidden',
      /not activated/,
    ],
    ['no service', { documented: page, acymailing: page }, 'notJson', /web page/],
    ['no service, 404', { documented: missing, acymailing: missing }, 'notJson', /web page/],
    ['a redirect', { documented: moved, acymailing: moved }, 'redirect', /www\.example\.com\/site/],
    [
      'another JSON service',
      { documented: json(200, { hello: 'world' }), acymailing: json(200, { hello: 'world' }) },
      'notJson',
      /"id" of record 1 is missing/,
    ],
    [
      'a host with an empty response',
      { documented: respond(200, ''), acymailing: respond(200, '') },
      'notJson',
      /response is empty/,
    ],
    ['a broken service', { documented: page, acymailing: respondWith(500, 'Database') }, 'server', /Database/],
  ];
  for (const [name, answers, kind, words] of failures) {
    it(`reports ${name}`, () =>
      runProbe(answers, async (run) => {
        const error = await getFailure(run);
        assert.equal(error.kind, kind);
        assert.equal(error.location, kind === 'redirect' ? 'https://www.example.com/site' : undefined);
        assert.match(error.message, words);
      }));
  }

  it('stops if the host does not respond', async () => {
    const server = await WireServer.start(() => page);
    const { url } = server;
    await server.close();
    assert.deepEqual(
      (await getFailure(() => probe({ baseUrl: url, apiKey: KEY, wait: () => Promise.resolve() }))).kind,
      'network',
    );
  });

  it('sends nothing without a key', () =>
    runProbe({ documented: page, acymailing: page }, async (_run, server) => {
      assert.equal(
        (await getFailure(() => probe({ baseUrl: server.url, apiKey: () => undefined }))).kind,
        'unauthorized',
      );
      assert.equal(server.connections, 0);
    }));

  it('can be canceled', () =>
    runProbe({ documented: page, acymailing: page }, async (_run, server) => {
      assert.equal(
        (await getFailure(() => probe({ baseUrl: server.url, apiKey: KEY, signal: AbortSignal.abort() }))).kind,
        'aborted',
      );
    }));
});
