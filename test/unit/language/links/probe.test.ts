import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { addressesOf } from '../../../../src/checks/addresses.ts';
import { isPrivateAddress } from '../../../../src/language/links/privateAddress.ts';
import { probe } from '../../../../src/language/links/probe.ts';

describe('Addresses that are looked up', () => {
  it('are links and images of the web, each once, but none with tags or that may unsubscribe', () => {
    const body = `<a href="https://example.com/a">A</a><a href="https://example.com/a">A again</a><img src="http://example.com/a.png">
      <a href="{unsubscribe}{/unsubscribe}">x</a><a href="https://example.com/?id={subscriber:id}">x</a><a href="https://example.com/unsubscribe">x</a>
      <a href="https://example.com/u/1">Unsubscribe</a><a href="https://example.com/%75nsub">x</a><a href="mailto:a@example.com">x</a>
      <a href="/relative">x</a><a href="#top">x</a><img src="data:image/gif;base64,R0"><a href="https://example.com/abmelden">x</a>`;
    const { addresses, leftOut } = addressesOf(body);
    assert.deepEqual(addresses.map(({ url, kind, places }) => [url, kind, places.length]), [['https://example.com/a', 'link', 2], ['http://example.com/a.png', 'image', 1]]);
    assert.equal(leftOut, 5);
    assert.deepEqual(addressesOf('<div>'.repeat(20_000)), { addresses: [], leftOut: 0 });
  });

  it('are none of this machine, of its network, or of a cloud', () => {
    for (const address of ['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255',
      '::1', '::', '::ffff:127.0.0.1', '::ffff:10.0.0.1', 'fe80::1', 'fc00::1', 'fd12::1', 'fec0::1', 'ff02::1', '64:ff9b::a00:1', '2002:a00:1::', 'example.com', '']) {
      assert.equal(isPrivateAddress(address), true, address);
    }
    for (const address of ['93.184.216.34', '172.32.0.1', '8.8.8.8', '2606:2800:220:1::1']) assert.equal(isPrivateAddress(address), false, address);
  });
});

describe('Looking an address up', () => {
  let server: Server;
  let seen: IncomingMessage[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const { signal } = new AbortController();
  /** Names of the test all lead to its server. */
  const lookup: LookupFunction = (_name, options, found) => (options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4));
  const at = (path: string): string => `http://shop.example:${(server.address() as AddressInfo).port}${path}`;
  const open = { signal, lookup, isRefused: () => false };

  beforeEach(async () => {
    seen = [];
    answer = (_request, response) => response.end();
    server = createServer((request, response) => {
      seen.push(request);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('asks for its head, without a cookie, a referrer or a key', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'image/png', 'set-cookie': 'a=b' }).end();
    assert.deepEqual(await probe(at('/a.png'), open), { kind: 'answered', status: 200, type: 'image/png' });
    await probe(at('/a.png'), open);
    assert.deepEqual(seen.map(({ method }) => method), ['HEAD', 'HEAD']);
    for (const { headers } of seen) assert.deepEqual(Object.keys(headers).toSorted(), ['accept', 'connection', 'host', 'user-agent']);
  });

  it('asks for itself where its head is not answered well', async () => {
    answer = ({ method }, response) => response.writeHead(method === 'HEAD' ? 405 : 200).end('x'.repeat(1000));
    assert.equal((await probe(at('/'), open)).kind, 'answered');
    assert.deepEqual(seen.map(({ method }) => method), ['HEAD', 'GET']);
    answer = (_request, response) => response.writeHead(404).end();
    assert.deepEqual(await probe(at('/'), open), { kind: 'answered', status: 404, type: '' });
  });

  it('follows redirects, but not for ever, and not where a visit may unsubscribe', async () => {
    answer = ({ url }, response) => response.writeHead(url === '/b' ? 200 : 302, url === '/b' ? {} : { location: '/b' }).end();
    assert.deepEqual(await probe(at('/a'), open), { kind: 'answered', status: 200, type: '' });
    answer = (_request, response) => response.writeHead(302, { location: '/a' }).end();
    assert.equal((await probe(at('/a'), open)).kind, 'failed');
    seen = [];
    answer = (_request, response) => response.writeHead(302, { location: '/unsubscribe?id=1' }).end();
    assert.equal((await probe(at('/a'), open)).kind, 'refused');
    assert.equal(seen.length, 1);
  });

  it('refuses what is on this machine or its network: by its address, by its name, and after a redirect', async () => {
    const { port } = server.address() as AddressInfo;
    for (const url of [`http://127.0.0.1:${port}/`, `http://2130706433:${port}/`, `http://0x7f.1:${port}/`, `http://[::1]:${port}/`, `http://[::ffff:7f00:1]:${port}/`, 'http://169.254.169.254/latest'])
      assert.equal((await probe(url, { signal })).kind, 'refused', url);
    assert.equal((await probe(at('/'), { signal, lookup })).kind, 'refused');
    assert.equal(seen.length, 0);
    answer = (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    const isRefused = (address: string): boolean => address !== '127.0.0.1' && isPrivateAddress(address);
    assert.equal((await probe(at('/'), { signal, lookup, isRefused })).kind, 'refused');
    assert.equal((await probe('http://ann:secret@example.com/', { signal, lookup })).kind, 'refused');
  });

  it('says that nothing answered in time, and ends when it is cancelled', async () => {
    answer = () => undefined;
    const late = await probe(at('/'), { ...open, timeoutMs: 100 });
    assert.deepEqual(late, { kind: 'failed', reason: 'No answer in 0.1 seconds' });
    const controller = new AbortController();
    const running = probe(at('/'), { ...open, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await assert.rejects(running, { name: 'AbortError' });
    server.closeAllConnections();
  });
});
