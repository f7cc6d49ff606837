import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from '../answers.ts';
import { connectService, type TestService } from '../service.ts';

interface Audience {
  readonly clients: readonly string[];
  readonly shares: Readonly<Record<string, number>>;
  readonly opens: number;
}

describe('Clients and links on demand', () => {
  let service: TestService;
  const settings = () => vscode.workspace.getConfiguration('mailing.checks');

  before(async () => {
    service = await connectService();
  });
  after(async () => {
    for (const name of ['clients', 'clientShares'])
      await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
    await service.end();
  });

  it('uses the clients of the last campaigns after a confirmation that names the limitations', async () => {
    const use = (): Thenable<Audience | undefined> =>
      vscode.commands.executeCommand('mailing.checks.useAudienceClients', { connection: service.connection });
    const canceled = await answering(undefined, use);
    assert.equal(canceled.result, undefined);
    assert.deepEqual(settings().inspect('clients')?.globalValue, undefined);
    const { result, shown } = await answering('Use These', use);
    assert.ok(result && result.opens > 0 && result.clients.includes('Gmail'), JSON.stringify({ result, shown }));
    const [question] = shown.filter(({ modal }) => modal);
    assert.match(question?.detail ?? '', /• Gmail: \d+/u);
    assert.match(question?.detail ?? '', /block.* images, .*are not counted/u);
    assert.deepEqual(settings().get('clients'), result.clients);
    assert.deepEqual(settings().get('clientShares'), result.shares);
    assert.ok(Object.values(result.shares).every((share) => share >= 0.01 && share <= 1));
    const details = service.sandbox.requests.filter(({ operation }) => operation === 'getCampaignStatisticsDetailed');
    assert.ok(details.length > 0 && service.sandbox.requests.every(({ method }) => method === 'GET'));
  });

  it('checks links only on selected hosts, and never on this computer', async () => {
    const content = `<p><a href="${service.sandbox.baseUrl}/private">x</a> <a href="https://example.com/{subscriber:id}">y</a></p>`;
    const document = await vscode.workspace.openTextDocument({ language: 'html', content });
    await vscode.window.showTextDocument(document);
    const original = vscode.window.showQuickPick;
    let offered: readonly { readonly label: string }[] = [];
    let takes = false;
    const pick = async (items: readonly { readonly label: string }[]) => {
      offered = items;
      // The user goes on typing.
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '<b>\n</b>');
      await vscode.workspace.applyEdit(edit);
      return takes ? items : undefined;
    };
    Object.defineProperty(vscode.window, 'showQuickPick', { configurable: true, writable: true, value: pick });
    const before = service.sandbox.requests.length;
    try {
      assert.equal(await vscode.commands.executeCommand('mailing.checks.links', document.uri), undefined);
      assert.deepEqual(
        offered.map(({ label }) => label),
        [new URL(service.sandbox.baseUrl).host],
      );
      takes = true;
      assert.deepEqual(await vscode.commands.executeCommand('mailing.checks.links', document.uri), {
        checked: 1,
        broken: 0,
      });
      const [finding] = vscode.languages.getDiagnostics(document.uri).filter(({ code }) => code === 'link');
      assert.equal(document.getText(finding?.range), `href="${service.sandbox.baseUrl}/private"`);
      assert.match(finding?.message ?? '', /Not checked: The address belongs to this computer/u);
      assert.equal(service.sandbox.requests.length, before);
    } finally {
      Object.defineProperty(vscode.window, 'showQuickPick', { configurable: true, writable: true, value: original });
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });
});
