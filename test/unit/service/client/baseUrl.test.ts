import assert from 'node:assert/strict';
import { getServiceIdentity, parseBaseUrl } from '../../../../src/service/client/address.ts';
import { MailingClient, normalizeBaseUrl } from '../../../../src/service/client/index.ts';
import { isApiError } from '../../../../src/service/client/shapes.ts';

describe('normalizeBaseUrl', () => {
  const same: readonly (readonly [given: string, normal: string])[] = [
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['  HTTPS://Example.COM:443/Site//  ', 'https://example.com/Site'],
    ['http://example.com:80/a/../b/', 'http://example.com/b'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['https://example.com/index.php', 'https://example.com'],
    ['https://example.com/site/index.php/', 'https://example.com/site'],
    ['https://example.com/index.php/index.php', 'https://example.com'],
    ['https://example.com./caf%c3%a9', 'https://example.com/caf%C3%A9'],
    ['https://bücher.example/é', 'https://xn--bcher-kva.example/%C3%A9'],
  ];
  for (const [given, normal] of same) {
    it(`normalizes “${given}” to ${normal}`, () => {
      assert.equal(normalizeBaseUrl(given), normal);
      assert.equal(normalizeBaseUrl(normal), normal);
      assert.deepEqual(parseBaseUrl(given.trim()), { ok: true, url: normal });
    });
  }

  for (const bad of [
    '',
    '   ',
    'example.com',
    '/site',
    'ftp://example.com',
    'javascript:alert(1)',
    'file:///secret',
    'https://',
    'https://user:secret@example.com',
    'https://user@example.com',
    'https://example.com/?secret=1',
    'https://example.com/?',
    'https://example.com/#secret',
    'https://example.com#',
    'http://exa mple.com',
    'https://example.com:99999',
  ]) {
    it(`rejects “${bad}” without repeating it in the message`, () => {
      for (const use of [() => normalizeBaseUrl(bad), () => new MailingClient({ baseUrl: bad, apiKey: 'k' })]) {
        assert.throws(
          use,
          (error: Error) =>
            isApiError(error) &&
            error.kind === 'invalid' &&
            error.outcome === 'refused' &&
            !/secret/.test(error.message),
        );
      }
    });
  }
});

describe('getServiceIdentity', () => {
  for (const [first, ...names] of [
    ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://127.0.0.2:8080', 'http://[::1]:8080'],
    ['https://example.com', 'http://example.com', 'https://www.example.com', 'http://www.example.com'],
    ['https://example.com/site', 'http://www.example.com/site'],
  ]) {
    for (const name of names)
      it(`is the same for ${name} and ${first}`, () =>
        assert.equal(getServiceIdentity(name), getServiceIdentity(first ?? '')));
  }

  it('differs for another host, port or path', () => {
    const others = [
      ...['http://localhost', 'http://localhost:8080', 'http://localhost:8081', 'http://localhost:8080/site'],
      ...['http://a.localhost', 'http://b.localhost', 'https://example.com', 'https://example.com:8443'],
      ...['https://example.com/Site', 'https://example.com/site', 'https://mail.example.com', 'https://example.org'],
    ];
    assert.equal(new Set(others.map(getServiceIdentity)).size, others.length);
  });
});
