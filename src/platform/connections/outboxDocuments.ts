import * as vscode from 'vscode';
import type { MessageParts } from '../../service/sandbox/index.ts';
import type { SandboxHost } from './sandbox.ts';

export const outboxScheme = 'mailing-outbox';

/** Shows the sandbox's messages as read-only documents. */
export class OutboxDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #sandbox: SandboxHost;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChange = this.#changes.event;

  constructor(sandbox: SandboxHost) {
    this.#sandbox = sandbox;
    // A reset restarts the numbering. An open tab must not show another message with the same number.
    this.#subscription = sandbox.onDidChangeOutbox(() => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === outboxScheme) this.#changes.fire(uri);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const id = Number(/^\/(\d+)\//.exec(uri.path)?.[1]);
    const outbox = await this.#sandbox.outbox();
    if (!outbox?.get(id)) return 'This message is no longer in the outbox: the sandbox was stopped or reset since.\n';
    const parts = await outbox.parts(id);
    return parts[getMessagePart(uri)];
  }
}

/** Returns which part of a message a document shows. */
function getMessagePart({ path }: vscode.Uri): keyof MessageParts {
  if (path.endsWith('.html')) return 'html';
  return path.endsWith('.txt') ? 'text' : 'source';
}
