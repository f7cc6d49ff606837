import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToPage } from '../../../src/features/preview/protocol.ts';
import { answering, assertShown } from '../answers.ts';
import { TestPage } from '../page.ts';
import { type } from '../service.ts';
import { withReplaced } from '../statistics/host.ts';
import { folder, picking, useMapped, withHead } from './fixtures.ts';

type Page = TestPage<{ type: 'ready' }, ToPage>;

describe('Compare Emails Side by Side', () => {
  const { service, getId, change, entry } = useMapped('emails/letter', { name: 'Letter', body: '<p>service</p>' });
  let page: Page;
  let offered: readonly vscode.QuickPickItem[];

  /** Runs the command. Picks the versions with these labels; the selected ones without labels. */
  const compare = async (argument?: object, ...labels: readonly string[]) => {
    page = new TestPage();
    offered = [];
    const createQuickPick = () => {
      const [accepted, hidden] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
      const quickPick = {
        items: [] as readonly vscode.QuickPickItem[],
        selectedItems: [] as readonly vscode.QuickPickItem[],
        activeItems: [],
        onDidAccept: accepted.event,
        onDidHide: hidden.event,
        show: () => {
          offered = quickPick.items;
          if (labels.length > 0) quickPick.selectedItems = offered.filter(({ label }) => labels.includes(label));
          accepted.fire();
        },
        hide: () => hidden.fire(),
        dispose: () => undefined,
      };
      return quickPick;
    };
    return withReplaced(vscode.window, 'createQuickPick', createQuickPick as never, () =>
      withReplaced(
        vscode.window,
        'createWebviewPanel',
        () => page.panel,
        () =>
          answering(undefined, () =>
            vscode.commands.executeCommand<readonly string[] | undefined>('mailing.compareRendered', argument),
          ),
      ),
    );
  };
  /** Returns the bodies that the page shows. */
  const shown = async (...bodies: readonly string[]) => {
    if (page.received.length === 0) page.say({ type: 'ready' });
    return page.until('compare', ({ versions }) =>
      assert.deepEqual(
        versions.map(({ body }) => body),
        bodies,
      ),
    );
  };
  afterEach(() => page.panel.dispose());

  it('compares an unsaved email with the service, and follows the editor', async () => {
    const document = await vscode.workspace.openTextDocument(service().uri(`/templates/${getId()}/Letter.html`));
    await vscode.window.showTextDocument(document);
    await type(document, '<p>typed</p><img src="x.png">');
    const { result } = await compare();
    assert.equal(result?.[1], 'Editor');
    const { versions, base } = await shown('<p>service</p>', '<p>typed</p><img src="x.png">');
    assert.equal(base, undefined);
    assert.match(JSON.stringify(versions[1]?.findings), /image/u);
    assert.match(versions[1]?.sent.html ?? '', /typed/u);
    assert.equal(versions[0]?.envelope?.subject, 'Hello');
    await type(document, '<p>again</p>');
    await shown('<p>service</p>', '<p>again</p>');
  });

  it('compares the files of a mapped template with HEAD, their folder, and an earlier version', async () => {
    await folder.map({ templates: [entry()] });
    await vscode.commands.executeCommand('mailing.folders.pull', { folder: 'emails/letter' });
    const file = folder.uri('emails/letter/body.html');
    await change({ body: '<p>changed</p>' });
    await folder.type('emails/letter/body.html', '<p>typed</p>');
    await withHead({ [file.fsPath]: '<p>head</p>' }, async () => {
      await compare(file, 'Editor', 'HEAD');
      await shown('<p>head</p>', '<p>typed</p>');
      await compare(file, 'HEAD', 'Folder');
      await shown('<p>service</p>', '<p>head</p>');
    });
    const labels = offered.map(({ label }) => label);
    assert.deepEqual(labels.slice(0, 3), ['Editor', 'HEAD', 'Folder']);
    assert.equal(labels[4], 'Another Template…');
    assert.equal(labels[3], (await compare({ resourceUri: file, connection: service().connection })).result?.[0]);
    await shown('<p>changed</p>', '<p>typed</p>');
    const pick = (items: readonly vscode.QuickPickItem[]) =>
      items.find(({ label, detail }) => label === 'Compare Emails Side by Side' || detail === 'Oldest stored state');
    page = new TestPage();
    await withReplaced(
      vscode.window,
      'createWebviewPanel',
      () => page.panel,
      () => picking(pick, () => vscode.commands.executeCommand('mailing.folders.earlierStates', file)),
    );
    await shown('<p>service</p>', '<p>changed</p>');
  });

  it('has no HEAD without the git extension, and refuses other documents', async () => {
    folder.write('a.html', '<p>one</p>');
    const { shown: messages } = await compare(folder.uri('a.html'), 'Editor');
    assert.deepEqual(
      offered.map(({ label }) => label),
      ['Editor', 'Another Template…'],
    );
    assertShown(messages, /Select two versions/u);
    folder.write('a.txt', 'one');
    assertShown((await compare(folder.uri('a.txt'))).shown, /To compare an email, open its HTML/u);
  });

  it('compares a campaign with the service', async () => {
    const [campaign] = await service().other.getCampaigns({ limit: 1 });
    const uri = service().uri(`/campaigns/${campaign?.id}/x.html`);
    const stored = (await vscode.workspace.openTextDocument(uri)).getText();
    await compare(uri);
    assert.equal(offered.length, 2);
    await shown(stored, stored);
  });
});
