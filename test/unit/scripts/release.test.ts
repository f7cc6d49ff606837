import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publishToOpenVsx } from '../../../scripts/lib/openVsx.mjs';
import {
  isPreRelease,
  listProblems,
  publishedManifest,
  readChanges,
  repositoryAddress,
} from '../../../scripts/lib/release.mjs';
import { createSbom } from '../../../scripts/lib/sbom.mjs';
import { read, readJson } from '../../support/manifest.ts';

const withUrl = (url: string) => ({ repository: { url } });
const github = withUrl('git+https://github.com/example-org/mailing-studio.git');
const placeholder = withUrl('git+https://github.com/OWNER/mailing-studio.git');
const changelog =
  '# Changelog\n\n## 1.2.0 - 2026-02-03\n\n### Added\n\n- One.\n\n## 1.0.0 - 2026-01-02\n\n### Fixed\n\n- Two.\n';

describe('Repository address', () => {
  it('is the only one that the owner changes', () => {
    assert.equal(repositoryAddress(github), 'https://github.com/example-org/mailing-studio');
    assert.deepEqual(publishedManifest({ ...github, name: 'a', scripts: { test: '' }, devDependencies: {} }), {
      name: 'a',
      ...github,
      homepage: 'https://github.com/example-org/mailing-studio#readme',
      bugs: { url: 'https://github.com/example-org/mailing-studio/issues' },
      qna: 'https://github.com/example-org/mailing-studio/discussions',
    });
    const own = readJson<Parameters<typeof repositoryAddress>[0] & object>('package.json');
    assert.doesNotThrow(() => repositoryAddress(own));
    for (const field of ['homepage', 'bugs', 'qna']) assert.ok(!(field in own), field);
  });

  it('is left out while it is a placeholder', () => {
    assert.equal(repositoryAddress(placeholder), undefined);
    assert.deepEqual(publishedManifest({ ...placeholder, name: 'a' }), { name: 'a' });
  });

  it('must be on GitHub, in the form that npm needs', () => {
    for (const url of [
      'https://github.com/example-org/mailing-studio.git',
      'git+https://github.com.example/a/b.git',
      'git+https://github.com/a/b/c.git',
    ])
      assert.throws(() => repositoryAddress(withUrl(url)), /"repository" of package\.json must be of the form/u);
  });
});

