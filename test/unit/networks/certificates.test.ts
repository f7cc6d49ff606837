import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { authority, notYetValid, expired, valid, issued, otherHost } from '../../support/certificates.ts';
import { WireServer, json } from '../../support/wire.ts';
import { KEY, getFailure } from '../service/client/setup.ts';
import { withRoute, withClient, useClosing } from './setup.ts';

const answer = () => json(200, [{ id: 1 }]);
const run = promisify(execFile);

/** A program that reads the lists of a service like the extension and prints the result. */
const program = `
  const { MailingClient, createDispatcher } = await import(${JSON.stringify(new URL('../../../src/service/client/index.ts', import.meta.url).href)});
  const { baseUrl, useSystemCertificates } = JSON.parse(process.argv[1]);
  const dispatcher = createDispatcher({ proxy: false, useSystemCertificates });
  const client = new MailingClient({ baseUrl, apiKey: 'key', dispatcher, wait: () => Promise.resolve() });
  const result = await client.getLists().then((lists) => ({ lists: lists.length }), (error) => ({ kind: error.kind, code: error.code }));
  console.log(JSON.stringify(result));
  await dispatcher.destroy();
`;

interface Said {
  readonly lists?: number;
  readonly kind?: string;
  readonly code?: string;
}

async function inOtherProcess(
  options: { readonly baseUrl: string; readonly useSystemCertificates: boolean },
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
) {
  const { stdout } = await run(
    process.execPath,
    [...flags, '--input-type=module', '--eval', program, '--', JSON.stringify(options)],
    {
      env: { PATH: process.env['PATH'], SSL_CERT_FILE: '/dev/null', SSL_CERT_DIR: '/dev/null', ...environment },
    },
  );
  return JSON.parse(stdout) as Said;
}

describe('Over HTTPS', () => {
  const closeAfterTest = useClosing();

  describe('an untrusted certificate is reported with an action before the key is sent', () => {
    const table = [
      [
        'expired',
        expired,
        [expired.cert],
        'CERT_HAS_EXPIRED',
        /has expired\. Ask the service's operator to renew the certificate\./,
      ],
      [
        'not valid yet',
        notYetValid,
        [notYetValid.cert],
        'CERT_NOT_YET_VALID',
        /is not valid yet\. Check the date and time of this computer/,
      ],
      [
        'of another host',
        otherHost,
        [otherHost.cert],
        'ERR_TLS_CERT_ALTNAME_INVALID',
        /is for another host\. Check the URL of this connection/,
      ],
      [
        'that is self-signed',
        valid,
        [],
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        /is self-signed and not trusted\. Add the certificate to your system's trusted certificates, or set NODE_EXTRA_CA_CERTS to its file/,
      ],
      [
        'of an untrusted authority',
        issued,
        [],
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        /is not trusted\. Add the certificate authority to your system, or set NODE_EXTRA_CA_CERTS to its file/,
      ],
    ] as const;
    for (const [name, tls, extraCertificates, code, words] of table) {
      it(name, async () => {
        const server = await closeAfterTest(WireServer.start(answer, tls));
        await withClient({ extraCertificates }, server.url, async (client) => {
          for (const call of [() => client.getLists(), () => client.sendCampaign(1)]) {
            const error = await getFailure(call);
            assert.deepEqual([error.kind, error.code, error.outcome], ['tls', code, 'refused']);
            assert.match(error.message, words);
          }
        });
        assert.equal(server.requests.length, 0);
      });

      it(`${name}: is accepted with http.proxyStrictSSL off`, async () => {
        const server = await closeAfterTest(WireServer.start(answer, tls));
        await withRoute({ strictSSL: false }, {}, server.url, async (client) => {
          assert.equal((await client.getLists()).length, 1);
          await client.deleteList(1);
        });
        assert.deepEqual(
          server.requests.map(({ headers }) => headers.get('Api-Key')),
          [KEY, KEY],
        );
      });
    }
  });

  it('trusts a configured private authority', async () => {
    const server = await closeAfterTest(WireServer.start(answer, issued));
    assert.equal(
      await withClient(
        { extraCertificates: [authority.cert] },
        server.url,
        async (client) => (await client.getLists()).length,
      ),
      1,
    );
  });

  it('verifies the host name of a certificate', async () => {
    const server = await closeAfterTest(WireServer.start(answer, issued));
    assert.equal(
      await withClient(
        { extraCertificates: [authority.cert] },
        `https://localhost:${server.port}`,
        async (client) => (await client.getLists()).length,
      ),
      1,
    );
    const error = await withClient(
      { extraCertificates: [authority.cert] },
      `https://127.0.0.2:${server.port}`,
      (client) => getFailure(() => client.getLists()),
    );
    assert.notEqual(error.outcome, 'unknown');
    assert.equal(server.requests.length, 1);
  });

  it('times out during a handshake and reports writes as refused', async () => {
    const server = await closeAfterTest(WireServer.start(() => () => undefined));
    const silent = server.url.replace('http:', 'https:');
    await withClient(
      { timeoutMs: 200 },
      silent,
      async (client) => {
        const error = await getFailure(() => client.sendCampaign(1));
        assert.deepEqual([error.kind, error.outcome], ['timeout', 'refused']);
        assert.match(error.message, /Couldn't connect in time/);
      },
      { timeoutMs: 200 },
    );
  });

  describe('a private authority of the machine', () => {
    const folder = makeScratch();
    const file = join(folder, 'authority.pem');
    const certificates = join(folder, 'certificates');

    before(() => {
      writeFileSync(file, authority.cert);
      mkdirSync(certificates);
      writeFileSync(join(certificates, authority.fileInFolder), authority.cert);
    });
    after(() => removeScratch(folder));

    const table: readonly (readonly [
      name: string,
      variables: () => Readonly<Record<string, string>>,
      useSystemCertificates: boolean,
      isTrusted: boolean,
      flags?: readonly string[],
    ])[] = [
      ['in NODE_EXTRA_CA_CERTS', () => ({ NODE_EXTRA_CA_CERTS: file }), true, true],
      ['in NODE_EXTRA_CA_CERTS, with http.systemCertificates off', () => ({ NODE_EXTRA_CA_CERTS: file }), false, true],
      ["among the system's (SSL_CERT_FILE)", () => ({ SSL_CERT_FILE: file }), true, true],
      ["in the system's folder (SSL_CERT_DIR)", () => ({ SSL_CERT_DIR: certificates }), true, true],
      [
        "among the system's, with http.systemCertificates off",
        () => ({ SSL_CERT_FILE: file, SSL_CERT_DIR: certificates }),
        false,
        false,
      ],
      [
        "among the system's, with http.systemCertificates off and Node set to use them",
        () => ({ SSL_CERT_FILE: file }),
        false,
        true,
        ['--use-system-ca'],
      ],
      ['nowhere', () => ({}), true, false],
    ];
    for (const [name, variables, useSystemCertificates, isTrusted, flags] of table) {
      it(`${name}: ${isTrusted ? 'trusted' : 'not trusted'}`, async function () {
        if (process.platform !== 'linux' && name.includes('system')) this.skip();
        const server = await closeAfterTest(WireServer.start(answer, issued));
        const result = await inOtherProcess({ baseUrl: server.url, useSystemCertificates }, variables(), flags);
        assert.deepEqual(result, isTrusted ? { lists: 1 } : { kind: 'tls', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
        assert.equal(server.requests.length, isTrusted ? 1 : 0);
      });
    }
  });
});
