import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { FileChangedError, NodeFiles } from '../../../src/sync/files.ts';
import { TIMEOUT_MS, createRunOptions } from '../fuzz/setup.ts';

describe('NodeFiles', () => {
  let outside: string;
  let root: string;
  let files: NodeFiles;
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    outside = makeScratch();
    root = join(outside, 'root');
    writeFiles();
    files = new NodeFiles(root);
  });
  afterEach(() => removeScratch(outside));

  /** Each file contains its path. */
  const writeFiles = () => {
    for (const path of [
      'root/emails/plain.html',
      'root/emails/inner.html',
      'secret.html',
      'root/mailing.json',
      'root/.git/config',
      'root/.vscode/tasks.json',
      'root/config/mailing.json',
    ]) {
      mkdirSync(dirname(join(outside, path)), { recursive: true });
      writeFileSync(join(outside, path), path);
    }
  };

  /** Lists everything below a folder without following links: [path, content]. */
  const snapshot = (folder: string, under = ''): [string, string][] =>
    readdirSync(join(folder, under))
      .sort()
      .flatMap((name): [string, string][] => {
        const path = join(under, name);
        const stats = lstatSync(join(folder, path));
        if (stats.isDirectory()) return [[path, 'folder'], ...snapshot(folder, path)];
        if (stats.isSymbolicLink()) return [[path, `-> ${readlinkSync(join(folder, path))}`]];
        return [[path, stats.isFile() ? readFileSync(join(folder, path), 'utf8') : 'pipe']];
      });
  const assertRefused = async (path: string, expected: { readonly message: string | RegExp }) => {
    const before = snapshot(outside);
    await assert.rejects(files.read(path), expected, `read ${path}`);
    await assert.rejects(files.write(path, 'new'), expected, `write ${path}`);
    assert.deepEqual(snapshot(outside), before, path);
  };

  it('reads and writes existing files, new files and links within the folder', async () => {
    symlinkSync(join(root, 'emails/inner.html'), join(root, 'emails/link.html'));
    symlinkSync(join(root, 'emails'), join(root, 'letters'));
    for (const path of [
      'emails/plain.html',
      'emails/new.html',
      'new/deep/file.html',
      'emails/link.html',
      'letters/plain.html',
      'letters/new/file.html',
    ]) {
      await files.write(path, path);
      assert.equal(await files.read(path), path);
    }
    assert.equal(readFileSync(join(root, 'emails/inner.html'), 'utf8'), 'emails/link.html');
    assert.ok(lstatSync(join(root, 'emails/link.html')).isSymbolicLink());
    assert.equal(readFileSync(join(root, 'emails/new/file.html'), 'utf8'), 'letters/new/file.html');
    for (const path of ['emails/missing.html', 'missing/file.html']) assert.equal(await files.read(path), undefined);
  });

  it('refuses links that lead out of the folder', async () => {
    symlinkSync(join(outside, 'secret.html'), join(root, 'emails/link.html'));
    symlinkSync(outside, join(root, 'out'));
    for (const path of ['emails/link.html', 'out/secret.html', 'out/new.html', '../secret.html']) {
      await assertRefused(path, { message: `${path} points outside the workspace folder.` });
    }
  });

  it('refuses links without a target', async () => {
    symlinkSync(join(outside, 'missing.html'), join(root, 'emails/link.html'));
    symlinkSync(join(outside, 'missing'), join(root, 'out'));
    symlinkSync(join(outside, 'missing'), join(root, 'mailing.lock.json'));
    symlinkSync('missing.html', join(root, 'emails/within.html'));
    symlinkSync('link.html', join(root, 'emails/chain.html'));
    const links = {
      'emails/link.html': 'emails/link.html',
      'out/file.html': 'out',
      'out/deep/file.html': 'out',
      'mailing.lock.json': 'mailing.lock.json',
      'emails/within.html': 'emails/within.html',
      'emails/chain.html': 'emails/chain.html',
    };
    for (const [path, link] of Object.entries(links))
      await assertRefused(path, { message: `${link} is a broken link. Remove it or create its target.` });
  });

  it('refuses files of Git, VS Code and Mailing Studio, directly or through a link', async () => {
    symlinkSync('../.git/config', join(root, 'emails/git.html'));
    symlinkSync('.git', join(root, 'link'));
    symlinkSync('../.vscode/tasks.json', join(root, 'emails/tasks.html'));
    symlinkSync('../mailing.json', join(root, 'emails/mapping.html'));
    symlinkSync('mailing.json', join(root, 'mailing.lock.json'));
    for (const path of [
      '.git/config',
      '.GIT/new',
      '.vscode/settings.json',
      'sub/mailing.json',
      'emails/git.html',
      'link/config',
      'link/hooks/pre-commit',
      'emails/tasks.html',
      'emails/mapping.html',
      'mailing.lock.json',
    ]) {
      await assertRefused(path, { message: /reserved for Git, VS Code or Mailing Studio/u });
    }
  });

  it('accepts the mapping and its lock, and links to a file of the same name', async () => {
    assert.equal(await files.read('mailing.json'), 'root/mailing.json');
    await files.write('mailing.lock.json', '{}');
    unlinkSync(join(root, 'mailing.json'));
    symlinkSync('config/mailing.json', join(root, 'mailing.json'));
    await files.write('mailing.json', '{}');
    assert.equal(readFileSync(join(root, 'config/mailing.json'), 'utf8'), '{}');
  });

  it('accepts regular files only and never waits for a pipe', async () => {
    mkdirSync(join(root, 'emails/folder.html'));
    execFileSync('mkfifo', [join(root, 'emails/pipe.html')]);
    symlinkSync('loop.html', join(root, 'emails/loop.html'));
    for (const path of ['emails/folder.html', 'emails/pipe.html']) {
      await assert.rejects(files.read(path), /isn't a regular file|the path is a folder/u);
      await assert.rejects(files.write(path, 'new'), /isn't a regular file/u);
    }
    await assertRefused('emails/plain.html/body.html', {
      message:
        /^Couldn't (?:read|write) emails\/plain\.html\/body\.html: a folder in the path is a file\. Check the file and its folders\.$/u,
    });
    await assertRefused('emails/loop.html', { message: /the links in the path form a loop/u });
  });

  it('replaces a file with the same permissions and no leftovers', async () => {
    chmodSync(join(root, 'emails/plain.html'), 0o666);
    await files.write('emails/plain.html', 'new');
    assert.equal(statSync(join(root, 'emails/plain.html')).mode & 0o777, 0o666);
    assert.deepEqual(readdirSync(join(root, 'emails')).sort(), ['inner.html', 'plain.html']);
  });

  it('overwrites a file only if it has the expected text', async () => {
    await files.write('emails/plain.html', 'new', { text: 'root/emails/plain.html' });
    await assert.rejects(
      files.write('emails/plain.html', 'newer', { text: 'root/emails/plain.html' }),
      FileChangedError,
    );
    await assert.rejects(files.write('emails/plain.html', 'newer', { text: undefined }), FileChangedError);
    await files.write('emails/fresh.html', 'fresh', { text: undefined });
    assert.deepEqual([await files.read('emails/plain.html'), await files.read('emails/fresh.html')], ['new', 'fresh']);
    assert.deepEqual(readdirSync(join(root, 'emails')).sort(), ['fresh.html', 'inner.html', 'plain.html']);
  });

  it('refuses files that are too large or not UTF-8', async () => {
    writeFileSync(join(root, 'emails/large.html'), Buffer.alloc(10 * 1024 * 1024 + 1, 32));
    await assert.rejects(files.read('emails/large.html'), { message: 'emails/large.html is larger than 10 MB.' });
    writeFileSync(join(root, 'emails/latin.html'), Buffer.from([0xe9]));
    await assert.rejects(files.read('emails/latin.html'), /the file isn't UTF-8 text/u);
  });

  it('never changes files outside or reserved files, with any path and links', async function () {
    this.timeout(TIMEOUT_MS);
    const names = [
      'emails',
      'plain.html',
      'l0',
      'l1',
      'l2',
      'new',
      '..',
      '.',
      '.git',
      '.GIT',
      'config',
      'mailing.json',
    ];
    const others = ['secret.html', 'root', 'missing', '.vscode', 'tasks.json'];
    const path = fc
      .array(fc.constantFrom(...names, ...others), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('/'));
    const target = fc.oneof(
      path,
      path.map((inner) => `../${inner}`),
      path.map((inner) => join(outside, inner)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('', 'emails/', 'l0/'), target), { maxLength: 3 }),
        path,
        async (links, written) => {
          for (const [index, [folder, to]] of links.entries()) {
            try {
              symlinkSync(to, join(root, folder, `l${index}`));
            } catch {
              // The folder of this link is a link without a target.
            }
          }
          const listProtected = () =>
            snapshot(outside).filter(
              ([name]) => !name.startsWith('root/') || /\/(?:\.git|\.vscode|mailing\.json)(?:\/|$)/iu.test(name),
            );
          const before = listProtected();
          const isOwn = written === 'mailing.json';
          await files.write(written, 'hostile').catch((error: Error) => assert.ok(error instanceof Error));
          const text = await files.read(written).catch(() => undefined);
          if (!isOwn) assert.deepEqual(listProtected(), before);
          assert.ok(text === undefined || text === 'hostile', `${written} was read without being written: ${text}`);
          removeScratch(root);
          writeFiles();
        },
      ),
      createRunOptions(100),
    );
  });
});
