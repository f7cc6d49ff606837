import * as vscode from 'vscode';
import { t } from '../../l10n.ts';

/** An HTML body, with a name for the record created from it. */
interface HtmlSource {
  readonly name: string;
  readonly body: string;
}

export function toHtmlSource(document: vscode.TextDocument): HtmlSource {
  return { name: getFileName(document.uri).replace(/\.html?$/iu, ''), body: document.getText() };
}

export function getFileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the active document if it is HTML. */
export function getActiveHtmlDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'html' ? document : undefined;
}

/** Prompts for an HTML file. Undefined if the user cancels. */
export async function promptForHtmlFile(title: string): Promise<HtmlSource | undefined> {
  const options = { title, openLabel: t('Use as Body'), filters: { HTML: ['html', 'htm'] } };
  const [uri] = (await vscode.window.showOpenDialog(options)) ?? [];
  return uri && toHtmlSource(await vscode.workspace.openTextDocument(uri));
}
