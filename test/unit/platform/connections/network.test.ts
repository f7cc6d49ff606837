import assert from 'node:assert/strict';
import { ApiError, type ApiErrorDetails } from '../../../../src/service/client/errors.ts';
import {
  listFixes,
  resolveRoute,
  type Environment,
  type Fix,
  type NetworkSettings,
} from '../../../../src/platform/connections/network.ts';

const https = 'https://mail.example.com/site';
const direct: NetworkSettings = {
  timeoutMs: 1500,
  proxy: '',
  proxyAuthorization: '',
  proxySupport: 'override',
  strictSSL: false,
  noProxy: [],
  useSystemCertificates: false,
};
const proxy = 'http://proxy:3128';
const environment = { HTTPS_PROXY: 'http://env:1', HTTP_PROXY: 'http://env:2', NO_PROXY: 'a.example, .b.example  c' };

/** All combinations of settings are compared with the rules in `test/unit/fuzz/connections.test.ts`. */
describe('resolveRoute', () => {
  const table: readonly (readonly [
    string,
    string | false,
    Partial<NetworkSettings>?,
    { readonly url?: string; readonly environment?: Environment; readonly noProxy?: readonly string[] }?,
  ])[] = [
    ['no proxy anywhere', false],
    ['the setting, without NO_PROXY', proxy, { proxy, noProxy: ['d', ' '] }, { environment, noProxy: ['d'] }],
    [
      'the environment',
      'http://env:1',
      { noProxy: ['d'] },
      { environment, noProxy: ['d', 'a.example', '.b.example', 'c'] },
    ],
    [
      'HTTP_PROXY for http',
      'http://env:2',
      {},
      { url: 'http://mail.example.com', environment: { ...environment, NO_PROXY: '' } },
    ],
    [
      'lower case first',
      'http://low:1',
      {},
      { environment: { https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:1' } },
    ],
    ['proxy support off', false, { proxySupport: 'off', proxy }, { environment }],
    ['this computer', false, { proxy }, { url: 'http://127.0.0.1:8080', environment }],
    [
      'credentials',
      'http://us%20er:p%40ss%3Aword@proxy:3128/',
      { proxy, proxyAuthorization: `Basic ${Buffer.from('us er:p@ss:word').toString('base64')}` },
    ],
    [
      'credentials of the address first',
      'http://me:mine@proxy:3128',
      { proxy: 'http://me:mine@proxy:3128', proxyAuthorization: 'Basic YTpi' },
    ],
    ['no scheme', 'http://a:b@proxy:3128/', { proxy: 'proxy:3128', proxyAuthorization: 'Basic YTpi' }],
    ['an invalid URL, unchanged', 'http://', { proxy: 'http://', proxyAuthorization: 'Basic YTpi' }],
  ];
  for (const [what, expected, settings, { url = https, environment: variables = {}, noProxy = [] } = {}] of table) {
    it(`applies: ${what}`, () =>
      assert.deepEqual(resolveRoute(url, { ...direct, ...settings }, variables), {
        proxy: expected,
        noProxy,
        strictSSL: false,
        useSystemCertificates: false,
        timeoutMs: 1500,
      }));
  }
});

describe('listFixes', () => {
  const list = (details: Partial<ApiErrorDetails>, usesProxy = false) =>
    listFixes(
      new ApiError({ kind: 'network', operation: 'getLists', outcome: 'refused', message: 'It failed.', ...details }),
      usesProxy,
    );

  const table: readonly (readonly [string, Fix, Partial<ApiErrorDetails>, 'proxy'?])[] = [
    ['wrong key', 'setApiKey', { kind: 'unauthorized', status: 401, serverMessage: 'API key is invalid' }],
    ['expired license', 'setApiKey', { kind: 'unauthorized', status: 401, serverMessage: 'License is expired' }],
    ['not activated', 'retry', { kind: 'forbidden', status: 403, serverMessage: 'The REST API is not activated.' }],
    ['a guard', 'setApiKey', { kind: 'forbidden', status: 403 }],
    ['an HTML page', 'editConnection', { kind: 'notJson', status: 200 }],
    ['nothing there', 'editConnection', { kind: 'notFound', status: 404 }],
    ['another interface', 'editConnection', { kind: 'invalid', status: 405 }],
    ['redirect', 'takeRedirect', { kind: 'redirect', status: 301, location: 'https://www.example.com' }],
    ['certificate', 'retry', { kind: 'tls', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
    ['expired certificate', 'retry', { kind: 'tls', code: 'CERT_HAS_EXPIRED' }],
    ['certificate of the future', 'retry', { kind: 'tls', code: 'CERT_NOT_YET_VALID' }],
    ['certificate for another host', 'editConnection', { kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
    ['self-signed certificate', 'retry', { kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    ['plain HTTP', 'editConnection', { kind: 'tls', code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
    ['proxy', 'retry', { code: 'ECONNREFUSED' }, 'proxy'],
    ['proxy wants credentials', 'retry', { status: 407 }, 'proxy'],
    ['proxy wants credentials for a tunnel', 'retry', { code: 'PROXY_AUTHENTICATION' }, 'proxy'],
    ['time', 'retry', { kind: 'timeout' }],
    ['missing host', 'editConnection', { code: 'ENOTFOUND' }],
    ['refused', 'editConnection', { code: 'ECONNREFUSED' }],
    ['broken connection', 'retry', { code: 'ECONNRESET' }],
    ['service error', 'retry', { kind: 'server', status: 500 }],
    ['too many requests', 'retry', { kind: 'rateLimited', status: 429 }],
    ['canceled', 'retry', { kind: 'aborted' }],
  ];
  for (const [what, first, details, usesProxy] of table) {
    it(`offers the best action first: ${what}`, () => {
      const fixes = list(details, usesProxy !== undefined);
      assert.deepEqual([fixes[0], fixes.includes('saveAnyway')], [first, true]);
    });
  }

  it('does not offer a redirect without a target, or one that contains the key', () => {
    for (const location of [undefined, 'https://•••.example'])
      assert.ok(!list({ kind: 'redirect', status: 301, location }).includes('takeRedirect'));
  });
});
