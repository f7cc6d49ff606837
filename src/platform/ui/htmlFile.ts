import * as vscode from 'vscode';

/** A body that somebody wrote, with a name for what is made of it. */
export interface HtmlText {
  readonly name: string;
  readonly body: string;
}

/** The text of a document, under its file's name without the ending. */
export function htmlOf(document: vscode.TextDocument): HtmlText {
  return { name: fileOf(document).replace(/\.html?$/iu, ''), body: document.getText() };
}

/** The name of a document's file. */
export function fileOf({ uri }: Pick<vscode.TextDocument, 'uri'>): string {
  return uri.path.split('/').at(-1) ?? '';
}

/** The document in front, where it is HTML. */
export function htmlInFront(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'html' ? document : undefined;
}

/** Lets the user choose a file for a body. Undefined where they cancel. */
export async function chooseHtml(title: string): Promise<HtmlText | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({ title, openLabel: 'Use as Body', filters: { HTML: ['html', 'htm'] } })) ?? [];
  return uri && htmlOf(await vscode.workspace.openTextDocument(uri));
}
