import assert from 'node:assert/strict';
import { ApiError, type ApiErrorDetails } from '../../../../src/service/client/errors.ts';
import { listFixes, type Fix } from '../../../../src/platform/connections/network.ts';

function error(details: Partial<ApiErrorDetails>): ApiError {
  return new ApiError({
    kind: 'network',
    operation: 'getLists',
    outcome: 'refused',
    message: 'It failed.',
    ...details,
  });
}

describe('listFixes', () => {
  const table: readonly (readonly [string, Partial<ApiErrorDetails>, boolean, Fix])[] = [
    ['wrong key', { kind: 'unauthorized', status: 401, serverMessage: 'API key is invalid' }, false, 'setApiKey'],
    ['expired license', { kind: 'unauthorized', status: 401, serverMessage: 'License is expired' }, false, 'setApiKey'],
    [
      'not activated',
      { kind: 'forbidden', status: 403, serverMessage: 'The REST API is not activated.' },
      false,
      'retry',
    ],
    ['a guard', { kind: 'forbidden', status: 403 }, false, 'setApiKey'],
    ['an HTML page', { kind: 'notJson', status: 200 }, false, 'editConnection'],
    ['nothing there', { kind: 'notFound', status: 404 }, false, 'editConnection'],
    ['another interface', { kind: 'invalid', status: 405 }, false, 'editConnection'],
    ['redirect', { kind: 'redirect', status: 301, location: 'https://www.example.com' }, false, 'takeRedirect'],
    ['certificate', { kind: 'tls', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, false, 'retry'],
    ['expired certificate', { kind: 'tls', code: 'CERT_HAS_EXPIRED' }, false, 'retry'],
    ['certificate of the future', { kind: 'tls', code: 'CERT_NOT_YET_VALID' }, false, 'retry'],
    ['certificate for another host', { kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, false, 'editConnection'],
    ['self-signed certificate', { kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, false, 'retry'],
    ['plain HTTP', { kind: 'tls', code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, false, 'editConnection'],
    ['proxy', { kind: 'network', code: 'ECONNREFUSED' }, true, 'retry'],
    ['proxy wants credentials', { kind: 'network', status: 407 }, true, 'retry'],
    ['proxy wants credentials for a tunnel', { kind: 'network', code: 'PROXY_AUTHENTICATION' }, true, 'retry'],
    ['time', { kind: 'timeout' }, false, 'retry'],
    ['missing host', { kind: 'network', code: 'ENOTFOUND' }, false, 'editConnection'],
    ['refused', { kind: 'network', code: 'ECONNREFUSED' }, false, 'editConnection'],
    ['broken connection', { kind: 'network', code: 'ECONNRESET' }, false, 'retry'],
    ['service error', { kind: 'server', status: 500 }, false, 'retry'],
    ['too many requests', { kind: 'rateLimited', status: 429 }, false, 'retry'],
    ['canceled', { kind: 'aborted' }, false, 'retry'],
  ];
  for (const [what, details, usesProxy, first] of table) {
    it(`offers the best action first: ${what}`, () => {
      const fixes = listFixes(error(details), usesProxy);
      assert.equal(fixes[0], first);
      assert.ok(fixes.includes('saveAnyway'));
    });
  }

  it('does not offer a redirect target that contains the key', () => {
    for (const [location, isOffered] of [
      ['https://•••.example', false],
      ['https://new.example', true],
    ] as const) {
      const fixes = listFixes(error({ kind: 'redirect', status: 301, location }), false);
      assert.equal(fixes.includes('takeRedirect'), isOffered);
    }
  });

  it('does not offer a redirect without a target', () => {
    assert.ok(!listFixes(error({ kind: 'redirect', status: 301 }), false).includes('takeRedirect'));
  });
});
