import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import Papa from 'papaparse';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import {
  createBufferedDraft,
  createFileDraft,
  formatCell,
  formatCsv,
  getDefaultSeparator,
  separators,
  writeRecords,
  type ExportDraft,
  type FormatOptions,
} from '../../../../src/ui/export/write.ts';
import { createRunOptions } from '../../fuzz/setup.ts';

/** Returns the cells that a program with these separators reads. Programs without quote support drop the quotes. */
function cellsIn(text: string, ends: string, knowsQuotes: boolean) {
  const cells = [''];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const isDoubled = quoted && text.startsWith('""', at);
    if (isDoubled) at += 1;
    if (sign === '"' && !isDoubled) quoted = knowsQuotes && !quoted && cells.at(-1) === '';
    else if (!quoted && (ends.includes(sign) || '\r\n'.includes(sign))) cells.push('');
    else cells.push(`${cells.pop() ?? ''}${sign}`);
  }
  return cells;
}

const formula = /^[\s"\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;

describe('CSV', () => {
  it('disables formulas', () => {
    const texts = ['=1+1', '+49 30', '-2', '@SUM(A1)', ' =HYPERLINK("x")', '＝1', '＋1', '－1', '＠x'];
    const cases = texts.map((text) => [text, `'${text}`]);
    // Some programs treat the leading character as the end of a cell.
    for (const end of ['\t', '\r', '\n']) cases.push([`${end}=1`, `'${end}'=1`]);
    for (const [text = '', expected] of cases) {
      const { data } = Papa.parse<string[]>(formatCsv([[text]]), { newline: '\r\n' });
      assert.equal(data[0]?.[0], expected, JSON.stringify(text));
    }
  });

  it('disables formulas for spreadsheets with another separator', () => {
    assert.equal(formatCsv([['Bob;=1+1', 'x']]), `"Bob;'=1+1",x\r\n`);
    assert.equal(formatCsv([['Bob;"=1+1"', 'a\t@x']], ','), `"Bob;'""=1+1""","a\t'@x"\r\n`);
    assert.equal(formatCsv([['Bob,=1+1', 'x']], ';'), `"Bob,'=1+1";x\r\n`);
    // The file's own separator is within quotes: a list of numbers stays one cell.
    assert.equal(formatCsv([['+49 30, +49 40', '1, -2']], ','), `"'+49 30, +49 40","1, -2"\r\n`);
  });

  it('disables formulas for every combination of separators', () => {
    const sign = fc.constantFrom(...',;\t\n\r"\'=+-@＝ \u200Ba1');
    const cell = fc.array(sign, { maxLength: 8 }).map((all) => all.join(''));
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(rows, fc.constantFrom(...separators), (table, separator) => {
        const text = formatCsv(table, separator);
        for (const ends of [...separators, separators.join('')]) {
          for (const knowsQuotes of ends.includes(separator) ? [true] : [true, false]) {
            const formulas = cellsIn(text, ends, knowsQuotes).filter((one) => formula.test(one));
            assert.deepEqual(formulas, [], JSON.stringify({ text, ends, knowsQuotes }));
          }
        }
      }),
      createRunOptions(4000),
    );
  });

  it('round-trips, except for apostrophes', () => {
    for (const separator of separators) {
      const table = [
        ['a;b', 'c,d', 'e\tf', 'say "no"'],
        ['1;-2', '', 'two\r\nlines', '=1'],
      ];
      const { data } = Papa.parse<string[]>(formatCsv(table, separator).trimEnd(), {
        delimiter: separator,
        newline: '\r\n',
      });
      assert.deepEqual(
        data.map((row) => row.map((one) => one.replaceAll("'", ''))),
        table,
      );
    }
  });

  it('keeps all characters of a cell of separators, quotes or spaces', () => {
    for (const sign of [';', '\t', ' ', '"', ';"', '\u200B'])
      assert.ok(formatCsv([[sign.repeat(2_000_000)]]).length > 2_000_000, sign);
  });

  it('uses the separator of the language', () => {
    for (const language of ['en', 'ja', 'zh-cn', 'qps-ploc', 'en_US'])
      assert.equal(getDefaultSeparator(language), ',', language);
    for (const language of ['de', 'fr', 'es', 'pt-br', 'pl', 'ru'])
      assert.equal(getDefaultSeparator(language), ';', language);
  });

  it('leaves other text unchanged', () => {
    const cells = ['a@example.com', 'Müller', 'a,b', 'say "no"', 'one\r\ntwo', '', '0049', '1-2', 'a=b', '王'];
    assert.deepEqual((Papa.parse(formatCsv([cells])).data as string[][])[0], cells);
    assert.equal(formatCsv([[-5, 3]]), '-5,3\r\n');
    assert.equal(formatCsv([[-5, 3]], ';'), '-5;3\r\n');
  });

  it('formats values as text', () => {
    const values = [null, undefined, true, { a: [1] }, 7, 'x'];
    assert.deepEqual(values.map(formatCell), ['', '', 'true', '{"a":[1]}', 7, 'x']);
    assert.equal(formatCsv([]), '');
  });
});

