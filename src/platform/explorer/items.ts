import * as vscode from 'vscode';
import { toBaseName, buildUri } from '../documents/uri.ts';
import { isApiError } from '../../service/client/guards.ts';
import type { Connection, ConnectionState } from '../connections/model.ts';
import { formatCount, joinParts } from '../ui/format.ts';
import { toSingleLine } from '../ui/text.ts';
import { errorText } from '../ui/errors.ts';
import { getConnectionTooltip, describeConnection, needsNewKey, getStateItem } from './connectionItem.ts';
import { createSwatch, formatTooltip } from './drawing.ts';
import { describeFilter, isFiltered } from './filters.ts';
import type { CollectionNode, ConnectionNode, GroupNode, Node, NoticeNode, ProblemNode, RecordNode } from './nodes.ts';

/** State that items depend on besides their nodes. */
export interface TreeState {
  getState(connection: string): ConnectionState;
  /** The only connection is expanded. */
  readonly isOnlyConnection: boolean;
}

type NodeOf<K extends Node['kind']> = Extract<Node, { readonly kind: K }>;

const itemFactories: { readonly [K in Node['kind']]: (node: NodeOf<K>, tree: TreeState) => vscode.TreeItem } = {
  connection: createConnectionItem,
  collection: createCollectionItem,
  record: createRecordItem,
  group: createGroupItem,
  tail: createTailItem,
  failure: createFailureItem,
  empty: createEmptyItem,
  problem: createProblemItem,
};

/**
 * Creates the tree item of a node. It includes the tooltip, because VS Code resolves a missing one only once, and an
 * item that is refreshed meanwhile stays without.
 */
export function createTreeItem(node: Node, tree: TreeState): vscode.TreeItem {
  // The table's type guarantees that each function gets its own kind of node, which TypeScript can't infer from the
  // lookup.
  const make = itemFactories[node.kind] as (node: Node, tree: TreeState) => vscode.TreeItem;
  const item = make(node, tree);
  item.id = node.treeId;
  return item;
}

/** Returns everything shown of a connection's state, for comparison. */
export function describeState({ definition, connection }: ConnectionNode, tree: TreeState): string {
  const state = tree.getState(connection);
  return JSON.stringify([getStateItem(state, definition.sandbox === true), getConnectionTooltip(definition, state)]);
}

/** Returns the text beside a collection's label: number of records and filter. */
export function describeCollection({ branch, definition, filter }: CollectionNode): string {
  const { items: records } = branch.view;
  const count = branch.isComplete
    ? formatCount(records.length)
    : records.length > 0
      ? `${formatCount(records.length)}+`
      : '';
  const filtered = isFiltered(filter) ? `filtered: ${describeFilter(definition.filters, filter)}` : '';
  return joinParts([count, filtered]);
}

function createConnectionItem(node: ConnectionNode, tree: TreeState): vscode.TreeItem {
  const { definition } = node;
  const state = tree.getState(node.connection);
  const { codicon, color, context } = getStateItem(state, definition.sandbox === true);
  node.shownState = describeState(node, tree);
  const expanded = tree.isOnlyConnection || definition.sandbox === true;
  const item = new vscode.TreeItem(
    toSingleLine(definition.name),
    vscode.TreeItemCollapsibleState[expanded ? 'Expanded' : 'Collapsed'],
  );
  item.description = toSingleLine(describeConnection(definition, state));
  item.iconPath = createIcon(codicon, color);
  item.contextValue = `mailing.connection.${context}${getContextSuffix(definition)}`;
  item.tooltip = createInertMarkdown(getConnectionTooltip(definition, state));
  item.accessibilityInformation = { label: `${toSingleLine(definition.name)}, mailing service, ${item.description}` };
  return item;
}

function getContextSuffix(connection: Connection): string {
  return connection.sandbox ? '.sandbox' : '';
}

function createCollectionItem(node: CollectionNode): vscode.TreeItem {
  const { label, codicon, id } = node.definition;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  node.shownDescription = describeCollection(node);
  item.description = node.shownDescription;
  item.iconPath = createIcon(codicon);
  item.contextValue = `mailing.collection.${id}${isFiltered(node.filter) ? '.filtered' : ''}`;
  item.tooltip = node.shownDescription === '' ? label : `${label}: ${node.shownDescription}`;
  return item;
}

function createRecordItem({ item: record }: RecordNode): vscode.TreeItem {
  const item = new vscode.TreeItem(toSingleLine(record.label) || '(no name)', vscode.TreeItemCollapsibleState.None);
  item.description = toSingleLine(record.description ?? '');
  item.iconPath =
    'swatch' in record.icon ? createSwatchIcon(record.icon.swatch) : createIcon(record.icon.codicon, record.icon.color);
  item.contextValue = record.contextValue;
  item.tooltip = createInertMarkdown(record.tooltip);
  if (record.accessibleName !== undefined)
    item.accessibilityInformation = { label: toSingleLine(record.accessibleName, 300) };
  if (record.command) item.command = record.command;
  return item;
}

