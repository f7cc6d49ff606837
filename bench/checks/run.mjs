// Measures checking an email of 177 KB, compared with parsing it.
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'parse5';
import { check } from '../../src/email/checks/index.ts';
import { median, root, timed } from '../support.mjs';

const rounds = 40;
const warmUp = 10;
const size = 177 * 1024;

/** Repeats all starters until the email has that size. */
function grown() {
  const folder = `${root}/media/starters/`;
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.html'))
    .map((name) => readFileSync(folder + name, 'utf8'));
  let body = '';
  for (let index = 0; body.length < size; index += 1) body += texts[index % texts.length] ?? '';
  return body;
}

/** Their stylesheets, once. */
function styles() {
  const folder = `${root}/media/starters/`;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(folder + name, 'utf8'))
    .join('\n');
}

export async function measure() {
  const [body, stylesheet] = [grown(), styles()];
  /** @type {Record<string, number[]>} */
  const times = { parse5: [], documented: [], acymailing: [] };
  for (let round = 0; round < rounds; round += 1) {
    times['parse5']?.push(
      await timed(async () => parse(body, { sourceCodeLocationInfo: true, scriptingEnabled: false })),
    );
    for (const profile of ['documented', 'acymailing'])
      times[profile]?.push(await timed(async () => check({ body, stylesheet }, { profile })));
  }
  const [floor = NaN, ...own] = Object.values(times).map((list) => median(list.slice(warmUp)));
  const names = ['any service', 'AcyMailing'];
  return {
    title: `Checking an email of ${Math.round(body.length / 1024)} KB (floor: parse5 alone)`,
    rows: own.map((milliseconds, index) => [names[index], milliseconds, floor, milliseconds / floor, 'ms']),
  };
}
