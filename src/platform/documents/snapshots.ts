import * as vscode from 'vscode';

/** Read-only texts for comparisons. A text is stored while a tab shows it. */
export class Snapshots implements vscode.Disposable {
  readonly #scheme: string;
  readonly #texts = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable;
  #count = 0;

  /** @param documentScheme the scheme of the documents */
  constructor(documentScheme: string) {
    this.#scheme = `${documentScheme}-snapshot`;
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(this.#scheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()),
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#texts.delete(uri.toString())),
    );
  }

  /** Returns a URI that opens the text. The file name decides its language. */
  add(path: string, text: string): vscode.Uri {
    this.#count += 1;
    const [scheme, authority] = [this.#scheme, String(this.#count)];
    const uri = vscode.Uri.from({ scheme, authority, path: path.replace(/^\/?/u, '/') });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
