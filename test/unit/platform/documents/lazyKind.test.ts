import assert from 'node:assert/strict';
import type { MailingClient } from '../../../../src/service/client/index.ts';
import { createLazyKind } from '../../../../src/platform/documents/lazyKind.ts';
import { findPart, type DocumentKind } from '../../../../src/platform/documents/model.ts';

interface Paper {
  readonly id: number;
  readonly name: string;
  readonly text: string;
}

const eager = { collection: 'papers', noun: 'paper', name: ({ name }: Paper) => name, readOnlyCommand: 'copy' };
const one: Paper = { id: 1, name: 'One', text: 'x' };

describe('createLazyKind', () => {
  let stored: object[];
  let loads: number;
  let kind: DocumentKind<Paper>;
  beforeEach(() => {
    [stored, loads] = [[], 0];
    const loaded: DocumentKind<Paper> = {
      ...eager,
      parts: [
        { suffix: '.json', render: ({ name }) => name, parse: (name) => ({ name }) },
        { suffix: '.paper.json', render: ({ text }) => text, parse: (text) => ({ text }) },
      ],
      getCreationDate: () => '2026-11-07',
      list: async function* () {
        yield one;
      },
      read: () => Promise.resolve(one),
      update: async (_client, record, fields) => void stored.push({ ...record, ...fields }),
      getField: (record, name) => record[name as keyof Paper],
      getReadOnlyReason: ({ text }) => (text === '' ? 'It is empty.' : undefined),
    };
    kind = createLazyKind({ ...eager, suffixes: ['.json', '.paper.json'] }, async () => {
      loads += 1;
      return loaded;
    });
  });

  it('names documents without loading, and throws for a record that it did not read', () => {
    const { collection, noun, readOnlyCommand } = kind;
    assert.deepEqual([collection, noun, readOnlyCommand, kind.name(one)], ['papers', 'paper', 'copy', 'One']);
    const parts = ['One.json', 'One.paper.json', 'One.css'].map((file) => findPart(kind, file)?.suffix);
    assert.deepEqual(parts, ['.json', '.paper.json', undefined]);
    assert.throws(() => kind.getReadOnlyReason(one), /No paper was read so far/u);
    assert.equal(loads, 0);
  });

  it('loads once, to parse a document or with the first record', async () => {
    const client = {} as MailingClient;
    const context = { connection: 'one', baseUrl: 'https://one.example' };
    assert.deepEqual(await findPart(kind, 'One.paper.json')?.parse('z'), { text: 'z' });
    const record = await kind.read(client, 1, context);
    await kind.update(client, record, { text: 'y' }, context);
    assert.deepEqual(stored, [{ ...one, text: 'y' }]);
    for await (const listed of kind.list(client, {})) assert.equal(listed, one);
    assert.deepEqual(
      kind.parts.map((part) => part.render(record)),
      ['One', 'x'],
    );
    assert.deepEqual([kind.getField(record, 'text'), kind.getCreationDate?.(record)], ['x', '2026-11-07']);
    assert.deepEqual([record, { ...record, text: '' }].map(kind.getReadOnlyReason), [undefined, 'It is empty.']);
    assert.equal(loads, 1);
  });
});
