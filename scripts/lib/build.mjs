import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { out, root, vsix } from './paths.mjs';
import { findNode } from './paths.mjs';
import { run } from './processes.mjs';

const stamp = join(out, 'package.stamp');

/** What the package is made of. */
const sources = ['src/**/*', 'media/**/*', 'scripts/package.mjs', 'scripts/lib/build.mjs', 'esbuild.mjs', 'package.json', 'package-lock.json', '.vscodeignore', 'README.md', 'CHANGELOG.md', 'LICENSE'];

/** @returns {string} a hash of names and contents: moving between branches and touching files do not count as changes */
function hashSources() {
  const hash = createHash('sha256');
  for (const name of globSync(sources, { cwd: root }).sort()) {
    const path = join(root, name);
    if (statSync(path).isFile()) hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/**
 * Builds and packages the extension when its sources changed since the last time.
 * @param {import('./processes.mjs').Processes} processes
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the hash of what the package was made of
 * @throws {Error} when building fails, after its output was shown
 */
export async function packageIfChanged(processes, say) {
  const hash = hashSources();
  const built = existsSync(vsix) && existsSync(join(root, 'dist', 'extension.js')) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (built !== hash) {
    say('Building and packaging the extension …');
    const code = await run(processes, findNode(), [join(root, 'scripts', 'package.mjs')], { cwd: root });
    if (code !== 0) throw new Error('The extension could not be built.');
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, hash);
  }
  return hash;
}
