import assert from 'node:assert/strict';
import { parseAddressCells } from '../../../../../src/features/subscriptions/run/parseAddresses.ts';
import { listCells, parseTable } from '../../../../../src/features/subscriptions/run/parseTable.ts';
import { countTurns } from '../../../../support/turns.ts';

const columnsOf = async (text: string) =>
  (await parseTable(text))?.columns.map(({ name, addresses }) => `${name}: ${addresses}`);

describe('parseTable', () => {
  for (const separator of [',', ';', '\t', '|']) {
    it(`accepts the separator ${JSON.stringify(separator)}`, async () => {
      const text = ['Name,Email,City', 'Ann,ann@x.example,Oslo', '"Smith, Bob",bob@x.example,Rome', 'Cy,,']
        .map((line) => line.replaceAll(/,(?=\S|$)/gu, separator))
        .join('\r\n');
      const table = await parseTable(text);
      assert.deepEqual(table?.columns, [
        { index: 1, name: 'Email', filled: 2, addresses: 2, samples: ['ann@x.example', 'bob@x.example'] },
        { index: 0, name: 'Name', filled: 3, addresses: 0, samples: ['Ann', 'Smith, Bob', 'Cy'] },
        { index: 2, name: 'City', filled: 2, addresses: 0, samples: ['Oslo', 'Rome'] },
      ]);
      assert.deepEqual([...listCells(table, 1)], ['ann@x.example', 'bob@x.example', '']);
    });
  }

  it('accepts missing headings, a byte order mark and mixed line endings', async () => {
    assert.deepEqual(await columnsOf('\uFEFF1;ann@x.example\r\n2;bob@x.example\n3;cy@x.example'), [
      'Column 2: 3',
      'Column 1: 0',
    ]);
  });

  it('reads several columns with addresses together', async () => {
    const table = await parseTable('id,private,work\n1,a@x.example,b@x.example\n2,,c@x.example\n3,d@x.example,');
    assert.deepEqual(
      table?.columns.map(({ name }) => name),
      ['private', 'work', 'id'],
    );
    assert.ok(table);
    assert.deepEqual((await parseAddressCells(listCells(table, undefined))).addresses, [
      'a@x.example',
      'b@x.example',
      'c@x.example',
      'd@x.example',
    ]);
  });

  it('returns undefined for text with only addresses or none', async () => {
    for (const text of [
      '',
      'a@x.example',
      'a@x.example,b@x.example;c@x.example\nd@x.example,e@x.example',
      'Ann <a@x.example>, Bob <b@x.example>',
      '"Smith, Ann" <a@x.example>\n"Ray, Bob" <b@x.example>',
      'one,two\nthree,four',
      'email\na@x.example\nb@x.example',
      'a@x.example, b@x.example, invalid',
      'a@x.example; invalid\nb@x.example',
    ]) {
      assert.equal(await parseTable(text), undefined, text);
    }
  });

  it('keeps all rows after an unclosed quote', async () => {
    const rows = Array.from(
      { length: 500 },
      (_, index) => `${index === 100 ? '"' : ''}Ann ${index},ann.${index}@x.example`,
    );
    assert.deepEqual(await columnsOf(['Name,Mail', ...rows].join('\n')), ['Mail: 500', 'Name: 0']);
  });

  it('yields to the event loop while it parses 100,000 rows, and can be aborted', async () => {
    const text = Array.from(
      { length: 100_000 },
      (_, index) => `${index},"Last, First ${index}",user.${index}@example.com`,
    ).join('\n');
    const endTurns = countTurns();
    const table = await parseTable(text);
    const turns = endTurns();
    assert.equal(table?.rows.length, 100_000);
    assert.equal(table.columns[0]?.addresses, 100_000);
    assert.ok(turns > 5, `Others had ${turns} turns.`);
    await assert.rejects(parseTable(text, AbortSignal.abort()), { name: 'AbortError' });
  });
});
