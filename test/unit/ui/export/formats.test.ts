import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import { cellOf, csvOf } from '../../../../src/ui/export/csv.ts';
import { collectedDrafts, fileDrafts, TooLargeError } from '../../../../src/ui/export/drafts.ts';
import { RecordWriter } from '../../../../src/ui/export/writer.ts';

describe('CSV', () => {
  it('leaves nothing that a spreadsheet would run', () => {
    for (const text of ['=1+1', '+49 30', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =HYPERLINK("x")', '＝1', '＋1', '－1', '＠x']) {
      const [[cell]] = Papa.parse<string[]>(csvOf([[text]])).data as [string[]];
      assert.equal(cell, `'${text}`, JSON.stringify(text));
    }
  });

  it('leaves everything else as it is', () => {
    const cells = ['a@example.com', 'Müller', 'a,b', 'say "no"', 'one\r\ntwo', '', '0049', '1-2', 'a=b', '王'];
    assert.deepEqual((Papa.parse(csvOf([cells])).data as string[][])[0], cells);
    assert.equal(csvOf([[-5, 3]]), '-5,3\r\n');
  });

  it('makes texts of values', () => {
    assert.deepEqual([null, undefined, true, { a: [1] }, 7, 'x'].map(cellOf), ['', '', 'true', '{"a":[1]}', 7, 'x']);
    assert.equal(csvOf([]), '');
  });
});

describe('writing records', () => {
  let folder: string;
  const path = () => join(folder, 'out');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mailing-export-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const pagesOf = (pages: readonly (readonly object[])[]) => {
    const all = pages.flat();
    const sizes = pages.map(({ length }) => length);
    return async ({ offset }: { readonly offset: number }) => {
      let from = 0;
      for (const size of sizes) {
        if (offset < from + size) return all.slice(offset, from + size);
        from += size;
      }
      return [];
    };
  };

  it('gives a table with all columns, also of fields that come up late', async () => {
    const writer = await RecordWriter.open(fileDrafts(path()), 'csv', { fields: ['email', 'name'], mark: true });
    await writer.writeAll(pagesOf([
      [{ email: 'a@x', name: 'A "q", b' }, { email: 'b@x', name: 'two\r\nlines' }],
      [{ email: 'c@x', name: null, source: 'import' }, { email: 'd@x' }],
      [{ email: 'e@x', language: 'de', source: 'front' }, { email: 'f@x' }],
    ]));
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

  it('gives JSON that can be read, also of nothing', async () => {
    for (const pages of [[], [[{ a: 1 }]], [[{ a: 1 }, { b: [2] }], [{ c: '"' }]]]) {
      const writer = await RecordWriter.open(fileDrafts(path()), 'json', { fields: [], mark: false });
      await writer.writeAll(pagesOf(pages));
      await writer.finish();
      assert.deepEqual(JSON.parse(readFileSync(path(), 'utf8')), pages.flat());
    }
  });

  it('goes on from where it failed', async () => {
    const fetch = pagesOf([[{ n: 1 }, { n: 2 }], [{ n: 3 }, { n: 4 }], [{ n: 5 }]]);
    const writer = await RecordWriter.open(fileDrafts(path()), 'csv', { fields: [], mark: false });
    await assert.rejects(() => writer.writeAll(async (page) => {
      if (page.offset >= 2) throw new Error('gone');
      return fetch(page);
    }), /gone/u);
    assert.equal(writer.count, 2);
    assert.deepEqual(readdirSync(folder).filter((name) => name === 'out'), []);
    await writer.writeAll(fetch);
    await writer.finish();
    assert.equal(readFileSync(path(), 'utf8'), 'n\r\n1\r\n2\r\n3\r\n4\r\n5\r\n');
  });

  it('leaves nothing behind where it is given up, and what was there before', async () => {
    writeFileSync(path(), 'before');
    const writer = await RecordWriter.open(fileDrafts(path()), 'csv', { fields: [], mark: false });
    await writer.writeAll(pagesOf([[{ n: 1 }]]));
    await writer.discard();
    assert.deepEqual([readdirSync(folder), readFileSync(path(), 'utf8')], [['out'], 'before']);
  });

  it('collects no more than it may', async () => {
    const writer = await RecordWriter.open(collectedDrafts(1024 * 1024, 'Take a file.', async () => undefined), 'csv', { fields: [], mark: false });
    const big = 'x'.repeat(400_000);
    await assert.rejects(() => writer.writeAll(pagesOf([[{ big }, { big }], [{ big }]])), (error) => error instanceof TooLargeError && /larger than 1 MB.*Take a file\./u.test(error.message));
  });

  it('has no table of more columns than can be', async () => {
    const writer = await RecordWriter.open(fileDrafts(path()), 'csv', { fields: [], mark: false });
    const record = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, index]));
    await assert.rejects(() => writer.writeAll(pagesOf([[record]])), /more than 1000 different fields/u);
    await writer.discard();
  });
});
