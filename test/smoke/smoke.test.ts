import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { name, publisher, version } from '../../package.json';
import { eventually } from '../support/eventually.ts';

const own = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Mailing Studio');

const DOCUMENTS = ['changelog.md', 'license.txt', 'readme.md', 'security.md', 'third-party-notices'];

/** Runs with the packaged extension, as users install it. */
describe('the installed extension', () => {
  let uri: vscode.Uri;

  it('has the version of this package, and no files of developers', async () => {
    const extension = vscode.extensions.getExtension<unknown>(`${publisher}.${name}`);
    assert.ok(extension);
    const { version: installed, devDependencies } = extension.packageJSON as Record<string, unknown>;
    assert.deepEqual([installed, devDependencies], [version, undefined]);
    const files = (await vscode.workspace.fs.readDirectory(extension.extensionUri)).map(([file]) => file);
    const others = files.filter(
      (file) => !/^(?:package(?:\.nls(?:\.\w\w)?)?\.json|dist|media|\.vsixmanifest)$/u.test(file),
    );
    assert.deepEqual(others.map((file) => file.toLowerCase()).toSorted(), DOCUMENTS);
    await extension.activate();
  });

  it('opens a template of the sandbox', async () => {
    await vscode.commands.executeCommand('mailing.sandbox.start');
    const target = { connection: 'sandbox', collection: 'templates', id: 1 };
    ({ uri } = await vscode.commands.executeCommand<{ uri: vscode.Uri }>('mailing.record.open', target));
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.toString(), uri.toString());
    assert.match(document.getText(), /<\w/u);
  });

  it('previews it', async () => {
    await vscode.commands.executeCommand('mailing.preview', uri);
    await eventually(() => {
      const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
      assert.ok(inputs.some((input) => input instanceof vscode.TabInputWebview));
    });
  });

  it('reports a problem, and saves an edit', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '<a href="#">A link without a destination</a>\n');
    const before = own(uri).length;
    assert.ok(await vscode.workspace.applyEdit(edit));
    await eventually(() => assert.ok(own(uri).length > before));
    assert.ok(await document.save());
    const stored = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    assert.match(stored, /A link without a destination/u);
  });
});
