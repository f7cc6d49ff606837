import assert from 'node:assert/strict';
import { isThisMachine, sendsKeyUnencrypted, parseBaseUrl } from '../../../src/service/client/address.ts';
import fc from 'fast-check';
import { MailingClient, createDispatcher, normalizeBaseUrl } from '../../../src/service/client/index.ts';
import { getKeyName, parseConnectionId } from '../../../src/platform/connections/keys.ts';
import { normalizeTypedUrl, resolveRoute, type NetworkSettings } from '../../../src/platform/connections/network.ts';
import {
  listIds,
  parseConnections,
  withChangedEntry,
  withConnection,
} from '../../../src/platform/connections/settings.ts';
import { isApiError, type Json } from '../../../src/service/client/shapes.ts';
import { anyText, anyValue, TIMEOUT_MS, createRunOptions } from './setup.ts';

const hosts = [
  'example.com',
  'EXAMPLE.com',
  'example.com.',
  'example.com..',
  'xn--bcher-kva.example',
  'bücher.example',
  'BÜCHER.example',
  'ｅxample.com',
  'exam\u00ADple.com',
  'example。com',
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '127.1',
  '017700000001',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[0:0::1]',
  'localhost',
  'LOCALHOST.',
  'localhost.example.com',
  'evil.example',
  'ex%61mple.com',
  'example.com%2eevil.example',
  'еxample.com',
  'a.localhost',
  '127.0.0.1.evil.example',
];
const schemes = [
  'https://',
  'http://',
  'HTTPS://',
  'hTTp://',
  'https:/',
  'https:',
  'https:\\\\',
  '//',
  '',
  'ftp://',
  'javascript:',
  'https:///',
];
const users = ['', '', '', '', 'ann@', 'ann:s3cret@', ':@', '@', 'ann%40:x@', 'https://x@', '\\@'];
const ports = ['', '', ':443', ':80', ':8443', ':0443', ':', ':0', ':65536', ':-1', ':８０', ':443@evil.example'];
const paths = [
  '',
  '/',
  '//',
  '/site',
  '/Site',
  '/site/',
  '/a/../b',
  '/a/./b',
  '/%2e%2e/x',
  '/a%2fb',
  '/a%2Fb',
  '/\u202E',
  '/site/index.php',
  '/x;y=z',
  '\\x',
  '/..%5c',
  '/é',
  '/%C3%A9',
  '/%c3%a9',
  '/ ',
  '/\t',
  '?x=1',
  '#x',
  '/?',
  '/@evil.example',
];

const address = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...schemes),
        fc.constantFrom(...users),
        fc.constantFrom(...hosts),
        fc.constantFrom(...ports),
        fc.constantFrom(...paths),
        fc.constantFrom(...paths),
      )
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
  { weight: 2, arbitrary: anyText.map((text) => `https://${text}`) },
  { weight: 1, arbitrary: anyText },
);