describe('writing records', () => {
  let folder: string;
  const path = () => join(folder, 'out');
  beforeEach(() => {
    folder = makeScratch();
  });
  afterEach(() => removeScratch(folder));

  const write = async (
    pages: readonly (readonly object[])[],
    options: Partial<FormatOptions> = {},
    draft?: ExportDraft,
  ) => {
    const target = draft ?? (await createFileDraft(path()));
    const all = { format: 'csv', fields: [], mark: false, ...options } as const;
    const written = await writeRecords(target, Readable.from(pages), all);
    await target.publish();
    return written;
  };
  const parse = (text: string) => Papa.parse(text, { skipEmptyLines: true }).data;

  it('writes the given fields and those of the first page, and reports fields of later pages', async () => {
    const pages = [
      [
        { email: 'a@x', name: 'A "q", b' },
        { email: 'b@x', source: 'two\r\nlines' },
      ],
      [{ email: 'c@x', name: null, source: 'import' }, { email: 'd@x' }],
      [{ email: 'e@x', language: 'de', source: 'front' }, { country: 'f' }],
    ];
    assert.deepEqual(await write(pages, { fields: ['email', 'id'], mark: true }), {
      count: 6,
      omittedField: 'language',
    });
    const text = readFileSync(path(), 'utf8');
    assert.deepEqual(parse(text.slice(1)), [
      ['email', 'id', 'name', 'source'],
      ['a@x', '', 'A "q", b', ''],
      ['b@x', '', '', 'two\r\nlines'],
      ['c@x', '', '', 'import'],
      ['d@x', '', '', ''],
      ['e@x', '', '', 'front'],
      ['', '', '', ''],
    ]);
    assert.deepEqual([text[0], readdirSync(folder)], ['\uFEFF', ['out']]);
  });

  it('writes only a header if there are no records', async () => {
    await write([], { fields: ['email'] });
    assert.equal(readFileSync(path(), 'utf8'), 'email\r\n');
  });

  it('creates a file that only its owner can read, and keeps the permissions of an existing one', async function () {
    if (process.platform === 'win32') this.skip();
    const getMode = async () => {
      const draft = await createFileDraft(path());
      const drafts = readdirSync(folder).filter((name) => name !== 'out');
      assert.deepEqual(
        drafts.map((name) => statSync(join(folder, name)).mode & 0o777),
        [0o600],
      );
      await write([[{ n: 1 }], [{ n: 2 }]], {}, draft);
      return statSync(path()).mode & 0o777;
    };
    assert.equal(await getMode(), 0o600);
    for (const mode of [0o640, 0o600, 0o644]) {
      chmodSync(path(), mode);
      assert.equal(await getMode(), mode);
    }
  });

  it('writes valid JSON, even without records', async () => {
    for (const pages of [[], [[{ a: 1 }]], [[{ a: 1 }, { b: [2] }], [{ c: '"' }]]]) {
      assert.deepEqual(await write(pages, { format: 'json' }), { count: pages.flat().length, omittedField: undefined });
      assert.deepEqual(JSON.parse(readFileSync(path(), 'utf8')), pages.flat());
    }
  });

  it('leaves nothing behind when discarded, and keeps the existing file', async () => {
    writeFileSync(path(), 'before');
    const draft = await createFileDraft(path());
    await draft.append(new TextEncoder().encode('n'));
    await draft.discard();
    assert.deepEqual([readdirSync(folder), readFileSync(path(), 'utf8')], [['out'], 'before']);
  });

  it('limits the size of buffered drafts', async () => {
    const draft = createBufferedDraft(1024 * 1024, 'Use a file.', async () => undefined);
    const big = 'x'.repeat(400_000);
    await assert.rejects(() => write([[{ big }, { big }], [{ big }]], {}, draft), /limit of 1 MB\. Use a file\./u);
  });

  it('limits the number of columns', async () => {
    const record = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, index]));
    assert.equal((await write([[record]])).omittedField, 'f1000');
  });
});
