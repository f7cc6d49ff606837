import assert from 'node:assert/strict';
import { MailingClient, createDispatcher, probe, type ApiError } from '../../../src/service/client/index.ts';
import { valid } from '../../support/certificates.ts';
import { WireServer, json, respond, type WireRequest } from '../../support/wire.ts';
import { KEY, getFailure } from '../service/client/setup.ts';

const codes = [301, 302, 303, 307, 308] as const;

/** The service and two foreign servers: one for HTTP, one for HTTPS. */
interface Stage {
  readonly service: WireServer;
  readonly http: WireServer;
  readonly https: WireServer;
}

/** Redirect targets of a hostile or broken service. */
const elsewhere: Readonly<Record<string, (stage: Stage) => string>> = {
  'another port': ({ http }) => `${http.url}/index.php`,
  'another name of this computer': ({ service }) => `http://localhost:${service.port}/index.php`,
  'another spelling of its address with another port': ({ http }) => `http://0x7f.1:${http.port}/`,
  'another scheme': ({ https }) => `${https.url}/index.php`,
  'a host, without a scheme': ({ http }) => `//127.0.0.1:${http.port}/index.php`,
  'a host behind backslashes': ({ http }) => `\\\\127.0.0.1:${http.port}\\index.php`,
  'a host behind a slash and a backslash': ({ http }) => `/\\127.0.0.1:${http.port}/index.php`,
  'a host behind a tab': ({ http }) => `/\t/127.0.0.1:${http.port}/index.php`,
  'its own address as user-info': ({ service, http }) =>
    `http://127.0.0.1:${service.port}@127.0.0.1:${http.port}/index.php`,
  'a host that takes the rest for its port': ({ http }) => `http:\\\\127.0.0.1:${http.port}`,
};

const calls: readonly ((client: MailingClient) => Promise<object>)[] = [
  (client) => client.getLists(),
  (client) => client.getCampaignById(1),
  (client) => client.createTemplate({ name: 'T' }),
  (client) => client.sendCampaign(1),
  (client) => client.deleteTemplate(1),
];

const holdsKey = ({ head, body }: WireRequest) => head.includes(KEY) || body.includes(KEY);

/** Runs a test with a service that sends given replies, and foreign servers that accept everything. */
async function runTest(
  secure: boolean,
  reply: (request: WireRequest, index: number, stage: Stage) => Buffer,
  test: (client: MailingClient, stage: Stage) => Promise<void>,
  key = KEY,
) {
  const stranger = () => json(200, []);
  const [http, https] = [await WireServer.start(stranger), await WireServer.start(stranger, valid)];
  const service = await WireServer.start((request, index) => reply(request, index, stage), secure ? valid : undefined);
  const stage: Stage = { service, http, https };
  // The client trusts both certificates, so that these don't prevent a leak.
  const dispatcher = createDispatcher({ useSystemCertificates: false, extraCertificates: [valid.cert], proxy: false });
  const client = new MailingClient({
    baseUrl: `${service.url}/site`,
    apiKey: key,
    dispatcher,
    wait: () => Promise.resolve(),
  });
  try {
    await test(client, stage);
    for (const { head, target, headers, body } of service.requests) {
      assert.equal(headers.get('Api-Key'), key);
      assert.equal(head.split(key).length, 2, 'The key is in its header alone.');
      assert.ok(!target.includes(encodeURIComponent(key)) && !body.includes(key));
    }
  } finally {
    await client.close();
    await dispatcher.destroy();
    for (const server of [service, http, https]) await server.close();
  }
}

function assertNoKeyIn(error: ApiError) {
  assert.equal(error.kind, 'redirect');
  assert.doesNotMatch(`${error.message} ${error.location} ${error.stack}`, /k3y.secret/i);
}

