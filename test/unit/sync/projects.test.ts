import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { MailingClient } from '../../../src/service/client/index.ts';
import { contentHash } from '../../../src/sync/fields/fields.ts';
import { NodeFiles } from '../../../src/sync/files.ts';
import { RevisionStore } from '../../../src/sync/push/revisions.ts';
import { StateFiles } from '../../../src/sync/stateFiles.ts';
import { LockFile } from '../../../src/sync/push/lock.ts';
import { readMapping } from '../../../src/sync/mapping/mapping.ts';
import { templateLayout } from '../../../src/sync/mapping/templateLayout.ts';
import { getStaleness } from '../../../src/sync/mapping/staleness.ts';
import { PushJournal } from '../../../src/sync/requests/pushJournal.ts';
import { Sync } from '../../../src/sync/push/sync.ts';
import { createRemote } from '../../../src/cli/connection.ts';
import { TemplateFolder } from '../../../src/sync/mapping/folder.ts';
import { mergeTexts } from '../../../src/sync/merge/merge.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import { findImages, names, toBaseUrl } from './fixtures.ts';

interface Tool {
  readonly name: string;
  readonly packages: readonly string[];
  readonly script: string;
  readonly source: string;
  readonly output: string;
  /** Returns a source that contains a text. */
  readonly write: (text: string) => string;
  /** Matches the output of the tool only. */
  readonly built: RegExp;
  readonly files: Readonly<Record<string, string>>;
}

const tools: readonly Tool[] = [
  {
    name: 'MJML',
    packages: ['mjml@4.18.0'],
    script: 'mjml src/welcome.mjml -o dist/welcome.html',
    source: 'src/welcome.mjml',
    output: 'dist/welcome.html',
    write: (text) =>
      `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>\n`,
    built: /<td[^>]*>\s*<div[^>]*>/u,
    files: { 'dist/.keep': '' },
  },
  {
    name: 'Maizzle',
    packages: ['@maizzle/framework@5.5.0'],
    script: 'maizzle build',
    source: 'src/welcome.html',
    output: 'dist/src/welcome.html',
    write: (text) =>
      `<html><head><style>.note { color: #336699 }</style></head><body><p class="note">${text}</p></body></html>\n`,
    built: /<p class="note" style="color: #336699;?">/u,
    files: {
      'maizzle.config.js':
        "export default { build: { content: ['src/**/*.html'], output: { path: 'dist' } }, css: { inline: true } };\n",
    },
  },
];

const run = promisify(execFile);
const isSoak = Number(process.env['MAILING_STUDIO_FUZZ_RUNS'] ?? '1') > 1;
/** Errors if the registry or npm is unavailable. */
const unavailable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[134]|ERR_SOCKET|spawn npm|ENOTCACHED|ENOENT/u;

for (const tool of tools) {
  describe(`project built with ${tool.name}`, function () {
    this.timeout(600_000);
    let root: string;
    let sandbox: Sandbox;
    let client: MailingClient;

    before(async function () {
      // Its packages take minutes to install.
      if (!isSoak) return this.skip();
      root = makeScratch();
      const described = { name: 'project', private: true, type: 'module', scripts: { build: tool.script } };
      put('package.json', JSON.stringify(described));
      for (const [path, text] of Object.entries(tool.files)) put(path, text);
      try {
        // The build needs no install scripts.
        await npm('install', '--no-audit', '--no-fund', '--ignore-scripts', ...tool.packages);
      } catch (error) {
        if (!unavailable.test(String(error))) throw error;
        console.log(`      Skipped: the packages of ${tool.name} can't be installed here.`);
        return this.skip();
      }
      sandbox = await startSandbox({ assets: 'media/starters' });
      client = new MailingClient(sandbox);
    });
    after(async () => {
      await client?.close();
      await sandbox?.close();
      if (root !== undefined) removeScratch(root);
    });

    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const npm = (...args: readonly string[]) =>
      run('npm', args, { cwd: root, timeout: 400_000, shell: process.platform === 'win32' });

    it('is mapped, built by its script and pushed only if it is newer than its source', async () => {
      const { templateId } = await client.createTemplate({ name: 'Built', body: '<p>Before</p>' });
      const entry = {
        folder: 'emails/welcome',
        ids: { production: templateId },
        source: tool.source,
        output: tool.output,
        task: 'npm: build',
      };
      put('mailing.json', JSON.stringify({ templates: [entry] }));
      const {
        templates: [template],
        problems,
      } = readMapping(readFileSync(join(root, 'mailing.json'), 'utf8'));
      assert.ok(template !== undefined);
      assert.deepEqual(problems, []);
      const target = { template, connection: 'production', id: templateId };
      const files = new NodeFiles(root);
      const folder = new TemplateFolder(files, templateLayout, () => [], findImages);
      const sync = new Sync({
        folder,
        remote: createRemote(client),
        lock: new LockFile(files),
        revisions: new RevisionStore(new StateFiles(join(root, '.history')), String),
        journal: new PushJournal(new StateFiles(join(root, '.mailing')), toBaseUrl),
        isProtected: () => false,
        merge: (input) => Promise.resolve(mergeTexts(input)),
      });
      const age = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs;
      const stale = () =>
        getStaleness(template, {
          builtAt: age(tool.output),
          newestSource: { path: tool.source, at: age(tool.source) ?? 0 },
          lastFailure: undefined,
        });
      const push = async (overwrite: Readonly<Record<string, string>> = {}) => {
        const { body = '' } = await folder.read(template);
        return stale() ?? sync.push(target, { texts: { body }, overwrite });
      };
      const stored = async () => (await client.getOneTemplate(templateId)).body ?? '';

      await sync.pull(target, names);
      put(tool.source, tool.write('The first of our letters'));
      assert.deepEqual(await push(), { cause: `${tool.output} hasn't been built yet.`, isMissing: true });

      await npm('run', 'build');
      const first = readFileSync(join(root, tool.output), 'utf8');
      assert.match(first, /The first of our letters/u);
      assert.match(first, tool.built);
      const { remote } = await sync.compare(target);
      assert.deepEqual(await push({ body: contentHash(remote['body'] ?? '') }), {
        kind: 'stored',
        fields: ['body'],
        storedDifferently: [],
      });
      assert.equal(await stored(), first);

      put(tool.source, tool.write('The second of our letters'));
      assert.deepEqual(await push(), { cause: `${tool.output} is older than ${tool.source}.`, isMissing: false });
      assert.equal(await stored(), first, 'Nothing was pushed.');

      await npm('run', 'build');
      const second = readFileSync(join(root, tool.output), 'utf8');
      assert.match(second, /The second of our letters/u);
      assert.deepEqual(await push(), { kind: 'stored', fields: ['body'], storedDifferently: [] });
      assert.equal(await stored(), second);
      assert.deepEqual([...(await sync.compare(target)).changes], []);
    });
  });
}
