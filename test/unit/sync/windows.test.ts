import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';

const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);

/** Before the sources are loaded: the platform is Windows, whose file operations fail as often as `busy` says. */
const windows = `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  Object.defineProperty(process, 'platform', { value: 'win32' });
  const fail = (times, operation, code) => {
    const failing = async (...args) => {
      failing.tries += 1;
      if (failing.tries <= times) throw Object.assign(new Error(code), { code });
      return operation(...args);
    };
    failing.tries = 0;
    return failing;
  };
  const settle = (promise) => promise.then(() => 'done', (error) => error.message);
  const print = (result) => console.log(JSON.stringify(result));
`;

describe('Windows', function () {
  let folder: string;
  beforeEach(() => {
    folder = makeScratch();
    writeFileSync(join(folder, 'a.html'), 'before');
  });
  afterEach(() => removeScratch(folder));

  /** Runs a script in its own process and returns what it prints. */
  async function run(script: string): Promise<unknown> {
    const text = `${windows}\nconst folder = ${JSON.stringify(folder)};\n${script}`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text]);
    return JSON.parse(stdout);
  }
  const read = () => readFileSync(join(folder, 'a.html'), 'utf8');

  for (const [times, expected, text] of [
    [3, 'done', 'after'],
    [
      99,
      "Couldn't write a.html: the file is protected, or in use by another program. Check the file and its folders.",
      'before',
    ],
  ] as const)
    it(`writes a file that is in use for ${times} tries: ${text}`, async () => {
      const result = await run(`
        fs.rename = fail(${times}, fs.rename, 'EPERM');
        syncBuiltinESMExports();
        const { NodeFiles } = await import(${source('sync/files.ts')});
        const settled = await settle(new NodeFiles(folder).write('a.html', 'after', { text: 'before' }));
        print([settled, fs.rename.tries]);
      `);
      assert.deepEqual(result, [expected, Math.min(times + 1, 5)]);
      assert.equal(read(), text);
      assert.deepEqual(readdirSync(folder), ['a.html']);
    });

  it('overwrites no text that changes while the file is in use', async () => {
    const result = await run(`
      const { rename, writeFile } = fs;
      fs.rename = fail(1, rename, 'EBUSY');
      syncBuiltinESMExports();
      const { NodeFiles } = await import(${source('sync/files.ts')});
      const files = new NodeFiles(folder);
      const writing = settle(files.write('a.html', 'after', { text: 'before' }));
      while (fs.rename.tries === 0) await new Promise((resolve) => setImmediate(resolve));
      await writeFile(folder + '/a.html', 'of another program');
      print(await writing);
    `);
    assert.equal(result, "Couldn't write a.html: it changed in the meantime. Try again.");
    assert.equal(read(), 'of another program');
  });

  it('writes files if Node reports no device of a path', async () => {
    const result = await run(`
      const { lstat } = fs;
      fs.lstat = async (...args) => Object.assign(await lstat(...args), { dev: 0n });
      syncBuiltinESMExports();
      const { NodeFiles } = await import(${source('sync/files.ts')});
      print(await settle(new NodeFiles(folder).write('new.html', 'text')));
    `);
    assert.equal(result, 'done');
  });

  it('removes a lock that a virus scanner has open, and creates one that is being deleted', async () => {
    const result = await run(`
      fs.rm = fail(2, fs.rm, 'EBUSY');
      fs.writeFile = fail(2, fs.writeFile, 'EPERM');
      syncBuiltinESMExports();
      const { withFileLock } = await import(${source('sync/exclusive.ts')});
      const result = await withFileLock(folder + '/lock', async () => 'result');
      print([result, fs.writeFile.tries, fs.rm.tries, await fs.readdir(folder)]);
    `);
    assert.deepEqual(result, ['result', 3, 3, ['a.html']]);
  });

  it('reports paths relative to the repository, with slashes, in any case', async () => {
    const inside = ['C:\\Repo\\mail\\a.html', 'c:\\repo\\mail\\a.html', 'C:/Repo/mail/../b.html'];
    const outside = ['D:\\Repo\\a.html', 'C:\\Repo2\\a.html', 'C:\\Repo\\..\\a.html', '\\\\server\\share\\a.html'];
    const result = await run(`
      const { default: path } = await import('node:path');
      const { relativePath } = await import(${source('cli/workspace.ts')});
      Object.assign(path, path.win32);
      syncBuiltinESMExports();
      const find = async (name) => relativePath({ root: 'C:\\\\Repo', isRepository: true }, name);
      const names = ${JSON.stringify([...inside, ...outside])};
      print(await Promise.all(names.map((name) => find(name).catch(({ message }) => message.split('\\n')[0]))));
    `);
    assert.deepEqual(result, [
      ...['mail/a.html', 'mail/a.html', 'b.html'],
      ...outside.map((name) => `${name} is outside the repository.`),
    ]);
  });
});
