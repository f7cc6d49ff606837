import assert from 'node:assert/strict';
import {
  ApiError,
  findCause,
  causes,
  type ApiErrorDetails,
  type ApiErrorKind,
  type CauseName,
} from '../../../../src/service/client/errors.ts';

const createError = (kind: ApiErrorKind, details: Partial<ApiErrorDetails> = {}) =>
  new ApiError({ kind, operation: 'getLists', outcome: 'refused', message: 'It failed.', ...details });

describe('causes', () => {
  it('finds causes by status and message, and by code', () => {
    for (const [status, serverMessage, cause] of [
      [401, undefined, 'keyRefused'],
      [403, "You can't edit this template.", 'forbidden'],
      [404, 'License is expired', 'notFound'],
      [407, undefined, 'proxyPassword'],
      [500, 'The REST API is not activated.', 'serverError'],
      [503, undefined, 'down'],
      [599, undefined, 'serverError'],
      [304, undefined, 'unexpectedStatus'],
      [199, undefined, 'unexpectedStatus'],
    ] as const)
      assert.equal(findCause({ status, serverMessage }), cause, String(status));
    for (const [code, cause] of Object.entries({
      PROXY_REFUSED_403: 'proxyForbids',
      PROXY_REFUSED_502: 'proxyCannotConnect',
      PROXY_REFUSED_418: 'proxyRefused',
      CERT_SIGNATURE_FAILURE: 'untrusted',
      ERR_SSL_WRONG_VERSION_NUMBER: 'notEncrypted',
      ECONNRESET: 'connectionLost',
    }))
      assert.equal(findCause({ code }), cause, code);
  });

  const errors: readonly (readonly [kind: ApiErrorKind, details: Partial<ApiErrorDetails>, cause: CauseName])[] = [
    ['notJson', { status: 200, field: 'headers' }, 'invalidField'],
    ['notJson', { status: 404 }, 'noService'],
    ['server', { status: 200 }, 'serverError'],
    ['server', { status: 502 }, 'down'],
    ['tls', { code: 'ECONNRESET' }, 'untrusted'],
    ['invalid', {}, 'badArgument'],
    ['invalid', { operation: 'connect' }, 'badSetting'],
    ['timeout', {}, 'responseTimedOut'],
  ];
  for (const [kind, details, cause] of errors) {
    it(`infers the cause of ${kind} ${JSON.stringify(details)}`, () => {
      const error = createError(kind, details);
      assert.equal(error.reason, cause);
      assert.equal(error.info, causes()[cause]);
    });
  }

  it('infers a cause of the same kind for every kind', () => {
    const kinds = new Set(Object.values(causes()).map(({ kind }) => kind));
    assert.equal(kinds.size, 12);
    for (const kind of kinds) assert.equal(createError(kind).info.kind, kind);
  });

  it('offers the log and advice for every cause', () => {
    for (const [name, { buttons, advice: next }] of Object.entries(causes())) {
      assert.equal(buttons.at(-1), 'showLog', name);
      assert.match(next, /^[A-Z].*\.$/, name);
    }
  });
});
