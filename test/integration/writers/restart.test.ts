import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { eventually } from '../../support/eventually.ts';
import { records, type Written } from './records.ts';
import { first, openValue, question, useStage, type Opened, type Stage } from './stage.ts';

const mine = '<p>aaaaa</p>';
const theirs = '<p>wwwww</p>';

/** What happens while a tab with edits waits for its window to come back. */
interface Meanwhile {
  readonly name: string;
  happens(opened: Opened, record: Written, stage: Stage): Promise<object | void>;
  /** Requests that the save sends after it, or that its user is asked. */
  readonly then: 'asked' | 0 | 1;
}

const cases: readonly Meanwhile[] = [
  { name: 'no other user writes', happens: () => Promise.resolve(), then: 1 },
  {
    name: 'the website writes a text of equal length',
    happens: ({ websiteWrites }) => websiteWrites(theirs),
    then: 'asked',
  },
  {
    name: 'the website writes a text of different length',
    happens: ({ websiteWrites }) => websiteWrites('<p>wwwwwwwww</p>'),
    then: 'asked',
  },
  { name: 'the website writes the very same', happens: ({ websiteWrites }) => websiteWrites(mine), then: 0 },
  {
    name: 'the other window saves',
    happens: async ({ folder }, record, stage) => {
      const other = await openValue(stage, record, { window: stage.b, folder });
      await other.type('<p>bbbbb</p>');
      assert.equal(await other.document.save(), true);
    },
    then: 'asked',
  },
  {
    name: 'what the edits are based on is forgotten',
    happens: async (_opened, _record, stage) => stage.a.forget(),
    then: 'asked',
  },
];

describe('a tab, restored after a restart', function () {
  const stage = useStage();
  const assertAsked = () => stage().screen.find(question(stage().a));

  for (const record of records) {
    for (const { name, happens, then } of cases) {
      it(`with edits of a ${record.noun}; ${name}`, async () => {
        const opened = await openValue(stage(), record);
        const { document, held, shown } = opened;
        await opened.type(mine);
        await happens(opened, record, stage());
        stage().a.restart();
        const before = await held();
        const mark = stage().mark();
        assert.equal(await document.save(), then !== 'asked');
        assert.equal(stage().received(record.updates, mark), then === 'asked' ? 0 : then);
        assert.equal(await held(), then === 'asked' ? before : mine);
        if (then === 0) {
          // The next edit is based on the version found on the service.
          await opened.type('<p>aaaab</p>');
          await opened.websiteWrites(theirs);
          assert.equal(await document.save(), false);
          assert.equal(await held(), theirs);
          await assertAsked();
          assert.deepEqual(shown(), [true, '<p>aaaab</p>']);
        }
        if (then !== 'asked') return;
        assert.deepEqual(shown(), [true, mine]);
        (await assertAsked()).answer('Revert');
        await eventually(() => assert.deepEqual(shown(), [false, before]));
        await opened.type(`${before} and mine`);
        assert.equal(await document.save(), true);
      });
    }

    it(`of a ${record.noun}, edited during its save, is stored by the next save`, async () => {
      const { document, held, type } = await openValue(stage(), record);
      await type(mine);
      const { reached, release } = stage().a.hold(record.updates, 'answer');
      const saving = document.save();
      await reached;
      await type(`${mine} and on`);
      release();
      await saving;
      await eventually(() => assert.equal(isUnsaved(document), true));
      stage().a.restart();
      assert.equal(await document.save(), true);
      assert.equal(await held(), `${mine} and on`);
      assert.deepEqual(stage().screen.messages, []);
    });

    it(`without edits of a ${record.noun}, is edited and stored`, async () => {
      const { document, held, type } = await openValue(stage(), record);
      stage().a.restart();
      await type(mine);
      assert.equal(await document.save(), true);
      assert.equal(await held(), mine);
    });

    it(`without edits of a ${record.noun}, is not stored over another user's newer text`, async () => {
      const { document, held, type, websiteWrites } = await openValue(stage(), record);
      stage().a.restart();
      await type(mine);
      await websiteWrites(theirs);
      assert.equal(await document.save(), false);
      assert.equal(await held(), theirs);
      await assertAsked();
    });
  }
});

describe('a document with several writers in one window', function () {
  const [template] = records;
  assert.ok(template);
  const stage = useStage();
  let opened: Opened;
  let document: vscode.TextDocument;
  beforeEach(async () => {
    opened = await openValue(stage(), template);
    ({ document } = opened);
  });
  const write = async (text: string) => vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(text));

  it('is not overwritten by an editor after another extension wrote it', async () => {
    await opened.type(mine);
    await write('<p>eeeee</p>');
    assert.equal(await opened.held(), '<p>eeeee</p>');
    assert.deepEqual(opened.shown(), [true, mine]);
    assert.equal(await document.save(), false);
    assert.equal(await opened.held(), '<p>eeeee</p>');
    await stage().screen.find(question(stage().a));
  });

  it('is not overwritten by an extension that read a text older than the stored one', async () => {
    await opened.type(mine);
    assert.equal(await document.save(), true);
    await opened.websiteWrites(theirs);
    await assert.rejects(write('<p>eeeee</p>'), /changed on the service/u);
    assert.equal(await opened.held(), theirs);
  });

  it('is not overwritten by a tab that could not be re-read after another user wrote', async () => {
    await opened.websiteWrites(theirs);
    // Another extension reads the new text; the tab is to show it too, but the service is away then.
    stage().sandbox.faults.add({ kind: 'status', status: 500, operation: 'getOneTemplate', skip: 1 });
    await vscode.workspace.fs.readFile(document.uri);
    await eventually(() => assert.ok(stage().sandbox.requests.at(-1)?.status === 500));
    stage().sandbox.faults.clear();
    assert.deepEqual(opened.shown(), [false, first]);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.save');
    assert.equal(await opened.held(), theirs);
  });
});
