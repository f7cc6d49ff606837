import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from '../answers.ts';
import { eventually } from '../../support/eventually.ts';
import { connectService, extensionFile, type, type TestService } from '../service.ts';

interface Found {
  readonly connection: string;
  readonly id: number;
  readonly uri: vscode.Uri;
}

const run = <T = Found>(command: string, argument?: unknown): Thenable<T> => vscode.commands.executeCommand<T>(`mailing.template.${command}`, argument);

describe('commands on templates', () => {
  let service: TestService;

  before(async () => {
    service = await connectService();
  });
  after(() => service.end());
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('open each document of a template', async () => {
    const target = { connection: service.connection, id: 1 };
    for (const [command, suffix, language] of [
      ['open', '.html', 'html'],
      ['openStylesheet', '.css', 'css'],
      ['openDetails', '.template.json', 'json'],
    ] as const) {
      const found = await run(command, target);
      assert.deepEqual([found.connection, found.id], [service.connection, 1]);
      assert.ok(found.uri.path.endsWith(suffix));
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.uri.toString(), found.uri.toString());
      assert.equal(document?.languageId, language);
    }
  });

  it('take an id as text, and the address of a document', async () => {
    const found = await run('open', { connection: service.connection, id: '1' });
    assert.equal(found.id, 1);
    const details = await run('openDetails', found.uri);
    assert.equal(details.id, 1);
  });

  it('make a template of given fields, and open it', async () => {
    const made = await run('create', { connection: service.connection, name: 'Made here', subject: 'Hi', body: '<p>Hi</p>', stylesheet: 'p {}' });
    const template = await service.other.getOneTemplate(made.id);
    assert.deepEqual([template.name, template.subject, template.body, template.stylesheet], ['Made here', 'Hi', '<p>Hi</p>', 'p {}']);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), '<p>Hi</p>');
  });

  it('duplicate a template with all its fields, also one made by drag and drop, to be edited', async () => {
    for (const templateType of ['standard', 'drag'] as const) {
      const original = (await service.other.getTemplates({ templateType, limit: 1 }))[0];
      assert.ok(original);
      const copy = await run('duplicate', { connection: service.connection, id: original.id });
      const [one, other] = [await service.other.getOneTemplate(original.id), await service.other.getOneTemplate(copy.id)];
      assert.equal(other.name, `${one.name} (copy)`);
      assert.equal(other.drag_editor, 0);
      assert.deepEqual([other.body, other.subject, other.preheader, other.from_email], [one.body, one.subject, one.preheader, one.from_email]);
    }
  });

  it('copy a template to another service', async () => {
    const target = await connectService();
    try {
      const { templateId } = await service.other.createTemplate({ name: 'To be copied', body: '<b>x</b>', stylesheet: 'b {}' });
      const copy = await run('copyTo', { connection: service.connection, id: templateId, to: target.connection });
      assert.equal(copy.connection, target.connection);
      const template = await target.other.getOneTemplate(copy.id);
      assert.deepEqual([template.name, template.body, template.stylesheet], ['To be copied', '<b>x</b>', 'b {}']);
    } finally {
      await target.end();
    }
  });

  it('show the differences before they replace a template of the same name on another service', async () => {
    const target = await connectService();
    try {
      const { templateId } = await service.other.createTemplate({ name: 'Namesake', body: '<b>new</b>', stylesheet: 'b {}' });
      const { templateId: theirs } = await target.other.createTemplate({ name: 'Namesake', body: '<b>old</b>' });
      const cancelled = await answering(undefined, () => run('copyTo', { connection: service.connection, id: templateId, to: target.connection }));
      assert.equal(cancelled.result, undefined);
      assert.ok(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(({ label }) => /Namesake: Test \d+ ↔ copy/u.test(label)));
      assert.equal((await target.other.getOneTemplate(theirs)).body, '<b>old</b>');
      const { result } = await answering('Replace', () => run('copyTo', { connection: service.connection, id: templateId, to: target.connection }));
      assert.equal(result?.id, theirs);
      const template = await target.other.getOneTemplate(theirs);
      assert.deepEqual([template.body, template.stylesheet], ['<b>new</b>', 'b {}']);
    } finally {
      await target.end();
    }
  });

  it('preview a template, and a local file', async () => {
    await run('preview', { connection: service.connection, id: 1 });
    const previews = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ input }) => input instanceof vscode.TabInputWebview);
    await eventually(() => assert.equal(previews().length, 1));
    await run('preview', vscode.Uri.file(extensionFile('media/starters/letter.html')));
    await eventually(() => assert.equal(previews().length, 2));
  });

  it('tell a failure and return nothing', async () => {
    assert.equal(await run('open', { connection: service.connection, id: 999_999 }), undefined);
    assert.equal(await run('open', { connection: 'nobody', id: 1 }), undefined);
  });

  it('make one template when the answer to that is lost, and do not try again', async () => {
    service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'createTemplate', times: 1 });
    service.forget();
    assert.equal(await run('create', { connection: service.connection, name: 'Lost' }), undefined);
    assert.equal(service.received('createTemplate'), 1);
  });
});

describe('mounting a service as a folder', () => {
  it('shows its documents to everything that reads files', async () => {
    const service = await connectService();
    try {
      const document = await vscode.workspace.openTextDocument(service.uri('/templates/1/x.html'));
      await type(document, `${document.getText()}<!-- mounted -->`);
      assert.equal(await document.save(), true);
      assert.match((await service.other.getOneTemplate(1)).body ?? '', /<!-- mounted -->$/u);
    } finally {
      await service.end();
    }
  });
});