describe('Change log', () => {
  it('is in the form of Keep a Changelog', () => {
    const [newest] = readChanges(read('CHANGELOG.md'));
    assert.equal(newest?.version, readJson<{ version: string }>('package.json').version);
    assert.match(newest.text, /^### Added\n\n(?:#### .+\n\n)?- /u);
  });

  it('returns the sections, newest first', () => {
    assert.deepEqual(readChanges(changelog), [
      { version: '1.2.0', date: '2026-02-03', text: '### Added\n\n- One.' },
      { version: '1.0.0', date: '2026-01-02', text: '### Fixed\n\n- Two.' },
    ]);
  });

  for (const [wrong, message] of [
    [changelog.replace('1.2.0 - 2026-02-03', 'Unreleased'), /"## Unreleased" must be a version and a date/u],
    [changelog.replace('2026-02-03', '2026-13-03'), /must be a version and a date/u],
    [changelog.replace('### Added', '### Improved'), /version 1\.2\.0 has a wrong or repeated group "Improved"/u],
    [changelog.replace('### Added', '### Added\n\n- Zero.\n\n### Added'), /repeated group "Added"/u],
    [changelog.replace('### Added\n', ''), /version 1\.2\.0 has no changes/u],
  ] as const)
    it(`refuses ${message.source}`, () => assert.throws(() => readChanges(wrong), message));
});

describe('Release', () => {
  const project = {
    manifest: { version: '1.2.0', ...github },
    lock: { version: '1.2.0', packages: { '': { version: '1.2.0' } } },
    changelog,
    tag: 'v1.2.0',
  };

  it('has no problems if everything fits', () => assert.deepEqual(listProblems(project), []));

  it('names all problems', () => {
    const problems = listProblems({
      manifest: { version: '1.3.0', ...placeholder },
      lock: project.lock,
      changelog: changelog.replace('## 1.2.0', '## 0.9.0'),
      tag: 'v1.2.0',
    });
    assert.deepEqual(problems, [
      'The tag is v1.2.0, and the version in package.json is 1.3.0.',
      'package-lock.json has another version: run `npm install --package-lock-only`.',
      'CHANGELOG.md begins with 0.9.0, not with 1.3.0.',
      'CHANGELOG.md has a repeated version, or the versions are out of order.',
      '"repository" of package.json still has the placeholder OWNER.',
    ]);
  });

  it('is a pre-release with an odd minor number', () => {
    assert.deepEqual(['0.2.0', '0.3.0', '0.3.7', '1.10.1', '1.11.0'].map(isPreRelease), [
      false,
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('Bill of materials', () => {
  const texts = ['The MIT License\n\nCopyright (c) 2020 Somebody\n\nPermission…'];
  const library = { name: '@scope/one', version: '2.0.0', license: 'MIT', texts, folder: 'node_modules/@scope/one' };
  const data = { name: 'data', version: 'data of 2026-01-01', license: 'MIT', texts: ['No line.'] };
  const sbom = createSbom(
    { name: 'product', version: '1.0.0', license: 'MIT' },
    { name: 'product-1.0.0.vsix', bytes: Buffer.from('abc') },
    [library, data],
    { integrityOf: ({ folder }) => (folder ? 'sha512-AQID' : undefined), time: 1_700_000_000, address: undefined },
  );

  it('is a whole SPDX 2.3 document', () => {
    const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    assert.equal(sbom.spdxVersion, 'SPDX-2.3');
    assert.equal(sbom.creationInfo.created, '2023-11-14T22:13:20Z');
    assert.equal(sbom.documentNamespace, `https://spdx.org/spdxdocs/product-1.0.0.vsix-${sha256}`);
    const [product, one, other] = sbom.packages;
    assert.deepEqual(product && 'checksums' in product && product.checksums, [
      { algorithm: 'SHA256', checksumValue: sha256 },
    ]);
    assert.ok(one && 'externalRefs' in one && other && !('externalRefs' in other));
    assert.equal(one.externalRefs?.[0]?.referenceLocator, 'pkg:npm/%40scope/one@2.0.0');
    assert.deepEqual(one.checksums, [{ algorithm: 'SHA512', checksumValue: '010203' }]);
    assert.equal(one.copyrightText, 'Copyright (c) 2020 Somebody');
    assert.equal(other.copyrightText, 'NOASSERTION');
  });

  it('relates each package to the product, by valid and unique ids', () => {
    const ids = sbom.packages.map(({ SPDXID }) => SPDXID);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^SPDXRef-[\w.-]+$/u);
    assert.deepEqual(sbom.relationships.map(({ relatedSpdxElement }) => relatedSpdxElement).toSorted(), ids.toSorted());
  });
});

describe('Publishing to Open VSX', () => {
  const id = { publisher: 'studio', name: 'mailing', version: '1.2.0' };
  const token = 'a secret&token';
  let replies: { status: number; body: object }[];
  let requests: string[];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`.trim());
      const { status, body } = replies.shift() ?? { status: 500, body: {} };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const publish = () =>
    publishToOpenVsx(id, Buffer.from('vsix'), token, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  before((done) => void server.listen(0, '127.0.0.1', done));
  after(() => void server.close());
  beforeEach(() => {
    requests = [];
  });

  it('sends the file once', async () => {
    replies = [
      { status: 404, body: {} },
      { status: 201, body: { name: 'mailing' } },
    ];
    assert.equal(await publish(), 'studio.mailing 1.2.0 is on Open VSX.');
    assert.deepEqual(requests, ['GET /api/studio/mailing/1.2.0', 'POST /api/-/publish?token=a%20secret%26token vsix']);
  });

  it('succeeds if the version is there already', async () => {
    replies = [{ status: 200, body: {} }];
    assert.equal(await publish(), 'studio.mailing 1.2.0 is on Open VSX already.');
    replies = [
      { status: 404, body: {} },
      { status: 400, body: { error: 'Extension studio.mailing 1.2.0 is already published.' } },
    ];
    assert.equal(await publish(), 'studio.mailing 1.2.0 is on Open VSX already.');
  });

  it('fails with the reason, but never with the token', async () => {
    replies = [
      { status: 404, body: {} },
      { status: 400, body: { error: `Invalid access token: ${token}` } },
    ];
    await assert.rejects(publish(), {
      message: 'Open VSX refused studio.mailing 1.2.0 (400): Invalid access token: ***',
    });
    replies = [{ status: 503, body: {} }];
    await assert.rejects(publish(), /Open VSX responded with 503/u);
    await assert.rejects(publishToOpenVsx(id, Buffer.from(''), ''), /token for Open VSX is missing/u);
  });
});
