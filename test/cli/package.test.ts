import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const MAX_UNPACKED_BYTES = 2.5 * 1024 * 1024;
const sources = [
  'package.json',
  'package-lock.json',
  '.npmignore',
  'esbuild.mjs',
  'scripts',
  'src',
  'action',
  'media/blocks',
  'media/skills',
  'README.md',
  'LICENSE',
];

describe('npm package', function () {
  let folder: string;
  let installed: string;

  before(async () => {
    folder = makeScratch();
    const checkout = join(folder, 'checkout');
    for (const name of sources) cpSync(join(root, name), join(checkout, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'), 'junction');
    const npm = (cwd: string, ...args: readonly string[]) =>
      run('npm', [...args, '--no-audit', '--no-fund'], { cwd, shell: process.platform === 'win32' });
    // A release tests the package that it publishes.
    const packages = process.env['MAILING_STUDIO_PACKAGES'] ?? folder;
    // `prepack` builds it.
    if (packages === folder) await npm(checkout, 'pack', '--pack-destination', folder);
    const [tarball = ''] = readdirSync(packages).filter((name) => name.endsWith('.tgz'));
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    await npm(project, 'install', '--offline', resolve(packages, tarball));
    installed = join(project, 'node_modules');
  });
  after(() => removeScratch(folder));

  it('contains the built command only, and no dependencies', () => {
    assert.deepEqual(
      readdirSync(installed).filter((name) => !name.startsWith('.')),
      ['mailing-studio'],
    );
    const files = readdirSync(join(installed, 'mailing-studio'), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => statSync(join(installed, 'mailing-studio', name)).isFile());
    const others = files.filter((name) => !name.startsWith('dist/cli/'));
    const skill = 'media/skills/mailing-emails/SKILL.md';
    assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'action/action.yml', skill, 'package.json']);
    const bytes = files.reduce((sum, name) => sum + statSync(join(installed, 'mailing-studio', name)).size, 0);
    assert.ok(bytes <= MAX_UNPACKED_BYTES, `${bytes} bytes`);
    assert.match(readFileSync(join(root, '.vscodeignore'), 'utf8'), /^!dist\/!\(cli\)\/\*\*$/mu);
  });

  it('runs from an empty folder, also with Node 20', async () => {
    const candidates = [process.execPath, 'node', '/usr/bin/node', '/usr/local/bin/node'];
    const main = join(installed, 'mailing-studio', 'dist', 'cli', 'mailing.js');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    for (const node of candidates) {
      const found = await run(node, ['--version']).catch(() => undefined);
      if (found === undefined || Number(/\d+/u.exec(found.stdout)?.[0]) < 20) continue;
      assert.equal((await run(node, [main, '--version'])).stdout, `${version}\n`, found.stdout);
      writeFileSync(join(folder, 'a.html'), '<img src="a.png">');
      const failed = await run(node, [main, 'check', 'a.html'], { cwd: folder }).catch((error: unknown) => error);
      assert.equal((failed as { code?: unknown }).code, 1, found.stdout);
      assert.equal((await run(node, [main, 'sent', 'a.html'], { cwd: folder })).stderr, '');
    }
    const { stdout } = await run(join(installed, '.bin', 'mailing'), ['--version'], {
      shell: process.platform === 'win32',
    });
    assert.equal(stdout, `${version}\n`);
  });
});
