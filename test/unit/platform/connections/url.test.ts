import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThisMachine, normalizeTypedUrl, sendsKeyUnencrypted } from '../../../../src/platform/connections/network.ts';
import { parseBaseUrl } from '../../../../src/service/client/address.ts';

describe('Base URL', () => {
  const equal: readonly (readonly [string, string, string])[] = [
    ['host in capitals', 'https://Example.COM/site', 'https://example.com/site'],
    ['scheme in capitals', 'HTTPS://example.com/site', 'https://example.com/site'],
    ['default port of https', 'https://example.com:443/site', 'https://example.com/site'],
    ['default port of http', 'http://example.com:80', 'http://example.com'],
    ['another port stays', 'https://example.com:8443/site', 'https://example.com:8443/site'],
    ['trailing dot of the host', 'https://example.com./site', 'https://example.com/site'],
    ['trailing dot before a port', 'https://example.com.:443/', 'https://example.com'],
    ['trailing slashes', 'https://example.com/site///', 'https://example.com/site'],
    ['only a slash', 'https://example.com/', 'https://example.com'],
    ['dot segments', 'https://example.com/a/../b/./c', 'https://example.com/b/c'],
    ['encoded dot segments', 'https://example.com/a/%2e%2E/b', 'https://example.com/b'],
    ['case of percent-escapes', 'https://example.com/caf%c3%a9', 'https://example.com/caf%C3%A9'],
    ['unescaped letters', 'https://example.com/café', 'https://example.com/caf%C3%A9'],
    ['case of the path stays', 'https://example.com/Site', 'https://example.com/Site'],
    ['international name', 'https://bücher.example', 'https://xn--bcher-kva.example'],
    ['IPv4 in hexadecimal', 'http://0x7f.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['IPv6', 'http://[0:0:0:0:0:0:0:1]:8080/', 'http://[::1]:8080'],
    ['backslashes', 'https://example.com\\site', 'https://example.com/site'],
  ];
  for (const [what, written, normal] of equal) {
    it(`is normalized: ${what}`, () => assert.deepEqual(parseBaseUrl(written), { ok: true, url: normal }));
  }

  it('has different normal forms for different services', () => {
    const urls = [
      'https://example.com',
      'http://example.com',
      'https://example.com:444',
      'https://example.com/a',
      'https://example.com/A',
      'https://example.org',
      'https://www.example.com',
      'https://example.com/a/b',
    ];
    const forms = urls.map((url) => parseBaseUrl(url)).map((parsed) => (parsed.ok ? parsed.url : parsed.problem));
    assert.equal(new Set(forms).size, urls.length);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['empty', '', /empty/],
    ['no scheme', 'example.com', /begin with https/],
    ['another scheme', 'ftp://example.com', /begin with https/],
    ['a script', 'javascript:alert(1)', /begin with https/],
    ['no host', 'https://', /begin with https/],
    ['three slashes', 'https:///example.com', /begin with https/],
    ['user-info', 'https://user:pass@example.com', /user name/],
    ['user-info that resembles the host', 'https://good.example@evil.example', /user name/],
    ['an empty user-info', 'https://@example.com', /user name/],
    ['query', 'https://example.com/?a=1', /query/],
    ['empty query', 'https://example.com/?', /query/],
    ['fragment', 'https://example.com/#a', /fragment/],
    ['space', 'https://exam ple.com', /space/],
    ['line break, which a URL parser would drop', 'https://exam\nple.com', /invisible/],
    ['zero-width space', 'https://example\u200b.com', /invisible/],
    ['bad port', 'https://example.com:99999', /not a web address/],
    ['bad host', 'https://exa<mple.com', /not a web address/],
    ['only a dot as host', 'https://./a', /no host|not a web address/],
  ];
  for (const [what, written, words] of refused) {
    it(`is refused: ${what}`, () => {
      const parsed = parseBaseUrl(written);
      assert.ok(!parsed.ok);
      assert.match(parsed.problem, words);
    });
  }

  it('has an idempotent normal form', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: false, withFragments: false }), (url) => {
        const once = parseBaseUrl(url);
        if (!once.ok) return;
        assert.deepEqual(parseBaseUrl(once.url), once);
      }),
    );
  });

  it('is refused with a user name, for any URL', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.stringMatching(/^[a-z0-9.]{1,10}$/), (url, user) => {
        assert.equal(parseBaseUrl(url.replace('://', `://${user}@`)).ok, false);
      }),
    );
  });

  const typed: readonly (readonly [string, string])[] = [
    ['  example.com/site/ ', 'https://example.com/site'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080/site', 'http://127.0.0.1:8080/site'],
    ['localhost.example.com', 'https://localhost.example.com'],
    ['https://example.com/site/index.php?page=mailer_front&ctrl=api', 'https://example.com/site'],
    ['http://example.com/#top', 'http://example.com'],
    ['', ''],
  ];
  for (const [text, expected] of typed) {
    it(`is normalized as typed: "${text}"`, () => assert.equal(normalizeTypedUrl(text), expected));
  }

  const machines: readonly (readonly [string, boolean])[] = [
    ['http://localhost:8080', true],
    ['http://api.localhost', true],
    ['http://127.0.0.1', true],
    ['http://127.5.6.7', true],
    ['http://[::1]:1', true],
    ['http://LOCALHOST.', true],
    ['http://127.0.0.1.example.com', false],
    ['http://localhost.example.com', false],
    ['http://notlocalhost', false],
    ['http://192.168.0.1', false],
    ['http://[::2]', false],
    ['http://example.com/localhost', false],
  ];
  for (const [url, local] of machines) {
    it(`${local ? 'is' : 'is not'} this machine: ${url}`, () => {
      assert.equal(isThisMachine(url), local);
      assert.equal(sendsKeyUnencrypted(url), !local);
      assert.equal(sendsKeyUnencrypted(url.replace('http:', 'https:')), false);
    });
  }
});
