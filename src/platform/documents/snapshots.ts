import * as vscode from 'vscode';

/** Read-only texts to compare with: what a service held, or was sent, at one moment. Kept while a tab shows them. */
export class Snapshots implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #scheme: string;
  #count = 0;

  /** `scheme`: that of the documents. */
  constructor(scheme: string) {
    this.#scheme = `${scheme}-snapshot`;
    this.#subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(this.#scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === this.#scheme) this.#texts.delete(uri.toString());
      }),
    ];
  }

  /** Address under which the text can be opened. The file's name decides its language. */
  add(path: string, text: string): vscode.Uri {
    this.#count += 1;
    const uri = vscode.Uri.from({
      scheme: this.#scheme,
      authority: String(this.#count),
      path: `/${path.split('/').at(-1) ?? ''}`,
    });
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
