import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering } from '../answers.ts';
import { closeEditors, revertAll } from '../service.ts';
import { folder } from '../sourceControl/fixtures.ts';
import { withReplaced } from '../statistics/host.ts';

const names = ['a', 'b', 'c'];
const path = (name: string) => `emails/${name}/body.html`;
const footer = '<p>Shop Ltd.\n  <a href="{unsubscribe}">Stop</a></p>';
const run = <T>(command: string, argument?: unknown) =>
  vscode.commands.executeCommand<T>(`mailing.parts.${command}`, argument);

/** Writes a file and saves it, so that it doesn't depend on file watchers. */
const write = async (name: string, text: string) => {
  folder.write(name, '');
  await folder.save(name, text);
};

describe('Linked parts in mapped templates', () => {
  beforeEach(async () => {
    for (const name of names)
      await write(path(name), name === 'c' ? '<h1>c</h1>' : `<h1>${name}</h1>\n<div>${footer}</div>`);
    await folder.map({ templates: names.map((name) => ({ folder: `emails/${name}`, ids: {} })) });
  });
  afterEach(async () => {
    await revertAll();
    await closeEditors();
    await folder.clear();
  });

  const extract = async (code: string, answer?: 'cancel') => {
    const document = await vscode.workspace.openTextDocument(folder.uri(path('a')));
    const editor = await vscode.window.showTextDocument(document);
    const start = document.getText().indexOf(code);
    editor.selection = new vscode.Selection(document.positionAt(start), document.positionAt(start + code.length));
    const accept =
      answer === 'cancel' ? 'workbench.action.closeQuickOpen' : 'workbench.action.acceptSelectedQuickOpenItem';
    let isDone = false;
    const extracted = run<string | undefined>('extract', { name: 'footer' });
    void Promise.resolve(extracted).finally(() => (isDone = true));
    await eventually(async () => {
      await vscode.commands.executeCommand(accept);
      assert.ok(isDone);
    });
    return extracted;
  };

  it('are extracted from all templates with the code', async () => {
    assert.equal(await extract(footer), 'footer');
    const linked = (name: string) => `<h1>${name}</h1>\n<div><!-- part: footer -->${footer}<!-- /part --></div>`;
    assert.equal(folder.read('mailing-parts/footer.html'), footer);
    assert.deepEqual(
      ['a', 'b'].map((name) => folder.read(path(name))),
      ['a', 'b'].map(linked),
    );
    assert.equal(folder.read(path('c')), '<h1>c</h1>');
  });

  it('stay as they are if the user cancels, or if the selection splits an element', async () => {
    assert.equal(await extract(footer, 'cancel'), undefined);
    const { shown } = await answering(undefined, () => extract('</h1>\n<div>'));
    assert.match(shown.map(({ text }) => text).join(''), /Select whole elements/u);
    assert.ok(!folder.has('mailing-parts/footer.html'));
    assert.ok(!folder.read(path('a')).includes('part'));
  });

  it('are updated as shown, with one confirmation if there are problems', async () => {
    const use = (content: string) => `<!-- part: footer -->${content}<!-- /part -->`;
    const slot = '<!-- slot: reason -->You ordered.<!-- /slot -->';
    await write('mailing-parts/footer.html', '<p>New</p>');
    await write(path('a'), use('<p>Old</p>'));
    await write(path('b'), use(`<p>Old ${slot}</p>`));
    assert.equal(await run('update'), 2);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Update Templates (2 files)');
    assert.equal(folder.read(path('a')), use('<p>Old</p>'));

    const refused = await answering(undefined, () => run('applyUpdate'));
    assert.equal(refused.result, undefined);
    assert.match(refused.shown.flatMap(({ detail }) => detail ?? []).join(), /b\/body\.html:1: .*Recipients see/u);

    const { result } = await answering('Update', () => run('applyUpdate'));
    assert.equal(result, 2);
    assert.equal(folder.read(path('a')), use('<p>New</p>'));
    const orphan = '<!-- orphan: reason -->You ordered.<!-- /orphan -->';
    assert.equal(folder.read(path('b')), use(`<p>New</p>${orphan}`));
  });

  it('are shown again if a file changes after the review', async () => {
    await write('mailing-parts/footer.html', '<p>New</p>');
    await write(path('a'), '<!-- part: footer --><p>Old</p><!-- /part -->');
    await run('update');
    await folder.type(path('a'), '<!-- part: footer --><p>Old</p><!-- /part --> more');
    await run('applyUpdate');
    assert.ok(folder.read(path('a')).includes('Old'));
    await run('applyUpdate');
    assert.equal(folder.read(path('a')), '<!-- part: footer --><p>New</p><!-- /part --> more');
  });

  it('are reported if nothing can be updated, with the place of each problem', async () => {
    await write('mailing-parts/footer.html', '<p>New</p>');
    await write(path('a'), '<p>Hello</p>\n<!-- part: header --><p>Old</p><!-- /part -->');
    const { result, shown } = await answering(undefined, () => run('update'));
    assert.equal(result, 0);
    assert.match(shown.map(({ text }) => text).join(), /a\/body\.html:2: There is no part "header"/u);
    const applied = await answering(undefined, () => run('applyUpdate'));
    assert.match(applied.shown.map(({ text }) => text).join(), /There is no part "header"/u);
  });

  it('are extracted from files with several kinds of line ends', async () => {
    folder.write('emails/mixed/body.html', `<h1>x</h1>\r\n<i>\n</i>\r\n<div>${footer}</div>\n`);
    await folder.map({ templates: [...names, 'mixed'].map((name) => ({ folder: `emails/${name}`, ids: {} })) });
    assert.equal(await extract(footer), 'footer');
    assert.equal(
      folder.read(path('mixed')).replaceAll('\r', ''),
      `<h1>x</h1>\n<i>\n</i>\n<div><!-- part: footer -->${footer}<!-- /part --></div>\n`,
    );
  });

  it('are not written into a text that changes meanwhile', async () => {
    await write('mailing-parts/footer.html', '<p>New</p>');
    for (const name of ['a', 'b']) await write(path(name), '<!-- part: footer --><p>Old</p><!-- /part -->');
    await run('update');
    const { openTextDocument } = vscode.workspace;
    const edited = await openTextDocument(folder.uri(path('a')));
    const open = async (uri: vscode.Uri) => {
      const document = await openTextDocument(uri);
      if (uri.path.endsWith(path('b'))) {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(edited.uri, new vscode.Position(0, 0), 'typed\n');
        await vscode.workspace.applyEdit(edit);
      }
      return document;
    };
    const { shown } = await withReplaced(vscode.workspace, 'openTextDocument', open as never, () =>
      answering(undefined, () => run('applyUpdate')),
    );
    assert.match(shown.map(({ text }) => text).join(), /a\/body\.html has changed\. Try again\./u);
    assert.equal(edited.getText(), 'typed\n<!-- part: footer --><p>Old</p><!-- /part -->');
    assert.ok(folder.read(path('b')).includes('Old'));
  });

  it('offer their update when they are saved', async () => {
    await write('mailing-parts/footer.html', '<p>Old</p>');
    await write(path('a'), '<!-- part: footer --><p>Old</p><!-- /part -->');
    const offered: unknown[] = [];
    const show = async (...message: unknown[]) => void offered.push(message);
    await withReplaced(vscode.window, 'showInformationMessage', show as never, async () => {
      await folder.save('mailing-parts/footer.html', '<p>New</p>');
      await eventually(() => assert.deepEqual(offered, [['Part "footer" has changed.', 'Update 1 Template…']]));
    });
  });
});
