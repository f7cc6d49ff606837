import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

const keys = () => Object.keys(JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')));

/**
 * Writes the keys of all texts of the code: the package contains them once, and only the translations for each language.
 * @param {string} folder the folder of the built extension
 */
export function writeTextKeys(folder) {
  mkdirSync(join(folder, 'l10n'), { recursive: true });
  writeFileSync(join(folder, 'l10n/keys.json'), JSON.stringify(keys()));
}

/**
 * Writes the texts of a language in the order of the keys.
 * @param {string} folder the folder of the built extension
 * @param {string} language
 * @param {Readonly<Record<string, string>>} texts translations by their keys
 */
export function writeTexts(folder, language, texts) {
  writeFileSync(join(folder, 'l10n', `${language}.json`), JSON.stringify(keys().map((key) => texts[key])));
}
