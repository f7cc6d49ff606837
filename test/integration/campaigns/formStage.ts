import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { campaignDocuments } from '../../../src/features/campaigns/documents.ts';
import { CampaignFormSession } from '../../../src/features/campaigns/form/session.ts';
import type { CampaignToPage } from '../../../src/features/campaigns/form/protocol.ts';
import type { FormFromPage, FormToPage } from '../../../src/ui/page/form/protocol.ts';
import { Documents } from '../../../src/platform/documents/documents.ts';
import { registerForm } from '../../../src/platform/documents/form/register.ts';
import { memoryMemento } from '../../support/memento.ts';
import { TestPage } from '../page.ts';
import { extensionFile, type TestService } from '../service.ts';
import { createConnections } from '../statistics/host.ts';
import type { Json } from '../../../src/service/client/shapes.ts';

export class FormPage extends TestPage<FormFromPage, FormToPage | CampaignToPage> {
  #edits = 0;

  /** Types into a field. `final`: the input is complete, as after a choice. */
  edit(path: readonly (string | number)[], value: Json, final = false): void {
    this.#edits += 1;
    this.say({ type: 'edit', seq: this.#edits, path, value, final });
  }

  choose(id: number, chosen: boolean): void {
    this.#edits += 1;
    this.say({ type: 'choose', seq: this.#edits, path: ['listIds'], id, chosen });
  }

  override show(): void {
    super.show();
    this.#edits = 0;
    this.say({ type: 'ready' });
  }

  /** Waits until the page received exactly these problems. */
  async untilProblems(...expected: readonly (readonly [path: string, message: string | RegExp])[]): Promise<void> {
    await this.until('details', ({ problems }) => {
      assert.deepEqual(
        problems.map(({ path }) => path.join('.')),
        expected.map(([path]) => path),
        JSON.stringify(problems),
      );
      for (const [index, { message }] of problems.entries())
        assert.match(message, new RegExp(expected[index]?.[1] ?? '', 'u'));
    });
  }
}

/** Campaign forms with the test as their page. They use a separate scheme, because the extension opens its own forms for `mailing`. */
export interface FormStage {
  details(campaignId: number): vscode.Uri;
  /** Opens a document in a text editor, and its form. */
  open(uri: vscode.Uri): Promise<{ readonly document: vscode.TextDocument; readonly page: FormPage }>;
  closeAll(): void;
  end(): Promise<void>;
}

const scheme = 'mailing-form';

export async function openFormStage(service: TestService): Promise<FormStage> {
  const connections = await createConnections(service);
  const documents = new Documents({ workspaceState: memoryMemento() }, connections, scheme);
  documents.register(campaignDocuments);
  const log = vscode.window.createOutputChannel('Test of forms', { log: true });
  const services = { context: { extensionUri: vscode.Uri.file(extensionFile('.')) }, log, connections, documents };
  const { provider, registration } = captureProvider(() =>
    registerForm(
      documents,
      'test.form',
      async () => (document, panel) => new CampaignFormSession(document, panel, services),
    ),
  );
  const pages: FormPage[] = [];
  return {
    details: (campaignId) =>
      vscode.Uri.from({ scheme, authority: service.connection, path: `/campaigns/${campaignId}/Autumn.campaign.json` }),
    open: async (uri) => {
      await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { preview: false });
      const document = await vscode.workspace.openTextDocument(uri);
      const page = new FormPage();
      pages.push(page);
      await provider.resolveCustomTextEditor(document, page.panel, new vscode.CancellationTokenSource().token);
      page.say({ type: 'ready' });
      await page.until('status', () => undefined);
      return { document, page };
    },
    closeAll: () => {
      for (const { panel } of pages.splice(0)) panel.dispose();
    },
    end: async () => {
      for (const each of [registration, documents, connections, log]) each.dispose();
    },
  };
}

/** Captures the registration of a form, so that VS Code does not load its page. */
function captureProvider(register: () => vscode.Disposable) {
  const { registerCustomEditorProvider } = vscode.window;
  const replace = (value: object) => {
    Object.defineProperty(vscode.window, 'registerCustomEditorProvider', { configurable: true, writable: true, value });
  };
  let provider: vscode.CustomTextEditorProvider | undefined;
  replace((_viewType: string, registered: vscode.CustomTextEditorProvider) => {
    provider = registered;
    return new vscode.Disposable(() => undefined);
  });
  try {
    const registration = register();
    assert.ok(provider);
    return { provider, registration };
  } finally {
    replace(registerCustomEditorProvider);
  }
}
