import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formsIn } from './forms.ts';

/** A file of a folder that holds a secret. */
export interface FoundInFile {
  readonly file: string;
  readonly forms: readonly string[];
}

/** Looks through all files below a folder, their names too. Gives how many there are, and which hold a form of the secret. */
export function searchFolder(
  folder: string,
  forms: ReadonlyMap<string, string>,
): { readonly files: readonly string[]; readonly found: readonly FoundInFile[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  const found = files.flatMap((path) => {
    const file = relative(folder, path);
    const held = [...formsIn(readFileSync(path, 'latin1'), forms), ...formsIn(file, forms)];
    return held.length > 0 ? [{ file, forms: held }] : [];
  });
  return { files: files.map((path) => relative(folder, path)), found };
}
