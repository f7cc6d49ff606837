import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { Uri, user, window } from '../../../support/vscodeStandIn.ts';

const { createTemplate } = await import('../../../../src/features/templates/create.ts');

describe('a new template from the file in the editor', () => {
  let folder: string;
  before(async () => {
    folder = makeScratch();
    await mkdir(join(folder, 'dist', 'starters'), { recursive: true });
    await writeFile(join(folder, 'dist', 'starters', 'index.json'), '[]');
  });
  after(() => removeScratch(folder));
  afterEach(() => {
    window.activeTextEditor = undefined;
    user.reset();
  });

  /** Creates a template from the body of a record, and returns its fields. */
  async function create(collection: string) {
    const open = (name: string, text: string) => {
      const document = { uri: Uri.file(`/${collection}/1/${name}`), languageId: 'html', getText: () => text };
      user.documents.push(document);
      return document;
    };
    window.activeTextEditor = { document: open('Spring.html', '<p>Spring</p>') };
    if (collection === 'templates') open('Spring.css', 'p { color: red }');
    user.usePickItem = (items) => items.find(({ label }) => label.includes('From the file in the editor'));
    user.useInput = () => 'New';
    const created: object[] = [];
    const templates = {
      targets: { pickConnection: async () => ({ id: 'shop', name: 'Shop', baseUrl: 'https://shop.example' }) },
      services: {
        context: { extensionUri: Uri.file(folder) },
        documents: {
          find: () => ({ kind: { collection } }),
          getSiblingUri: ({ path }: Uri, suffix: string) => Uri.file(path.replace('.html', suffix)),
        },
      },
      create: async (_: object, fields: object) => created.push(fields),
    };
    await createTemplate(templates as never, {});
    return created;
  }

  it('has the stylesheet of a template', async () => {
    assert.deepEqual(await create('templates'), [
      { name: 'New', body: '<p>Spring</p>', stylesheet: 'p { color: red }' },
    ]);
  });

  it('has the body of a campaign, which has no stylesheet', async () => {
    assert.deepEqual(await create('campaigns'), [{ name: 'New', body: '<p>Spring</p>' }]);
  });
});
