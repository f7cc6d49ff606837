import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering } from '../answers.ts';
import { closeEditors, connectService, revert, type, type TestService } from '../service.ts';
import { folder } from './fixtures.ts';

describe('earlier versions of templates', () => {
  let service: TestService;
  let id: number;
  const { path } = folder;
  const execute = async (command: string, argument?: object) =>
    (
      await answering('Push', () =>
        vscode.commands.executeCommand<object | undefined>(`mailing.folders.${command}`, argument),
      )
    ).result;
  const open = async (name: string): Promise<vscode.TextDocument> =>
    vscode.workspace.openTextDocument(service.uri(`/templates/${id}/${name}`));

  const hasTab = (start: string): boolean =>
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith(start)));

  /** Picks the first matching version and then Restore while a task runs. Returns the offered versions. */
  const pickVersion = async (
    fits: RegExp,
    task: () => Promise<object | undefined>,
  ): Promise<readonly vscode.QuickPickItem[]> => {
    const { showQuickPick } = vscode.window;
    let offered: readonly vscode.QuickPickItem[] = [];
    const pick = async (items: readonly vscode.QuickPickItem[]): Promise<vscode.QuickPickItem | undefined> => {
      const shown = await items;
      const restore = shown.find(({ label }) => label === 'Restore');
      if (restore) return restore;
      offered = shown;
      return offered.find(({ description, detail }) => fits.test(`${description} ${detail}`));
    };
    Object.defineProperty(vscode.window, 'showQuickPick', { configurable: true, writable: true, value: pick });
    try {
      await task();
    } finally {
      Object.defineProperty(vscode.window, 'showQuickPick', {
        configurable: true,
        writable: true,
        value: showQuickPick,
      });
    }
    return offered;
  };

  beforeEach(async () => {
    service = await connectService();
    const created = await service.other.createTemplate({
      name: 'Letter',
      subject: 'First',
      body: '<p>one</p>',
      stylesheet: 'p { color: red }',
    });
    id = created.templateId;
  });
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments) if (document.isDirty) await revert(document);
    await closeEditors();
    await service.end();
    await folder.clear();
  });

  it('are stored for unmapped templates and restored as unsaved edits', async () => {
    const body = await open('Letter.html');
    await type(body, '<p>two</p>');
    assert.ok(await body.save());
    await service.other.updateTemplate({ templateId: id, subject: 'Second' });
    const details = await open('Letter.template.json');
    await type(details, details.getText().replace('First', 'Typed'));

    const offered = await pickVersion(/Oldest/u, () =>
      execute('earlierStates', { connection: service.connection, id }),
    );
    assert.deepEqual(offered.map(({ description }) => description).slice(-2), ['First', 'First']);
    assert.match(offered.at(-2)?.detail ?? '', /^Changed: body$/u);
    assert.equal(body.getText(), '<p>one</p>');
    assert.match(details.getText(), /"subject": "First"/u);
    assert.ok(body.isDirty && details.isDirty);
    assert.equal((await service.other.getOneTemplate(id)).body, '<p>two</p>');
    assert.ok(hasTab('Before ↔'));

    // Unsaved text is stored as a version too.
    const again = await pickVersion(/^Typed/u, () => execute('earlierStates', { connection: service.connection, id }));
    assert.ok(again.some(({ description }) => description === 'Typed'));
    assert.match(details.getText(), /"subject": "Typed"/u);
  });

  it('are restored into the files of mapped templates and can be undone', async () => {
    await execute('map', { connection: service.connection, ids: [id], folder: 'emails' });
    const file = path('emails/letter/body.html');
    writeFileSync(file, '<p>two</p>');
    await execute('push', { folder: 'emails/letter' });
    writeFileSync(file, '<p>three</p>');
    rmSync(path('emails/letter/style.css'));
    await eventually(async () => {
      await execute('compare');
      assert.ok(hasTab('Mapped Templates: Service ↔ Folder'));
    });

    await pickVersion(/Oldest/u, () => execute('earlierStates', vscode.Uri.file(file)));
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), '<p>one</p>');
    assert.ok(document.isDirty);
    assert.equal(readFileSync(file, 'utf8'), '<p>three</p>');
    assert.equal(readFileSync(path('emails/letter/style.css'), 'utf8'), 'p { color: red }');
    assert.equal((await service.other.getOneTemplate(id)).body, '<p>two</p>');
    // The comparison that opened last may take the focus while it loads, and with it the command.
    await eventually(async () => {
      await vscode.window.showTextDocument(document);
      if (document.getText() !== '<p>three</p>') await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), '<p>three</p>');
    });
    // Unpushed text is stored as a version too.
    const offered = await pickVersion(/nothing fits/u, () =>
      execute('earlierStates', { connection: service.connection, id }),
    );
    assert.ok(offered.length >= 3);
  });

  it('are restored without writing built files', async () => {
    const mapping = {
      templates: [
        { folder: 'emails/letter', ids: { [service.connection]: id }, source: 'letter.mjml', output: 'letter.html' },
      ],
    };
    for (const [name, text] of [
      ['mailing.json', JSON.stringify(mapping)],
      ['letter.mjml', 'source'],
      ['letter.html', '<p>one</p>'],
    ] as const)
      writeFileSync(path(name), text);
    await vscode.commands.executeCommand('mailing.folders.refresh');
    await execute('pull', { folder: 'emails/letter' });
    writeFileSync(path('letter.html'), '<p>built</p>');
    writeFileSync(path('emails/letter/style.css'), 'p { color: blue }');
    const { shown } = await answering(undefined, () =>
      pickVersion(/Oldest/u, async () =>
        vscode.commands.executeCommand('mailing.folders.earlierStates', vscode.Uri.file(path('letter.html'))),
      ),
    );
    assert.match(shown.map(({ text }) => text).join(), /letter\.html is built and wasn.t changed/u);
    assert.equal(readFileSync(path('letter.html'), 'utf8'), '<p>built</p>');
    const changed = vscode.workspace.textDocuments
      .filter(({ isDirty }) => isDirty)
      .map(({ uri }) => vscode.workspace.asRelativePath(uri));
    assert.deepEqual(changed, ['emails/letter/style.css']);
  });

  it('are not restored into drag-and-drop templates', async () => {
    const [drag] = await service.other.getTemplates({ templateType: 'drag', limit: 1 });
    assert.ok(drag);
    await vscode.workspace.fs.readFile(service.uri(`/templates/${drag.id}/x.html`));
    const { shown } = await answering(undefined, async () =>
      pickVersion(/Oldest/u, async () =>
        vscode.commands.executeCommand('mailing.folders.earlierStates', {
          connection: service.connection,
          id: drag.id,
        }),
      ),
    );
    assert.match(shown.map(({ text }) => text).join(), /Made with the drag-and-drop editor/u);
    assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
  });

  it('do not exist for a template that was never read', async () => {
    const { shown } = await answering(undefined, () =>
      vscode.commands.executeCommand('mailing.folders.earlierStates', { connection: service.connection, id }),
    );
    assert.match(shown.map(({ text }) => text).join(), /There is no earlier state of this template/u);
  });
});