/** Returns where a request with this base URL would go. */
function origin(url: string) {
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

describe('Any base URL of a service', function () {
  this.timeout(TIMEOUT_MS);

  it('has one idempotent normal form without credentials that points to the same origin', () => {
    let usable = 0;
    fc.assert(
      fc.property(address, (text) => {
        const parsed = parseBaseUrl(text);
        if (!parsed.ok) return void assert.ok(parsed.problem.length > 0 && !parsed.problem.includes('s3cret'));
        usable += 1;
        const { url } = parsed;
        assert.deepEqual(parseBaseUrl(url), parsed);
        assert.match(url, /^https?:\/\/[^/@?#\\\s]+(?:\/[^@?#\\\s]*[^/?#\\\s])?(?:\/[^?#\\\s]*)?$/u);
        const { username, password, search, hash, hostname } = new URL(url);
        assert.deepEqual([username, password, search, hash], ['', '', '', '']);
        assert.equal(hostname, hostname.toLowerCase());
        assert.ok(!hostname.endsWith('.') && !url.endsWith('/'));
        // Only a trailing dot of the host may be removed.
        assert.equal(origin(url), origin(text.replace(/^(https?:\/\/[^/:\\]*?)\.+(?=[/:\\]|$)/i, '$1')));
        // The client must use the origin that the key is stored for.
        assert.equal(origin(normalizeBaseUrl(url)), origin(url));
        assert.ok(new URL(url).pathname.startsWith(new URL(normalizeBaseUrl(url)).pathname.replace(/\/$/, '')));
      }),
      createRunOptions(4000),
    );
    assert.ok(usable > 100);
  });

  it('is accepted by the client or rejected with an error that does not repeat it', () =>
    fc.assert(
      fc.property(address, (text) => {
        try {
          const normal = normalizeBaseUrl(text);
          assert.equal(normalizeBaseUrl(normal), normal);
          assert.ok(new MailingClient({ baseUrl: text, apiKey: 'k' }) instanceof MailingClient);
        } catch (error) {
          assert.ok(isApiError(error) && error.kind === 'invalid', String(error));
          assert.ok(!error.message.includes('s3cret'));
        }
      }),
      createRunOptions(2000),
    ));

  it('has its own key: equal key names mean the same connection, host, port and path', () =>
    fc.assert(
      fc.property(
        address,
        address,
        fc.constantFrom('a', 'a-b', 'b'),
        fc.constantFrom('a', 'a-b', 'b'),
        (one, other, idOfOne, idOfOther) => {
          const [first, second] = [parseBaseUrl(one), parseBaseUrl(other)];
          if (!first.ok || !second.ok) return;
          const names = [getKeyName(idOfOne, first.url), getKeyName(idOfOther, second.url)];
          assert.equal(parseConnectionId(names[0] ?? ''), idOfOne);
          if (names[0] !== names[1]) return;
          assert.equal(idOfOne, idOfOther);
          assert.equal(origin(first.url), origin(second.url));
          assert.equal(new URL(first.url).pathname, new URL(second.url).pathname);
        },
      ),
      createRunOptions(4000),
    ));

  it('never gets the key of another service through case, dots, ports, paths or user names', () => {
    const ownKey = getKeyName('shop', 'https://example.com/site');
    const same = [
      'https://EXAMPLE.com/site',
      'https://example.com./site/',
      'https://example.com:443/site',
      'HTTPS://example.com:0443/x/../site',
      'https://example.com/%2e/site',
    ];
    for (const text of same) assert.equal(getKeyName('shop', text), ownKey);
    const others = [
      'http://example.com/site',
      'https://example.com:8443/site',
      'https://example.com/Site',
      'https://example.com/site/..',
      'https://example.com/site2',
      'https://example.com.evil.example/site',
      'https://evil.example/site',
      'https://еxample.com/site',
      'https://example.com/%73ite',
      'https://example.com%2eevil.example/site',
      'https://xn--example.com/site',
    ];
    for (const text of others) {
      const parsed = parseBaseUrl(text);
      if (parsed.ok) assert.notEqual(getKeyName('shop', parsed.url), ownKey, text);
    }
    for (const text of [
      'https://example.com/site@evil.example',
      'https://example.com:x@evil.example/site',
      'https://example.com\\@evil.example/site',
      'https://example.com/site?x',
      'https://example.com /site',
      'https://exam\u200Bple.com/site',
      'https://example.com\t/site',
    ]) {
      const parsed = parseBaseUrl(text);
      if (parsed.ok) assert.notEqual(getKeyName('shop', parsed.url), ownKey, text);
      else assert.throws(() => getKeyName('shop', text), TypeError);
    }
  });

  it('is tidied without an error and recognized if it is local', () =>
    fc.assert(
      fc.property(address, (text) => {
        const parsed = parseBaseUrl(normalizeTypedUrl(text));
        if (!parsed.ok) return;
        const { hostname, protocol } = new URL(parsed.url);
        const isLocal =
          hostname === 'localhost' ||
          hostname.endsWith('.localhost') ||
          hostname === '[::1]' ||
          /^127\.\d+\.\d+\.\d+$/.test(hostname);
        assert.equal(isThisMachine(parsed.url), isLocal);
        assert.equal(sendsKeyUnencrypted(parsed.url), protocol === 'http:' && !isLocal);
      }),
      createRunOptions(2000),
    ));

  it('is rejected at once if it is very long', () => {
    for (const text of [
      `https://example.com${'/'.repeat(5_000_000)}x`,
      `https://${'a.'.repeat(1_000_000)}example`,
      `https://example.com/${'%61'.repeat(1_000_000)}`,
    ])
      assert.deepEqual(parseBaseUrl(text), { ok: false, problem: 'The address is too long.' });
  });
});

const proxyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'http://proxy.example:3128',
    ' http://proxy.example:3128\t',
    'proxy.example:3128',
    'https://me:mine@proxy.example',
    'socks5://proxy.example',
    'http://',
    '://',
    'javascript:x',
    'http://[::1',
    'http://a b',
    'http://ann@',
    'HTTP://PROXY.example',
    'proxy',
    'ftp://proxy.example',
    'http://proxy.example:99999',
    'http://%zz:%@proxy.example',
  ),
  anyText,
);
const authorization = fc.oneof(
  fc.constant(''),
  anyText,
  fc.constantFrom('Basic', 'Basic YTpi', 'basic  YTpi ', 'Bearer YTpi', 'Basic ???'),
  fc
    .tuple(anyText, anyText)
    .map(([user, password]) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`),
);
const variables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'] as const;
const proxySettings: fc.Arbitrary<NetworkSettings> = fc.record({
  timeoutMs: fc.constantFrom(1000, 1500, 600_000),
  proxy: fc.oneof(fc.constant(''), proxyText),
  proxyAuthorization: authorization,
  proxySupport: fc.oneof(fc.constantFrom('off', 'on', 'override', 'fallback'), anyText),
  strictSSL: fc.boolean(),
  noProxy: fc.array(fc.oneof(anyText, fc.constantFrom('a.example', ' ', '*', '.b.example '))),
  useSystemCertificates: fc.boolean(),
});
const values = fc.oneof(proxyText, fc.constantFrom('a.example, .b.example', ',, ,'));
const environments = fc.dictionary(fc.constantFrom(...variables), values, { maxKeys: 6 });

/** Returns the expected proxy, without credentials of a setting, and its source. */
function proxyFor(
  url: string,
  { proxy, proxySupport }: NetworkSettings,
  environment: Readonly<Record<string, string>>,
) {
  const [small, capital] = url.startsWith('https:')
    ? (['https_proxy', 'HTTPS_PROXY'] as const)
    : (['http_proxy', 'HTTP_PROXY'] as const);
  const inherited = (environment[small] ?? environment[capital] ?? '').trim();
  const isNone = proxy.trim() === '' && inherited === '';
  if (proxySupport === 'off' || isThisMachine(url) || isNone) return { says: 'none', proxy: '' } as const;
  return proxy.trim() === ''
    ? ({ says: 'environment', proxy: inherited } as const)
    : ({ says: 'setting', proxy: proxy.trim() } as const);
}

/** Parses a URL like a browser, adding a scheme if it is missing. */
function readProxy(text: string) {
  const address = /^[a-z][a-z0-9+.-]*:\/\//iu.test(text) ? text : `http://${text}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

describe('Any proxy settings', function () {
  this.timeout(TIMEOUT_MS);

  it('decide the route: direct, or the first proxy with its exceptions', () => {
    const counts = { none: 0, setting: 0, environment: 0, credentials: 0 };
    fc.assert(
      fc.property(address, proxySettings, environments, (text, settings, environment) => {
        const parsed = parseBaseUrl(text);
        if (!parsed.ok) return;
        const { proxy, noProxy, ...rest } = resolveRoute(parsed.url, settings, environment);
        const { strictSSL, useSystemCertificates, timeoutMs } = settings;
        assert.deepEqual(rest, { strictSSL, useSystemCertificates, timeoutMs });
        const expected = proxyFor(parsed.url, settings, environment);
        counts[expected.says] += 1;
        if (expected.says === 'none') return void assert.deepEqual([proxy, noProxy], [false, []]);

        const exceptions =
          expected.says === 'environment'
            ? (environment['no_proxy'] ?? environment['NO_PROXY'] ?? '').split(/[,\s]+/u)
            : [];
        assert.deepEqual(
          noProxy,
          [...settings.noProxy, ...exceptions].map((host) => host.trim()).filter((host) => host !== ''),
        );
        if (proxy === expected.proxy) return;
        // The only allowed change is added credentials.
        counts.credentials += 1;
        assert.ok(typeof proxy === 'string');
        const [before, after] = [readProxy(expected.proxy), new URL(proxy)];
        assert.ok(before);
        assert.equal(before.username, '');
        const basic = /^basic\s+(.*)$/isu.exec(settings.proxyAuthorization.trim())?.[1] ?? '';
        const credentials = Buffer.from(basic, 'base64').toString('utf8');
        assert.equal(
          [after.username, after.password].map(decodeURIComponent).join(':'),
          credentials.includes(':') ? credentials : `${credentials}:`,
        );
        after.username = '';
        after.password = '';
        before.password = '';
        assert.equal(after.href, before.href);
      }),
      createRunOptions(4000),
    );
    for (const [what, times] of Object.entries(counts)) assert.ok(times > 20, `${what}: ${times}`);
  });

  it('create a dispatcher or an error that does not contain the password', async () => {
    let created = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(proxySettings, environments, async (settings, environment) => {
        const route = resolveRoute(
          'https://mail.example.com',
          { ...settings, useSystemCertificates: false },
          environment,
        );
        try {
          await createDispatcher(route).destroy();
          created += 1;
        } catch (error) {
          assert.ok(isApiError(error) && error.kind === 'invalid' && error.outcome === 'refused', String(error));
          assert.match(error.message, /proxy setting/u);
          assert.ok(!error.message.includes('mine'));
          refused += 1;
        }
      }),
      createRunOptions(150),
    );
    assert.ok(created > 20 && refused > 20, `${created}, ${refused}`);
  });
});

const entry = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        id: fc.oneof(
          fc.constantFrom('a', 'b', 'sandbox', '__proto__', 'constructor', 'A', '-a', 'a@b', 'a/b', ''),
          anyText,
          anyValue,
        ),
        name: fc.oneof(anyText, anyValue),
        baseUrl: fc.oneof(address, anyValue),
        profile: fc.oneof(fc.constantFrom('documented', 'acymailing', 'constructor'), anyValue),
        apiKey: anyText,
      },
      { requiredKeys: [] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('a', 'b', 'c'), address).map(([id, baseUrl]) => ({ id, name: id, baseUrl })),
  },
  { weight: 1, arbitrary: anyValue },
) as fc.Arbitrary<Json>;
const setting = fc.oneof(
  { weight: 4, arbitrary: fc.array(entry, { maxLength: 6 }) },
  { weight: 1, arbitrary: anyValue },
) as fc.Arbitrary<Json>;

