import assert from 'node:assert/strict';
import { appendFile, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { Journal } from '../../../../src/sync/requests/journal.ts';
import { sendKind, type SendEntry } from '../../../../src/sync/requests/kinds.ts';
import { StateFiles } from '../../../../src/sync/stateFiles.ts';

const start = Date.UTC(2026, 4, 20, 10, 0, 0);

const makeEntry = (asked: number, fields: Partial<SendEntry> = {}): SendEntry => ({
  connection: 'one',
  baseUrl: 'https://shop.example/site',
  what: 'campaigns/5',
  campaignId: 5,
  name: 'Autumn',
  before: { draft: 1 },
  watchUntil: asked + 1000,
  asked,
  until: asked + 2 * 60_000,
  ...fields,
});

describe('Journal', () => {
  let scratch: string;
  let folder: string;
  let journal: Journal<SendEntry>;
  beforeEach(async () => {
    scratch = makeScratch();
    folder = join(scratch, 'sendings');
    journal = new Journal(new StateFiles(folder), sendKind, { now: () => start });
  });
  afterEach(() => removeScratch(scratch));

  it('explains that nothing was sent if the disk refuses an entry', async () => {
    await writeFile(folder, '');
    await assert.rejects(
      journal.acquire(makeEntry(start)),
      /^Error: Couldn't record the request, so nothing was sent\. Couldn't write .+ Check the/u,
    );
  });

  it('writes entries that only the user can read, also after recording an outcome', async function () {
    if (process.platform === 'win32') return this.skip();
    const modes = async () =>
      (await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))).map(
        ({ mode }) => mode & 0o777,
      );
    await journal.acquire(makeEntry(start));
    assert.deepEqual(await modes(), [0o600]);
    await journal.record(makeEntry(start), { watchUntil: start + 5 });
    assert.deepEqual(await modes(), [0o600]);
    assert.equal((await journal.find(makeEntry(start)))?.watchUntil, start + 5);
    await journal.acquire(makeEntry(start + 1), makeEntry(start));
    assert.deepEqual(await modes(), [0o600]);
  });

  it('does not release or change an entry that replaced the given one', async () => {
    await journal.acquire(makeEntry(start));
    await journal.acquire(makeEntry(start + 1), makeEntry(start));
    assert.equal(await journal.release(makeEntry(start)), false);
    assert.equal(await journal.record(makeEntry(start), { name: 'Winter' }), undefined);
    assert.deepEqual(await journal.all(), [makeEntry(start + 1)]);
  });

  it('restores the replaced entry', async () => {
    await journal.acquire(makeEntry(start));
    await journal.acquire(makeEntry(start + 1), makeEntry(start));
    assert.equal(await journal.release(makeEntry(start + 1), makeEntry(start)), true);
    assert.deepEqual(await journal.all(), [makeEntry(start)]);
  });

  it('identifies a send by address and record, not by connection', async () => {
    await journal.acquire(makeEntry(start));
    assert.equal(await journal.acquire(makeEntry(start + 1, { connection: 'two' })), false);
    assert.equal((await journal.find({ ...makeEntry(0), connection: 'two' }))?.connection, 'one');
    assert.equal(await journal.acquire(makeEntry(start + 1, { connection: 'two' }), makeEntry(start)), true);
    assert.equal(
      await journal.acquire(makeEntry(start, { baseUrl: 'https://shop.example/other' })),
      true,
      'Another address is another service.',
    );
  });

  for (const [damage, content] of [
    ['truncated', '{"connection":'],
    ['empty', ''],
    ['zeroed', '\0'.repeat(200)],
    ['copied from another subject', `${JSON.stringify(makeEntry(start, { what: 'campaigns/6' }))}\n`],
    ['without its deadline', `${JSON.stringify({ ...makeEntry(start), until: undefined })}\n`],
    ['without a line end', JSON.stringify(makeEntry(start))],
    ['with an impossible change', `${JSON.stringify(makeEntry(start))}\n{"until":"soon"}\n`],
    ['with a zeroed line', `${JSON.stringify(makeEntry(start))}\n${'\0'.repeat(20)}\n`],
  ] as const) {
    it(`refuses to send while the entry's file is ${damage}, and names the file`, async () => {
      await journal.acquire(makeEntry(start));
      const [name = ''] = await readdir(folder);
      const file = join(folder, name);
      await writeFile(file, content);
      const isNamed = ({ message }: Error) => /may have been sent/u.test(message) && message.includes(file);
      for (const use of [
        () => journal.find(makeEntry(start)),
        () => journal.acquire(makeEntry(start + 1)),
        () => journal.acquire(makeEntry(start + 1), makeEntry(start)),
      ])
        await assert.rejects(use, isNamed);
      assert.equal(await journal.release(makeEntry(start)), false);
      assert.deepEqual([await journal.all('skipDamaged'), await readFile(file, 'utf8')], [[], content]);
      await assert.rejects(journal.all(), isNamed);
      await rm(file);
      assert.equal(await journal.acquire(makeEntry(start + 1)), true);
    });
  }

  for (const year of [1970, 2100]) {
    it(`keeps an entry that a wrong clock dated ${year}`, async () => {
      const entry = makeEntry(Date.UTC(year, 0, 2));
      await journal.acquire(entry);
      assert.equal(journal.isInFlight(entry), false);
      assert.deepEqual([await journal.find(entry), await journal.all()], [entry, [entry]]);
      assert.equal(await journal.acquire(makeEntry(start)), false);
    });
  }

  it('forgets entries after their expiry, and not before', async () => {
    const clock = { now: start };
    const expiring = new Journal(new StateFiles(folder), { ...sendKind, expiryMs: 1001 }, { now: () => clock.now });
    await expiring.acquire(makeEntry(start));
    clock.now += 1000;
    assert.deepEqual([(await expiring.all()).length, (await readdir(folder)).length], [1, 1]);
    clock.now += 1;
    assert.equal(await expiring.find(makeEntry(start)), undefined);
    assert.deepEqual([await expiring.all(), await readdir(folder)], [[], []]);
  });

  it('extends an entry by three timeouts, two minutes at least, and only its own', async () => {
    const clock = { now: start, timeoutMs: 1000 };
    const timed = new Journal(new StateFiles(folder), sendKind, {
      now: () => clock.now,
      getTimeoutMs: () => clock.timeoutMs,
    });
    assert.deepEqual(timed.start(), { asked: start, until: start + 120_000 });
    await timed.acquire(makeEntry(start));
    clock.now += 5000;
    clock.timeoutMs = 600_000;
    const renewed = await timed.renew(makeEntry(start));
    assert.deepEqual([renewed.asked, renewed.until], [start, start + 5000 + 1_800_000]);
    assert.deepEqual(await timed.all(), [renewed]);
    clock.now = renewed.until - 1;
    assert.equal(timed.isInFlight(renewed), true);
    clock.now += 1;
    assert.equal(timed.isInFlight(renewed), false);
    await timed.acquire(makeEntry(start + 1), renewed);
    await assert.rejects(timed.renew(renewed), /Another window has continued this\. Nothing was sent/u);
    assert.deepEqual(await timed.all(), [makeEntry(start + 1)]);
  });

  it('sends nothing if the machine slept until the deadline of an extended entry', async () => {
    const clock = { now: start };
    const sleeping = new Journal(new StateFiles(folder), sendKind, { now: () => (clock.now += 120_000) });
    await journal.acquire(makeEntry(start));
    await assert.rejects(sleeping.renew(makeEntry(start)), /Another window has continued this\. Nothing was sent/u);
  });

  it('ignores a change that a crashed window did not complete, and appends after the complete ones', async () => {
    await journal.acquire(makeEntry(start));
    await journal.record(makeEntry(start), { watchUntil: start + 5 });
    const [name = ''] = await readdir(folder);
    await appendFile(join(folder, name), '{"until":0,"change":{"watchUntil":7');
    assert.equal((await journal.find(makeEntry(start)))?.watchUntil, start + 5);
    await journal.record(makeEntry(start), { name: 'Winter' });
    const { name: renamed, watchUntil } = (await journal.find(makeEntry(start))) ?? {};
    assert.deepEqual([renamed, watchUntil], ['Winter', start + 5]);
  });

  it('does not replace an entry whose window went on since the user was asked', async () => {
    await journal.acquire(makeEntry(start));
    await journal.renew(makeEntry(start));
    assert.equal(await journal.acquire(makeEntry(start + 1), makeEntry(start)), false);
    assert.equal((await journal.all())[0]?.asked, start);
  });

  it('knows that no window is sending once the outcome is recorded', async () => {
    await journal.acquire(makeEntry(start));
    assert.equal(journal.isInFlight(makeEntry(start)), true);
    const settled = await journal.settle(makeEntry(start));
    assert.ok(settled);
    assert.equal(journal.isInFlight(settled), false);
    assert.deepEqual(await journal.all(), [settled]);
  });

  it('releases its lock at once', async () => {
    await journal.acquire(makeEntry(start));
    await journal.release(makeEntry(start));
    assert.deepEqual(await readdir(folder), []);
  });
});
