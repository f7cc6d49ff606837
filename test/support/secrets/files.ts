import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formsIn } from './forms.ts';

/** A file that contains a secret. */
export interface FoundInFile {
  readonly file: string;
  readonly forms: readonly string[];
}

/** Searches the names and contents of all files in a folder. Returns all files, and those that contain a form of the secret. */
export function searchFolder(
  folder: string,
  forms: ReadonlyMap<string, string>,
): { readonly files: readonly string[]; readonly found: readonly FoundInFile[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  const found = files.flatMap((path) => {
    const file = relative(folder, path);
    const matches = [...formsIn(readFileSync(path, 'latin1'), forms), ...formsIn(file, forms)];
    return matches.length > 0 ? [{ file, forms: matches }] : [];
  });
  return { files: files.map((path) => relative(folder, path)), found };
}
