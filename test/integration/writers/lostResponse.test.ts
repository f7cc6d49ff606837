import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { eventually } from '../../support/eventually.ts';
import { records, type Written } from './records.ts';
import { first, openValue, useStage, type Opened } from './stage.ts';

const lost = '<p>11111</p>';
const newer = '<p>22222</p>';
const [template] = records;
const campaign = records.find(({ noun }) => noun === 'campaign');
assert.ok(template && campaign);

describe('after the response to a save was lost', function () {
  const stage = useStage();

  /** A document, saved with an answer that was lost and an update that the service has not stored yet. */
  async function inDoubt(record: Written) {
    const opened = await openValue(stage(), record);
    await opened.type(lost);
    stage().sandbox.faults.add({ kind: 'resetAfterRead', operation: record.updates, times: 1 });
    assert.equal(await opened.document.save(), false);
    return opened;
  }

  /** Stores a newer text. */
  async function saveNewer(opened: Opened) {
    await opened.type(newer);
    assert.equal(await opened.document.save(), true);
    await eventually(() => assert.equal(isUnsaved(opened.document), false));
  }

  /** A document whose newer text the service has replaced by the lost save. */
  async function replaced(record: Written) {
    const opened = await inDoubt(record);
    await saveNewer(opened);
    await opened.websiteWrites(lost);
    return opened;
  }

  /** Activates another editor, then this one again. */
  async function lookAt({ document, folder }: Opened) {
    for (const uri of [stage().a.uri(`${folder}/An older name.html`), document.uri])
      await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { preview: false });
    return findMessage();
  }

  const findMessage = () => stage().screen.find(/late and replaced your newer version/u);

  for (const record of records) {
    const { noun, updates } = record;

    it(`reports that the ${noun} was stored late over a newer text, and stores mine again`, async () => {
      const opened = await replaced(record);
      const message = await lookAt(opened);
      assert.deepEqual(message.buttons, ['Compare', 'Save Newer Version', 'Keep Earlier Version']);
      assert.deepEqual(opened.shown(), [true, newer], 'the edit is in the tab, which is dirty again');
      assert.equal(await opened.held(), lost, 'nothing is stored without the user');
      message.answer('Save Newer Version');
      await eventually(async () => assert.deepEqual([await opened.held(), ...opened.shown()], [newer, false, newer]));
      assert.deepEqual(stage().screen.messages, []);
    });

    it(`lets the user keep the earlier text of the ${noun}`, async () => {
      const opened = await replaced(record);
      const message = await lookAt(opened);
      const mark = stage().mark();
      message.answer('Keep Earlier Version');
      await eventually(() => assert.deepEqual(opened.shown(), [false, lost]));
      assert.equal(stage().received(updates, mark), 0);
    });

    it(`saves the next edit without a conflict when the ${noun} is stored late meanwhile`, async () => {
      const opened = await inDoubt(record);
      await saveNewer(opened);
      await opened.type(`${newer} and on`);
      await opened.websiteWrites(lost);
      assert.equal(await opened.document.save(), true);
      assert.equal(await opened.held(), `${newer} and on`);
      assert.deepEqual(stage().screen.messages, []);
    });

    it(`reports that the ${noun} was stored late during the save of a newer text`, async () => {
      const opened = await inDoubt(record);
      await opened.type(newer);
      const { reached, release } = stage().a.hold(updates, 'answer');
      const saving = opened.document.save();
      await reached;
      await opened.websiteWrites(lost);
      release();
      await saving;
      const message = await findMessage();
      assert.equal(stage().screen.messages.length, 1);
      message.answer('Save Newer Version');
      await eventually(async () => assert.deepEqual([await opened.held(), ...opened.shown()], [newer, false, newer]));
    });
  }

  it('reopens a closed tab with the text it had stored', async () => {
    const opened = await inDoubt(template);
    await saveNewer(opened);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await opened.websiteWrites(lost);
    await stage().a.open(`${opened.folder}/T.css`);
    (await findMessage()).answer('Save Newer Version');
    await eventually(async () => assert.equal(await opened.held(), newer));
  });

  it('names the document that a late update of the whole record has reverted', async () => {
    const opened = await inDoubt(campaign);
    const details = await openValue(stage(), campaign, { target: campaign.apart.b, folder: opened.folder });
    await saveNewer(details);
    await opened.websiteWrites(lost);
    await details.websiteWrites(first);
    const message = await lookAt(opened);
    assert.match(message.text, /campaign\.json/u);
    message.answer('Save Newer Version');
    await eventually(async () => assert.deepEqual([await details.held(), await opened.held()], [newer, lost]));
  });
});
