import assert from 'node:assert/strict';
import { join } from 'node:path';
import { authority, expired, issued, valid } from '../support/certificates.ts';
import { CommandLine } from '../support/commandLine.ts';
import { ForwardProxy } from '../support/proxy.ts';
import { json, respond, WireServer } from '../support/wire.ts';

const key = 'test-key-0123456789abcdef';
const template = { id: 7, name: 'Welcome', subject: 'Hello', body: '<p>one</p>', stylesheet: '', drag_editor: 0 };

describe('mailing behind the networks of a CI', () => {
  let mailing: CommandLine;
  const open: { close(): Promise<void> }[] = [];

  before(async () => {
    mailing = await CommandLine.build();
    mailing.write({
      'mailing.json': '{ "templates": [{ "folder": "emails/welcome", "ids": { "production": 7 } }] }',
      'emails/welcome/body.html': '<p>one</p>',
      'authority.pem': authority.cert,
      'expired.pem': expired.cert,
    });
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  after(() => mailing.dispose());

  const start = async <Started extends { close(): Promise<void> }>(starting: Promise<Started>) => {
    const started = await starting;
    open.push(started);
    return started;
  };
  const run = (url: string, env: Readonly<Record<string, string>> = {}) =>
    mailing.run(['status', '--url', url, '--quiet'], { env: { MAILING_API_KEY: key, ...env } });
  const trust = (file: string) => ({ NODE_EXTRA_CA_CERTS: join(mailing.folder, file) });
  const fail = async (expected: RegExp, url: string, env?: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await run(url, env);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, expected);
    assert.match(stderr, /^[^\n]+\n[^\n]+\n$/u);
    assert.ok(!stderr.includes(key));
  };

  it('explains a page instead of an answer, a redirect, and a service that does not respond', async () => {
    const page = await start(
      WireServer.start(() => respond(200, '<html>Hello</html>', { 'Content-Type': 'text/html' })),
    );
    await fail(/The service responded with a web page, not JSON/u, page.url);
    const moved = await start(WireServer.start(() => respond(302, '', { Location: 'https://other.example/login' })));
    await fail(/redirect/iu, moved.url);
    await fail(/connection/u, 'http://127.0.0.1:9');
  });

  it('explains a certificate that it does not trust, and sends no key', async () => {
    for (const [certificate, env, expected] of [
      [expired, trust('expired.pem'), /has expired/u],
      [valid, {}, /self-signed/u],
    ] as const) {
      const service = await start(WireServer.start(() => json(200, []), certificate));
      await fail(expected, service.url, env);
      assert.equal(service.requests.length, 0);
    }
  });

  it('reaches the service through the proxy of the environment, and explains a proxy that fails', async () => {
    const service = await start(
      WireServer.start(
        ({ target }) => json(200, /(?:ById|One|template\/|id=)/iu.test(target) ? template : [template]),
        issued,
      ),
    );
    const proxy = await start(ForwardProxy.start({ routes: { 'service.example:443': service.port } }));
    const env = { HTTPS_PROXY: proxy.url(), ...trust('authority.pem') };
    const { code, stdout, stderr } = await run('https://service.example', env);
    assert.deepEqual([code, stdout.startsWith('emails/welcome → production #7')], [1, true], stderr + stdout);
    assert.ok(proxy.requests.every(({ method, headers }) => method === 'CONNECT' && !headers.includes(key)));
    assert.ok(service.requests.length > 0 && service.requests.every(({ headers }) => headers.get('Api-Key') === key));
    await fail(/The proxy couldn't reach the service/u, 'https://other.example', env);
  });
});