function createGroupItem({ definition, records }: GroupNode): vscode.TreeItem {
  const item = new vscode.TreeItem(definition.label, vscode.TreeItemCollapsibleState.Expanded);
  item.description = formatCount(records.length);
  item.iconPath = createIcon(definition.codicon, definition.color);
  item.accessibilityInformation = { label: `${definition.label}, ${formatCount(records.length)}` };
  return item;
}

function createTailItem(node: NoticeNode<'tail'>): vscode.TreeItem {
  const { tail, items: records, tailFailure } = node.parent.branch.view;
  const what = node.parent.definition.label.toLocaleLowerCase();
  const count = formatCount(records.length);
  if (tail === 'failed') return createFailedItem(node, `Couldn't load more ${what}: ${errorText(tailFailure)}`);
  if (tail === 'loading') return createLeaf(`Loading more ${what}…`, 'loading~spin');
  if (tail === 'end') return createLeaf(`All ${count} ${what} are shown`, 'check');
  const item = createLeaf(records.length === 0 ? 'Nothing found so far. Search on…' : 'Load more…', 'ellipsis');
  item.command = { command: 'mailing.explorer.loadMore', title: 'Load More', arguments: [node] };
  item.contextValue = 'mailing.more';
  item.accessibilityInformation = { label: `Load more ${what}, ${count} are shown` };
  return item;
}

function createFailureItem(node: NoticeNode<'failure'>): vscode.TreeItem {
  const { failure } = node.parent.branch.view;
  return createFailedItem(node, formatShortCause(failure), errorText(failure));
}

/** Returns a cause that fits into the side bar. The tooltip shows the full text. */
function formatShortCause(failure: unknown): string {
  if (!isApiError(failure) || failure.info.shortText === undefined) return errorText(failure);
  return [failure.info.shortText, failure.serverMessage].filter(Boolean).join(': ');
}

function createFailedItem(node: NoticeNode, label: string, text: string = label): vscode.TreeItem {
  const item = createLeaf(toSingleLine(label, 200), 'error', 'list.errorForeground');
  item.description = 'Retry';
  item.tooltip = `${text}\n\nClick to try again.`;
  item.command = { command: 'mailing.explorer.retry', title: 'Retry', arguments: [node] };
  const { failure, tailFailure } = node.parent.branch.view;
  item.contextValue = needsNewKey(failure ?? tailFailure) ? 'mailing.error.key' : 'mailing.error';
  item.accessibilityInformation = { label: `Error: ${toSingleLine(text, 400)} Press Enter to try again.` };
  return item;
}

function createEmptyItem({ parent }: NoticeNode<'empty'>): vscode.TreeItem {
  const { definition, filter } = parent;
  const filtered = isFiltered(filter);
  const item = createLeaf(
    filtered ? `No ${definition.label.toLocaleLowerCase()} pass the filter` : definition.empty.message,
    filtered ? 'filter' : 'info',
  );
  const command = filtered
    ? { command: 'mailing.explorer.clearFilter', title: 'Clear Filter' }
    : definition.empty.command;
  if (!command) return item;
  item.description = command.title;
  item.command = { ...command, arguments: [parent, ...(command.arguments ?? [])] };
  item.tooltip = command.title;
  return item;
}

function createProblemItem({ entry, message }: ProblemNode): vscode.TreeItem {
  const text = `${toSingleLine(entry, 60)}: ${toSingleLine(message, 300)}`;
  const item = createLeaf(text, 'warning', 'list.warningForeground');
  item.description = 'Open Settings';
  item.tooltip = `${text}\n\nClick to open the setting mailing.connections.`;
  item.contextValue = 'mailing.problem';
  item.command = {
    command: 'workbench.action.openSettings',
    title: 'Open Settings',
    arguments: ['@id:mailing.connections'],
  };
  item.accessibilityInformation = { label: `Warning: ${text}` };
  return item;
}

function createLeaf(label: string, codicon: string, color?: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.iconPath = createIcon(codicon, color);
  return item;
}

function createIcon(codicon: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

function createSwatchIcon(color: string): vscode.Uri | vscode.ThemeIcon {
  const image = createSwatch(color);
  return image === undefined ? createIcon('circle-outline') : vscode.Uri.parse(image);
}

/** Returns rows as Markdown without commands, links or images. */
function createInertMarkdown(rows: readonly (readonly [name: string, value: string])[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(formatTooltip(rows), false);
  markdown.supportHtml = false;
  markdown.isTrusted = false;
  return markdown;
}

/** Sets the document URIs of dragged nodes, so that an editor group opens them on drop. */
export function setDragData(nodes: readonly Node[], data: vscode.DataTransfer): void {
  const documents = nodes.flatMap((node) => {
    if (node.kind !== 'record' || node.item.document === undefined) return [];
    const { name, suffix } = node.item.document;
    return [buildUri(node.collection, node, toBaseName(name, String(node.id)) + suffix)];
  });
  if (documents.length > 0) data.set('text/uri-list', new vscode.DataTransferItem(documents.map(String).join('\r\n')));
}
