import * as vscode from 'vscode';

/** Read-only texts for comparisons, stored while a tab shows them. */
export class Snapshots implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #scheme: string;
  #count = 0;

  /** @param scheme the scheme of the documents */
  constructor(scheme: string) {
    this.#scheme = `${scheme}-snapshot`;
    this.#subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(this.#scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === this.#scheme) this.#texts.delete(uri.toString());
      }),
    ];
  }

  /** Returns a URI that opens the text. The file name decides its language. */
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
