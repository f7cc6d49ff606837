import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { connectService, revert, type, type TestService } from '../service.ts';

describe('Formatting emails', () => {
  let service: TestService;
  let body: vscode.TextDocument;

  before(async () => {
    service = await connectService();
    const { templateId } = await service.other.createTemplate({ name: 'Format', body: '<p>Hi</p>', subject: 'Hi' });
    body = await vscode.workspace.openTextDocument(service.uri(`/templates/${templateId}/Format.html`));
    await vscode.window.showTextDocument(body);
  });
  afterEach(() => revert(body));
  after(() => service.end());

  it('indents a document of a service, as a command and as a formatter', async () => {
    const [flat, formatted] = ['<div><p>One</p></div>', '<div>\n  <p>One</p>\n</div>'];
    await type(body, flat);
    assert.equal(await vscode.commands.executeCommand('mailing.format', body.uri), true);
    assert.equal(body.getText().replace(/ {4}|\t/gu, '  '), formatted);
    await type(body, flat);
    const edits = await vscode.commands.executeCommand<readonly vscode.TextEdit[]>(
      'vscode.executeFormatDocumentProvider',
      body.uri,
      { tabSize: 2, insertSpaces: true },
    );
    const edit = new vscode.WorkspaceEdit();
    edit.set(body.uri, [...edits]);
    await vscode.workspace.applyEdit(edit);
    assert.ok([formatted].includes(body.getText()), body.getText());
  });
});
