import * as vscode from 'vscode';

/** Says above the text of a read-only document why it can't be edited. */
export class ReadOnlyReasons implements vscode.CodeLensProvider {
  readonly #reason: (uri: vscode.Uri) => Promise<string | undefined>;

  constructor(reason: (uri: vscode.Uri) => Promise<string | undefined>) {
    this.#reason = reason;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    // A reason that can't be read now is no reason to disturb: the document itself tells of the failure.
    const reason = await this.#reason(document.uri).catch(() => undefined);
    if (reason === undefined) return [];
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title: `$(lock) ${reason}`, command: '' })];
  }
}
