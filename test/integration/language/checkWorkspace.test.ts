import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering, assertShown } from '../answers.ts';
import { revert } from '../service.ts';
import { folder } from '../sourceControl/fixtures.ts';
import { withReplaced } from '../statistics/host.ts';

interface Result {
  readonly emails: number;
  readonly errors: number;
  readonly warnings: number;
}

const clean =
  '<!doctype html><html lang="en"><head><title>x</title></head><body><p style="font-size:16px">Hello</p></body></html>\n';
const faulty = clean.replace('Hello', 'Hello <img src="a.png">');

describe('Check Workspace', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await check('none.html');
    await folder.clear();
  });

  const check = (glob?: string) => vscode.commands.executeCommand<Result | undefined>('mailing.checkWorkspace', glob);
  const find = (name: string) =>
    vscode.languages.getDiagnostics(folder.uri(name)).filter(({ source }) => source === 'Mailing Studio');
  const names = (name: string) => find(name).map(({ code }) => String(typeof code === 'object' ? code.value : code));
  const count = (name: string, rule: string) => names(name).filter((each) => each === rule).length;

  it('checks mapped templates with all their files, and the files that mailing.json names', async () => {
    await folder.map({
      templates: [{ folder: 'emails/one', output: 'dist/one.html', ids: { other: 3 } }],
      connections: { other: { profile: 'acymailing' } },
      assets: { 'emails/img': 'https://cdn.example/mail' },
      checks: { files: ['campaigns/**'], rules: { 'image-alt': 'error' } },
    });
    folder.write(
      'dist/one.html',
      '<p>Hi</p>\n<img src="../emails/img/a.png" alt="Logo" width="10"><p>{subscriber:nam}</p>\n',
    );
    folder.write('emails/one/style.css', 'p { position: fixed }\n');
    folder.write('emails/one/template.json', '{\n  "name": "One",\n  "subject": "Hi {subscriber:nam}"\n}\n');
    folder.write('campaigns/a.html', faulty);
    folder.write('other.html', faulty);
    const result = await check();
    assert.deepEqual([result?.emails, (result?.errors ?? 0) > 0], [2, true]);
    assert.equal(
      find('campaigns/a.html').find(({ code }) => typeof code === 'object' && code.value === 'image-alt')?.severity,
      0,
    );
    // After an image whose path is shorter than its address.
    const [tag] = find('dist/one.html').filter(({ message }) => message.includes('nam'));
    assert.equal(tag?.range.start.character, 68, JSON.stringify(find('dist/one.html')));
    assert.ok(find('emails/one/style.css').length > 0);
    assert.deepEqual(find('other.html'), []);
    assert.ok(!find('dist/one.html').some(({ message }) => message.includes('img/a.png')));
  });

  it('shows the findings of an open document once, and follows its edits', async () => {
    folder.write('a.html', faulty);
    const document = await vscode.workspace.openTextDocument(folder.uri('a.html'));
    await revert(document);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('mailing.checkEmail', document.uri);
    assert.equal(count('a.html', 'image-alt'), 1);
    assert.equal((await check('*.html'))?.emails, 1);
    assert.equal(count('a.html', 'image-alt'), 1);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(faulty.indexOf('<img')), '<img src="b.png">');
    await vscode.workspace.applyEdit(edit);
    await eventually(() => {
      const related = find('a.html').flatMap(({ relatedInformation = [] }) => relatedInformation);
      assert.ok(count('a.html', 'image-alt') === 2 || related.length > 0);
    });
    // Closed without saving, it has the findings of the file.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await eventually(() => {
      assert.equal(count('a.html', 'image-alt'), 1);
      assert.ok(find('a.html').every(({ relatedInformation = [] }) => relatedInformation.length === 0));
    });
  });

  /** Waits until VS Code's file watcher reports changes. In a window on a busy machine, it starts more than half a minute late. */
  const waitForFileWatcher = async () => {
    const watcher = vscode.workspace.createFileSystemWatcher('**/probe.txt');
    let reports = 0;
    for (const event of [watcher.onDidCreate, watcher.onDidChange]) event(() => (reports += 1));
    let writes = 0;
    await eventually(
      () => {
        folder.write('probe.txt', String((writes += 1)));
        assert.ok(reports > 0, `The file watcher reports none of ${writes} changes.`);
      },
      { timeoutMs: 90_000 },
    ).finally(() => watcher.dispose());
  };

  it('follows the stylesheet of a file that is mapped later', async () => {
    folder.write('emails/later/body.html', clean);
    folder.write('emails/later/style.css', 'p { position: fixed }\n');
    await vscode.workspace.openTextDocument(folder.uri('emails/later/body.html'));
    await vscode.commands.executeCommand('mailing.checkEmail', folder.uri('emails/later/body.html'));
    await folder.map({ templates: [{ folder: 'emails/later', ids: { other: 3 } }] });
    await folder.type('emails/later/body.html', `${clean}\n`);
    await eventually(() => assert.ok(find('emails/later/style.css').length > 0));
    await folder.type('emails/later/style.css', 'p { color: #333 }\n');
    await eventually(() => assert.deepEqual(find('emails/later/style.css'), []));
  });

  it('removes the findings of emails that it no longer checks, and follows changes of closed files', async function () {
    await waitForFileWatcher();
    // In a new folder, the file watcher would miss what happens before it knows the folder.
    folder.write('old.html', faulty);
    folder.write('kept.html', faulty);
    assert.equal((await check('**/*.html'))?.emails, 2);
    assert.equal((await check('k*.html'))?.emails, 1);
    assert.deepEqual([find('old.html').length, count('kept.html', 'image-alt')], [0, 1]);
    await vscode.workspace.fs.writeFile(folder.uri('kept.html'), new TextEncoder().encode(clean));
    await eventually(() => assert.equal(count('kept.html', 'image-alt'), 0));
  });

  it('prompts for files if mailing.json names none, and reports files that it cannot read', async () => {
    folder.write('a.html', faulty);
    await vscode.workspace.fs.writeFile(folder.uri('c.html'), Uint8Array.from([60, 255, 254]));
    const prompted = withReplaced(
      vscode.window,
      'showInputBox',
      () => Promise.resolve('*.html'),
      () => answering(undefined, () => check()),
    );
    const { result, shown } = await prompted;
    assert.equal(result?.emails, 1);
    assertShown(shown, /^Couldn't check 1 email\. The log has the reason\.$/u);
    assert.equal(count('a.html', 'image-alt'), 1);
  });

  it('can be canceled, and keeps the findings so far', async () => {
    const large = clean.replace('Hello', '<img src="a.png">'.repeat(5000));
    for (let number = 0; number < 30; number += 1) folder.write(`many/${number}.html`, large);
    const { withProgress } = vscode.window;
    const progress = ((options, task) =>
      withProgress(options, (reporter) => {
        const source = new vscode.CancellationTokenSource();
        const running = task(reporter, source.token);
        source.cancel();
        return running;
      })) satisfies typeof withProgress;
    const result = await withReplaced(vscode.window, 'withProgress', progress, () => check('many/*.html'));
    assert.ok(result && result.emails < 30);
  });

  it('provides a task where the command is installed', async () => {
    const fetch = () => vscode.tasks.fetchTasks({ type: 'mailing' });
    assert.deepEqual(await fetch(), []);
    folder.write('node_modules/.bin/mailing', '');
    const [task] = await fetch();
    assert.deepEqual([task?.name, task?.source, task?.problemMatchers], ['check', 'mailing', ['$mailing']]);
  });
});
