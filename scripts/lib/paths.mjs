import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Output of tests and packaging: results, screenshots, logs, the package. Ignored by git, safe to delete. */
export const out = join(root, 'out');

/** Cache for VS Code and the demo's user data. Ignored by git, safe to delete. */
export const cacheDir = join(root, '.vscode-test');

/** The extension's package. */
export const vsix = join(out, 'mailing-studio.vsix');

/**
 * Returns all files in a folder of the repository, or the file of that name. Empty if there is neither.
 * @param {string} name relative to the repository
 * @returns {string[]} relative to the repository, with `/`
 */
export function filesIn(name) {
  const path = join(root, name);
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [name];
  return readdirSync(path).flatMap((entry) => filesIn(`${name}/${entry}`));
}

/**
 * Returns a Node that runs TypeScript sources and VS Code's server: the current one if it is new enough, or else that of the `node`
 * package.
 * @returns {string} path of the executable
 */
export function findNode() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= 24) return process.execPath;
  for (const name of ['node', 'node.exe']) {
    const path = join(root, 'node_modules', 'node', 'bin', name);
    if (existsSync(path)) return path;
  }
  throw new Error(
    'Node 24 is missing: run `npm ci` first (its install scripts must be allowed), or use Node 24 or later.',
  );
}
