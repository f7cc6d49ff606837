import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from '../answers.ts';
import { eventually } from '../../support/eventually.ts';
import { connectService, extensionFile, type, type TestService } from '../service.ts';
import { withReplaced } from '../statistics/host.ts';

interface Found {
  readonly connection: string;
  readonly id: number;
  readonly uri: vscode.Uri;
}

const run = <T = Found>(command: string, argument?: object) =>
  vscode.commands.executeCommand<T>(`mailing.template.${command}`, argument);
const runRecord = (command: string, argument: object): Thenable<Found | undefined> =>
  vscode.commands.executeCommand(`mailing.record.${command}`, { collection: 'templates', ...argument });
const preview = (argument: object): Thenable<Found | undefined> =>
  vscode.commands.executeCommand(
    'mailing.preview',
    argument instanceof vscode.Uri ? argument : { collection: 'templates', ...argument },
  );

describe('commands on templates', () => {
  let service: TestService;

  before(async () => {
    service = await connectService();
  });
  after(() => service.end());
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('open each document of a template', async () => {
    const target = { connection: service.connection, collection: 'templates', id: 1 };
    for (const [command, suffix, language] of [
      ['record.open', '.html', 'html'],
      ['template.openStylesheet', '.css', 'css'],
      ['template.openDetails', '.template.json', 'json'],
    ] as const) {
      const found = await vscode.commands.executeCommand<Found>(`mailing.${command}`, target);
      assert.deepEqual([found.connection, found.id], [service.connection, 1]);
      assert.ok(found.uri.path.endsWith(suffix));
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.uri.toString(), found.uri.toString());
      assert.equal(document?.languageId, language);
    }
  });

  it('accept an id as text and the URI of a document', async () => {
    const found = await runRecord('open', { connection: service.connection, id: '1' });
    assert.ok(found);
    assert.equal(found.id, 1);
    const details = await run('openDetails', found.uri);
    assert.equal(details.id, 1);
  });

  it('offer a picker for a reference to an unrecognized collection', async () => {
    const { connection } = service;
    for (const argument of [{ connection, collection: 'unknown', id: 1 }, service.uri('/unknown/1/x.html')]) {
      service.forget();
      const opened = vscode.commands.executeCommand('mailing.record.open', argument);
      await eventually(() => assert.ok(service.received('getLists') > 0));
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      assert.equal(await opened, undefined);
      assert.equal(service.received('getOneTemplate'), 0);
    }
  });

  it('create a template from given fields and open it', async () => {
    const created = await run('create', {
      connection: service.connection,
      name: 'Made here',
      subject: 'Hi',
      body: '<p>Hi</p>',
      stylesheet: 'p {}',
    });
    const template = await service.other.getOneTemplate(created.id);
    assert.deepEqual(
      [template.name, template.subject, template.body, template.stylesheet],
      ['Made here', 'Hi', '<p>Hi</p>', 'p {}'],
    );
    assert.equal(vscode.window.activeTextEditor?.document.getText(), '<p>Hi</p>');
  });

  it('duplicate a template with all its fields, including drag-and-drop templates', async () => {
    for (const templateType of ['standard', 'drag'] as const) {
      const original = (await service.other.getTemplates({ templateType, limit: 1 }))[0];
      assert.ok(original);
      const copy = await runRecord('duplicate', { connection: service.connection, id: original.id });
      assert.ok(copy);
      const [one, other] = [
        await service.other.getOneTemplate(original.id),
        await service.other.getOneTemplate(copy.id),
      ];
      assert.equal(other.name, `${one.name} (copy)`);
      assert.equal(other.drag_editor, 0);
      assert.deepEqual(
        [other.body, other.subject, other.preheader, other.from_email],
        [one.body, one.subject, one.preheader, one.from_email],
      );
    }
  });

  it('duplicate a template on another service, which users select', async () => {
    const target = await connectService();
    try {
      const { templateId } = await service.other.createTemplate({
        name: 'To be copied',
        body: '<b>x</b>',
        stylesheet: 'b {}',
      });
      const original = { connection: service.connection, id: templateId };
      const offered: string[] = [];
      const select = (async (items: readonly (vscode.QuickPickItem & { readonly connection: { id: string } })[]) => {
        offered.push(...items.map(({ connection }) => connection.id));
        return items.find(({ connection }) => connection.id === target.connection);
      }) as never;
      for (const duplicate of [
        () => runRecord('duplicate', { ...original, to: target.connection }),
        () =>
          withReplaced(vscode.window, 'showQuickPick', select, () =>
            runRecord('duplicate', { ...original, kind: 'record' }),
          ),
      ]) {
        const copy = await duplicate();
        assert.equal(copy?.connection, target.connection);
        const template = await target.other.getOneTemplate(copy.id);
        assert.deepEqual([template.name, template.body, template.stylesheet], ['To be copied', '<b>x</b>', 'b {}']);
      }
      assert.equal(offered[0], service.connection);
      assert.ok(offered.includes(target.connection));
    } finally {
      await target.end();
    }
  });

  it('preview a template, and a local file', async () => {
    await preview({ connection: service.connection, id: 1 });
    const previews = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputWebview);
    await eventually(() => assert.equal(previews().length, 1));
    assert.equal(await vscode.commands.executeCommand('mailing.preview.toggleLock'), true);
    await preview(vscode.Uri.file(extensionFile('media/starters/letter.html')));
    await eventually(() => assert.equal(previews().length, 2));
    await preview({ connection: service.connection, id: 2 });
    await eventually(() =>
      assert.ok(previews().some(({ label }) => label.startsWith('Preview ') && !label.includes('letter'))),
    );
    assert.equal(previews().length, 2);
  });

  it('open a new template beside the preview that has the focus', async () => {
    await runRecord('open', { connection: service.connection, id: 1 });
    await preview({ connection: service.connection, id: 1 });
    const isPreview = ({ activeTab }: vscode.TabGroup) => activeTab?.input instanceof vscode.TabInputWebview;
    const { tabGroups } = vscode.window;
    await eventually(() => assert.ok(tabGroups.all.some(isPreview)));
    await vscode.commands.executeCommand('workbench.action.focusSecondEditorGroup');
    await eventually(() => assert.ok(isPreview(tabGroups.activeTabGroup)));
    const created = await run('create', { connection: service.connection, name: 'Beside the preview' });
    await eventually(() => assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /Beside/u));
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), created.uri.toString());
    assert.equal(tabGroups.activeTabGroup.viewColumn, vscode.ViewColumn.One);
    assert.ok(tabGroups.all.some(isPreview), 'The preview is still visible.');
  });

  it('switch an unlocked preview to the email that became active while it was locked', async () => {
    const label = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(({ input }) => input instanceof vscode.TabInputWebview)?.label;
    await preview({ connection: service.connection, id: 1 });
    await eventually(() => assert.match(label() ?? '', /^Preview /u));
    const name = label()?.replace('Preview ', '');
    assert.equal(await vscode.commands.executeCommand('mailing.preview.toggleLock'), true);
    await runRecord('open', { connection: service.connection, id: 2 });
    assert.equal(label(), `[Preview] ${name}`);
    assert.equal(await vscode.commands.executeCommand('mailing.preview.toggleLock'), false);
    await eventually(() => {
      assert.match(label() ?? '', /^Preview /u);
      assert.notEqual(label(), `Preview ${name}`);
    });
  });

  it('report a failure and return nothing', async () => {
    assert.equal(await runRecord('open', { connection: service.connection, id: 999_999 }), undefined);
    assert.equal(await runRecord('open', { connection: 'missing', id: 1 }), undefined);
  });

  it('create one template after a lost response, find it and do not retry', async () => {
    service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'createTemplate', times: 1 });
    service.forget();
    const { result, shown } = await answering('Retry', () =>
      run('create', { connection: service.connection, name: 'Lost' }),
    );
    assert.ok(
      shown.some(({ text }) => text === '"Lost" was created. The response was lost, but the service confirms it.'),
      JSON.stringify(shown),
    );
    assert.equal((await service.other.getOneTemplate(result?.id ?? 0)).name, 'Lost');
    assert.equal(service.received('createTemplate'), 1);
  });

  for (const status of [302, 307] as const) {
    it(`create one template if the service responds with ${status}, possibly after creating it`, async () => {
      service.sandbox.faults.add({ kind: 'redirect', to: 'same', status, operation: 'createTemplate', times: 1 });
      service.forget();
      const { result, shown } = await answering('Retry', () =>
        run('create', { connection: service.connection, name: 'Moved' }),
      );
      assert.equal(result, undefined);
      assert.deepEqual(
        shown.map(({ buttons }) => buttons),
        [['Check Again']],
      );
      assert.match(shown[0]?.text ?? '', /^"Moved" may have been created/u);
      assert.equal(service.received('createTemplate'), 1);
    });
  }

  it('delete a template once after a confirmation, even with a lost response', async () => {
    const { templateId } = await service.other.createTemplate({ name: 'Old' });
    const remove = (answer?: string) =>
      answering(answer, () =>
        vscode.commands.executeCommand('mailing.record.delete', {
          connection: service.connection,
          collection: 'templates',
          id: templateId,
        }),
      );
    service.forget();
    const {
      shown: [question],
    } = await remove();
    assert.match(question?.text ?? '', /^Delete the template "Old" on Test \d+\?/u);
    assert.deepEqual(
      [question?.modal, service.received('deleteTemplate'), (await service.other.getOneTemplate(templateId)).name],
      [true, 0, 'Old'],
    );
    service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'deleteTemplate', times: 1 });
    const { shown } = await remove('Delete');
    assert.ok(
      shown.some(({ text }) => text === '"Old" was deleted. The response was lost, but the service confirms it.'),
      JSON.stringify(shown),
    );
    await assert.rejects(() => service.other.getOneTemplate(templateId));
    assert.equal(service.received('deleteTemplate'), 1);
  });

  it('find a template that the service creates long after the request', async () => {
    await service.other.createTemplate({ name: 'Late' });
    service.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'createTemplate', times: 1 });
    service.forget();
    await answering('Check Again', async (shown) => {
      const waitForMessage = (pattern: RegExp) =>
        eventually(() =>
          assert.ok(
            shown.some(({ text }) => pattern.test(text)),
            JSON.stringify(shown),
          ),
        );
      assert.equal(await run('create', { connection: service.connection, name: 'Late' }), undefined);
      await waitForMessage(/^"Late" may have been created: The service doesn't show it yet/u);
      const { templateId } = await service.other.createTemplate({ name: 'Late' });
      await waitForMessage(/^"Late" was created\.$/u);
      const shownPath = () => vscode.window.activeTextEditor?.document.uri.path ?? '';
      await eventually(() => assert.ok(shownPath().includes(`/templates/${templateId}/`)));
    });
    // This window sent only one request; the other one is the test's.
    assert.equal(service.received('createTemplate'), 2);
  });

  it('do not create a template again with "Retry" if it can’t be read back', async () => {
    const readFault = service.sandbox.faults.add({ kind: 'status', status: 403, operation: 'getOneTemplate' });
    service.forget();
    const { result, shown } = await answering('Retry', () =>
      run('create', { connection: service.connection, name: 'Unread' }),
    );
    readFault.remove();
    assert.ok(result);
    assert.deepEqual(
      shown.map(({ buttons }) => buttons),
      [[]],
    );
    assert.match(shown[0]?.text ?? '', /^"Unread" was created\. Couldn't show the result/u);
    assert.equal(service.received('createTemplate'), 1);
  });
});

