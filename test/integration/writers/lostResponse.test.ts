import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { eventually } from '../../support/eventually.ts';
import { type } from '../service.ts';
import { idOf, records, type Target, type Written } from './records.ts';
import { useStage } from './stage.ts';

const first = '<p>00000</p>';
const lost = '<p>11111</p>';
const newer = '<p>22222</p>';
const RESTORED_MESSAGE = /with an earlier text of yours/u;

describe('after the response to a save was lost', function () {
  this.timeout(60_000);
  const stage = useStage();

  /** A document, saved with an answer that was lost and an update that the service has not stored yet. */
  async function inDoubt(
    record: Written,
    target: Target,
  ): Promise<{ readonly document: vscode.TextDocument; readonly id: number; readonly folder: string }> {
    const folder = await record.make(stage().website, first);
    const document = await stage().a.open(`${folder}/${target.file}`);
    await type(document, target.edit(document.getText(), lost));
    stage().sandbox.faults.add({ kind: 'resetAfterRead', operation: record.updates, times: 1 });
    assert.equal(await document.save(), false);
    return { document, folder, id: idOf(folder) };
  }

  /** Activates another editor, then this one again. */
  async function lookAt(document: vscode.TextDocument, folder: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.openWith', stage().a.uri(`${folder}/An older name.html`), 'default', {
      preview: false,
    });
    await vscode.commands.executeCommand('vscode.openWith', document.uri, 'default', { preview: false });
  }

  async function saveNewer(document: vscode.TextDocument, target: Target): Promise<void> {
    await type(document, target.edit(document.getText(), newer));
    assert.equal(await document.save(), true);
    await eventually(() => assert.equal(isUnsaved(document), false));
  }

  for (const record of records) {
    const { same, noun, updates } = record;

    it(`reports that the ${noun} was stored late over a newer text, and stores mine again`, async () => {
      const { document, folder, id } = await inDoubt(record, same);
      await saveNewer(document, same);
      await same.write(stage().website, id, lost);
      await lookAt(document, folder);
      const message = await stage().screen.find(RESTORED_MESSAGE);
      assert.deepEqual(message.buttons, ['Compare', 'Store Mine Again', 'Keep the Earlier Text']);
      assert.deepEqual(
        [isUnsaved(document), same.find(document.getText())],
        [true, newer],
        'the edit is in the tab, which is dirty again',
      );
      assert.equal(await same.read(stage().website, id), lost, 'nothing is stored without the user');
      message.answer('Store Mine Again');
      await eventually(async () => assert.equal(await same.read(stage().website, id), newer));
      await eventually(() => assert.equal(isUnsaved(document), false));
      assert.deepEqual(stage().screen.messages, []);
    });

    it(`lets the user keep the earlier text of the ${noun}`, async () => {
      const { document, folder, id } = await inDoubt(record, same);
      await saveNewer(document, same);
      await same.write(stage().website, id, lost);
      await lookAt(document, folder);
      const mark = stage().mark();
      (await stage().screen.find(RESTORED_MESSAGE)).answer('Keep the Earlier Text');
      await eventually(() => assert.deepEqual([isUnsaved(document), same.find(document.getText())], [false, lost]));
      assert.equal(stage().received(updates, mark), 0);
    });

    it(`saves the next edit without a conflict when the ${noun} is stored late meanwhile`, async () => {
      const { document, id } = await inDoubt(record, same);
      await saveNewer(document, same);
      await type(document, same.edit(document.getText(), `${newer} and on`));
      await same.write(stage().website, id, lost);
      assert.equal(await document.save(), true);
      assert.equal(await same.read(stage().website, id), `${newer} and on`);
      assert.deepEqual(stage().screen.messages, []);
    });

    it(`reports that the ${noun} was stored late during the save of a newer text`, async () => {
      const { document, id } = await inDoubt(record, same);
      await type(document, same.edit(document.getText(), newer));
      const { reached, release } = stage().a.hold(updates, 'answer');
      const saving = document.save();
      await reached;
      await same.write(stage().website, id, lost);
      release();
      await saving;
      const message = await stage().screen.find(RESTORED_MESSAGE);
      assert.equal(stage().screen.messages.length, 1);
      message.answer('Store Mine Again');
      await eventually(async () => assert.equal(await same.read(stage().website, id), newer));
      await eventually(() => assert.deepEqual([isUnsaved(document), same.find(document.getText())], [false, newer]));
    });
  }

  it('reopens a closed tab with the text it had stored', async () => {
    const [record] = records;
    assert.ok(record);
    const { document, folder, id } = await inDoubt(record, record.same);
    await saveNewer(document, record.same);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await record.same.write(stage().website, id, lost);
    await stage().a.open(`${folder}/T.css`);
    (await stage().screen.find(RESTORED_MESSAGE)).answer('Store Mine Again');
    await eventually(async () => assert.equal(await record.same.read(stage().website, id), newer));
  });

  it('names the document that a late update of the whole record has reverted', async () => {
    const campaign = records.find(({ noun }) => noun === 'campaign');
    assert.ok(campaign);
    const { document, folder, id } = await inDoubt(campaign, campaign.same);
    const subject = campaign.apart.b;
    const details = await stage().a.open(`${folder}/${subject.file}`);
    await saveNewer(details, subject);
    await campaign.same.write(stage().website, id, lost);
    await subject.write(stage().website, id, first);
    await lookAt(document, folder);
    const message = await stage().screen.find(RESTORED_MESSAGE);
    assert.match(message.text, /campaign\.json/u);
    message.answer('Store Mine Again');
    await eventually(async () =>
      assert.deepEqual(
        [await subject.read(stage().website, id), await campaign.same.read(stage().website, id)],
        [newer, lost],
      ),
    );
  });

  it('reports a conflict when another user writes', async () => {
    const [record] = records;
    assert.ok(record);
    const { document, id } = await inDoubt(record, record.same);
    await record.same.write(stage().website, id, '<p>wwwww</p>');
    assert.equal(await document.save(), false);
    assert.equal(await record.same.read(stage().website, id), '<p>wwwww</p>');
  });
});

describe('a save whose read-back failed', () => {
  const stage = useStage();

  it('reports that it was stored, keeps the text in its tab, and does not send again', async () => {
    const [record] = records;
    assert.ok(record);
    const folder = await record.make(stage().website, first);
    const { uri } = await stage().a.open(`${folder}/${record.same.file}`);
    await vscode.workspace.fs.readFile(uri);
    const { reached, release } = stage().a.hold(record.updates, 'answer');
    const written = vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(newer));
    await reached;
    stage().sandbox.faults.add({ kind: 'status', status: 500, operation: record.reads, times: 1 });
    release();
    await assert.rejects(() => Promise.resolve(written), /The template was stored, but couldn't be read back: .*500/u);
    assert.equal(await record.same.read(stage().website, idOf(folder)), newer);
    const mark = stage().mark();
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(newer));
    assert.equal(stage().received(record.updates, mark), 0);
  });
});
