import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { revert, revertAll, type } from '../service.ts';
import { folder, formatMessages, picking, run, useMapped } from './fixtures.ts';

describe('earlier versions of templates', () => {
  const { service, entry, getId, stored, change } = useMapped('emails/letter', {
    name: 'Letter',
    body: '<p>one</p>',
    stylesheet: 'p { color: red }',
  });
  const own = () => ({ connection: service().connection, id: getId() });
  const open = async (name: string) =>
    vscode.workspace.openTextDocument(service().uri(`/templates/${getId()}/${name}`));
  const hasTab = (start: string) =>
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith(start)));
  const listUnsaved = () =>
    vscode.workspace.textDocuments
      .filter(({ isDirty }) => isDirty)
      .map(({ uri }) => vscode.workspace.asRelativePath(uri));

  /** Picks the first matching version and then Restore. Returns the offered versions and the messages. */
  const restore = async (fits: RegExp, argument: object) => {
    let offered: readonly vscode.QuickPickItem[] = [];
    const pick = (items: readonly vscode.QuickPickItem[]) => {
      const action = items.find(({ label }) => label === 'Restore');
      if (action === undefined) offered = items;
      return action ?? items.find(({ description, detail }) => fits.test(`${description} ${detail}`));
    };
    const { shown } = await picking(pick, () => run('earlierStates', argument));
    return { offered, messages: formatMessages(shown) };
  };

  afterEach(async () => {
    await revertAll();
  });

  it('are stored for unmapped templates and restored as unsaved edits', async () => {
    const body = await open('Letter.html');
    await type(body, '<p>two</p>');
    assert.ok(await body.save());
    await change({ subject: 'Second' });
    const details = await open('Letter.template.json');
    await type(details, details.getText().replace('Hello', 'Typed'));

    const { offered } = await restore(/Oldest/u, own());
    assert.deepEqual(offered.map(({ description }) => description).slice(-2), ['Hello', 'Hello']);
    assert.match(offered.at(-2)?.detail ?? '', /^Changed: body$/u);
    assert.equal(body.getText(), '<p>one</p>');
    assert.match(details.getText(), /"subject": "Hello"/u);
    assert.ok(body.isDirty && details.isDirty);
    assert.equal((await stored()).body, '<p>two</p>');
    assert.ok(hasTab('Before ↔'));

    // Unsaved text is stored as a version too.
    const again = await restore(/^Typed/u, own());
    assert.ok(again.offered.some(({ description }) => description === 'Typed'));
    assert.match(details.getText(), /"subject": "Typed"/u);
  });

  it('are restored into the files of mapped templates and can be undone', async () => {
    await run('map', { connection: service().connection, ids: [getId()], folder: 'emails' });
    const [file, style] = ['emails/letter/body.html', 'emails/letter/style.css'];
    folder.write(file, '<p>two</p>');
    await run('push', { folder: 'emails/letter' }, 'Push');
    folder.write(file, '<p>three</p>');
    rmSync(folder.path(style));
    await eventually(async () => {
      await run('compare');
      assert.ok(hasTab('Mapped Templates (Service ↔ Folder)'));
    });

    const document = await vscode.workspace.openTextDocument(folder.uri(file));
    // Without file watchers, the document may be older than the file.
    await revert(document);
    assert.equal(document.getText(), '<p>three</p>');
    await restore(/Oldest/u, folder.uri(file));
    assert.equal(document.getText(), '<p>one</p>');
    assert.ok(document.isDirty);
    assert.deepEqual([folder.read(file), folder.read(style)], ['<p>three</p>', 'p { color: red }']);
    assert.equal((await stored()).body, '<p>two</p>');
    await vscode.window.showTextDocument(document, { preview: false });
    // A comparison that is still loading would take the focus, and with it the command.
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ input }) => !(input instanceof vscode.TabInputText)));
    await vscode.commands.executeCommand('undo');
    await eventually(() => assert.equal(document.getText(), '<p>three</p>'));
    // Unpushed text is stored as a version too.
    const { offered } = await restore(/nothing fits/u, own());
    assert.ok(offered.length >= 3);
  });

  it('are restored without writing built files', async () => {
    folder.write('letter.mjml', 'source');
    folder.write('letter.html', '<p>one</p>');
    await folder.map({ templates: [entry({ source: 'letter.mjml', output: 'letter.html' })] });
    await run('pull', { folder: 'emails/letter' });
    folder.write('letter.html', '<p>built</p>');
    folder.write('emails/letter/style.css', 'p { color: blue }');
    const { messages } = await restore(/Oldest/u, folder.uri('letter.html'));
    assert.match(messages, /A tool builds letter\.html, so it wasn.t changed/u);
    assert.equal(folder.read('letter.html'), '<p>built</p>');
    assert.deepEqual(listUnsaved(), ['emails/letter/style.css']);
  });

  it('are not restored into drag-and-drop templates', async () => {
    const [drag] = await service().other.getTemplates({ templateType: 'drag', limit: 1 });
    assert.ok(drag);
    await vscode.workspace.fs.readFile(service().uri(`/templates/${drag.id}/x.html`));
    const { messages } = await restore(/Oldest/u, { connection: service().connection, id: drag.id });
    assert.match(messages, /Made with the drag-and-drop editor/u);
    assert.deepEqual(listUnsaved(), []);
  });

  it('do not exist for a template that was never read', async () => {
    assert.match((await restore(/./u, own())).messages, /There is no earlier state of this template/u);
  });
});
