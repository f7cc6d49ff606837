import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

const read = (/** @type {string} */ name) => readFileSync(join(root, 'media/blocks', name), 'utf8');

/** Returns the blocks in `media/blocks`, which `index.json` lists with their titles. */
export function readBlocks() {
  /** @type {Readonly<Record<string, string>>} */
  const titles = JSON.parse(read('index.json'));
  return Object.entries(titles).map(([name, title]) => ({ name, title, snippet: read(`${name}.html`).trimEnd() }));
}
