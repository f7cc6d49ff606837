import assert from 'node:assert/strict';
import { isThisMachine, sendsKeyUnencrypted, parseBaseUrl } from '../../../../src/service/client/address.ts';
import { normalizeTypedUrl } from '../../../../src/platform/connections/network.ts';

/** Spellings of one address are tested in `test/unit/secrets/redefinition.test.ts`, any text in `test/unit/fuzz/connections.test.ts`. */
describe('Base URL', () => {
  it('is normalized', () => {
    for (const [written, normal] of [
      ['HTTPS://Example.COM.:443/site///', 'https://example.com/site'],
      ['http://example.com:80/', 'http://example.com'],
      ['https://example.com:8443/a/../Site/./caf%c3%a9', 'https://example.com:8443/Site/caf%C3%A9'],
      ['https://bücher.example\\café', 'https://xn--bcher-kva.example/caf%C3%A9'],
      ['http://0x7f.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['http://[0:0:0:0:0:0:0:1]:8080/', 'http://[::1]:8080'],
    ] as const)
      assert.deepEqual(parseBaseUrl(written), { ok: true, url: normal });
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['empty', '', /empty/],
    ['no scheme', 'example.com', /begin with https/],
    ['no host', 'https://', /begin with https/],
    ['user-info', 'https://user:pass@example.com', /user name/],
    ['query', 'https://example.com/?a=1', /query/],
    ['empty query', 'https://example.com/?', /query/],
    ['fragment', 'https://example.com/#a', /fragment/],
    ['space', 'https://exam ple.com', /space/],
    ['line break, which a URL parser would drop', 'https://exam\nple.com', /invisible/],
    ['zero-width space', 'https://example\u200b.com', /invisible/],
    ['bad port', 'https://example.com:99999', /not a URL/],
    ['bad host', 'https://exa<mple.com', /not a URL/],
    ['only a dot as host', 'https://./a', /no host|not a URL/],
  ];
  for (const [what, written, words] of refused) {
    it(`is refused: ${what}`, () => {
      const parsed = parseBaseUrl(written);
      assert.match(parsed.ok ? '' : parsed.problem, words);
    });
  }

  it('is normalized as typed', () => {
    for (const [text, expected] of [
      ['  example.com/site/ ', 'https://example.com/site'],
      ['localhost:8080', 'http://localhost:8080'],
      ['127.0.0.1:8080/site', 'http://127.0.0.1:8080/site'],
      ['localhost.example.com', 'https://localhost.example.com'],
      ['https://example.com/site/index.php?page=mailer_front&ctrl=api', 'https://example.com/site'],
      ['http://example.com/#top', 'http://example.com'],
      ['', ''],
    ] as const)
      assert.equal(normalizeTypedUrl(text), expected);
  });

  const local = ['localhost:8080', 'api.localhost', '127.0.0.1', '127.5.6.7', '[::1]:1', 'LOCALHOST.'];
  const remote = [
    '127.0.0.1.example.com',
    'localhost.example.com',
    'notlocalhost',
    '192.168.0.1',
    '[::2]',
    'a/localhost',
  ];
  for (const host of [...local, ...remote]) {
    it(`${local.includes(host) ? 'is' : 'is not'} this computer: ${host}`, () => {
      assert.equal(isThisMachine(`http://${host}`), local.includes(host));
      assert.equal(sendsKeyUnencrypted(`http://${host}`), remote.includes(host));
      assert.equal(sendsKeyUnencrypted(`https://${host}`), false);
    });
  }
});
