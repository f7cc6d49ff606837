import * as vscode from 'vscode';

/** A body that somebody wrote, with a name for what is made of it. */
export interface HtmlSource {
  readonly name: string;
  readonly body: string;
}

/** The text of a document, under its file's name without the ending. */
export function toHtmlSource(document: vscode.TextDocument): HtmlSource {
  return { name: getFileName(document).replace(/\.html?$/iu, ''), body: document.getText() };
}

/** The name of a document's file. */
export function getFileName({ uri }: Pick<vscode.TextDocument, 'uri'>): string {
  return uri.path.split('/').at(-1) ?? '';
}

/** The document in front, where it is HTML. */
export function getActiveHtmlDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'html' ? document : undefined;
}

/** Lets the user choose a file for a body. Undefined where they cancel. */
export async function promptForHtmlFile(title: string): Promise<HtmlSource | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({ title, openLabel: 'Use as Body', filters: { HTML: ['html', 'htm'] } })) ?? [];
  return uri && toHtmlSource(await vscode.workspace.openTextDocument(uri));
}
