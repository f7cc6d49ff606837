import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { eventually } from '../../support/eventually.ts';
import { type } from '../service.ts';
import { idOf, records, type Written } from './records.ts';
import { question, useStage, type Stage } from './stage.ts';

const first = '<p>00000</p>';
const mine = '<p>aaaaa</p>';

/** What happens while a tab with edits waits for its window to come back. */
interface Meanwhile {
  readonly name: string;
  happens(stage: Stage, record: Written, folder: string): Promise<object | void>;
  /** Requests that the save sends after it, or that its user is asked. */
  readonly then: 'asked' | 0 | 1;
}

const website =
  (theirs: string) =>
  (stage: Stage, { same }: Written, folder: string) =>
    same.write(stage.website, idOf(folder), theirs);
const cases: readonly Meanwhile[] = [
  { name: 'no other user writes', happens: () => Promise.resolve(), then: 1 },
  { name: 'the website writes a text of equal length', happens: website('<p>wwwww</p>'), then: 'asked' },
  { name: 'the website writes a text of different length', happens: website('<p>wwwwwwwww</p>'), then: 'asked' },
  { name: 'the website writes the very same', happens: website(mine), then: 0 },
  {
    name: 'the other window saves',
    happens: async (stage, { same }, folder) => {
      const document = await stage.b.open(`${folder}/${same.file}`);
      await type(document, same.edit(document.getText(), '<p>bbbbb</p>'));
      assert.equal(await document.save(), true);
    },
    then: 'asked',
  },
  {
    name: 'what the edits are based on is forgotten',
    happens: (stage) => {
      stage.a.forget();
      return Promise.resolve();
    },
    then: 'asked',
  },
];

describe('a tab with edits, restored after a restart', function () {
  this.timeout(60_000);
  const stage = useStage();

  for (const record of records) {
    for (const { name, happens, then } of cases) {
      it(`of a ${record.noun}; ${name}`, async () => {
        const { same, updates } = record;
        const folder = await record.make(stage().website, first);
        const document = await stage().a.open(`${folder}/${same.file}`);
        await type(document, same.edit(document.getText(), mine));
        await happens(stage(), record, folder);
        stage().a.restart();
        const theirs = await same.read(stage().website, idOf(folder));
        const mark = stage().mark();
        assert.equal(await document.save(), then !== 'asked');
        assert.equal(stage().received(updates, mark), then === 'asked' ? 0 : then);
        assert.equal(await same.read(stage().website, idOf(folder)), then === 'asked' ? theirs : mine);
        if (then === 0) {
          // The next edit is based on the version found on the service.
          await type(document, same.edit(document.getText(), '<p>aaaab</p>'));
          await same.write(stage().website, idOf(folder), '<p>wwwww</p>');
          assert.equal(await document.save(), false);
          assert.equal(await same.read(stage().website, idOf(folder)), '<p>wwwww</p>');
          await stage().screen.find(question(stage().a));
          assert.deepEqual([isUnsaved(document), same.find(document.getText())], [true, '<p>aaaab</p>']);
        }
        if (then !== 'asked') return;
        assert.deepEqual([isUnsaved(document), same.find(document.getText())], [true, mine]);
        (await stage().screen.find(question(stage().a))).answer('Revert');
        await eventually(() => assert.deepEqual([isUnsaved(document), same.find(document.getText())], [false, theirs]));
        await type(document, same.edit(document.getText(), `${theirs} and mine`));
        assert.equal(await document.save(), true);
      });
    }
  }
});

describe('a tab edited during its save, restored after a restart', function () {
  this.timeout(60_000);
  const stage = useStage();

  for (const record of records) {
    it(`of a ${record.noun} is stored by the next save`, async () => {
      const { same } = record;
      const folder = await record.make(stage().website, first);
      const document = await stage().a.open(`${folder}/${same.file}`);
      await type(document, same.edit(document.getText(), mine));
      const { reached, release } = stage().a.hold(record.updates, 'answer');
      const saving = document.save();
      await reached;
      await type(document, same.edit(document.getText(), `${mine} and on`));
      release();
      await saving;
      await eventually(() => assert.equal(isUnsaved(document), true));
      stage().a.restart();
      assert.equal(await document.save(), true);
      assert.equal(await same.read(stage().website, idOf(folder)), `${mine} and on`);
      assert.deepEqual(stage().screen.messages, []);
    });
  }
});