describe('The key and redirects', () => {
  for (const secure of [true, false]) {
    const from = secure ? 'from HTTPS' : 'from HTTP';
    for (const [where, location] of Object.entries(elsewhere)) {
      it(`${from}, to ${where}, with any code: is not followed, and no other server gets the key`, () =>
        runTest(
          secure,
          (_request, index, stage) => respond(codes[index % codes.length] ?? 0, '', { Location: location(stage) }),
          async (client, { service, http, https }) => {
            for (const call of calls) {
              for (let count = 0; count < codes.length; count += 1) {
                const before = service.requests.length;
                assertNoKeyIn(await getFailure(() => call(client)));
                assert.equal(service.requests.length, before + 1);
              }
            }
            assert.deepEqual([http.connections, https.connections], [0, 0]);
          },
        ));

      it(`${from}, to ${where} after two redirects of its own: follows only its own redirects`, () =>
        runTest(
          secure,
          (_request, index, stage) => respond(302, '', { Location: index < 2 ? `/hop/${index}` : location(stage) }),
          async (client, stage) => {
            assertNoKeyIn(await getFailure(() => client.getLists()));
            assert.deepEqual(
              stage.service.requests.map(({ target }) => target.replace(/\?.*/s, '')),
              ['/site/index.php', '/hop/0', '/hop/1'],
            );
            assert.deepEqual([stage.http.connections, stage.https.connections], [0, 0]);
          },
        ));
    }
  }

  it('a redirect from HTTPS to HTTP of the same host and port never sends the key unencrypted', () =>
    runTest(
      true,
      (_request, _index, { service }) =>
        respond(301, '', { Location: `http://127.0.0.1:${service.port}/site/index.php` }),
      async (client, { service }) => {
        assertNoKeyIn(await getFailure(() => client.getLists()));
        // An unencrypted request would have opened another connection.
        assert.deepEqual([service.connections, service.requests.length], [1, 1]);
      },
    ));

  it('a path that resembles another host belongs to the service, and later redirects are checked against the service', () =>
    runTest(
      false,
      (_request, index, { service, http }) =>
        index === 0
          ? respond(302, '', { Location: `${service.url}//127.0.0.1:${http.port}/x` })
          : respond(302, '', { Location: `${http.url}/index.php` }),
      async (client, { service, http }) => {
        const error = await getFailure(() => client.getLists());
        assert.deepEqual([error.kind, error.location], ['redirect', http.url]);
        assert.deepEqual(
          service.requests.map(({ target }) => target.replace(/\?.*/s, '')),
          ['/site/index.php', `//127.0.0.1:${http.port}/x`],
        );
        assert.equal(http.connections, 0);
      },
    ));

  const echoes: Readonly<Record<string, string>> = {
    'in the query': `/new/index.php?key=${encodeURIComponent(KEY)}`,
    'in the path': `/${encodeURIComponent(KEY)}/index.php`,
    unchanged: `/new?${KEY}`,
    'in capitals': `/new?${KEY.toUpperCase()}`,
    'percent-encoded throughout': `/new?${[...KEY].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')}`,
    'in Base64': `/new?a=${encodeURIComponent(Buffer.from(KEY).toString('base64'))}`,
    "in a header's Base64": `/new?a=${Buffer.from(`Api-Key: ${KEY}`).toString('base64url')}`,
    truncated: `/new?k=${encodeURIComponent(KEY.slice(0, 10))}`,
  };
  for (const [how, location] of Object.entries(echoes)) {
    it(`does not follow a redirect to the own origin that contains the key ${how}`, () =>
      runTest(
        false,
        (request) => (request.target.startsWith('/site/') ? respond(302, '', { Location: location }) : json(200, [])),
        async (client, { service }) => {
          assertNoKeyIn(await getFailure(() => client.getLists()));
          assert.equal(service.requests.length, 1);
        },
      ));
  }

  it('redacts the key in a redirect to a host with its name in lower case', async () => {
    const key = 'AbCdEf0123456789';
    await runTest(
      false,
      (_request, _index, { http }) => respond(302, '', { Location: `http://${key}.localhost:${http.port}/` }),
      async (client, { http }) => {
        const error = await getFailure(() => client.getLists(), key.toLowerCase());
        assert.deepEqual(
          [error.kind, error.location, http.connections],
          ['redirect', `http://•••.localhost:${http.port}`, 0],
        );
      },
      key,
    );
  });

  it('follows a redirect to the own origin without the key', () =>
    runTest(
      false,
      (request) =>
        request.target.startsWith('/site/')
          ? respond(302, '', { Location: '/new/index.php?key=of-another-user' })
          : json(200, []),
      async (client, { service }) => {
        assert.deepEqual(await client.getLists(), []);
        assert.equal(service.requests.length, 2);
      },
    ));

  it('probing does not follow redirects either', () =>
    runTest(
      false,
      (_request, _index, { http }) => respond(302, '', { Location: `${http.url}/index.php` }),
      async (_client, { service, http }) => {
        const error = await getFailure(() => probe({ baseUrl: service.url, apiKey: KEY }));
        assert.deepEqual([error.kind, error.location, http.connections], ['redirect', http.url, 0]);
        assert.ok(service.requests.every((request) => holdsKey(request)));
      },
    ));
});
