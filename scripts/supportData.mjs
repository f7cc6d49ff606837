// node scripts/supportData.mjs [FILE]: writes src/email/checks/data/support.json, the client support data of the checks, from the copy of Can I
// email's data in scripts/data/caniemail. FILE, a newer download of https://www.caniemail.com/api/data.json, replaces that copy first.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './lib/paths.mjs';

/** The generated table. */
export const supportFile = join(root, 'src', 'email', 'checks', 'data', 'support.json');

/** Can I email's data as published, about 570 KB; not packaged. */
const sourceFile = join(root, 'scripts', 'data', 'caniemail', 'data.json');

/** @typedef {Record<string, Record<string, Record<string, string>>>} Stats results by family, platform and version */
/** @typedef {{ slug: string, title: string, last_test_date: string, stats: Stats, notes_by_num: Record<string, string> | null }} Feature */

/** Features that no check uses: whole formats, and content of all emails. */
const unasked = new Set(['amp', 'bimi', 'html-doctype', 'html-comments', 'css-comments']);

/**
 * Returns the table as JSON text: the clients' keys, and for each feature its title, the day of its last test, a letter for each client (`y`es,
 * `n`o, `a`lmost, `u`nknown, `-` not tested) and the notes that the letters refer to.
 */
export function supportData() {
  const { data, last_update_date: updated } = readSource(sourceFile);
  const features = data.filter(({ slug }) => !unasked.has(slug));
  const clients = [...new Set(features.flatMap(({ stats }) => clientsOf(stats)))].sort();
  const rows = features.map(({ slug, title, last_test_date: tested, stats, notes_by_num: notes }) => {
    const results = clients.map((client) => latest(stats, client));
    const letters = results.map((result) => result?.[0] ?? '-').join('');
    /** @type {[text: string, clients: number[]][]} */
    const texts = Object.entries(notes ?? {}).map(([key, note]) => [note, refersTo(results, key.slice(1))]);
    const supported = texts.filter(([, of]) => of.length > 0);
    return [slug, supported.length > 0 ? [title.trim(), tested, letters, supported] : [title.trim(), tested, letters]];
  });
  const lines = rows.map(([slug, row]) => `${JSON.stringify(slug)}:${JSON.stringify(row)}`);
  return `{"updated":${JSON.stringify(updated.slice(0, 10))},"clients":${JSON.stringify(clients)},"features":{\n${lines.join(',\n')}\n}}\n`;
}

/**
 * Reads Can I email's data.
 * @param {string} file
 * @returns {{ data: Feature[], last_update_date: string }}
 * @throws {Error} if the file is missing or has another shape
 */
function readSource(file) {
  // A prefix keeps version keys in the file's order, which is chronological: JSON.parse would move "13" before "12.4".
  const source = JSON.parse(readFileSync(file, 'utf8').replace(/"([\d.-]+)":/gu, '"v$1":'));
  if (!Array.isArray(source.data) || typeof source.last_update_date !== 'string')
    throw new Error(`${file} isn't Can I email's data.`);
  return source;
}

/** @param {Stats} stats */
function clientsOf(stats) {
  return Object.entries(stats).flatMap(([family, platforms]) =>
    Object.keys(platforms).map((platform) => `${family}.${platform}`),
  );
}

/**
 * Returns the numbers of the clients whose result has a note.
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
  const [newer] = process.argv.slice(2);
  if (newer !== undefined) {
    readSource(newer);
    copyFileSync(newer, sourceFile);
  }
  writeFileSync(supportFile, supportData());
  const { last_update_date: updated } = readSource(sourceFile);
  const days = Math.floor((Date.now() - Date.parse(updated.slice(0, 10))) / 86_400_000);
  console.log(
    `${supportFile}: ${readFileSync(supportFile).length} bytes, from data of ${updated.slice(0, 10)} (${days} days old).`,
  );
  console.log(
    'To refresh it, download https://www.caniemail.com/api/data.json and run: node scripts/supportData.mjs data.json',
  );
}