describe('a tab without edits, restored after a restart', function () {
  this.timeout(60_000);
  const stage = useStage();

  for (const record of records) {
    for (const theirs of [undefined, '<p>wwwww</p>']) {
      it(`of a ${record.noun} ${theirs === undefined ? 'is edited and stored' : "is not stored over another user's newer text"}`, async () => {
        const { same } = record;
        const folder = await record.make(stage().website, first);
        const document = await stage().a.open(`${folder}/${same.file}`);
        stage().a.restart();
        await type(document, same.edit(document.getText(), mine));
        if (theirs !== undefined) await same.write(stage().website, idOf(folder), theirs);
        assert.equal(await document.save(), theirs === undefined);
        assert.equal(await same.read(stage().website, idOf(folder)), theirs ?? mine);
        if (theirs !== undefined) await stage().screen.find(question(stage().a));
      });
    }
  }
});

describe('a document with several writers in one window', function () {
  this.timeout(60_000);
  const [template] = records;
  assert.ok(template);
  const { same } = template;
  const stage = useStage();
  let folder: string;
  let document: vscode.TextDocument;
  beforeEach(async () => {
    folder = await template.make(stage().website, first);
    document = await stage().a.open(`${folder}/${same.file}`);
  });
  const held = () => same.read(stage().website, idOf(folder));
  const write = (text: string) => vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(text));

  it('is not overwritten by an editor after another extension wrote it', async () => {
    await type(document, mine);
    await write('<p>eeeee</p>');
    assert.equal(await held(), '<p>eeeee</p>');
    assert.deepEqual([isUnsaved(document), document.getText()], [true, mine]);
    assert.equal(await document.save(), false);
    assert.equal(await held(), '<p>eeeee</p>');
    await stage().screen.find(question(stage().a));
  });

  it('is not overwritten by an extension that read a text older than the stored one', async () => {
    await type(document, mine);
    assert.equal(await document.save(), true);
    await same.write(stage().website, idOf(folder), '<p>wwwww</p>');
    await assert.rejects(() => Promise.resolve(write('<p>eeeee</p>')), /changed on the service/u);
    assert.equal(await held(), '<p>wwwww</p>');
  });

  it('is not overwritten by a tab that could not be re-read after another user wrote', async () => {
    await same.write(stage().website, idOf(folder), '<p>wwwww</p>');
    // Another extension reads the new text; the tab is to show it too, but the service is away then.
    stage().sandbox.faults.add({ kind: 'status', status: 500, operation: 'getOneTemplate', skip: 1 });
    await vscode.workspace.fs.readFile(document.uri);
    await eventually(() => assert.ok(stage().sandbox.requests.at(-1)?.status === 500));
    stage().sandbox.faults.clear();
    assert.deepEqual([isUnsaved(document), document.getText()], [false, first]);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.save');
    assert.equal(await held(), '<p>wwwww</p>');
  });

  it('shows the stored text when an older response arrives late', async () => {
    const { reached, release } = stage().a.hold('getOneTemplate', 'answer');
    const late = vscode.workspace.fs.readFile(document.uri);
    await reached;
    await type(document, mine);
    assert.equal(await document.save(), true);
    release();
    assert.equal(new TextDecoder().decode(await late), mine);
    await type(document, `${mine} and on`);
    assert.equal(await document.save(), true);
    assert.deepEqual(stage().screen.messages, []);
  });

  it('does not conflict with its own earlier save of unconfirmed outcome', async () => {
    await type(document, mine);
    stage().sandbox.faults.add({ kind: 'lostAnswer', operation: 'updateTemplate', times: 1 });
    const away = stage().sandbox.faults.add({ kind: 'status', status: 500, operation: 'getOneTemplate', skip: 1 });
    assert.equal(await document.save(), false);
    away.remove();
    assert.equal(await held(), mine);
    await type(document, `${mine} and on`);
    assert.equal(await document.save(), true);
    assert.equal(await held(), `${mine} and on`);
    assert.deepEqual(stage().screen.messages, []);
  });

  it('asks again when an overwritten text returns', async () => {
    const theirs = '<p>wwwww</p>';
    await type(document, mine);
    await same.write(stage().website, idOf(folder), theirs);
    assert.equal(await document.save(), false);
    (await stage().screen.find(question(stage().a))).answer('Overwrite');
    await eventually(async () => assert.deepEqual([await held(), isUnsaved(document)], [mine, false]));
    await type(document, `${mine} and on`);
    await same.write(stage().website, idOf(folder), theirs);
    assert.equal(await document.save(), false, 'one confirmation allows one overwrite');
    assert.equal(await held(), theirs);
    await stage().screen.find(question(stage().a));
  });

  it('does not conflict after the record was missing for a moment', async () => {
    await type(document, mine);
    stage().sandbox.faults.add({ kind: 'status', status: 404, operation: 'getOneTemplate', times: 1 });
    assert.equal(await document.save(), false);
    assert.equal(await document.save(), true);
    assert.equal(await held(), mine);
    assert.deepEqual(stage().screen.messages, []);
  });
});
