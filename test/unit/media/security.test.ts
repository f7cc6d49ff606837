import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { read, readJson, root } from '../../support/manifest.ts';

const text = read('SECURITY.md');
const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'));

describe('SECURITY.md', () => {
  it('names existing tests for every guarantee', () => {
    const promises = text.split('\n').filter((line) => /^\| .*`test\//u.test(line));
    assert.ok(promises.length > 15);
    const named = [...text.matchAll(/`(test\/[^`]+)`/gu)].map(([, path]) => path ?? '');
    assert.deepEqual(
      named.filter((path) => !existsSync(new URL(path, root))),
      [],
    );
  });

  it('names every setting that is restricted in untrusted workspaces', () => {
    const { capabilities } = readJson<{
      capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
    }>('package.json');
    const { supported, restrictedConfigurations } = capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    assert.deepEqual(restrictedConfigurations, [
      'mailing.connections',
      'mailing.testLists',
      'mailing.test.maxRecipients',
      'mailing.sync.pushOnSave',
    ]);
    for (const name of restrictedConfigurations) assert.ok(text.includes(`\`${name}\``), name);
  });

  it('lists all data stored on the machine', () => {
    const storage: Readonly<Record<string, readonly string[]>> = {
      'platform/connections/connections.ts': ['stylesheets'],
      'platform/connections/sandbox.ts': ['sandbox.running'],
      'platform/documents/documents.ts': ['mailing.documents.bases'],
      'features/sourceControl/project.ts': ['locks'],
      'features/sourceControl/index.ts': ['mailing.folders.offered', 'templates'],
      'features/followUps/followUps.ts': ['sent-mails'],
      'extension.ts': ['mailing.recent'],
      'features/sending/index.ts': ['mailing.tests'],
      'features/sending/load.ts': ['sendings', 'tests'],
      'features/subscriptions/run/changes.ts': ['subscriptions'],
      'features/statistics/statistics.ts': ['mailing.statistics.choice'],
      'features/preview/session.ts': ['mailing.preview.sites', 'mailing.preview.toolbar'],
    };
    const keepers = sources.filter((name) =>
      /context\.(?:globalState|workspaceState|globalStorageUri|storageUri)\b/u.test(read(`src/${name}`)),
    );
    assert.deepEqual(keepers.toSorted(), Object.keys(storage).toSorted(), 'Describe new storage in SECURITY.md.');
    const row = (what: string) =>
      text.split('\n').some((line) => line.startsWith('| ') && line.includes(`\`${what}\``));
    for (const what of Object.values(storage).flat()) assert.ok(row(what), what);
  });

  it('is linked from the README and included in the package', () => {
    assert.match(read('README.md'), /\]\(SECURITY\.md\)/u);
    assert.match(read('.vscodeignore'), /^!SECURITY\.md$/mu);
  });

  it('contains no contact address', () => assert.doesNotMatch(text, /[\w.]+@[\w-]+\.\w+|mailto:/u));
});
