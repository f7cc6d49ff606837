import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import Papa from 'papaparse';
import { makeScratch, removeScratch } from '../../../../../scripts/lib/scratch.mjs';
import { createLargePageReader, type Page } from '../../../../../src/service/client/paginate.ts';
import {
  formatCell,
  formatCsv,
  getDefaultSeparator,
  separators,
  type Separator,
} from '../../../../../src/platform/ui/export/csv.ts';
import { createBufferedDrafts, createFileDrafts, TooLargeError } from '../../../../../src/platform/ui/export/drafts.ts';
import { RecordWriter } from '../../../../../src/platform/ui/export/writer.ts';
import { createRunOptions } from '../../../fuzz/setup.ts';

/** Returns the cells that a program with these separators reads. Programs without quote support drop the quotes. */
function cellsIn(text: string, ends: string, knowsQuotes: boolean): string[] {
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
const separatorNames = Object.keys(separators) as Separator[];

describe('CSV', () => {
  it('disables formulas', () => {
    for (const text of ['=1+1', '+49 30', '-2', '@SUM(A1)', ' =HYPERLINK("x")', '＝1', '＋1', '－1', '＠x']) {
      const [[cell]] = Papa.parse<string[]>(formatCsv([[text]])).data as [string[]];
      assert.equal(cell, `'${text}`, JSON.stringify(text));
    }
    // Some programs treat the leading character as the end of a cell.
    for (const end of ['\t', '\r', '\n']) {
      const [[cell]] = Papa.parse<string[]>(formatCsv([[`${end}=1`]]), { newline: '\r\n' }).data as [string[]];
      assert.equal(cell, `'${end}'=1`, JSON.stringify(end));
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
    const sign = fc.constantFrom(
      ',',
      ';',
      '\t',
      '\n',
      '\r',
      '"',
      "'",
      '=',
      '+',
      '-',
      '@',
      '＝',
      ' ',
      '\u200B',
      'a',
      '1',
    );
    const cell = fc.array(sign, { maxLength: 8 }).map((all) => all.join(''));
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(rows, fc.constantFrom(...separatorNames), (table, separator) => {
        const text = formatCsv(table, separator);
        for (const ends of [...separatorNames, separatorNames.join('')]) {
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
    for (const separator of separatorNames) {
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

  it('formats a cell of separators and spaces in linear time', () => {
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
    assert.deepEqual([null, undefined, true, { a: [1] }, 7, 'x'].map(formatCell), [
      '',
      '',
      'true',
      '{"a":[1]}',
      7,
      'x',
    ]);
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

  const createPages = (pages: readonly (readonly object[])[]) => {
    const all = pages.flat();
    const sizes = pages.map(({ length }) => length);
    return async ({ offset }: Page) => {
      let from = 0;
      for (const size of sizes) {
        if (offset < from + size) return all.slice(offset, from + size);
        from += size;
      }
      return [];
    };
  };

  it('writes all columns, including fields of later pages', async () => {
    const writer = await RecordWriter.open(createFileDrafts(path()), 'csv', { fields: ['email', 'name'], mark: true });
    await writer.writeAll(
      createLargePageReader(
        createPages([
          [
            { email: 'a@x', name: 'A "q", b' },
            { email: 'b@x', name: 'two\r\nlines' },
          ],
          [{ email: 'c@x', name: null, source: 'import' }, { email: 'd@x' }],
          [{ email: 'e@x', language: 'de', source: 'front' }, { email: 'f@x' }],
        ]),
      ),
    );
    await writer.finish();
    const text = readFileSync(path(), 'utf8');
    assert.deepEqual(Papa.parse(text.slice(1), { skipEmptyLines: true }).data, [
      ['email', 'name', 'source', 'language'],
      ['a@x', 'A "q", b', '', ''],
      ['b@x', 'two\r\nlines', '', ''],
      ['c@x', '', 'import', ''],
      ['d@x', '', '', ''],
      ['e@x', '', 'front', 'de'],
      ['f@x', '', '', ''],
    ]);
    assert.deepEqual([text[0], readdirSync(folder)], ['\uFEFF', ['out']]);
  });

  it('pads rows with any separator', async () => {
    for (const separator of separatorNames) {
      const writer = await RecordWriter.open(createFileDrafts(path()), 'csv', {
        fields: ['email'],
        mark: false,
        separator,
      });
      await writer.writeAll(
        createLargePageReader(createPages([[{ email: 'a,b;c\td@x' }], [{ email: 'e@x', name: 'E' }]])),
      );
      await writer.finish();
      const { data } = Papa.parse(readFileSync(path(), 'utf8'), {
        delimiter: separator,
        newline: '\r\n',
        skipEmptyLines: true,
      });
      assert.deepEqual(data, [
        ['email', 'name'],
        ['a,b;c\td@x', ''],
        ['e@x', 'E'],
      ]);
    }
  });

  it('creates a file that only its owner can read, and keeps the permissions of an existing one', async function () {
    if (process.platform === 'win32') this.skip();
    const write = async (): Promise<number> => {
      const writer = await RecordWriter.open(createFileDrafts(path()), 'csv', { fields: [], mark: false });
      await writer.writeAll(createLargePageReader(createPages([[{ n: 1 }], [{ n: 2, more: 3 }]])));
      const drafts = readdirSync(folder).filter((name) => name !== 'out');
      assert.deepEqual(
        drafts.map((name) => statSync(join(folder, name)).mode & 0o777),
        [0o600],
      );
      await writer.finish();
      return statSync(path()).mode & 0o777;
    };
    assert.equal(await write(), 0o600);
    for (const mode of [0o640, 0o600, 0o644]) {
      chmodSync(path(), mode);
      assert.equal(await write(), mode);
    }
  });

  it('writes valid JSON, even without records', async () => {
    for (const pages of [[], [[{ a: 1 }]], [[{ a: 1 }, { b: [2] }], [{ c: '"' }]]]) {
      const writer = await RecordWriter.open(createFileDrafts(path()), 'json', { fields: [], mark: false });
      await writer.writeAll(createLargePageReader(createPages(pages)));
      await writer.finish();
      assert.deepEqual(JSON.parse(readFileSync(path(), 'utf8')), pages.flat());
    }
  });

  it('continues where it failed', async () => {
    const fetch = createPages([[{ n: 1 }, { n: 2 }], [{ n: 3 }, { n: 4 }], [{ n: 5 }]]);
    const writer = await RecordWriter.open(createFileDrafts(path()), 'csv', { fields: [], mark: false });
    await assert.rejects(
      () =>
        writer.writeAll(
          createLargePageReader(async (page) => {
            if (page.offset >= 2) throw new Error('gone');
            return fetch(page);
          }),
        ),
      /gone/u,
    );
    assert.equal(writer.count, 2);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name === 'out'),
      [],
    );
    await writer.writeAll(createLargePageReader(fetch));
    await writer.finish();
    assert.equal(readFileSync(path(), 'utf8'), 'n\r\n1\r\n2\r\n3\r\n4\r\n5\r\n');
  });

  it('leaves nothing behind when discarded, and keeps the existing file', async () => {
    writeFileSync(path(), 'before');
    const writer = await RecordWriter.open(createFileDrafts(path()), 'csv', { fields: [], mark: false });
    await writer.writeAll(createLargePageReader(createPages([[{ n: 1 }]])));
    await writer.discard();
    assert.deepEqual([readdirSync(folder), readFileSync(path(), 'utf8')], [['out'], 'before']);
  });

  it('limits the size of buffered drafts', async () => {
    const writer = await RecordWriter.open(
      createBufferedDrafts(1024 * 1024, 'Take a file.', async () => undefined),
      'csv',
      { fields: [], mark: false },
    );
    const big = 'x'.repeat(400_000);
    await assert.rejects(
      () => writer.writeAll(createLargePageReader(createPages([[{ big }, { big }], [{ big }]]))),
      (error) => error instanceof TooLargeError && /larger than 1 MB.*Take a file\./u.test(error.message),
    );
  });

  it('refuses a table with too many columns', async () => {
    const writer = await RecordWriter.open(createFileDrafts(path()), 'csv', { fields: [], mark: false });
    const record = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, index]));
    await assert.rejects(
      () => writer.writeAll(createLargePageReader(createPages([[record]]))),
      /more than 1000 different fields/u,
    );
    await writer.discard();
  });
});
