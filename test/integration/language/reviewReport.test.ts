import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { answering, assertShown } from '../answers.ts';
import { type, useService } from '../service.ts';
import { folder, withHead } from '../sourceControl/fixtures.ts';
import { withReplaced } from '../statistics/host.ts';

interface Result {
  readonly uri: vscode.Uri;
  readonly emails: number;
}

const picture = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

describe('Create Review Report', () => {
  const service = useService('sample');
  const write = () => {
    folder.write('emails/one/body.html', '<p>same</p><p>new</p><img src="../img/a.gif" alt="A">');
    folder.write('emails/one/template.json', '{ "name": "One", "subject": "Hello" }\n');
    folder.write('emails/two/body.html', '<p>two</p>');
    folder.write('emails/img/a.gif', picture.toString('latin1'));
    return folder.map({
      templates: [
        { folder: 'emails/one', ids: { other: 3 } },
        { folder: 'emails/two', ids: { other: 4 } },
      ],
      connections: { other: { profile: 'acymailing', baseUrl: 'https://news.example/' } },
    });
  };
  afterEach(() => folder.clear());

  const create = (argument?: object, selected?: object, name: string | undefined = 'report.html') =>
    withReplaced(vscode.window, 'showSaveDialog', (async () => name && folder.uri(name)) as never, () =>
      answering(undefined, () =>
        vscode.commands.executeCommand<Result | undefined>('mailing.createReviewReport', argument, selected),
      ),
    );

  it('writes the email of a file beside its version in HEAD', async () => {
    await write();
    const file = folder.uri('emails/one/body.html');
    const { result, shown } = await withHead(
      { [file.fsPath]: '<p>same</p><p>old</p><img src="../img/a.gif" alt="A">' },
      () => create(file),
    );
    assert.equal(result?.emails, 1);
    assert.deepEqual(
      shown.map(({ text, buttons }) => [text, ...buttons]),
      [['Created report.html.', 'Open File']],
    );
    const html = folder.read('report.html');
    assert.match(html, /<title>Review of 1 email<\/title>/u);
    assert.match(html, /emails\/one<\/h2>/u);
    assert.match(html, /1 changed block · [^·]+KB/u);
    assert.match(html, /Before \(HEAD\)/u);
    assert.match(html, /<ins>Hello<\/ins>/u);
    assert.match(html, /data:image\/gif;base64/u);
    assert.doesNotMatch(html, /<script/u);
  });

  it('names the linked part whose update is all that changed', async () => {
    await write();
    const use = (text: string) => `<!-- part: footer --><p>${text}</p><!-- /part -->`;
    folder.write('mailing-parts/footer.html', '<p>New</p>');
    folder.write('emails/two/body.html', use('New'));
    const file = folder.uri('emails/two/body.html');
    await withHead({ [file.fsPath]: use('Old') }, () => create(file));
    assert.match(folder.read('report.html'), /1 changed block · changed by part footer · [^·]+KB/u);
  });

  it('writes the selected templates of a service, with unsaved changes', async () => {
    const { connection } = service();
    const [one, two] = await service().other.getTemplates({ limit: 2 });
    assert.ok(one && two);
    const node = (id: number) => ({ kind: 'record', connection, collection: 'templates', id });
    const document = await vscode.workspace.openTextDocument(service().uri(`/templates/${one.id}/x.html`));
    await type(document, `${document.getText()}<p>Unsaved text</p>`);
    const { result } = await create(node(one.id), [node(one.id), node(two.id)]);
    assert.equal(result?.emails, 2);
    const html = folder.read('report.html');
    assert.match(html, /Before \(Test \d+\)/u);
    assert.match(html, /Unsaved text/u);
    assert.match(html, /No changes/u);
  });

  it('writes all mapped templates, and asks which ones', async () => {
    await write();
    let picked: readonly vscode.QuickPickItem[] = [];
    const { createQuickPick } = vscode.window;
    const accepting = () => {
      const quickPick = createQuickPick();
      const [accepted, hidden] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
      return Object.assign(Object.create(quickPick) as object, {
        selectedItems: [],
        onDidAccept: accepted.event,
        onDidHide: hidden.event,
        hide: () => hidden.fire(),
        dispose: () => quickPick.dispose(),
        show(this: { selectedItems: readonly vscode.QuickPickItem[] }) {
          picked = this.selectedItems;
          accepted.fire();
        },
      });
    };
    const { result } = await withReplaced(vscode.window, 'createQuickPick', accepting as never, () => create());
    assert.deepEqual(
      picked.map(({ label }) => label),
      ['emails/one', 'emails/two'],
    );
    assert.equal(result?.emails, 2);
    assert.match(folder.read('report.html'), /https:\/\/news\.example\/|two/u);
  });

  it('writes nothing if the user cancels, and reports a target that can’t be written', async () => {
    await write();
    const file = folder.uri('emails/one/body.html');
    assert.equal((await create(file, undefined, '')).result, undefined);
    assert.ok(!existsSync(folder.path('report.html')));
    mkdirSync(folder.path('taken.html'));
    const { result, shown } = await create(file, undefined, 'taken.html');
    assert.equal(result, undefined);
    assertShown(shown, /Create Review Report/u);
    assert.deepEqual(readdirSync(folder.path('taken.html')), []);
  });

  it('stops when the user cancels the progress', async () => {
    await write();
    const progress = async (_: object, task: (progress: object, token: object) => Promise<unknown>) =>
      task(
        { report: () => undefined },
        { onCancellationRequested: (cancel: () => void) => (cancel(), { dispose: () => undefined }) },
      );
    // Progress is shown after a delay.
    const { setTimeout } = globalThis;
    const soon = (run: () => void, ms?: number) => setTimeout(run, ms === 500 ? 0 : ms);
    const { result, shown } = await withReplaced(vscode.window, 'withProgress', progress as never, () =>
      withReplaced(globalThis, 'setTimeout', soon as never, () => create(folder.uri('emails/one/body.html'))),
    );
    assert.deepEqual([result, shown], [undefined, []]);
    assert.ok(!existsSync(folder.path('report.html')));
  });
});
