// node scripts/supportData.mjs: writes src/checks/data/support.json, what mail clients support, from the data of the package `caniemail`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './lib/paths.mjs';

/** Where the table lies. */
export const supportFile = join(root, 'src', 'checks', 'data', 'support.json');

/** @typedef {Record<string, Record<string, Record<string, string>>>} Stats results by family, platform and version */
/** @typedef {{ slug: string, title: string, last_test_date: string, stats: Stats, notes_by_num: Record<string, string> | null }} Feature */

/** Features that no check asks for: whole formats, and what all e-mails hold. */
const unasked = new Set(['amp', 'bimi', 'html-doctype', 'html-comments', 'css-comments']);

/**
 * The table as JSON text: the clients' keys, and for each feature its title, the day of its last test, a letter for each client (`y`es,
 * `n`o, `a`lmost, `u`nknown, `-` not tested) and the notes that the letters refer to.
 */
export function supportData() {
  // Keys such as "13" would move before "12.4": marked, they keep the order of the file, which is that of time.
  const text = readFileSync(join(root, 'node_modules', 'caniemail', 'data', 'caniemail.json'), 'utf8').replace(/"([\d.-]+)":/gu, '"v$1":');
  /** @type {{ data: Feature[], last_update_date: string }} */
  const { data, last_update_date: updated } = JSON.parse(text);
  const features = data.filter(({ slug }) => !unasked.has(slug));
  const clients = [...new Set(features.flatMap(({ stats }) => clientsOf(stats)))].sort();
  const rows = features.map(({ slug, title, last_test_date: tested, stats, notes_by_num: notes }) => {
    const results = clients.map((client) => latest(stats, client));
    const letters = results.map((result) => result?.[0] ?? '-').join('');
    /** @type {[text: string, clients: number[]][]} */
    const texts = Object.entries(notes ?? {}).map(([key, note]) => [note, refersTo(results, key.slice(1))]);
    const told = texts.filter(([, of]) => of.length > 0);
    return [slug, told.length > 0 ? [title.trim(), tested, letters, told] : [title.trim(), tested, letters]];
  });
  const lines = rows.map(([slug, row]) => `${JSON.stringify(slug)}:${JSON.stringify(row)}`);
  return `{"updated":${JSON.stringify(updated.slice(0, 10))},"clients":${JSON.stringify(clients)},"features":{\n${lines.join(',\n')}\n}}\n`;
}

/** @param {Stats} stats */
function clientsOf(stats) {
  return Object.entries(stats).flatMap(([family, platforms]) => Object.keys(platforms).map((platform) => `${family}.${platform}`));
}

/**
 * The numbers of the clients whose result has a note.
 * @param {(string | undefined)[]} results
 * @param {string} note
 */
function refersTo(results, note) {
  return results.flatMap((result, index) => (result?.split(/\s+/u).includes(`#${note}`) ? [index] : []));
}

/**
 * @param {Stats} stats
 * @param {string} client
 */
function latest(stats, client) {
  const [family = '', platform = ''] = client.split('.');
  return Object.values(stats[family]?.[platform] ?? {}).at(-1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(supportFile, supportData());
  console.log(`${supportFile}: ${readFileSync(supportFile).length} bytes`);
}
