import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { cacheDir, out, root } from './paths.mjs';

/** A marker file next to the directory that `makeScratch` returns. Everything below the marker's directory may be deleted. */
const MARKER = '.mailing-studio-scratch';

/** Folders of builds and downloads: ignored by git, safe to delete. */
const BUILD_FOLDERS = [out, cacheDir, join(root, 'dist')];

/**
 * Makes an empty directory for temporary files. End it with `removeScratch`.
 * @returns {string} its path
 */
export function makeScratch() {
  // VS Code's sockets are in it. On macOS, their paths have at most 103 characters, and the usual folder has a long one.
  const parent = process.platform === 'darwin' ? '/tmp' : tmpdir();
  // No short names of Windows, and no links: programs report the real paths of the folders that they run in.
  const home = mkdtempSync(join(realpathSync.native(parent), 'mailing-studio-'));
  writeFileSync(join(home, MARKER), '');
  const folder = join(home, 'files');
  mkdirSync(folder);
  return folder;
}

/**
 * Removes a directory and everything in it, if it is there. All recursive deletes of tests, scripts and benchmarks go through here.
 * @param {string} path of a scratch directory, of a build folder, or of something in one
 * @throws {Error} for any other path, and for a link
 */
export function removeScratch(path) {
  const found = deletablePath(path);
  if (!found) return;
  const home = dirname(found);
  // The marker's directory is deleted with the one next to it.
  remove(basename(found) === 'files' && existsSync(join(home, MARKER)) ? home : found);
}

/**
 * Removes everything in a directory, but not the directory.
 * @param {string} path as for `removeScratch`
 * @throws {Error} as `removeScratch`
 */
export function emptyScratch(path) {
  const found = deletablePath(path);
  if (found) for (const name of readdirSync(found)) remove(join(found, name));
}

/**
 * Returns the real path of a file or directory that may be deleted. Undefined if it doesn't exist.
 * @param {string} path
 * @returns {string | undefined}
 * @throws {Error} for any other path, and for a link
 */
export function deletablePath(path) {
  if (!isAbsolute(path)) throw refusal(path, 'its path is not absolute');
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) throw refusal(path, 'it is a link');
  const real = realpathSync(path);
  const isBuilt = BUILD_FOLDERS.some((folder) => existsSync(folder) && isWithin(real, realpathSync(folder)));
  if (!isBuilt && !hasMarkerAbove(real)) throw refusal(path, 'it is in no scratch directory and no build folder');
  return real;
}

/** @param {string} path @param {string} folder */
function isWithin(path, folder) {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** @param {string} path @returns {boolean} */
function hasMarkerAbove(path) {
  const above = dirname(path);
  return above !== path && (existsSync(join(above, MARKER)) || hasMarkerAbove(above));
}

/** @param {string} path @param {string} why */
function refusal(path, why) {
  return new Error(
    `Couldn't delete ${JSON.stringify(path)}: ${why}. Only directories of makeScratch() and build folders are deleted.`,
  );
}

/** @param {string} path */
function remove(path) {
  // A process that just ended may still be writing. On Windows, its files stay open for seconds.
  rmSync(path, { recursive: true, force: true, maxRetries: 10 });
}
