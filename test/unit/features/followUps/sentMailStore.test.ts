import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { toMailText } from '../../../../src/features/followUps/record.ts';
import { SentMailStore } from '../../../../src/features/followUps/sentMailStore.ts';

const key = { connection: 'production', baseUrl: 'https://mail.example.com', id: 3 };
const text = toMailText({ name: 'Hello', subject: 'S', body: '<p>ü \u{1F31E}</p>' });

describe('SentMailStore', () => {
  let root: string;
  let store: SentMailStore;

  beforeEach(async () => {
    root = join(makeScratch(), 'below');
    store = new SentMailStore(root);
    mock.timers.enable({ apis: ['Date'], now: 1000 });
  });
  afterEach(() => {
    mock.timers.reset();
    removeScratch(join(root, '..'));
  });

  const listFiles = async () => (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.json'));

  it('is empty before the first text is stored', async () => {
    assert.deepEqual(await store.read(key), new Map());
  });

  it('persists the last text of each mail', async () => {
    await store.store(key, 7, text);
    await store.store(key, 8, { ...text, body: 'other' });
    mock.timers.setTime(2000);
    await store.store(key, 7, { ...text, body: 'newer' });
    const reopened = await new SentMailStore(root).read(key);
    assert.deepEqual(
      [...reopened].sort(([one], [other]) => one - other),
      [
        [7, { text: { ...text, body: 'newer' }, sent: 2000 }],
        [8, { text: { ...text, body: 'other' }, sent: 1000 }],
      ],
    );
  });

  it('separates texts by connection, base URL and follow-up', async () => {
    await store.store(key, 7, text);
    for (const change of [{ connection: 'staging' }, { baseUrl: 'https://elsewhere.example.com' }, { id: 4 }])
      assert.equal((await store.read({ ...key, ...change })).size, 0);
  });

  it('marks a text as unconfirmed until the next one is stored', async () => {
    await store.markUnconfirmed(key, 7);
    assert.equal((await store.read(key)).size, 0, 'A mail without a stored text is ignored.');
    await store.store(key, 7, text);
    mock.timers.setTime(2000);
    await store.markUnconfirmed(key, 7);
    assert.deepEqual((await store.read(key)).get(7), { text, sent: 1000, doubtful: 2000 });
    mock.timers.setTime(3000);
    await store.store(key, 7, text);
    assert.deepEqual((await store.read(key)).get(7), { text, sent: 3000 });
  });

  it('deletes the text of one mail or of the whole follow-up', async () => {
    await store.store(key, 7, text);
    await store.store(key, 8, text);
    await store.delete(key, 7);
    assert.deepEqual([...(await store.read(key)).keys()], [8]);
    await store.delete(key);
    await store.delete(key);
    assert.equal((await store.read(key)).size, 0);
  });

  it('writes only the text and its time, and leaves no temporary file', async () => {
    await store.store(key, 7, text);
    const [file = ''] = await listFiles();
    assert.deepEqual(JSON.parse(await readFile(join(root, file), 'utf8')), { text, sent: 1000 });
    assert.equal((await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tmp')).length, 0);
  });

  for (const content of ['', '{', '[]', 'null', '{"text":"x","sent":1}', '{"text":{},"sent":"1"}']) {
    it(`ignores a file with ${content === '' ? 'no content' : content}`, async () => {
      await store.store(key, 7, text);
      const [file = ''] = await listFiles();
      await writeFile(join(root, file), content);
      assert.equal((await store.read(key)).size, 0);
    });
  }

  it('rejects if writing fails', async () => {
    await writeFile(root, 'a file where the folder should be');
    await assert.rejects(() => store.store(key, 7, text));
  });
});