describe('Any value of mailing.connections', function () {
  this.timeout(TIMEOUT_MS);

  it('is read as usable connections with unique ids and messages for the rest', () => {
    let usable = 0;
    fc.assert(
      fc.property(setting, (value) => {
        const { connections, problems } = parseConnections(value);
        assert.equal(new Set(connections.map(({ id }) => id)).size, connections.length);
        for (const { id, name, baseUrl, profile, ...rest } of connections) {
          assert.match(id, /^[a-z0-9][a-z0-9-]*$/);
          assert.notEqual(id, 'sandbox');
          assert.ok(name.trim() !== '' && ['documented', 'acymailing'].includes(profile));
          assert.deepEqual(parseBaseUrl(baseUrl), { ok: true, url: baseUrl });
          assert.deepEqual(rest, {});
        }
        for (const problem of problems) assert.ok(typeof problem.entry === 'string' && problem.message.endsWith('.'));
        if (Array.isArray(value) && connections.length < value.length) assert.ok(problems.length > 0);
        usable += connections.length;
      }),
      createRunOptions(2500),
    );
    assert.ok(usable > 20);
  });

  it('keeps its other entries when a connection is added, replaced or removed', () =>
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (value) => {
        const connection = {
          id: 'new-one',
          name: 'New',
          baseUrl: 'https://example.com',
          profile: 'documented',
        } as const;
        assert.deepEqual(withConnection(value, connection), [...value, connection]);
        assert.ok(listIds(withConnection(value, connection)).includes('new-one'));
        for (const { id } of parseConnections(value).connections) {
          const left = withChangedEntry(value, id) ?? [];
          assert.equal(left.length, value.length - 1);
          assert.ok(left.every((each) => value.includes(each)));
          const replaced = withChangedEntry(value, id, { ...connection, id }) ?? [];
          assert.equal(replaced.length, value.length);
          assert.equal(replaced.filter((each, index) => each !== value[index]).length, 1);
        }
      }),
      createRunOptions(800),
    ));
});
