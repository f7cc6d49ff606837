import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { read, readJson, root } from '../../support/manifest.ts';

/** Words that often make names and sentences hard to read. A few uses are fine, such as "the outcome is unknown". */
const { anyCase, exact } = readJson<Readonly<Record<'anyCase' | 'exact', readonly string[]>>>(
  'test/unit/media/data/avoidedWords.json',
);
const AVOIDED_WORDS = [
  ...anyCase.map((words) => new RegExp(words, 'giu')),
  ...exact.map((words) => new RegExp(words, 'gu')),
];

/** TypeScript's type, and the outcome of a request whose response was lost. */
const UNKNOWN = /(?<=[:<|&,=([] ?|\bas )unknown\b|'unknown'/gu;

const MAX_PER_1000_LINES = 8;

function listSources(folder: string) {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|mjs|css)$/u.test(path) && !/\/data\//u.test(path));
}

/** Avoided words per 1,000 lines. */
function measure(paths: readonly string[]) {
  let [words, lines] = [0, 0];
  for (const path of paths) {
    const text = read(path).replaceAll(UNKNOWN, '');
    lines += text.split('\n').length;
    for (const word of AVOIDED_WORDS) words += text.match(word)?.length ?? 0;
  }
  return (1000 * words) / lines;
}

describe('Wording', () => {
  for (const folder of ['src/', 'test/', 'bench/', 'scripts/']) {
    it(`in ${folder} is plain English`, () => {
      const paths = listSources(folder);
      assert.ok(paths.length > 10);
      assert.ok(measure(paths) <= MAX_PER_1000_LINES, `${measure(paths).toFixed(1)} avoided words per 1,000 lines`);
    });
  }

  it('of the documents for users is plain English', () => {
    const pages = readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`);
    const measured = measure(['README.md', 'CHANGELOG.md', 'package.nls.json', ...pages]);
    assert.ok(measured <= MAX_PER_1000_LINES, `${measured.toFixed(1)} avoided words per 1,000 lines`);
  });

  it('of the documents for developers is plain English', () => {
    for (const path of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md'])
      assert.ok(measure([path]) <= MAX_PER_1000_LINES, `${path}: ${measure([path]).toFixed(1)}`);
  });
});
