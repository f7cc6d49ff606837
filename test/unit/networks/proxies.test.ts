import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { createDispatcher, type MailingClient } from '../../../src/service/client/index.ts';
import type { Environment, NetworkSettings } from '../../../src/platform/connections/network.ts';
import { authority, issued } from '../../support/certificates.ts';
import { ForwardProxy } from '../../support/proxy.ts';
import { WireServer, json, respond } from '../../support/wire.ts';
import { KEY, getFailure } from '../service/client/setup.ts';
import { withRoute, withClient, useClosing, useInvalidNames } from './setup.ts';

const trust = [authority.cert];
const answer = () => json(200, [{ id: 1 }]);
type Call = (client: MailingClient) => Promise<object>;
const calls: readonly [read: Call, write: Call] = [(client) => client.getLists(), (client) => client.sendCampaign(1)];

/** The failure of a call through a proxy. */
const failBehind = (proxy: string, call = calls[0], baseUrl = 'https://service.example', timeoutMs?: number) =>
  withClient({ proxy }, baseUrl, (client) => getFailure(() => call(client)), { timeoutMs });

describe('Behind a proxy', () => {
  const closeAfterTest = useClosing();
  const startProxy = (onConnect?: Parameters<typeof ForwardProxy.start>[0]['onConnect']) =>
    closeAfterTest(ForwardProxy.start({ routes: {}, ...(onConnect && { onConnect }) }));

  /** A service over HTTP or HTTPS that is only reachable through the proxy, as `service.example`. */
  async function startNetwork(scheme: 'http' | 'https', credentials?: string) {
    const service = await closeAfterTest(WireServer.start(answer, scheme === 'https' ? issued : undefined));
    const proxy = await closeAfterTest(
      ForwardProxy.start({
        routes: { 'service.example': service.port, 'service.example:443': service.port },
        ...(credentials === undefined ? {} : { credentials }),
      }),
    );
    return { service, proxy, baseUrl: `${scheme}://service.example/site` };
  }

  for (const scheme of ['http', 'https'] as const) {
    const route = scheme === 'http' ? 'by its whole address' : 'through a tunnel';

    it(`${scheme}: reaches the service ${route} with valid credentials`, async () => {
      const { service, proxy, baseUrl } = await startNetwork(scheme, 'ann:s3cret');
      await withClient({ proxy: proxy.url('ann:s3cret'), extraCertificates: trust }, baseUrl, async (client) => {
        assert.deepEqual(
          (await client.getLists()).map(({ id }) => id),
          [1],
        );
        await client.deleteList(3);
      });
      assert.deepEqual(
        service.requests.map(({ method }) => method),
        ['GET', 'DELETE'],
      );
      assert.ok(service.requests.every(({ headers }) => headers.get('Api-Key') === KEY));
      assert.ok(service.requests.every(({ head }) => !/proxy-authorization|s3cret/i.test(head)));
      assert.ok(
        proxy.requests.every(
          ({ authorization }) => authorization === `Basic ${Buffer.from('ann:s3cret').toString('base64')}`,
        ),
      );
      assert.deepEqual(
        proxy.requests.map(({ method }) => method),
        scheme === 'http' ? ['GET', 'DELETE'] : ['CONNECT'],
      );
      if (scheme === 'http')
        assert.ok(proxy.requests.every(({ target }) => target.startsWith('http://service.example/site/index.php?')));
    });

    for (const [name, userInfo] of [
      ['missing', ''],
      ['wrong', 'ann:guess'],
    ] as const) {
      it(`${scheme}: reports ${name} credentials without sending or retrying`, async () => {
        const { service, proxy, baseUrl } = await startNetwork(scheme, 'ann:s3cret');
        await withClient({ proxy: proxy.url(userInfo), extraCertificates: trust }, baseUrl, async (client) => {
          for (const [index, call] of calls.entries()) {
            const error = await getFailure(() => call(client));
            assert.deepEqual([error.kind, error.outcome], ['network', 'refused']);
            assert.match(error.message, /The proxy requires .*\(407\).*http\.proxy in the settings/);
            assert.ok(!error.message.includes('guess'));
            assert.equal(proxy.requests.length, index + 1);
          }
        });
        assert.equal(service.connections, 0);
      });
    }
  }

  it('never sends the key to an HTTPS service unencrypted through a proxy', async () => {
    const { proxy, baseUrl } = await startNetwork('https');
    await withClient({ proxy: proxy.url(), extraCertificates: trust }, baseUrl, (client) =>
      client.createTemplate({ name: 'A marked name' }).catch(() => undefined),
    );
    const passed = Buffer.concat(proxy.tunneledBytes);
    assert.ok(passed.length > 0);
    assert.ok(!passed.includes(KEY) && !passed.includes('A marked name') && !passed.includes('getLists'));
    assert.ok(
      proxy.requests.every(
        ({ headers, target }) =>
          !/api-key/i.test(headers) && !headers.includes(KEY) && target === 'service.example:443',
      ),
    );
  });

  for (const [name, written, target] of [
    ['signs of an address', 'a%40n%2Fn:p%3A%25%20w', 'a@n/n:p:% w'],
    ['a percent sign that is no escape', 'ann:50%', 'ann:50%'],
    ['letters beyond ASCII', 'änn:пароль', 'änn:пароль'],
  ] as const) {
    it(`supports credentials with ${name}`, async () => {
      const { proxy, baseUrl } = await startNetwork('https', target);
      await withClient({ proxy: proxy.url(written), extraCertificates: trust }, baseUrl, (client) => client.getLists());
      assert.equal(proxy.requests.length, 1);
    });
  }

  it('encrypts the credentials for an HTTPS proxy', async () => {
    const service = await closeAfterTest(WireServer.start(answer, issued));
    const proxy = await closeAfterTest(
      ForwardProxy.start({ routes: { 'service.example:443': service.port }, credentials: 'ann:s3cret', tls: issued }),
    );
    await withClient(
      { proxy: proxy.url('ann:s3cret'), extraCertificates: trust },
      'https://service.example',
      (client) => client.getLists(),
    );
    assert.equal(service.requests.length, 1);
    assert.equal((await failBehind(proxy.url('ann:s3cret'))).kind, 'tls');
    assert.equal(proxy.requests.length, 1);
  });

  for (const address of [
    'ftp://127.0.0.1:1',
    'http://',
    'file:///etc',
    'javascript:alert(1)//',
    'http://ann:s3cret@:80',
    '://',
  ]) {
    it(`rejects the invalid proxy URL without its password: ${address}`, () => {
      assert.throws(
        () => createDispatcher({ proxy: address }),
        (error: Error) =>
          error.name === 'ApiError' && /URL of the proxy/.test(error.message) && !error.message.includes('s3cret'),
      );
    });
  }

  describe('that fails', () => {
    for (const [name, onConnect, code, words] of [
      [
        'refuses a tunnel with 502',
        undefined,
        'PROXY_REFUSED_502',
        /The proxy couldn't reach the service\. .*http\.noProxy/,
      ],
      [
        'closes the connection',
        (socket: Duplex) => void socket.destroy(),
        'PROXY_CLOSED',
        /The proxy closed the connection/,
      ],
    ] as const) {
      it(`retries only reads if it ${name}`, async () => {
        const proxy = await startProxy(onConnect);
        for (const [index, requests] of [3, 1].entries()) {
          const before = proxy.requests.length;
          const error = await failBehind(proxy.url(), calls[index]);
          assert.deepEqual([error.kind, error.outcome, error.code], ['network', 'refused', code]);
          assert.match(error.message, words);
          assert.equal(proxy.requests.length - before, requests);
        }
      });
    }

    it('reports an uncertain outcome of a send if a plain request gets 502', async () => {
      const proxy = await startProxy();
      const error = await failBehind(proxy.url(), calls[1], 'http://service.example');
      assert.deepEqual([error.kind, error.status, error.outcome], ['server', 502, 'unknown']);
      assert.match(error.message, /Bad Gateway/);
      assert.equal(proxy.requests.length, 1);
    });

    it('reports that the proxy is down', async () => {
      const proxy = await ForwardProxy.start({ routes: {} });
      const url = proxy.url();
      await proxy.close();
      for (const scheme of ['http', 'https']) {
        for (const call of calls) {
          const error = await failBehind(url, call, `${scheme}://service.example`);
          assert.deepEqual([error.kind, error.outcome, error.code], ['network', 'refused', 'ECONNREFUSED']);
          assert.match(error.message, /proxy settings/);
        }
      }
    });

    for (const [name, sent, kind, words] of [
      ['never answers', '', 'timeout', /Couldn't connect in time/],
      ['speaks no HTTP', 'SSH-2.0-x\r\n', 'notJson', /isn't HTTP/],
      [
        'forbids the host',
        'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n',
        'network',
        /doesn't allow a connection/,
      ],
    ] as const) {
      it(name, async () => {
        const proxy = await startProxy((socket) => void socket.write(sent));
        const error = await failBehind(proxy.url(), calls[1], undefined, 200);
        assert.deepEqual([error.kind, error.outcome], [kind, 'refused']);
        assert.match(error.message, words);
        assert.equal(proxy.requests.length, 1);
      });
    }
  });

  describe('with exceptions', () => {
    useInvalidNames();
    type Where = (
      proxy: string,
      exceptions: string,
    ) => { readonly settings?: Partial<NetworkSettings>; readonly environment?: Environment };
    const cases: readonly (readonly [string, Where])[] = [
      ['http.proxy and http.noProxy', (proxy, exceptions) => ({ settings: { proxy, noProxy: exceptions.split(',') } })],
      [
        'HTTP_PROXY and NO_PROXY',
        (proxy, exceptions) => ({ environment: { HTTP_PROXY: proxy, NO_PROXY: exceptions } }),
      ],
      [
        'HTTP_PROXY and http.noProxy',
        (proxy, exceptions) => ({ settings: { noProxy: exceptions.split(',') }, environment: { http_proxy: proxy } }),
      ],
    ];
    // None of these host names resolve, so requests without the proxy fail.
    const rows: readonly (readonly [exceptions: string, host: string, isExcepted: boolean])[] = [
      ['service.invalid', 'service.invalid', true],
      ['service.invalid', 'SERVICE.invalid', true],
      ['service.invalid', 'www.service.invalid', true],
      ['service.invalid', 'myservice.invalid', false],
      ['.service.invalid', 'www.service.invalid', true],
      ['*.service.invalid', 'www.service.invalid', true],
      ['.service.invalid', 'service.invalid.other.invalid', false],
      ['service.invalid:8080', 'service.invalid:8080', true],
      ['service.invalid:8080', 'service.invalid', false],
      ['service.invalid:80', 'service.invalid', true],
      ['*', 'service.invalid', true],
      ['a.invalid,service.invalid', 'service.invalid', true],
      ['a.invalid', 'service.invalid', false],
    ];
    for (const [where, make] of cases) {
      for (const [exceptions, host, isExcepted] of rows) {
        it(`${where}: “${exceptions}” ${isExcepted ? 'excepts' : 'does not except'} ${host}`, async () => {
          const service = await closeAfterTest(WireServer.start(answer));
          const proxy = await closeAfterTest(ForwardProxy.start({ routes: { [host.toLowerCase()]: service.port } }));
          const { settings = {}, environment = {} } = make(proxy.url(), exceptions);
          await withRoute(settings, environment, `http://${host}`, async (client) => {
            if (isExcepted) assert.equal((await getFailure(() => client.getLists())).kind, 'network');
            else await client.getLists();
          });
          assert.equal(proxy.connections, isExcepted ? 0 : 1);
          assert.equal(service.requests.length, isExcepted ? 0 : 1);
        });
      }
    }

    it('ignores NO_PROXY for http.proxy, as VS Code does', async () => {
      const { proxy, service } = await startNetwork('http');
      await withRoute({ proxy: proxy.url() }, { NO_PROXY: '*' }, 'http://service.example', (client) =>
        client.getLists(),
      );
      assert.deepEqual([proxy.requests.length, service.requests.length], [1, 1]);
    });

    it('uses no proxy with http.proxySupport “off”', async () => {
      const { proxy } = await startNetwork('http');
      await withRoute(
        { proxy: proxy.url(), proxySupport: 'off' },
        { HTTP_PROXY: proxy.url() },
        'http://service.invalid',
        (client) => getFailure(() => client.getLists()),
      );
      assert.equal(proxy.connections, 0);
    });

    for (const host of ['127.0.0.1', 'localhost', '127.1.2.3']) {
      it(`always connects directly to this computer (${host})`, async () => {
        const { proxy, service } = await startNetwork('http');
        await withRoute(
          { proxy: proxy.url() },
          { HTTP_PROXY: proxy.url() },
          `http://${host}:${service.port}`,
          async (client) => {
            if (host === '127.1.2.3') await client.getLists().catch(() => undefined);
            else await client.getLists();
          },
        );
        assert.equal(proxy.connections, 0);
      });
    }

    it('sends http.proxyAuthorization to the proxy', async () => {
      const { proxy, baseUrl } = await startNetwork('https', 'ann:s3cret');
      const proxyAuthorization = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`;
      await withRoute({ proxy: proxy.url(), proxyAuthorization }, {}, baseUrl, (client) => client.getLists(), trust);
      assert.equal(proxy.requests.length, 1);
    });
  });

  it('reports the login page of a proxy (200, HTML) as an invalid response', async () => {
    const proxy = await closeAfterTest(
      WireServer.start(() =>
        respond(200, '<html><title>Sign in to the network</title></html>', { 'Content-Type': 'text/html' }),
      ),
    );
    const error = await failBehind(proxy.url, calls[1], 'http://service.example');
    assert.deepEqual([error.kind, error.outcome], ['notJson', 'unknown']);
    assert.match(error.message, /web page.*Sign in to the network/);
  });
});
