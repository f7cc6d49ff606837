import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { eventually } from '../../support/eventually.ts';
import { type } from '../service.ts';
import { idOf, records, type Written } from './records.ts';
import { question, useStage } from './stage.ts';
import type { HoldPoint } from './window.ts';

/** Where a save is held. A record is read, updated, and read again. */
interface Moment {
  readonly name: string;
  readonly during: 'reads' | 'updates';
  readonly point: HoldPoint;
  /** Calls of the operation that pass before. */
  readonly skip: number;
  /** What others have written by then is compared before anything is sent. */
  readonly before: boolean;
}

/*
 * Between the answer of the first read and the update, a save can't be disturbed without a loss: the service offers no way to store under a
 * condition. All other moments are safe.
 */
const guarded: readonly Moment[] = [
  { name: 'before it reads', during: 'reads', point: 'request', skip: 0, before: true },
  { name: 'before the answer to the update', during: 'updates', point: 'answer', skip: 0, before: false },
  { name: 'before it reads the stored version', during: 'reads', point: 'request', skip: 1, before: false },
];
const beforeUpdate: Moment = { name: 'before the update', during: 'updates', point: 'request', skip: 0, before: false };
const atTheEnd: Moment = { name: 'before it ends', during: 'reads', point: 'answer', skip: 1, before: false };

const first = '<p>00000</p>';
const mine = '<p>aaaaa</p>';
const lengths = { equal: '<p>wwwww</p>', different: '<p>wwwwwwwwww</p>' } as const;

