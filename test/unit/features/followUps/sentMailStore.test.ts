import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { toMailText } from '../../../../src/features/followUps/mailText.ts';
import { SentMailStore } from '../../../../src/features/followUps/sentMailStore.ts';

const place = { connection: 'production', baseUrl: 'https://mail.example.com', followUpId: 3 };
const text = toMailText({ name: 'Hello', subject: 'S', body: '<p>ü \u{1F31E}</p>' });

describe('the texts that this machine sent last', () => {
  let root: string;
  let sent: SentMailStore;

  beforeEach(async () => {
    root = join(makeScratch(), 'below');
    sent = new SentMailStore(root);
  });
  afterEach(() => removeScratch(join(root, '..')));

  const files = async (): Promise<string[]> =>
    (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.json'));

  it('are none before anything was sent', async () => {
    assert.deepEqual(await sent.read(place), new Map());
  });

  it('are kept over a restart, each replacing the one before', async () => {
    await sent.store(place, 7, text, 1000);
    await sent.store(place, 8, { ...text, body: 'other' }, 1500);
    await sent.store(place, 7, { ...text, body: 'newer' }, 2000);
    const again = await new SentMailStore(root).read(place);
    assert.deepEqual(
      [...again].sort(([one], [other]) => one - other),
      [
        [7, { text: { ...text, body: 'newer' }, sent: 2000 }],
        [8, { text: { ...text, body: 'other' }, sent: 1500 }],
      ],
    );
  });

  it('belong to one follow-up of one service: another address under the same name is another service', async () => {
    await sent.store(place, 7, text, 1000);
    for (const change of [{ connection: 'staging' }, { baseUrl: 'https://elsewhere.example.com' }, { followUpId: 4 }])
      assert.equal((await sent.read({ ...place, ...change })).size, 0);
  });

  it('are in doubt after an answer was lost, until the next one is kept', async () => {
    await sent.markUnconfirmed(place, 7, 1);
    assert.equal((await sent.read(place)).size, 0, 'Nothing is known of a mail that was never kept.');
    await sent.store(place, 7, text, 1000);
    await sent.markUnconfirmed(place, 7, 2000);
    assert.deepEqual((await sent.read(place)).get(7), { text, sent: 1000, doubtful: 2000 });
    await sent.store(place, 7, text, 3000);
    assert.deepEqual((await sent.read(place)).get(7), { text, sent: 3000 });
  });

  it('are forgotten one by one, or with their follow-up', async () => {
    await sent.store(place, 7, text, 1);
    await sent.store(place, 8, text, 1);
    await sent.delete(place, 7);
    assert.deepEqual([...(await sent.read(place)).keys()], [8]);
    await sent.delete(place);
    await sent.delete(place);
    assert.equal((await sent.read(place)).size, 0);
  });

  it('hold the text and nothing else, and leave no half file', async () => {
    await sent.store(place, 7, text, 1);
    const [file = ''] = await files();
    assert.deepEqual(JSON.parse(await readFile(join(root, file), 'utf8')), { text, sent: 1 });
    assert.equal((await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tmp')).length, 0);
  });

  for (const broken of ['', '{', '[]', 'null', '{"text":"x","sent":1}', '{"text":{},"sent":"1"}']) {
    it(`are no text where a file holds ${broken === '' ? 'nothing' : broken}`, async () => {
      await sent.store(place, 7, text, 1);
      const [file = ''] = await files();
      await writeFile(join(root, file), broken);
      assert.equal((await sent.read(place)).size, 0);
    });
  }

  it('that can not be written are told', async () => {
    await writeFile(root, 'a file where the folder should be');
    await assert.rejects(() => sent.store(place, 7, text, 1));
  });
});
