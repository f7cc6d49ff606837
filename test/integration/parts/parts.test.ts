import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering } from '../answers.ts';
import { closeEditors, extensionId, revert, revertAll, type } from '../service.ts';
import { folder } from '../sourceControl/fixtures.ts';

const use = (content: string) =>
  `<p>Hi</p>\n<!-- part: footer -->\n${content}<!-- slot: reason -->ours<!-- /slot -->\n<!-- /part -->\n`;
const part = '\n<p>Shop Ltd.</p>\n<!-- slot: reason -->You asked.<!-- /slot -->\n';
const current = use('<p>Shop Ltd.</p>\n');

describe('Linked parts in editors', () => {
  before(() => vscode.extensions.getExtension(extensionId)?.activate());
  beforeEach(async () => {
    folder.write(
      'mailing.json',
      JSON.stringify({ templates: [{ folder: 'one' }], checks: { files: ['mails/*.html'] } }),
    );
    folder.write('mailing-parts/footer.html', part);
    folder.write('one/body.html', current);
    folder.write('mails/two.html', use('old\n'));
    for (const name of ['mailing-parts/footer.html', 'one/body.html', 'mails/two.html']) await open(name);
  });
  afterEach(async () => {
    await revertAll();
    await closeEditors();
    await folder.clear();
  });

  async function open(name: string) {
    const document = await vscode.workspace.openTextDocument(folder.uri(name));
    await revert(document);
    await vscode.window.showTextDocument(document);
    return document;
  }
  const lenses = async (name: string) => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      folder.uri(name),
      9,
    );
    return found.map(({ command }) => command?.title).filter((title) => /linked|template/u.test(title ?? ''));
  };
  const at = (document: vscode.TextDocument, text: string) =>
    document.positionAt(document.getText().indexOf(text) + text.length);
  const places = (locations: readonly vscode.Location[]) =>
    locations.map(({ uri, range }) => `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`).sort();

  it('show uses over the part and over each use, also for unsaved texts', async () => {
    const document = await open('mails/two.html');
    await eventually(async () => assert.deepEqual(await lenses('mails/two.html'), ['linked · 1 slot · out of date']));
    const file = await open('mailing-parts/footer.html');
    await eventually(async () =>
      assert.deepEqual(await lenses('mailing-parts/footer.html'), ['in 2 templates, 1 out of date']),
    );
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(2, 0, 3, 0), '<p>Shop Ltd.</p>\n');
    await vscode.workspace.applyEdit(edit);
    await eventually(async () => assert.deepEqual(await lenses('mailing-parts/footer.html'), ['in 2 templates']));
    const change = new vscode.WorkspaceEdit();
    change.insert(file.uri, new vscode.Position(1, 3), 'New ');
    await vscode.workspace.applyEdit(change);
    await eventually(async () =>
      assert.deepEqual(await lenses('mailing-parts/footer.html'), ['in 2 templates, 2 out of date']),
    );
  });

  it('have a preview inside the first template that uses them', async () => {
    await open('mailing-parts/footer.html');
    await vscode.commands.executeCommand('mailing.preview');
    const titles = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    await eventually(() => assert.ok(titles().includes('Preview footer.html in two.html'), titles().join()));
    folder.write('mailing-parts/other.html', 'Other');
    await open('mailing-parts/other.html');
    await eventually(() => assert.ok(titles().includes('Preview other.html'), titles().join()));
  });

  it('report parts that are out of date, and update them by a quick fix', async () => {
    const document = await open('mails/two.html');
    await vscode.commands.executeCommand('mailing.checkEmail', document.uri);
    const find = () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .filter(({ code }) => typeof code === 'object' && code.value === 'part-outdated');
    const [diagnostic] = find();
    assert.ok(diagnostic);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      diagnostic.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const fix = actions.find(({ title }) => title === 'Update part "footer"')?.edit;
    assert.ok(fix, actions.map(({ title }) => title).join());
    await vscode.workspace.applyEdit(fix);
    assert.equal(document.getText(), current);
    await eventually(() => assert.deepEqual(find(), []));
  });

  it('find definitions and references, and rename parts and slots everywhere', async () => {
    const document = await open('mails/two.html');
    const run = (command: string, text: string) =>
      vscode.commands.executeCommand<vscode.Location[]>(
        `vscode.execute${command}Provider`,
        document.uri,
        at(document, text),
      );
    await eventually(async () =>
      assert.deepEqual(places(await run('Definition', '<!-- part: foo')), ['mailing-parts/footer.html:1']),
    );
    assert.deepEqual(places(await run('Definition', '<!-- slot: re')), ['mailing-parts/footer.html:3']);
    assert.deepEqual(places(await run('Reference', '<!-- part: foo')), [
      ...['mailing-parts/footer.html:1', 'mails/two.html:2', 'one/body.html:2'],
    ]);
    assert.deepEqual(places(await run('Reference', '<!-- slot: re')), [
      ...['mailing-parts/footer.html:3', 'mails/two.html:4', 'one/body.html:4'],
    ]);
    const rename = async (text: string, name: string) => {
      const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        'vscode.executeDocumentRenameProvider',
        document.uri,
        at(document, text),
        name,
      );
      assert.ok(await vscode.workspace.applyEdit(edit));
      await vscode.workspace.saveAll();
    };
    await rename('<!-- slot: re', 'why');
    await rename('<!-- part: foo', 'legal');
    for (const [name, text] of [
      ['mails/two.html', use('old\n')],
      ['one/body.html', current],
      ['mailing-parts/legal.html', part],
    ] as const)
      assert.equal(folder.read(name), text.replaceAll('footer', 'legal').replaceAll('reason', 'why'));
    assert.ok(!folder.has('mailing-parts/footer.html'));
    await assert.rejects(rename('<!-- part: leg', '../x'), /a-z/u);
    await assert.rejects(rename('<p>H', 'x'));
  });

  it('complete names in marks', async () => {
    folder.write('mailing-parts/button.html', '<a href="[[href]]">[[ label ]]</a>');
    await type(await open('mailing-parts/footer.html'), `${part}<!-- slot: more --><!-- /slot -->`);
    const document = await open('mails/two.html');
    const complete = async (line: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, document.lineAt(2).range, `${line} -->`);
      await vscode.workspace.applyEdit(edit);
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(2, line.length),
      );
      // VS Code also suggests the words of the document.
      const own = items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text);
      return own.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    const includes = (found: readonly string[], ...names: readonly string[]) =>
      assert.ok(
        names.every((name) => found.includes(name)),
        found.join(),
      );
    await eventually(async () => includes(await complete('<!-- part: '), 'button', 'footer'));
    includes(await complete('<!-- part: button href="x y" '), 'href', 'label');
    const slots = await complete('<!-- slot: ');
    assert.ok(slots.includes('more') && !slots.includes('reason'), slots.join());
  });

  it('ask once what an edit in a linked text should change, and lose no text', async () => {
    const document = await open('one/body.html');
    await eventually(async () => assert.deepEqual(await lenses('one/body.html'), ['linked · 1 slot']));
    const typeAt = async (text: string, typed: string) => {
      const editor = await vscode.window.showTextDocument(document);
      const position = at(document, text);
      editor.selection = new vscode.Selection(position, position);
      await vscode.commands.executeCommand('type', { text: typed });
    };
    const { shown } = await answering('Undo', async (messages) => {
      await typeAt('our', 'x');
      await typeAt('Shop', 'y');
      await eventually(() => assert.equal(messages.length, 1));
      await eventually(() => assert.equal(document.getText(), current.replace('ours', 'ourxs')));
      return undefined;
    });
    assert.deepEqual(shown[0]?.buttons, ['Edit the Part', 'Edit Here Only', 'Undo']);
    await answering('Undo', async (messages) => {
      await typeAt('Shop', 'y');
      await eventually(async () => assert.deepEqual(await lenses('one/body.html'), ['linked · 1 slot · out of date']));
      assert.deepEqual(messages, []);
    });
    assert.match(document.getText(), /Shopy/u);
  });

  it('unlink a use in a file that was closed and changed since the question', async () => {
    const uri = folder.uri('mails/closed.html');
    folder.write('mails/closed.html', use('old\n'));
    await vscode.commands.executeCommand('vscode.open', uri);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    let isAnswered = false;
    const answer = async () => {
      await editor.document.save();
      await closeEditors();
      await eventually(() => assert.ok(editor.document.isClosed));
      folder.write('mails/closed.html', `<p>Long line</p>\n${use('other\n')}`);
      isAnswered = true;
      return 'Edit Here Only';
    };
    await answering(answer, async () => {
      const position = at(editor.document, 'old');
      editor.selection = new vscode.Selection(position, position);
      await vscode.commands.executeCommand('type', { text: '!' });
      await eventually(() => assert.ok(isAnswered));
      await eventually(async () => {
        const text = (await vscode.workspace.openTextDocument(uri)).getText();
        assert.equal(text, '<p>Long line</p>\n<p>Hi</p>\n\nother\nours\n\n');
      });
    });
  });

  it('unlink a use, or open the part at the place of the edit', async () => {
    folder.write('mails/three.html', current);
    for (const [name, answer] of [
      ['mails/two.html', 'Edit Here Only'],
      ['mails/three.html', 'Edit the Part'],
    ] as const) {
      const document = await open(name);
      await eventually(async () => assert.equal((await lenses(name)).length, 1));
      await answering(answer, async (messages) => {
        const editor = await vscode.window.showTextDocument(document);
        const position = at(document, name === 'mails/three.html' ? 'Shop' : 'old');
        editor.selection = new vscode.Selection(position, position);
        for (const text of ['!', '!']) await vscode.commands.executeCommand('type', { text });
        await eventually(() => assert.equal(messages.length, 1));
        if (answer === 'Edit Here Only')
          await eventually(() => assert.equal(document.getText(), '<p>Hi</p>\n\nold!!\nours\n\n'));
        else
          await eventually(() => {
            const active = vscode.window.activeTextEditor;
            assert.equal(vscode.workspace.asRelativePath(active?.document.uri ?? ''), 'mailing-parts/footer.html');
            assert.deepEqual([active?.selection.active.line, active?.selection.active.character], [1, 7]);
          });
      });
    }
  });
});