describe('mounting a service as a folder', () => {
  let service: TestService;
  const folders = () => vscode.workspace.workspaceFolders ?? [];
  const mounted = () => folders().find(({ uri }) => uri.toString() === service.uri('/').toString());

  beforeEach(async () => {
    service = await connectService();
  });

  afterEach(async () => {
    // VS Code ignores a change of the folders while another one is pending.
    await eventually(() => {
      const folder = mounted();
      if (folder !== undefined) vscode.workspace.updateWorkspaceFolders(folder.index, 1);
      assert.equal(mounted(), undefined);
    });
    await service.end();
  });

  it('shows its documents to everything that reads files', async () => {
    const folderUri = await vscode.commands.executeCommand<vscode.Uri>('mailing.connection.openFolder', {
      connection: service.connection,
    });
    assert.equal(folderUri.toString(), service.uri('/').toString());
    const folder = await eventually(() => mounted() ?? assert.fail('no folder'));
    assert.match(folder.name, /^Test \d+$/u);

    const below = async (uri: vscode.Uri) => (await vscode.workspace.fs.readDirectory(uri)).map(([name]) => name);
    assert.deepEqual((await below(folder.uri)).toSorted(), ['campaigns', 'follow-ups', 'templates']);
    const record = vscode.Uri.joinPath(folder.uri, 'templates', '1');
    const [html] = (await below(record)).filter((name) => name.endsWith('.html'));
    assert.ok(html);
    const uri = vscode.Uri.joinPath(record, html);
    assert.equal(vscode.workspace.getWorkspaceFolder(uri)?.uri.toString(), folder.uri.toString());
    assert.equal(vscode.workspace.asRelativePath(uri, false), `templates/1/${html}`);

    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.getText(), (await service.other.getOneTemplate(1)).body);
    await type(document, `${document.getText()}<!-- mounted -->`);
    assert.equal(await document.save(), true);
    assert.match((await service.other.getOneTemplate(1)).body ?? '', /<!-- mounted -->$/u);
  });

  it('mounts it once', async () => {
    const mount = () =>
      vscode.commands.executeCommand<vscode.Uri>('mailing.connection.openFolder', { connection: service.connection });
    await mount();
    await eventually(() => assert.ok(mounted()));
    const before = folders().length;
    await mount();
    assert.equal(folders().length, before);
  });
});
