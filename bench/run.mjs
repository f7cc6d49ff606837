// npm run bench [-- <name> …]: runs bench/<name>/run.mjs, or all of them, and prints a table of each. How to read it: bench/README.md.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { provideChromium } from '../scripts/lib/chromium.mjs';
import { Processes } from '../scripts/lib/processes.mjs';

/** @typedef {[name: string, median: number, floor: number | null, ratio: number | null, unit: string]} Row */
/** @typedef {{ title: string, rows: Row[] }} Measure what a module's `measure()` resolves with */

const here = fileURLToPath(new URL('./', import.meta.url));
const all = readdirSync(here)
  .filter((name) => existsSync(`${here}${name}/run.mjs`))
  .sort();
const asked = process.argv.slice(2);
const unrecognized = asked.filter((name) => !all.includes(name));
if (unrecognized.length > 0) {
  console.error(`There is no measure "${unrecognized.join('", "')}". Measures: ${all.join(', ')}.`);
  process.exit(2);
}

const chosen = asked.length > 0 ? asked : all;
const inNode = new Set(['checks', 'export', 'folders', 'format', 'growth', 'parts', 'sent', 'size', 'tags']);
if (chosen.some((name) => !inNode.has(name))) {
  try {
    await provideChromium(new Processes(), (line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

for (const name of chosen) {
  process.stderr.write(`${name} …\n`);
  /** @type {{ measure: () => Promise<Measure> }} */
  const { measure } = await import(new URL(`./${name}/run.mjs`, import.meta.url).href);
  const { title, rows } = await measure();
  const cells = [
    ['', 'median', 'floor', 'ratio', 'unit'],
    ...rows.map(([row, median, floor, ratio, unit]) => [
      `  ${row}`,
      figure(median),
      figure(floor),
      figure(ratio),
      unit,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  console.log(title);
  for (const [row = '', ...figures] of cells)
    console.log(
      [row.padEnd(widths[0] ?? 0), ...figures.map((each, at) => each.padStart(widths[at + 1] ?? 0))].join('  '),
    );
}

/**
 * Formats a figure with three significant digits. A missing one becomes a dash.
 * @param {number | null | undefined} value
 */
function figure(value) {
  if (value === null || value === undefined) return '–';
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
