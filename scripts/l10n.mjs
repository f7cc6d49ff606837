// node scripts/l10n.mjs: writes the texts of the code into l10n/bundle.l10n.json. With --check it changes nothing, and fails if that
// file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getL10nJson } from '@vscode/l10n-dev';
import { filesIn, root } from './lib/paths.mjs';

const path = join(root, 'l10n/bundle.l10n.json');

/** Returns the texts of the code by their keys, sorted. @returns {Promise<import('@vscode/l10n-dev').l10nJsonFormat>} */
export async function findTexts() {
  const sources = filesIn('src').filter((name) => name.endsWith('.ts'));
  const files = sources.map((name) => ({ extension: '.ts', contents: readFileSync(join(root, name), 'utf8') }));
  const texts = await getL10nJson(files);
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const written = `${JSON.stringify(await findTexts(), null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(path, written);
  else if (readFileSync(path, 'utf8') !== written) {
    console.error('l10n/bundle.l10n.json is out of date: run `npm run l10n`, and translate what is new.');
    process.exitCode = 1;
  }
}
