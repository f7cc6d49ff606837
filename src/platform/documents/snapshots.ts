import * as vscode from 'vscode';

export type Snapshots = ReturnType<typeof createSnapshots>;

/**
 * Creates the read-only texts for comparisons, stored while a tab shows them.
 * @param documentScheme the scheme of the documents
 */
export function createSnapshots(documentScheme: string) {
  const texts = new Map<string, string>();
  const scheme = `${documentScheme}-snapshot`;
  let count = 0;
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()),
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === scheme) texts.delete(uri.toString());
    }),
  );
  return {
    /** Returns a URI that opens the text. The file name decides its language. */
    add: (path: string, text: string) => {
      count += 1;
      const uri = vscode.Uri.from({ scheme, authority: String(count), path: `/${path.split('/').at(-1) ?? ''}` });
      texts.set(uri.toString(), text);
      return uri;
    },
    dispose: () => subscriptions.dispose(),
  };
}