describe('during a save', function () {
  this.timeout(60_000);
  const stage = useStage();

  for (const record of records) {
    const { same, apart } = record;
    for (const moment of [...guarded, beforeUpdate, atTheEnd]) {
      it(`of a ${record.noun}, ${moment.name}, typing continues: the text stays in the tab, and the next save stores it`, async () => {
        const { document, id, saving, release } = await held(record, moment);
        await type(document, same.edit(document.getText(), `${mine} and on`));
        release();
        await saving;
        assert.equal(await same.read(stage().website, id), mine);
        await eventually(() =>
          assert.deepEqual([isUnsaved(document), same.find(document.getText())], [true, `${mine} and on`]),
        );
        assert.equal(await document.save(), true);
        assert.equal(await same.read(stage().website, id), `${mine} and on`);
        assert.deepEqual(stage().screen.messages, []);
      });
    }

    for (const moment of guarded) {
      for (const [length, theirs] of Object.entries(lengths)) {
        it(`of a ${record.noun}, ${moment.name}, the website writes a text of ${length} length`, async () => {
          const { document, id, saving, release } = await held(record, moment);
          await same.write(stage().website, id, theirs);
          release();
          assert.equal(await saving, !moment.before);
          assert.equal(await same.read(stage().website, id), theirs);
          if (moment.before) {
            await stage().screen.find(question(stage().a));
            assert.deepEqual([isUnsaved(document), same.find(document.getText())], [true, mine]);
            return;
          }
          // The save was stored and then replaced by another user who had read it: the tab shows the new text, with a message.
          const message = await stage().screen.find(/was saved, but the service of .* stored .* differently/u);
          assert.deepEqual(message.buttons, ['Compare']);
          await eventually(() =>
            assert.deepEqual([isUnsaved(document), same.find(document.getText())], [false, theirs]),
          );
          await type(document, same.edit(document.getText(), `${theirs} and mine`));
          assert.equal(await document.save(), true);
        });
      }

      it(`of a ${record.noun}, ${moment.name}, the other window saves`, async () => {
        const { document, folder, id, saving, release } = await held(record, moment, async (path) => {
          const other = await stage().b.open(`${path}/${same.file}`);
          await type(other, same.edit(other.getText(), '<p>bbbbb</p>'));
        });
        const other = stage().b.documents.find(({ uri }) => uri.path.startsWith(folder));
        assert.ok(other);
        assert.equal(await other.save(), moment.before, 'the first that writes is stored');
        release();
        assert.equal(await saving, !moment.before);
        const [stored, asked] = moment.before ? [other, document] : [document, other];
        assert.equal(await same.read(stage().website, id), same.find(stored.getText()));
        await eventually(() => assert.deepEqual([isUnsaved(stored), isUnsaved(asked)], [false, true]));
        await stage().screen.find(question(moment.before ? stage().a : stage().b));
      });
    }

    it(`of a ${record.noun}, the website writes after the save: the next edit is based on it`, async () => {
      const { document, id, saving, release } = await held(record, atTheEnd);
      await same.write(stage().website, id, lengths.equal);
      release();
      assert.equal(await saving, true);
      await type(document, same.edit(document.getText(), `${mine} and on`));
      assert.equal(await document.save(), false);
      assert.equal(await same.read(stage().website, id), lengths.equal);
      await stage().screen.find(question(stage().a));
    });

    // Template updates contain only the changed fields; those of other records contain the whole record.
    const moments = record.noun === 'template' ? [...guarded, beforeUpdate, atTheEnd] : guarded;
    for (const moment of record.noun === 'follow-up' ? [] : moments) {
      it(`of a ${record.noun}, ${moment.name}, the website writes its other document: both are stored`, async () => {
        const { document, id, saving, release } = await held(record, moment);
        await apart.website.write(stage().website, id, 'theirs');
        release();
        assert.equal(await saving, true);
        await eventually(() => assert.equal(isUnsaved(document), false));
        assert.deepEqual(
          [await same.read(stage().website, id), await apart.website.read(stage().website, id)],
          [mine, 'theirs'],
        );
        assert.deepEqual(stage().screen.messages, []);
      });
    }
  }

  it('a save of another document of the record waits until it ends', async () => {
    const [record, apart] = records;
    assert.ok(record && apart);
    const folder = await record.make(stage().website, first);
    const unrelated = await stage().a.open(`${await apart.make(stage().website, first)}/${apart.same.file}`);
    const html = await stage().a.open(`${folder}/T.html`);
    const css = await stage().a.open(`${folder}/T.css`);
    await type(html, mine);
    await type(css, 'p {}');
    await type(unrelated, apart.same.edit(unrelated.getText(), mine));
    const mark = stage().mark();
    const { reached, release } = stage().a.hold(record.updates, 'request');
    const one = html.save();
    await reached;
    const other = css.save();
    // A save that waits for nothing begins after it and ends.
    assert.equal(await unrelated.save(), true);
    release();
    assert.deepEqual(await Promise.all([one, other]), [true, true]);
    const asked = stage()
      .sandbox.requests.filter(({ number }) => number > mark)
      .map(({ operation }) => operation)
      .filter((operation) => operation !== apart.reads && operation !== apart.updates);
    const { reads, updates } = record;
    assert.deepEqual(asked, [reads, updates, reads, reads, updates, reads]);
  });

  it('two names of one document, saved together, do not overwrite each other', async () => {
    const [record] = records;
    assert.ok(record);
    const folder = await record.make(stage().website, first);
    const old = await stage().a.open(`${folder}/An old name.html`);
    const now = await stage().a.open(`${folder}/T.html`);
    await type(old, '<p>old</p>');
    await type(now, '<p>now</p>');
    const [one, other] = await Promise.all([old.save(), now.save()]);
    assert.deepEqual([one, other].toSorted(), [false, true], 'one is stored, the other is asked');
    const [stored, asked] = one ? [old, now] : [now, old];
    assert.equal(await record.same.read(stage().website, idOf(folder)), stored.getText());
    await eventually(() => assert.deepEqual([isUnsaved(stored), isUnsaved(asked)], [false, true]));
    assert.match(asked.getText(), /old|now/u);
    await stage().screen.find(question(stage().a));
  });

  /** A document with an edit, whose save is held at a moment. */
  async function held(
    record: Written,
    moment: Moment,
    prepare?: (folder: string) => Promise<void>,
  ): Promise<{
    document: vscode.TextDocument;
    folder: string;
    id: number;
    saving: Thenable<boolean>;
    release: () => void;
  }> {
    const folder = await record.make(stage().website, first);
    const document = await stage().a.open(`${folder}/${record.same.file}`);
    await prepare?.(folder);
    await type(document, record.same.edit(document.getText(), mine));
    const { reached, release } = stage().a.hold(record[moment.during], moment.point, moment.skip);
    const saving = document.save();
    await reached;
    return { document, folder, id: idOf(folder), saving, release };
  }
});
