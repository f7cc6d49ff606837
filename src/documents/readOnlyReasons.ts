import * as vscode from 'vscode';

/** Why a document can't be edited, and the command that is the way out. */
export interface ReadOnlyReason {
  readonly reason: string;
  readonly command?: string;
}

/** Says above the text of a read-only document why it can't be edited. */
export class ReadOnlyReasons implements vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  readonly #reasonFor: (uri: vscode.Uri) => Promise<ReadOnlyReason | undefined>;

  constructor(reasonFor: (uri: vscode.Uri) => Promise<ReadOnlyReason | undefined>, onDidChange: vscode.Event<unknown>) {
    this.#reasonFor = reasonFor;
    this.onDidChangeCodeLenses = (listener, self, disposables) => onDidChange(() => listener.call(self), undefined, disposables);
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    // A reason that can't be read now is no reason to disturb: the document itself tells of the failure.
    const found = await this.#reasonFor(uri).catch(() => undefined);
    if (found === undefined) return [];
    const { reason, command } = found;
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title: `$(lock) ${reason}`, command: command ?? '', arguments: [uri] })];
  }
}
