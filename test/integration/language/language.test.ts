import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering, assertShown } from '../answers.ts';
import { connectService, revert, type, useService, type TestService } from '../service.ts';
import type { JsonObject } from '../../../src/service/client/shapes.ts';

/** The position after a text in a document. */
function behind(document: vscode.TextDocument, sign: string) {
  const at = document.getText().indexOf(sign);
  assert.ok(at >= 0, `“${sign}” is not in ${document.getText()}`);
  return document.positionAt(at + sign.length);
}

const labelOf = ({ label }: vscode.CompletionItem) => (typeof label === 'string' ? label : label.label);
const codeOf = ({ code }: vscode.Diagnostic) => String(typeof code === 'object' ? code.value : code);
/** The rules of tags, except for the missing unsubscribe link. */
const tagRules = ['unknown-tag', 'half-tag', 'condition', 'misplaced-tag', 'cut-tag'];
const ours = (uri: vscode.Uri) =>
  vscode.languages
    .getDiagnostics(uri)
    .filter((found) => found.source === 'Mailing Studio' && tagRules.includes(codeOf(found)));

describe('Tags in editors', () => {
  let service: TestService;
  let body: vscode.TextDocument;
  let details: vscode.TextDocument;

  before(async () => {
    service = await connectService();
    const { templateId } = await service.other.createTemplate({
      name: 'Tags',
      body: '<p>Hi</p>',
      subject: 'Hi',
      preheader: 'P',
    });
    body = await vscode.workspace.openTextDocument(service.uri(`/templates/${templateId}/Tags.html`));
    details = await vscode.workspace.openTextDocument(service.uri(`/templates/${templateId}/Tags.template.json`));
  });
  afterEach(async () => {
    for (const document of [body, details]) if (document.isDirty) await revert(document);
  });
  after(() => service.end());

  async function offered(document: vscode.TextDocument, position: vscode.Position, trigger: string) {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
      trigger,
    );
    return list.items;
  }

  it('are suggested after a brace, a colon and a bar, in the body and in links', async () => {
    await type(body, '<p>{</p><p>{subscriber:</p><p>{subscriber:name|</p><a href="{">x</a>');
    await eventually(async () => {
      const families = (await offered(body, behind(body, '<p>{'), '{')).map(labelOf);
      for (const name of ['subscriber', 'date', 'unsubscribe', 'if'])
        assert.ok(families.includes(name), `${name}: ${families.join(' ')}`);
    });
    assert.ok((await offered(body, behind(body, '{subscriber:'), ':')).map(labelOf).includes('name'));
    assert.ok((await offered(body, behind(body, 'name|'), '|')).map(labelOf).includes('default'));
    const link = (await offered(body, behind(body, 'href="{'), '{')).find((item) => labelOf(item) === 'unsubscribe');
    assert.ok(link?.insertText instanceof vscode.SnippetString);
    assert.equal(link.insertText.value, 'unsubscribe\\}{/unsubscribe\\}');
  });

  it('are suggested in the subject and the preheader if the service replaces them there', async () => {
    await type(details, '{\n  "name": "Tags {",\n  "subject": "\\"Hi\\" {",\n  "preheader": "{"\n}\n');
    await eventually(async () =>
      assert.ok((await offered(details, behind(details, 'Hi\\" {'), '{')).map(labelOf).includes('if')),
    );
    const preheader = (await offered(details, behind(details, 'preheader": "{'), '{')).map(labelOf);
    assert.ok(preheader.includes('subscriber') && !preheader.includes('if'), preheader.join(' '));
    assert.ok(!(await offered(details, behind(details, 'Tags {'), '{')).map(labelOf).includes('subscriber'));
  });

  it('are explained in a hover with their value', async () => {
    await type(body, '<p>{subscriber:name|part:first}</p>');
    await eventually(async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        body.uri,
        behind(body, '{subscriber'),
      );
      const text = hovers
        .flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value)))
        .join('\n');
      assert.match(text, /Ann/u);
      assert.match(text, /Replaced in: body, subject, preheader, headers/u);
      assert.ok(text.includes(`(command:mailing.showDocs?${encodeURIComponent('["tags","subscriber"]')} `), text);
    });
  });

  it('are renamed, highlighted and folded in pairs', async () => {
    await type(body, '{if:name=x}\n<p>{unsubscribe}a{/unsubscribe}</p>\n{/if}');
    const place = behind(body, '{unsub');
    const edit = await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        'vscode.executeDocumentRenameProvider',
        body.uri,
        place,
        'confirm',
      );
      assert.ok(found);
      return found;
    });
    const marked = await vscode.commands.executeCommand<vscode.DocumentHighlight[]>(
      'vscode.executeDocumentHighlights',
      body.uri,
      place,
    );
    assert.deepEqual(marked.map(({ range }) => body.getText(range)).toSorted(), ['{/unsubscribe}', '{unsubscribe}']);
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      body.uri,
    );
    assert.ok(folds.some(({ start, end }) => start === 0 && end === 1));
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(body.getText(), '{if:name=x}\n<p>{confirm}a{/confirm}</p>\n{/if}');
  });

  it('are ignored if the connection has no tags', async () => {
    const settings = vscode.workspace.getConfiguration('mailing');
    const before = settings.get<JsonObject[]>('connections', []);
    await type(body, '<p>{name}</p>');
    await eventually(() => assert.equal(ours(body.uri).length, 1));
    await settings.update(
      'connections',
      before.map((each) => (each['id'] === service.connection ? { ...each, tags: 'none' } : each)),
      vscode.ConfigurationTarget.Global,
    );
    await eventually(() => assert.deepEqual(ours(body.uri), []));
    await settings.update('connections', before, vscode.ConfigurationTarget.Global);
    await eventually(() => assert.equal(ours(body.uri).length, 1));
  });
});

describe('Placeholders of the visual editor', () => {
  const getService = useService('sample', { profile: 'acymailing' });
  const row = '<tr data-dynamic="{post:1| display:title}" class="a">\n<td><p>Preview</p>\n<i></i></td>\n</tr>';

  async function open() {
    const { other, uri } = getService();
    const { templateId } = await other.createTemplate({ name: 'P', body: `<table>\n${row}\n</table>`, subject: 'Hi' });
    const document = await vscode.workspace.openTextDocument(uri(`/templates/${templateId}/P.html`));
    return { document, editor: await vscode.window.showTextDocument(document) };
  }

  it('are folded, and explained like their tag', async () => {
    const { document } = await open();
    await eventually(async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        behind(document, 'Pre'),
      );
      const texts = hovers.flatMap(({ contents }) =>
        contents.map((each) => (typeof each === 'string' ? each : each.value)),
      );
      assert.ok(
        texts.some((text) => text.includes('**post**')),
        texts.join(),
      );
    });
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      document.uri,
    );
    assert.ok(folds.some(({ start, end }) => start === 1 && end === 3));
  });

  it('ask before they are edited, and restore what was typed in', async () => {
    const { document, editor } = await open();
    const before = document.getText();
    const at = behind(document, 'Pre');
    editor.selection = new vscode.Selection(at, at);
    await answering('Undo Edit', async (shown) => {
      await vscode.commands.executeCommand('type', { text: 'x' });
      await eventually(() => assertShown(shown, /placeholder of the visual editor/u));
      await eventually(() => assert.equal(document.getText(), before));
      await vscode.commands.executeCommand('type', { text: 'y' });
      await eventually(() => assert.match(document.getText(), /y/u));
      assert.equal(shown.length, 1);
    });
  });
});
