import * as vscode from 'vscode';
import { t } from '../../l10n.ts';

/** Shows a page of the documentation at a heading. */
const SHOW_DOCS_COMMAND = 'mailing.showDocs';

/** The pages in the package. */
type DocsPage = 'accessibility' | 'checks' | 'tags';

/** Registers the command that links in hovers run. The pages are in the package, so that they open offline. */
export const registerDocs = (extensionUri: vscode.Uri): vscode.Disposable =>
  vscode.commands.registerCommand(SHOW_DOCS_COMMAND, (page: unknown, fragment: unknown) =>
    page === 'checks' || page === 'tags' ? showDocs(extensionUri, page, String(fragment)) : undefined,
  );

/** Opens a page, at a heading if there is one. */
export function showDocs(extensionUri: vscode.Uri, page: DocsPage, heading = ''): Thenable<unknown> {
  const uri = vscode.Uri.joinPath(extensionUri, 'dist', 'docs', `${page}.md`);
  return vscode.commands.executeCommand('markdown.showPreview', uri.with({ fragment: heading }));
}

/** Returns a Markdown link to a heading of the documentation. `text` is Markdown. */
export function formatDocsLink(text: string, page: DocsPage, heading: string): string {
  const values = encodeURIComponent(JSON.stringify([page, heading]));
  return `[${text}](command:${SHOW_DOCS_COMMAND}?${values} "${t('Show Documentation')}")`;
}

/** Returns the content of a hover. Its links can show the documentation, and run no other command. */
export function createHoverContent(markdown: string): vscode.MarkdownString {
  const content = new vscode.MarkdownString(markdown);
  content.isTrusted = { enabledCommands: [SHOW_DOCS_COMMAND] };
  return content;
}
