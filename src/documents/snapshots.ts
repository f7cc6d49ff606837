import * as vscode from 'vscode';

const scheme = 'mailing-snapshot';

/** Read-only texts to compare with: what a service held, or was sent, at one moment. Kept while a tab shows them. */
export class Snapshots implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable[];
  #count = 0;

  constructor() {
    this.#subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#texts.delete(uri.toString());
      }),
    ];
  }

  /** Address under which the text can be opened. The file's name decides its language. */
  add(path: string, text: string): vscode.Uri {
    this.#count += 1;
    const uri = vscode.Uri.from({ scheme, authority: String(this.#count), path: `/${path.split('/').at(-1) ?? ''}` });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
