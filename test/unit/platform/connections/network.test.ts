import assert from 'node:assert/strict';
import { resolveRoute, type Environment, type NetworkSettings } from '../../../../src/platform/connections/network.ts';

const settings: NetworkSettings = {
  timeout: 30,
  proxy: '',
  proxyAuthorization: undefined,
  proxySupport: 'override',
  strictSSL: true,
  noProxy: [],
  systemCertificates: true,
};
const https = 'https://mail.example.com/site';
const http = 'http://mail.example.com';

describe('resolveRoute', () => {
  const table: readonly (readonly [
    string,
    string,
    Partial<NetworkSettings>,
    Environment,
    string | false,
    readonly string[],
  ])[] = [
    ['no proxy anywhere', https, {}, {}, false, []],
    ['the setting', https, { proxy: 'http://proxy:3128' }, {}, 'http://proxy:3128', []],
    [
      'the setting before the environment',
      https,
      { proxy: 'http://proxy:3128' },
      { HTTPS_PROXY: 'http://env:1' },
      'http://proxy:3128',
      [],
    ],
    ['a blank setting', https, { proxy: '  ' }, { HTTPS_PROXY: 'http://env:1' }, 'http://env:1', []],
    [
      'HTTPS_PROXY for https',
      https,
      {},
      { HTTPS_PROXY: 'http://env:1', HTTP_PROXY: 'http://env:2' },
      'http://env:1',
      [],
    ],
    ['HTTP_PROXY for http', http, {}, { HTTPS_PROXY: 'http://env:1', HTTP_PROXY: 'http://env:2' }, 'http://env:2', []],
    ['HTTP_PROXY is not for https', https, {}, { HTTP_PROXY: 'http://env:2' }, false, []],
    [
      'lower case comes first',
      https,
      {},
      { https_proxy: 'http://lower:1', HTTPS_PROXY: 'http://upper:1' },
      'http://lower:1',
      [],
    ],
    ['an empty variable', https, {}, { HTTPS_PROXY: '' }, false, []],
    [
      'proxy support off',
      https,
      { proxySupport: 'off', proxy: 'http://proxy:3128' },
      { HTTPS_PROXY: 'http://env:1' },
      false,
      [],
    ],
    [
      'this machine',
      'http://127.0.0.1:8080',
      { proxy: 'http://proxy:3128' },
      { HTTP_PROXY: 'http://env:1' },
      false,
      [],
    ],
    ['localhost', 'https://localhost/site', { proxy: 'http://proxy:3128' }, {}, false, []],
    [
      'NO_PROXY beside the environment',
      https,
      {},
      { HTTPS_PROXY: 'http://env:1', NO_PROXY: 'a.example, .b.example  c' },
      'http://env:1',
      ['a.example', '.b.example', 'c'],
    ],
    [
      'NO_PROXY is not for the setting',
      https,
      { proxy: 'http://proxy:3128' },
      { NO_PROXY: 'mail.example.com' },
      'http://proxy:3128',
      [],
    ],
    [
      'http.noProxy for the setting',
      https,
      { proxy: 'http://proxy:3128', noProxy: ['a.example', ' '] },
      {},
      'http://proxy:3128',
      ['a.example'],
    ],
    [
      'http.noProxy for the environment too',
      https,
      { noProxy: ['a.example'] },
      { HTTPS_PROXY: 'http://env:1', no_proxy: 'b.example' },
      'http://env:1',
      ['a.example', 'b.example'],
    ],
    [
      'credentials',
      https,
      { proxy: 'http://proxy:3128', proxyAuthorization: `Basic ${Buffer.from('us er:p@ss:word').toString('base64')}` },
      {},
      'http://us%20er:p%40ss%3Aword@proxy:3128/',
      [],
    ],
    [
      'credentials of the address come first',
      https,
      { proxy: 'http://me:mine@proxy:3128', proxyAuthorization: 'Basic YTpi' },
      {},
      'http://me:mine@proxy:3128',
      [],
    ],
    [
      'a proxy without a scheme',
      https,
      { proxy: 'proxy:3128', proxyAuthorization: 'Basic YTpi' },
      {},
      'http://a:b@proxy:3128/',
      [],
    ],
    [
      'an invalid proxy URL is returned unchanged',
      https,
      { proxy: 'http://', proxyAuthorization: 'Basic YTpi' },
      {},
      'http://',
      [],
    ],
  ];
  for (const [what, url, changed, environment, proxy, noProxy] of table) {
    it(`applies: ${what}`, () => {
      const route = resolveRoute(url, { ...settings, ...changed }, environment);
      assert.deepEqual([route.proxy, route.noProxy], [proxy, noProxy]);
    });
  }

  it('applies certificate settings, and the timeout in milliseconds', () => {
    const { strictSSL, useSystemCertificates, timeoutMs } = resolveRoute(
      https,
      { ...settings, strictSSL: false, systemCertificates: false, timeout: 1.5 },
      {},
    );
    assert.deepEqual([strictSSL, useSystemCertificates, timeoutMs], [false, false, 1500]);
  });
});
