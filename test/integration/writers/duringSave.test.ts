import assert from 'node:assert/strict';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { eventually } from '../../support/eventually.ts';
import { records, type Written } from './records.ts';
import { openValue, question, useStage, type Opened } from './stage.ts';
import type { HoldPoint } from './window.ts';

/** Where a save is held. A record is read, updated, and read again. */
interface Moment {
  readonly name: string;
  readonly during: 'reads' | 'updates';
  readonly point: HoldPoint;
  /** Calls of the operation that pass before. */
  readonly skip?: number;
  /** What others have written by then is compared before anything is sent. */
  readonly before?: boolean;
}

/*
 * Between the answer of the first read and the update, a save can't be disturbed without a loss: the service offers no way to store under a
 * condition. All other moments are safe.
 */
const guarded: readonly Moment[] = [
  { name: 'before it reads', during: 'reads', point: 'request', before: true },
  { name: 'before the answer to the update', during: 'updates', point: 'answer' },
  { name: 'before it reads the stored version', during: 'reads', point: 'request', skip: 1 },
];
const beforeUpdate: Moment = { name: 'before the update', during: 'updates', point: 'request' };
const atTheEnd: Moment = { name: 'before it ends', during: 'reads', point: 'answer', skip: 1 };

const mine = '<p>aaaaa</p>';
const lengths = { equal: '<p>wwwww</p>', different: '<p>wwwwwwwwww</p>' } as const;

describe('during a save', function () {
  const stage = useStage();

  for (const record of records) {
    const { apart } = record;
    for (const moment of [...guarded, beforeUpdate, atTheEnd]) {
      it(`of a ${record.noun}, ${moment.name}, typing continues: the text stays in the tab, and the next save stores it`, async () => {
        const { opened, saving, release } = await hold(record, moment);
        await opened.type(`${mine} and on`);
        release();
        await saving;
        assert.equal(await opened.held(), mine);
        await eventually(() => assert.deepEqual(opened.shown(), [true, `${mine} and on`]));
        assert.equal(await opened.document.save(), true);
        assert.equal(await opened.held(), `${mine} and on`);
        assert.deepEqual(stage().screen.messages, []);
      });
    }

    for (const moment of guarded) {
      for (const [length, theirs] of Object.entries(lengths)) {
        it(`of a ${record.noun}, ${moment.name}, the website writes a text of ${length} length`, async () => {
          const { opened, saving, release } = await hold(record, moment);
          await opened.websiteWrites(theirs);
          release();
          assert.equal(await saving, moment.before !== true);
          assert.equal(await opened.held(), theirs);
          if (moment.before) {
            await stage().screen.find(question(stage().a));
            assert.deepEqual(opened.shown(), [true, mine]);
            return;
          }
          // The save was stored and then replaced by another user who had read it: the tab shows the new text, with a message.
          const message = await stage().screen.find(/was saved, but the service of .* stored .* differently/u);
          assert.deepEqual(message.buttons, ['Compare']);
          await eventually(() => assert.deepEqual(opened.shown(), [false, theirs]));
          await opened.type(`${theirs} and mine`);
          assert.equal(await opened.document.save(), true);
        });
      }

      it(`of a ${record.noun}, ${moment.name}, the other window saves`, async () => {
        const opened = await openValue(stage(), record);
        const other = await openValue(stage(), record, { window: stage().b, folder: opened.folder });
        await other.type('<p>bbbbb</p>');
        const { saving, release } = await hold(record, moment, opened);
        const isStored = moment.before === true;
        assert.equal(await other.document.save(), isStored, 'the first that writes is stored');
        release();
        assert.equal(await saving, !isStored);
        assert.equal(await opened.held(), (isStored ? other : opened).shown()[1]);
        await eventually(() => assert.deepEqual([opened.shown()[0], other.shown()[0]], [isStored, !isStored]));
        await stage().screen.find(question(isStored ? stage().a : stage().b));
      });
    }

    it(`of a ${record.noun}, the website writes after the save: the next edit is based on it`, async () => {
      const { opened, saving, release } = await hold(record, atTheEnd);
      await opened.websiteWrites(lengths.equal);
      release();
      assert.equal(await saving, true);
      await opened.type(`${mine} and on`);
      assert.equal(await opened.document.save(), false);
      assert.equal(await opened.held(), lengths.equal);
      await stage().screen.find(question(stage().a));
    });

    // Template updates contain only the changed fields; those of other records contain the whole record.
    const moments = record.noun === 'template' ? [...guarded, beforeUpdate, atTheEnd] : guarded;
    for (const moment of record.noun === 'follow-up' ? [] : moments) {
      it(`of a ${record.noun}, ${moment.name}, the website writes its other document: both are stored`, async () => {
        const { opened, saving, release } = await hold(record, moment);
        const { website } = stage();
        await apart.website.write(website, opened.id, 'theirs');
        release();
        assert.equal(await saving, true);
        await eventually(() => assert.equal(isUnsaved(opened.document), false));
        assert.deepEqual([await opened.held(), await apart.website.read(website, opened.id)], [mine, 'theirs']);
        assert.deepEqual(stage().screen.messages, []);
      });
    }
  }

  const [template, campaign] = records;
  assert.ok(template && campaign);

  it('a save of another document of the record waits until it ends', async () => {
    const unrelated = await openValue(stage(), campaign);
    const html = await openValue(stage(), template);
    const css = await openValue(stage(), template, { target: template.apart.b, folder: html.folder });
    for (const each of [html, css, unrelated]) await each.type(mine);
    const mark = stage().mark();
    const { saving, release } = await hold(template, beforeUpdate, html);
    const other = css.document.save();
    // A save that waits for nothing begins after it and ends.
    assert.equal(await unrelated.document.save(), true);
    release();
    assert.deepEqual(await Promise.all([saving, other]), [true, true]);
    const { reads, updates } = template;
    const asked = stage()
      .sandbox.requests.filter(({ number }) => number > mark)
      .map(({ operation }) => operation)
      .filter((operation) => operation === reads || operation === updates);
    assert.deepEqual(asked, [reads, updates, reads, reads, updates, reads]);
  });

  /** Edits a document, of a new record by default, and holds its save at a moment. */
  async function hold(record: Written, { during, point, skip }: Moment, given?: Opened) {
    const opened = given ?? (await openValue(stage(), record));
    await opened.type(mine);
    const { reached, release } = stage().a.hold(record[during], point, skip);
    const saving = opened.document.save();
    await reached;
    return { opened, saving, release };
  }
});
