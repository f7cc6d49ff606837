import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { WorkspaceFiles } from '../../../src/platform/documents/workspaceFiles.ts';
import type { Answer } from '../answers.ts';
import { startSandbox } from '../../support/sandbox/index.ts';
import { extensionFile, revert } from '../service.ts';
import { folder, run, formatMessages, useMapped } from './fixtures.ts';

describe('confirmations of mapped templates', () => {
  const { service, entry, mine, stored, change, updates } = useMapped('emails/notice', {
    name: 'Notice',
    body: '<p>one</p>\n<p>two</p>\n<p>three</p>',
  });
  const [body, details] = ['emails/notice/body.html', 'emails/notice/template.json'];
  /** Runs a task while the first confirmation is open and answers all confirmations. */
  const runDuringConfirmation = (
    task: () => PromiseLike<void> | void,
    ...answers: readonly (string | undefined)[]
  ): Answer => {
    let count = 0;
    return async ({ modal }) => {
      if (!modal) return undefined;
      count += 1;
      if (count === 1) await task();
      return answers[count - 1];
    };
  };

  beforeEach(async () => {
    await folder.map({ templates: [entry()] });
    await run('pull', mine());
  });

  it('stores nothing that changed while the confirmation was open, and asks again', async () => {
    const checkOut = () => {
      folder.write(body, '<p>checked out</p>');
      folder.write(details, folder.read(details).replace('Hello', 'Checked out'));
    };
    for (const [text, second, expected] of [
      ['<p>first</p>', undefined, ['<p>one</p>\n<p>two</p>\n<p>three</p>', 'Hello']],
      ['<p>second</p>', 'Push', ['<p>checked out</p>', 'Checked out']],
    ] as const) {
      folder.write(body, text);
      folder.write(details, folder.read(details).replace('Checked out', 'Hello'));
      const { result, shown } = await run('push', mine(), runDuringConfirmation(checkOut, 'Push', second));
      const [question, again] = shown.filter(({ modal }) => modal);
      assert.match(question?.detail ?? '', /: body$/u);
      assert.match(
        again?.detail ?? '',
        /^emails\/notice → Test \d+ #\d+: (?:body, subject|subject, body)\n\nThe files changed after you confirmed\. Nothing was stored yet\.$/u,
      );
      const template = await stored();
      assert.deepEqual([result, template.body, template.subject], [second === undefined ? 0 : 1, ...expected]);
    }
  });

  it('stores nothing on another service that the connection was edited to', async () => {
    const elsewhere = await startSandbox({ assets: extensionFile('media/starters') });
    const { connection } = service();
    const settings = vscode.workspace.getConfiguration('mailing');
    const before = settings.get<{ id: string; baseUrl: string }[]>('connections', []);
    const update = (value: typeof before) => settings.update('connections', value, vscode.ConfigurationTarget.Global);
    const move = async () => {
      await update(before.map((each) => (each.id === connection ? { ...each, baseUrl: elsewhere.baseUrl } : each)));
      await vscode.commands.executeCommand('mailing.connection.setApiKey', { connection, apiKey: elsewhere.apiKey });
    };
    try {
      folder.write(body, '<p>mine</p>');
      const { shown } = await run('push', mine(), runDuringConfirmation(move, 'Push'));
      assert.match(formatMessages(shown), /has another URL now: http:\/\/127\.0\.0\.1:\d+\. Nothing was sent there/u);
      assert.deepEqual(
        elsewhere.requests.filter(({ operation }) => operation === 'updateTemplate'),
        [],
      );
    } finally {
      await update(before);
      await elsewhere.close();
    }
    assert.equal(updates(), 0);
  });

  it('overwrites the version of the service that was shown, but no newer one', async () => {
    folder.write(body, '<p>mine</p>');
    await change({ body: '<p>theirs</p>' });
    const changeAgain = async () => {
      await change({ body: '<p>theirs, newer</p>' });
      await vscode.commands.executeCommand('mailing.folders.refresh');
    };
    const { shown } = await run('overwrite', mine(), runDuringConfirmation(changeAgain, 'Overwrite'));
    assert.match(formatMessages(shown), /Couldn't push emails\/notice because of newer changes on the service/u);
    assert.equal((await stored()).body, '<p>theirs, newer</p>');
    const again = await run('overwrite', mine(), 'Overwrite');
    assert.match(
      formatMessages(again.shown),
      /: body\n[^]*You can restore them from the earlier states of each template\.$/mu,
    );
    assert.equal((await stored()).body, '<p>mine</p>');
  });

  it('discards nothing that was typed while the confirmation was open', async () => {
    folder.write(body, '<p>mine</p>');
    const { shown } = await run(
      'discard',
      mine(),
      runDuringConfirmation(() => folder.write(body, '<p>mine, newer</p>'), 'Discard'),
    );
    assert.match(formatMessages(shown), /changed in the meantime\. Nothing was written\./u);
    assert.equal(folder.read(body), '<p>mine, newer</p>');
  });

  it("reports a push as stored if it can't be read back", async () => {
    folder.write(body, '<p>mine</p>');
    const fault = service().sandbox.faults.add({
      kind: 'status',
      status: 500,
      operation: 'getOneTemplate',
      afterOperation: 'updateTemplate',
    });
    const { result, shown } = await run('push', mine(), 'Push');
    assert.match(
      formatMessages(shown),
      /emails\/notice → Test \d+ #\d+: Stored on the service, but not confirmed: body\. Couldn't read the template/u,
    );
    assert.doesNotMatch(formatMessages(shown), /Pushed|not known/u);
    assert.deepEqual([result, updates()], [1, 1]);
    fault.remove();
    assert.match(formatMessages((await run('push', mine(), 'Push')).shown), /nothing to push/u);
    assert.equal((await stored()).body, '<p>mine</p>');
  });

  it('pushes unsaved text', async () => {
    const document = await folder.type(body, '<p>typed</p>');
    await run('push', mine(), 'Push');
    assert.deepEqual([(await stored()).body, document.isDirty], ['<p>typed</p>', false]);
  });

  it('merges unsaved text', async () => {
    await change({ body: '<p>one</p>\n<p>two</p>\n<p>THREE</p>' });
    await folder.type(body, '<p>ONE</p>\n<p>two</p>\n<p>three</p>');
    assert.equal((await run('pull', mine())).result, 1);
    assert.equal(folder.read(body), '<p>ONE</p>\n<p>two</p>\n<p>THREE</p>');
  });

  it('writes into no file with unsaved edits', async () => {
    const before = folder.read(body);
    const document = await folder.type(body, '<p>typed</p>');
    const files = new WorkspaceFiles(folder.uri(''));
    await assert.rejects(files.write(body, '<p>theirs</p>'), /notice\/body\.html has unsaved edits in an editor/u);
    assert.deepEqual([folder.read(body), document.getText(), document.isDirty], [before, '<p>typed</p>', true]);
    await revert(document);
    await files.write(body, '<p>theirs</p>');
    assert.equal(folder.read(body), '<p>theirs</p>');
  });
});
