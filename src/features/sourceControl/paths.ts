import { posix } from 'node:path';

/** Name of the file that maps folders, at the root of a workspace folder, and of the file with the last agreed texts' hashes beside it. */
export const mappingName = 'mailing.json';
export const lockName = 'mailing.lock.json';

/** Longest path in a mapping, in UTF-16 units. */
const MAX_PATH_LENGTH = 1024;

/** Names that a path in a mapping must not have in any of its segments, as `canonicalName` writes them. */
const reservedNames: ReadonlySet<string> = new Set(
  [
    ...['.git', '.gitattributes', '.gitignore', '.gitmodules', '.vscode', '.devcontainer', '.devcontainer.json'],
    ...[mappingName, lockName],
  ].map(canonicalName),
);

/**
 * Returns why a mapping must not name a path, as the rest of a sentence; undefined if it may. Pull writes what a service sends into the
 * named files, so none of them may be one that Git, VS Code or Mailing Studio acts on.
 * @param path a path with slashes, below the folder of `mailing.json`
 */
export function pathProblem(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return 'is longer than 1,024 characters.';
  const names = isBelow(path) ? posix.normalize(path).replace(/\/$/u, '').split('/').map(canonicalName) : [''];
  // Windows drops dots and spaces at the end of a name, and so reads ". ." as ".".
  if (names.includes('')) return 'must be a path below the folder of mailing.json, with slashes.';
  if (names.some(isShortName)) return 'is a short name of Windows, such as "GIT~1". Write the full name.';
  if (names.some((name) => reservedNames.has(name) || name.endsWith('.CODE-WORKSPACE')))
    return 'is reserved for Git, VS Code or Mailing Studio. Choose another path.';
  return undefined;
}

/** Returns `pathProblem` as a sentence of its own. */
export function pathError(path: string): string | undefined {
  const problem = pathProblem(path);
  return problem && `"${path}" ${problem}`;
}

/** Throws an error that a user can read if a mapping must not name a path. */
export function checkPath(path: string): void {
  const error = pathError(path);
  if (error !== undefined) throw new Error(error);
}

/**
 * Returns one spelling for all that a file system may take for the same name. Some ignore case (full case folding on macOS), invisible
 * characters (HFS+), and dots and spaces at the end (Windows).
 */
export function canonicalName(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[. ]+$/u, '');
}

/** Backslashes, drives and alternate data streams (`:`) exist on one system only. Lone surrogates have no bytes of their own. */
function isBelow(path: string): boolean {
  if (path === '' || /[\\:\p{Cc}\p{Cs}]/u.test(path) || posix.isAbsolute(path)) return false;
  const normal = posix.normalize(path);
  return normal !== '.' && normal !== './' && normal !== '..' && !normal.startsWith('../');
}

/** Windows may know a file by such a name too (8.3), whatever its own name is: `MAILIN~1.JSO`. */
function isShortName(name: string): boolean {
  return /^[^.]{1,8}(?:\.[^.]{1,3})?$/u.test(name) && /~\d+(?:\.|$)/u.test(name);
}
