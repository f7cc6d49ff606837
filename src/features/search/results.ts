import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SearchMatch } from '../../sync/search.ts';
import { toSingleLine } from '../../service/text.ts';

type PlacedMatch = SearchMatch & { readonly uri: vscode.Uri };

/** An email that was found. */
export interface FoundEmail {
  readonly name: string;
  /** Its body. */
  readonly uri: vscode.Uri;
  readonly matches: readonly PlacedMatch[];
}

/** The view of a search. Its tree always has the emails that were found so far, in the order in which they were read. */
export class SearchResults implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  #emails: FoundEmail[] = [];
  readonly #view = vscode.window.createTreeView<FoundEmail | PlacedMatch>('mailing.search', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: this.#changed.event,
      getChildren: (node) => (node ? 'matches' in node && [...node.matches] : this.#emails) || [],
      getTreeItem: (node) => ('matches' in node ? createEmailItem(node) : createMatchItem(node)),
    },
  });

  get emails(): readonly FoundEmail[] {
    return this.#emails;
  }

  /** Empties the view and shows it. */
  async start(title: string): Promise<void> {
    this.#emails = [];
    this.#changed.fire(undefined);
    this.#view.description = toSingleLine(title);
    this.#view.message = undefined;
    await vscode.commands.executeCommand('setContext', 'mailing.hasSearch', true);
    await vscode.commands.executeCommand('mailing.search.focus');
  }

  add(email: FoundEmail): void {
    this.#emails.push(email);
    this.#changed.fire(undefined);
  }

  /** Shows a sentence above the tree. */
  report(message: string): void {
    this.#view.message = message;
  }

  dispose(): void {
    this.#view.dispose();
  }
}

function createEmailItem({ name, uri, matches }: FoundEmail) {
  const { Expanded, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(name, matches.length > 0 ? Expanded : None);
  item.iconPath = new vscode.ThemeIcon('mail');
  if (matches.length === 0) item.command = openDocument(uri);
  return item;
}

function createMatchItem({ uri, field, from, to, excerpt }: PlacedMatch) {
  // The marks keep the blanks at both ends.
  const [before = '', match = '', after] = excerpt.map((text) => toSingleLine(`|${text}|`, 200).slice(1, -1));
  const highlight: [number, number] = [before.length, before.length + match.length];
  const item = new vscode.TreeItem({ label: `${before}${match}${after}`, highlights: [highlight] });
  item.description = `${field}:${from[0] + 1}`;
  item.command = openDocument(uri, new vscode.Range(...from, ...to));
  return item;
}

const openDocument = (uri: vscode.Uri, selection?: vscode.Range): vscode.Command => ({
  command: 'vscode.open',
  title: t('Open'),
  arguments: [uri, { selection }],
});
