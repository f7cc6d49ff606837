import assert from 'node:assert/strict';
import { ApiError, type ApiErrorDetails } from '../../../../src/service/client/errors.ts';
import { diagnose, type Fix } from '../../../../src/platform/connections/diagnosis.ts';

const context = { baseUrl: 'https://mail.example.com/site', usesProxy: false, timeoutMs: 30_000 };

function error(details: Partial<ApiErrorDetails>): ApiError {
  return new ApiError({
    kind: 'network',
    operation: 'getLists',
    outcome: 'refused',
    message: 'It failed.',
    ...details,
  });
}

describe('diagnose', () => {
  const table: readonly (readonly [string, Partial<ApiErrorDetails>, boolean, RegExp, Fix])[] = [
    [
      'wrong key',
      { kind: 'unauthorized', status: 401, serverMessage: 'API key is invalid' },
      false,
      /refuses this API key/,
      'correctKey',
    ],
    [
      'expired license',
      { kind: 'unauthorized', status: 401, serverMessage: 'License is expired' },
      false,
      /license .* has expired/,
      'correctKey',
    ],
    [
      'not activated',
      { kind: 'forbidden', status: 403, serverMessage: 'The REST API is not activated.' },
      false,
      /not activated/,
      'retry',
    ],
    ['a guard', { kind: 'forbidden', status: 403 }, false, /does not allow/, 'correctKey'],
    ['an HTML page', { kind: 'notJson', status: 200 }, false, /no mailing service at this address/, 'correctUrl'],
    ['nothing there', { kind: 'notFound', status: 404 }, false, /no mailing service at this address/, 'correctUrl'],
    ['another interface', { kind: 'invalid', status: 405 }, false, /no mailing service at this address/, 'correctUrl'],
    [
      'redirect',
      { kind: 'redirect', status: 301, location: 'https://www.example.com' },
      false,
      /redirects/,
      'takeRedirect',
    ],
    [
      'certificate',
      { kind: 'tls', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      false,
      /certificate .* can't be trusted/,
      'retry',
    ],
    ['expired certificate', { kind: 'tls', code: 'CERT_HAS_EXPIRED' }, false, /certificate .* has expired/, 'retry'],
    [
      'certificate of the future',
      { kind: 'tls', code: 'CERT_NOT_YET_VALID' },
      false,
      /certificate .* is not valid yet/,
      'retry',
    ],
    [
      'certificate for another host',
      { kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      false,
      /certificate is not for mail\.example\.com/,
      'correctUrl',
    ],
    [
      'self-signed certificate',
      { kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      false,
      /certificate .* is signed by itself/,
      'retry',
    ],
    ['plain HTTP', { kind: 'tls', code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, false, /does not speak HTTPS/, 'correctUrl'],
    ['proxy', { kind: 'network', code: 'ECONNREFUSED' }, true, /proxy did not connect/, 'retry'],
    [
      'proxy wants credentials',
      { kind: 'network', status: 407 },
      true,
      /proxy asks for a user name and password/,
      'retry',
    ],
    [
      'proxy wants credentials for a tunnel',
      { kind: 'network', code: 'PROXY_AUTHENTICATION' },
      true,
      /proxy asks for a user name and password/,
      'retry',
    ],
    ['time', { kind: 'timeout' }, false, /within 30 seconds/, 'retry'],
    ['unknown host', { kind: 'network', code: 'ENOTFOUND' }, false, /no host named mail\.example\.com/, 'correctUrl'],
    ['refused', { kind: 'network', code: 'ECONNREFUSED' }, false, /Nothing listens/, 'correctUrl'],
    ['broken connection', { kind: 'network', code: 'ECONNRESET' }, false, /can't be reached/, 'retry'],
    ['service error', { kind: 'server', status: 500 }, false, /failed/, 'retry'],
    ['too many requests', { kind: 'rateLimited', status: 429 }, false, /asks to wait/, 'retry'],
    ['canceled', { kind: 'aborted' }, false, /Stopped before/, 'retry'],
  ];
  for (const [what, details, usesProxy, words, first] of table) {
    it(`names the cause and offers the best fix first: ${what}`, () => {
      const diagnosis = diagnose(error(details), { ...context, usesProxy });
      assert.match(diagnosis.title, words);
      assert.equal(diagnosis.fixes[0], first);
      assert.ok(diagnosis.hint.length > 0);
      assert.ok(diagnosis.fixes.includes('saveAnyway'));
    });
  }

  it('does not offer a redirect target that contains the key', () => {
    for (const [location, offered] of [
      ['https://•••.example', false],
      ['https://new.example', true],
    ] as const) {
      assert.equal(
        diagnose(error({ kind: 'redirect', status: 301, location }), context).fixes.includes('takeRedirect'),
        offered,
      );
    }
  });

  it('does not offer a redirect without a target', () => {
    assert.ok(!diagnose(error({ kind: 'redirect', status: 301 }), context).fixes.includes('takeRedirect'));
  });
});
