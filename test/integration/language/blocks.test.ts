import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { expandSnippet } from '../../../src/email/compose/blocks.ts';
import { eventually } from '../../support/eventually.ts';
import { assertShown, answering } from '../answers.ts';
import { closeEditors, connectService, extensionFile, revert, type, type TestService } from '../service.ts';
import { folder, picking } from '../sourceControl/fixtures.ts';
import { withReplaced } from '../statistics/host.ts';

const read = (name: string) => readFileSync(extensionFile(`media/blocks/${name}`), 'utf8').trimEnd();
const names = Object.keys(JSON.parse(read('index.json')) as object);
const labelOf = ({ label }: vscode.CompletionItem) => (typeof label === 'string' ? label : label.label);

describe('Blocks of emails', () => {
  let service: TestService;
  let body: vscode.TextDocument;
  let editor: vscode.TextEditor;

  before(async () => {
    service = await connectService();
    const { templateId } = await service.other.createTemplate({ name: 'Blocks', body: '<p>Hi</p>', subject: 'Hi' });
    body = await vscode.workspace.openTextDocument(service.uri(`/templates/${templateId}/Blocks.html`));
    editor = await vscode.window.showTextDocument(body);
    // Blocks are indented with tabs, which VS Code replaces if the editor uses spaces.
    editor.options = { insertSpaces: false, tabSize: 4 };
  });
  afterEach(async () => {
    await folder.clear();
    if (body.isDirty) await revert(body);
  });
  after(() => service.end());

  /** Types a text and selects the part between two bars, or places the cursor at the only one. */
  async function select(marked: string) {
    const [before = '', selected = '', after] = marked.split('|');
    await type(body, before + selected + (after ?? ''));
    await vscode.window.showTextDocument(body);
    const [start, end] = [body.positionAt(before.length), body.positionAt((before + selected).length)];
    editor.selection = after === undefined ? new vscode.Selection(end, end) : new vscode.Selection(start, end);
  }

  async function listOffered(marked: string) {
    await select(marked);
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      body.uri,
      editor.selection.active,
      '!',
    );
    return list.items.filter(
      (item) => labelOf(item).startsWith('!') && item.kind === vscode.CompletionItemKind.Snippet,
    );
  }

  const insert = (argument?: string, command = 'insertBlock') =>
    vscode.commands.executeCommand<boolean>(`mailing.${command}`, argument);

  for (const name of names)
    it(`inserts ${name} as its tests compose it`, async () => {
      await type(body, '');
      await vscode.window.showTextDocument(body);
      assert.equal(await insert(name), true);
      assert.equal(body.getText(), expandSnippet(read(`${name}.html`)));
    });

  it('are suggested between elements, and replace what was typed', async () => {
    const offered = await listOffered('<p>Hello</p>!butt');
    assert.deepEqual(
      names.filter((name) => !offered.some((item) => labelOf(item) === `!${name}`)),
      [],
    );
    const button = offered.find((item) => labelOf(item) === '!button');
    assert.ok(button?.range instanceof vscode.Range && button.insertText instanceof vscode.SnippetString);
    assert.equal(body.getText(button.range), '!butt');
    assert.equal(button.insertText.value, read('button.html'));
    assert.equal((await listOffered('<p>')).length >= names.length, true);
  });

  it('are not suggested in tags, comments and stylesheets', async () => {
    for (const text of ['<p class="a !', '<!-- a !', '<!--[if mso]><p>!', '<style>p { color: red !'])
      assert.deepEqual((await listOffered(text)).map(labelOf), [], text);
    assert.ok((await listOffered('<style>a { color: red }</style><!-- a --><p>!')).length > 0);
  });

  it('wrap the selection in a condition, a link or a ghost table', async () => {
    for (const name of ['condition', 'link', 'ghost-table']) {
      await select('<p>One</p>|<p>Two</p>|<p>Three</p>');
      assert.equal(await insert(name, 'wrapWithBlock'), true);
      const selection = /\$\{TM_SELECTED_TEXT:(?:\$\{2:[^}]*\}|[^}])*\}/u;
      const block = expandSnippet(read(`${name}.html`).replace(selection, '<p>Two</p>'));
      assert.equal(body.getText(), `<p>One</p>${block}<p>Three</p>`);
    }
  });

  it('offer only those that can wrap when wrapping', async () => {
    await select('|<p>Two</p>|');
    let labels: readonly string[] = [];
    const choose = (items: readonly vscode.QuickPickItem[]) => {
      labels = items.map(({ description = '' }) => description);
      return items.find(({ description }) => description === '!link');
    };
    assert.equal(await picking(choose, () => insert(undefined, 'wrapWithBlock')), true);
    assert.deepEqual(labels, ['!condition', '!ghost-table', '!link', '']);
    assert.match(body.getText(), /^<a [^>]*><p>Two<\/p><\/a>$/u);
  });

  it('are refused inside a tag', async () => {
    await select('<p class="');
    const { shown } = await answering(undefined, () => insert('button'));
    assertShown(shown, /^Insert Block: Place the cursor between elements/u);
    assert.equal(body.getText(), '<p class="');
  });

  it('show on a page with a preview', async () => {
    await select('<p>Hi</p>');
    assert.equal(
      await picking(
        (items) => items.at(-1),
        () => insert(),
      ),
      false,
    );
    await eventually(() =>
      assert.ok(
        vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.includes('blocks.html'))),
      ),
    );
    const page = await vscode.workspace.openTextDocument(vscode.Uri.parse('mailing-blocks:/blocks.html'));
    for (const name of names) assert.ok(page.getText().includes(expandSnippet(read(`${name}.html`))), name);
    await closeEditors();
    editor = await vscode.window.showTextDocument(body);
    editor.options = { insertSpaces: false, tabSize: 4 };
  });

  describe('of a workspace', () => {
    it('are offered with their names as text, and with their problems', async () => {
      folder.write('mailing-blocks/greeting.html', '<p>${1:Hi {subscriber:name\\}}</p>\n');
      folder.write('mailing-blocks/$(bug) [x](command:y).html', '<p><img src="https://images.example.com/a.png"></p>');
      folder.write('mailing-blocks/notes.txt', '<p>Notes</p>');
      const assertSnippet = async (text: string) => {
        const greeting = (await listOffered('<p>Hello</p>!')).find((item) => labelOf(item) === '!greeting');
        assert.ok(greeting?.insertText instanceof vscode.SnippetString);
        assert.equal(greeting.insertText.value, text);
      };
      await assertSnippet('<p>${1:Hi {subscriber:name\\}}</p>');
      let items: readonly vscode.QuickPickItem[] = [];
      await picking(
        (all) => ((items = all), undefined),
        () => insert(),
      );
      const [hostile, own] = ['bug', 'greeting'].map((name) => items.find(({ label }) => label.includes(name)));
      assert.equal(hostile?.label, '$\u200b(bug) [x]\u200b(command:y)');
      assert.match(hostile.detail ?? '', /^\$\(warning\) .*alt/u);
      assert.equal(own?.detail, '');
      assert.ok(!items.some(({ label }) => label.includes('notes')));
      assert.equal(await insert('greeting'), true);
      assert.ok(body.getText().includes('<p>Hi {subscriber:name}</p>'), body.getText());
      folder.write('mailing-blocks/greeting.html', '<p>Bye</p>');
      await assertSnippet('<p>Bye</p>');
    });

    it('are ignored if they are links, too large, or in an untrusted folder', async () => {
      const outside = makeScratch();
      try {
        writeFileSync(join(outside, 'secret.html'), '<p>Secret</p>');
        mkdirSync(folder.path('mailing-blocks'));
        symlinkSync(join(outside, 'secret.html'), folder.path('mailing-blocks/secret.html'));
        folder.write('mailing-blocks/large.html', 'x'.repeat(64 * 1024 + 1));
        folder.write('mailing-blocks/small.html', '<p>Small</p>');
        const list = async () =>
          (await listOffered('<p>!')).map(labelOf).filter((name) => !names.includes(name.slice(1)));
        assert.deepEqual(await list(), ['!small']);
        await withReplaced(vscode.workspace, 'isTrusted', false, async () => assert.deepEqual(await list(), []));
        await folder.clear();
        symlinkSync(outside, folder.path('mailing-blocks'));
        assert.deepEqual(await list(), []);
      } finally {
        await folder.clear();
        removeScratch(outside);
      }
    });
  });
});
