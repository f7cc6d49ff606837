import { posix } from 'node:path';
import { t } from '../l10n.ts';

/** Names of the mapping and of the lock, which holds the hashes of the last sync. Both are in the root of a workspace folder. */
export const mappingName = 'mailing.json';
export const lockName = 'mailing.lock.json';

/** Folder beside them with the texts of linked parts. */
export const partsFolderName = 'mailing-parts';

/** Folder beside them with the state of pushes and earlier versions. Git ignores it. */
export const stateFolderName = '.mailing';

/** Names of the files in a template's folder. */
export const templateFileNames = { body: 'body.html', stylesheet: 'style.css', details: 'template.json' } as const;

/** Maximum length of a path in a mapping, in UTF-16 units. */
const MAX_PATH_LENGTH = 1024;

/** Canonical names that no segment of a mapped path may have. */
const reservedNames: ReadonlySet<string> = new Set(
  [
    ...['.git', '.gitattributes', '.gitignore', '.gitmodules', '.vscode', '.devcontainer', '.devcontainer.json'],
    ...[mappingName, lockName, stateFolderName],
  ].map(canonicalName),
);

/**
 * Returns why a path can't be mapped; undefined if it can. Pull writes a service's texts into mapped files, so they must not be files that
 * Git, VS Code or Mailing Studio act on.
 * @param path a path with slashes, relative to the folder of `mailing.json`
 * @param name what the message calls the path
 */
export function pathProblem(path: string, name: string = path): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return t`"${name}" is longer than 1,024 characters.`;
  const names = isBelow(path) ? posix.normalize(path).replace(/\/$/u, '').split('/').map(canonicalName) : [''];
  // Windows drops dots and spaces at the end of a name, and so reads ". ." as ".".
  if (names.includes('')) return t`"${name}" must be a path below the folder of mailing.json, with slashes.`;
  if (names.some(isShortName)) return t`"${name}" contains a Windows short name, such as "GIT~1". Use the full name.`;
  if (names.some((one) => reservedNames.has(one) || one.endsWith('.CODE-WORKSPACE')))
    return t`"${name}" is reserved for Git, VS Code or Mailing Studio. Choose another path.`;
  return undefined;
}

/** @throws an error with a message for users if a path can't be mapped */
export function checkPath(path: string): void {
  const problem = pathProblem(path);
  if (problem !== undefined) throw new Error(problem);
}

/**
 * Returns the same spelling for all names that a file system may treat as equal. File systems may ignore case (full case folding on macOS),
 * invisible characters (HFS+), and trailing dots and spaces (Windows).
 */
export function canonicalName(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[. ]+$/u, '');
}

/** Backslashes, drives and alternate data streams (`:`) are specific to Windows. Lone surrogates can't be encoded. */
function isBelow(path: string) {
  if (path === '' || /[\\:\p{Cc}\p{Cs}]/u.test(path) || posix.isAbsolute(path)) return false;
  const normal = posix.normalize(path);
  return normal !== '.' && normal !== './' && normal !== '..' && !normal.startsWith('../');
}

/** Windows may accept an 8.3 name for any file: `MAILIN~1.JSO`. */
function isShortName(name: string) {
  return /^[^.]{1,8}(?:\.[^.]{1,3})?$/u.test(name) && /~\d+(?:\.|$)/u.test(name);
}
