// npm run bench [-- <name> …]: runs bench/<name>/run.mjs, or all of them, and prints one table. How to read it: bench/README.md.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

/** @type {Measure[]} */
const measures = [];
for (const name of asked.length > 0 ? asked : all) {
  process.stderr.write(`${name} …\n`);
  const { measure } = await import(new URL(`./${name}/run.mjs`, import.meta.url).href);
  measures.push(await measure());
}

const header = ['', 'median', 'floor', 'ratio', 'unit'];
const lines = measures.flatMap(({ title, rows }) => [
  [title],
  ...rows.map(([name, median, floor, ratio, unit]) => [
    `  ${name}`,
    figure(median),
    figure(floor),
    figure(ratio),
    unit,
  ]),
]);
const widths = header.map((_, column) =>
  Math.max(...[header, ...lines].map((line) => (line.length === 1 ? 0 : (line[column] ?? '').length))),
);
for (const line of [header, ...lines]) {
  console.log(
    line
      .map((cell, column) =>
        column === 0 || column === 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
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
