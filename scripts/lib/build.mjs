import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, findNode, out, root, vsix } from './paths.mjs';
import { isRunning, run } from './processes.mjs';

const stamp = join(out, 'package.stamp');

/** Files and folders that the package is built from. */
const sources = [
  'src',
  'l10n',
  'media',
  'docs/accessibility.md',
  'docs/checks.md',
  'docs/tags.md',
  'scripts/package.mjs',
  'scripts/lib',
  'esbuild.mjs',
  'package.json',
  ...readdirSync(root).filter((name) => /^package\.nls(?:\..+)?\.json$/.test(name)),
  'package-lock.json',
  '.vscodeignore',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** @returns {string} a hash of names and contents, so that switching branches or touching files doesn't count as a change */
function hashSources() {
  const hash = createHash('sha256');
  for (const name of sources.flatMap(filesIn).sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Builds and packages the extension if its sources changed since the last build.
 * @param {import('./processes.mjs').Processes} processes
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the hash of what the package was made of
 * @throws {Error} when building fails, after its output was shown
 */
export function packageIfChanged(processes, say) {
  return alone(async () => {
    const hash = hashSources();
    const built =
      existsSync(vsix) && existsSync(join(root, 'dist', 'extension.js')) && existsSync(stamp)
        ? readFileSync(stamp, 'utf8')
        : '';
    if (built !== hash) {
      say('Building and packaging the extension …');
      const code = await run(processes, findNode(), [join(root, 'scripts', 'package.mjs')], { cwd: root });
      if (code !== 0) throw new Error('The extension could not be built.');
      writeFileSync(stamp, hash);
    }
    return hash;
  });
}

/**
 * Runs `act` while no other process builds: two builds at once would empty each other's folder.
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
async function alone(act) {
  mkdirSync(out, { recursive: true });
  const lock = join(out, 'building.pid');
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    if (holder && !isRunning(holder)) rmSync(lock, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    return await act();
  } finally {
    rmSync(lock, { force: true });
  }
}
