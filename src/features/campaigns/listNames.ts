import { t } from '@vscode/l10n';
import { getLocation } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { MailingList } from '../../service/client/index.ts';
import type { ExtensionServices } from '../services.ts';
import { readAllLists, isTruncated } from '../../service/client/allLists.ts';
import { getListMarks, getListName, formatListSize } from '../lists/model.ts';
import { joinParts } from '../../service/format.ts';
import { escapeMarkdown } from '../../service/text.ts';

const CACHE_TTL_MS = 30_000;

/** Shows list names for the ids in `listIds` of a campaign's JSON, as completions and hovers. Reads the lists of a connection at most twice a minute. */
export class ListNameProvider implements vscode.CompletionItemProvider, vscode.HoverProvider {
  readonly #connections: ExtensionServices['connections'];
  readonly #cache = new Map<string, { readonly at: number; readonly lists: readonly MailingList[] }>();

  constructor({ connections }: ExtensionServices) {
    this.#connections = connections;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ) {
    if (!isInListIds(document, position)) return [];
    const lists = (await this.#readLists(document.uri.authority, token)) ?? [];
    return lists.map((list) => {
      const item = new vscode.CompletionItem(
        { label: getListName(list), description: `#${list.id}` },
        vscode.CompletionItemKind.EnumMember,
      );
      item.insertText = String(list.id);
      item.filterText = `${getListName(list)} ${list.id}`;
      item.range = document.getWordRangeAtPosition(position) ?? new vscode.Range(position, position);
      item.detail = describeList(list);
      return item;
    });
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position, token: vscode.CancellationToken) {
    const word = document.getWordRangeAtPosition(position, /\d+/u);
    if (word === undefined || !isInListIds(document, position)) return undefined;
    const id = Number(document.getText(word));
    const lists = await this.#readLists(document.uri.authority, token);
    const list = lists?.find((candidate) => candidate.id === id);
    // If the lists are incomplete, the id may still exist.
    if (lists === undefined || (list === undefined && isTruncated(lists))) return undefined;
    const contents =
      list === undefined
        ? t`The service has no list #${id}.`
        : `**${escapeMarkdown(getListName(list))}** ${escapeMarkdown(describeList(list))}`;
    return new vscode.Hover(new vscode.MarkdownString(contents), word);
  }

  /** Returns all lists of a connection. Undefined if they can't be read: the tree and the form report the error. */
  async #readLists(connection: string, token: vscode.CancellationToken) {
    const cached = this.#cache.get(connection);
    if (cached !== undefined && Date.now() - cached.at < CACHE_TTL_MS) return cached.lists;
    const stop = new AbortController();
    const subscription = token.onCancellationRequested(() => stop.abort());
    try {
      const lists = await this.#connections.run(this.#connections.getService(connection), (client) =>
        readAllLists(client, stop.signal),
      );
      this.#cache.set(connection, { at: Date.now(), lists });
      return lists;
    } catch {
      return undefined;
    } finally {
      subscription.dispose();
    }
  }
}

function describeList(list: MailingList) {
  return joinParts([formatListSize(list), ...getListMarks(list)]);
}

function isInListIds(document: vscode.TextDocument, position: vscode.Position) {
  const { path } = getLocation(document.getText(), document.offsetAt(position));
  return path[0] === 'listIds' && path.length === 2;
}
