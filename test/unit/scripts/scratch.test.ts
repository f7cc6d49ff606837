import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { filesIn, out, root } from '../../../scripts/lib/paths.mjs';
import { deletablePath, emptyScratch, makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';

describe('Scratch directories', () => {
  let scratch: string;
  /** Creates a directory with a file, without the helper. */
  let foreign: string;
  beforeEach(() => {
    scratch = makeScratch();
    foreign = mkdtempSync(join(tmpdir(), 'foreign-'));
    writeFileSync(join(foreign, 'file'), '');
  });
  afterEach(() => {
    removeScratch(scratch);
    unlinkSync(join(foreign, 'file'));
    rmdirSync(foreign);
  });

  const paths: Readonly<Record<string, () => string>> = {
    'an empty path': () => '',
    'the current directory': () => '.',
    'the parent of the current directory': () => '..',
    'a relative path': () => 'out/screenshots',
    'the root of the disk': () => parse(root).root,
    'the home directory': () => homedir(),
    'the directory for temporary files': () => tmpdir(),
    'the checkout': () => root,
    'the parent of the checkout': () => dirname(root.replace(/[/\\]$/u, '')),
    'a directory of the checkout': () => join(root, 'test'),
    'the checkout through a build folder': () => join(out, '..'),
    'the parent of a scratch directory': () => dirname(scratch),
    'a path out of a scratch directory': () => `${scratch}/../..`,
    'a directory without a marker': () => foreign,
    'a link that leads out': () => {
      symlinkSync(foreign, join(scratch, 'link'));
      return join(scratch, 'link');
    },
    'a directory behind a link that leads out': () => {
      symlinkSync(dirname(foreign), join(scratch, 'above'));
      return join(scratch, 'above', parse(foreign).base);
    },
  };
  for (const [title, path] of Object.entries(paths)) {
    it(`refuse to delete ${title}`, () => {
      // Only asks the helper: a mistake in it must not delete these paths.
      assert.throws(() => deletablePath(path()), /^Error: Couldn't delete /u);
    });
  }

  it('are the only thing deleted', () => {
    assert.throws(() => removeScratch(foreign), /^Error: Couldn't delete /u);
    assert.throws(() => emptyScratch(foreign), /^Error: Couldn't delete /u);
    assert.ok(existsSync(join(foreign, 'file')));
  });

  it('are removed with their content and siblings, but without following links', () => {
    mkdirSync(join(scratch, 'folder'));
    symlinkSync(foreign, join(scratch, 'folder', 'link'));
    removeScratch(join(scratch, 'folder'));
    assert.deepEqual(readdirSync(scratch), []);
    symlinkSync(foreign, join(scratch, 'link'));
    removeScratch(scratch);
    assert.ok(!existsSync(dirname(scratch)));
    assert.ok(existsSync(join(foreign, 'file')));
    removeScratch(scratch);
  });

  it('are emptied without following links', () => {
    mkdirSync(join(scratch, 'folder'));
    writeFileSync(join(scratch, 'folder', 'file'), '');
    symlinkSync(foreign, join(scratch, 'link'));
    emptyScratch(scratch);
    assert.deepEqual(readdirSync(scratch), []);
    assert.ok(existsSync(join(foreign, 'file')));
  });

  it('are not required in build folders', () => {
    const folder = join(out, `scratch-test-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    removeScratch(folder);
    assert.ok(!existsSync(folder));
  });
});

/** Matches a recursive delete call. Its arguments may contain calls. */
const recursiveDelete = /\b(?:rm|rmdir|delete)(?:Sync)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\brecursive\b/u;

describe('Recursive deletes in tests, scripts and benchmarks', () => {
  it('are recognized', () => {
    const calls = [
      "rmSync('x', { recursive: true })",
      'await rm(join(a, b(c)), { force: true, recursive })',
      'fs.promises.rmdir(\n x,\n { recursive: true })',
      'vscode.workspace.fs.delete(uri, { recursive: true })',
    ];
    const others = [
      "rmSync('x', { force: true })",
      "readdirSync('x', { recursive: true })",
      "rmSync('x'); mkdirSync('x', { recursive: true })",
    ];
    assert.deepEqual(
      [...calls, ...others].map((text) => recursiveDelete.test(text)),
      [true, true, true, true, false, false, false],
    );
  });

  it('go through the helper', () => {
    const sources = [...['test', 'scripts', 'bench'].flatMap(filesIn), ...readdirSync(root)].filter((name) =>
      /\.m?[jt]s$/u.test(name),
    );
    assert.ok(sources.length > 100);
    const found = sources.filter((name) => recursiveDelete.test(readFileSync(join(root, name), 'utf8')));
    assert.deepEqual(found.toSorted(), ['scripts/lib/scratch.mjs', 'test/unit/scripts/scratch.test.ts']);
  });
});
