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

function createPaperKind() {
  const stored: Paper[] = [];
  let loads = 0;
  const whole: DocumentKind<Paper> = {
    ...eager,
    parts: [
      {
        suffix: '.json',
        render: ({ name }) => JSON.stringify({ name }),
        parse: (text) => JSON.parse(text) as { name: string },
      },
      { suffix: '.paper.json', render: ({ text }) => text, parse: (text) => ({ text }) },
    ],
    getCreationDate: ({ id }) => `2026-11-0${id}`,
    list: async function* () {
      yield { id: 1, name: 'One', text: 'x' };
    },
    read: async (_client, id) => ({ id, name: 'One', text: 'x' }),
    update: async (_client, record, fields) => void stored.push({ ...record, ...fields }),
    getField: (record, name) => record[name as keyof Paper],
    getReadOnlyReason: ({ text }) => (text === '' ? 'It is empty.' : undefined),
  };
  const kind = createLazyKind({ ...eager, suffixes: ['.json', '.paper.json'] }, async () => {
    loads += 1;
    return whole;
  });
  return { kind, stored, loads: () => loads };
}

const client = {} as MailingClient;
const context = { connection: 'one' };

describe('createLazyKind', () => {
  it('names documents without loading', () => {
    const { kind, loads } = createPaperKind();
    assert.deepEqual(
      [kind.collection, kind.noun, kind.readOnlyCommand, kind.name({ id: 1, name: 'One', text: '' })],
      ['papers', 'paper', 'copy', 'One'],
    );
    assert.deepEqual(
      ['One.json', 'One.paper.json', 'One.css'].map((file) => findPart(kind, file)?.suffix),
      ['.json', '.paper.json', undefined],
    );
    assert.equal(loads(), 0);
  });

  it('loads once, with the first record', async () => {
    const { kind, stored, loads } = createPaperKind();
    const record = await kind.read(client, 7, context);
    await kind.update(client, record, { text: 'y' }, context);
    const [json, paper] = kind.parts;
    const listed: Paper[] = [];
    for await (const each of kind.list(client, {})) listed.push(each);
    assert.deepEqual(
      [json?.render(record), paper?.render(record), kind.getField(record, 'text'), kind.getCreationDate?.(record)],
      ['{"name":"One"}', 'x', 'x', '2026-11-07'],
    );
    assert.deepEqual(
      [kind.getReadOnlyReason(record), kind.getReadOnlyReason({ ...record, text: '' }), listed.map(({ id }) => id)],
      [undefined, 'It is empty.', [1]],
    );
    assert.deepEqual([stored, loads()], [[{ id: 7, name: 'One', text: 'y' }], 1]);
  });

  it('parses a document before any record was read', async () => {
    const { kind, loads } = createPaperKind();
    assert.deepEqual([await findPart(kind, 'One.paper.json')?.parse('z'), loads()], [{ text: 'z' }, 1]);
  });

  it('throws for a record that it did not read', () => {
    const { kind } = createPaperKind();
    assert.throws(() => kind.getReadOnlyReason({ id: 1, name: 'One', text: 'x' }), /No paper was read so far/u);
  });
});
