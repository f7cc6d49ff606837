import * as vscode from 'vscode';
import { isApiError } from '../../service/client/shapes.ts';
import type { Connections } from '../connections/connections.ts';
import type { Connection, RecordKey, SettingsProblem } from '../connections/model.ts';
import { buildUri, toBaseName } from '../documents/uri.ts';
import { errorText } from '../../ui/errors.ts';
import { formatNumber, formatPair, t } from '../../l10n.ts';
import { joinParts } from '../../service/format.ts';
import { toSingleLine } from '../../service/text.ts';
import {
  createSwatch,
  describeConnection,
  describeFilter,
  formatTooltip,
  getConnectionTooltip,
  getStateItem,
  isFiltered,
  needsNewKey,
} from './display.ts';
import type { FilterValues, RecordGroup, RecordItem, TooltipRow, TreeCollection } from './model.ts';
import type { RecordBranch } from './recordBranch.ts';

/** The connections as the tree uses them. */
export type ConnectionSource = Pick<
  Connections,
  'all' | 'problems' | 'get' | 'getService' | 'state' | 'onDidAdd' | 'onDidChange' | 'onDidChangeProblems' | 'run'
>;

export type AnyCollection = TreeCollection<{ readonly id: number }>;

export class ConnectionNode {
  readonly kind = 'connection';
  readonly connection: string;
  readonly treeId: string;
  definition: Connection;
  collections: readonly CollectionNode[] = [];
  /** It failed or has no key. */
  isBroken = false;
  /** The state as last rendered, to detect changes. */
  shownState = '';
  /** Number of branches that VS Code is waiting for. */
  pendingReads = 0;

  constructor(definition: Connection) {
    this.connection = definition.id;
    this.treeId = definition.id;
    this.definition = definition;
  }
}

/** A collection of a connection. */
export class CollectionNode {
  readonly kind = 'collection';
  readonly parent: ConnectionNode;
  readonly definition: AnyCollection;
  readonly connection: string;
  /** Name of the collection in URIs. */
  readonly collection: string;
  readonly treeId: string;
  readonly branch: RecordBranch<{ readonly id: number }, RecordNode>;
  filter: FilterValues = {};
  /** The description as last rendered, to detect changes. */
  shownDescription = '';
  readonly notice: NoticeNode;
  readonly groups: readonly GroupNode[];

  constructor(
    parent: ConnectionNode,
    definition: AnyCollection,
    createBranch: (node: CollectionNode) => RecordBranch<{ readonly id: number }, RecordNode>,
  ) {
    this.parent = parent;
    this.definition = definition;
    this.connection = parent.connection;
    this.collection = definition.id;
    this.treeId = `${parent.connection}/${definition.id}`;
    this.branch = createBranch(this);
    this.notice = new NoticeNode(this, 'notice');
    this.groups = (definition.groups?.all ?? []).map((group) => new GroupNode(this, group));
  }
}

/** A child of a collection. */
abstract class CollectionPart {
  readonly parent: CollectionNode;
  readonly connection: string;
  readonly collection: string;
  readonly treeId: string;

  constructor(parent: CollectionNode, part: string) {
    this.parent = parent;
    this.connection = parent.connection;
    this.collection = parent.collection;
    this.treeId = `${parent.treeId}/${part}`;
  }
}

/** A record. Commands take it as their first argument. */
export class RecordNode extends CollectionPart implements RecordKey {
  readonly kind = 'record';
  readonly id: number;
  /** Mutable: VS Code identifies the row by its node. */
  item: RecordItem;

  constructor(parent: CollectionNode, id: number, item: RecordItem) {
    super(parent, String(id));
    this.id = id;
    this.item = item;
  }
}

/**
 * The row beside the records: why they could not be read, that there are none, or below them "Load more…", loading, failed or all shown.
 * It stays the same node, so that it keeps the keyboard focus when its state changes.
 */
export class NoticeNode extends CollectionPart {
  readonly kind = 'notice';
}

class GroupNode extends CollectionPart {
  readonly kind = 'group';
  readonly definition: RecordGroup;

  constructor(parent: CollectionNode, definition: RecordGroup) {
    super(parent, `group ${definition.key}`);
    this.definition = definition;
  }

  get records(): RecordNode[] {
    return this.parent.branch.view.items.filter(({ item }) => item.group === this.definition.key);
  }
}

/** An unusable entry in the settings. */
interface ProblemNode extends SettingsProblem {
  readonly kind: 'problem';
  readonly treeId: string;
}

export type Node = ConnectionNode | CollectionNode | RecordNode | NoticeNode | GroupNode | ProblemNode;

/**
 * Creates the tree item of a node. It includes the tooltip, because VS Code resolves a missing one only once, and an
 * item that is refreshed meanwhile stays without.
 */
export function createTreeItem(node: Node, connections: ConnectionSource): vscode.TreeItem {
  return Object.assign(createItem(node, connections), { id: node.treeId });
}

function createItem(node: Node, connections: ConnectionSource): vscode.TreeItem {
  switch (node.kind) {
    case 'connection':
      return createConnectionItem(node, connections);
    case 'collection':
      return createCollectionItem(node);
    case 'record':
      return createRecordItem(node);
    case 'notice':
      return createNoticeItem(node);
    case 'group':
      return createGroupItem(node);
    case 'problem':
      return createProblemItem(node);
  }
}

/** Returns everything shown of a connection's state, for comparison. */
export function describeState({ definition, connection }: ConnectionNode, connections: ConnectionSource): string {
  const state = connections.state(connection);
  return JSON.stringify([getStateItem(state, definition), getConnectionTooltip(definition, state)]);
}

/** Returns the text beside a collection's label: number of records and filter. */
export function describeCollection({ branch, definition, filter }: CollectionNode): string {
  const { length } = branch.view.items;
  const count = branch.isComplete ? formatNumber(length) : length > 0 ? `${formatNumber(length)}+` : '';
  return joinParts([
    count,
    isFiltered(filter)
      ? t({
          message: 'filtered: {0}',
          args: [describeFilter(definition.filters, filter)],
          comment: '{0} is a filter, such as: State is Active',
        })
      : '',
  ]);
}

function createConnectionItem(node: ConnectionNode, connections: ConnectionSource): vscode.TreeItem {
  const { definition } = node;
  const state = connections.state(node.connection);
  const { codicon, color, context } = getStateItem(state, definition);
  const name = toSingleLine(definition.name);
  const description = toSingleLine(describeConnection(definition, state));
  node.shownState = describeState(node, connections);
  const isExpanded = connections.all.length === 1 || definition.sandbox;
  return {
    label: name,
    collapsibleState: vscode.TreeItemCollapsibleState[isExpanded ? 'Expanded' : 'Collapsed'],
    description,
    iconPath: createIcon(codicon, color),
    contextValue: `mailing.connection.${context}${definition.sandbox ? '.sandbox' : ''}`,
    tooltip: createInertMarkdown(getConnectionTooltip(definition, state)),
    accessibilityInformation: {
      label: t({
        message: '{0}, mailing service, {1}',
        args: [name, description],
        comment: 'For screen readers: {0} is the name of a connection, {1} its address and state',
      }),
    },
  };
}

function createCollectionItem(node: CollectionNode): vscode.TreeItem {
  const { label, codicon, id } = node.definition;
  const description = describeCollection(node);
  node.shownDescription = description;
  return {
    label,
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
    description,
    iconPath: createIcon(codicon),
    contextValue: `mailing.collection.${id}${isFiltered(node.filter) ? '.filtered' : ''}`,
    tooltip: description === '' ? label : formatPair(label, description),
  };
}

function createRecordItem({ connection, collection, id, item: record }: RecordNode): vscode.TreeItem {
  const { accessibleName, contextValue, icon } = record;
  const swatch = 'swatch' in icon ? createSwatch(icon.swatch) : undefined;
  const codicon = 'swatch' in icon ? createIcon('circle-outline') : createIcon(icon.codicon, icon.color);
  return {
    label: toSingleLine(record.label) || t('(no name)'),
    description: toSingleLine(record.description ?? ''),
    iconPath: swatch === undefined ? codicon : vscode.Uri.parse(swatch),
    contextValue,
    tooltip: createInertMarkdown(record.tooltip),
    ...(accessibleName !== undefined && {
      accessibilityInformation: { label: toSingleLine(accessibleName, 300) },
    }),
    command: {
      command: 'mailing.record.open',
      title: t('Open'),
      arguments: [{ connection, collection, id, preview: true }],
    },
  };
}

function createGroupItem({ definition: { label, codicon, color }, records }: GroupNode): vscode.TreeItem {
  const description = formatNumber(records.length);
  return {
    label,
    collapsibleState: vscode.TreeItemCollapsibleState.Expanded,
    description,
    iconPath: createIcon(codicon, color),
    accessibilityInformation: { label: `${label}, ${description}` },
  };
}

function createNoticeItem(node: NoticeNode): vscode.TreeItem {
  const { tail, items, failure } = node.parent.branch.view;
  const count = formatNumber(items.length);
  if (failure !== undefined) {
    const text = errorText(failure);
    return tail === 'failed'
      ? createFailedItem(node, failure, t`Couldn't load more: ${text}`)
      : createFailedItem(node, failure, text, formatShortCause(failure));
  }
  if (tail === 'none') return createEmptyItem(node);
  if (tail === 'loading') return createLeaf(t('Loading more…'), 'loading~spin');
  if (tail === 'end')
    return createLeaf(
      t({ message: 'All shown: {0}', args: [count], comment: '{0} is the number of records in a list' }),
      'check',
    );
  return {
    ...createLeaf(items.length === 0 ? t('No matches yet. Keep searching…') : t('Load more…'), 'ellipsis'),
    command: { command: 'mailing.explorer.loadMore', title: t('Load More'), arguments: [node] },
    contextValue: 'mailing.more',
    accessibilityInformation: { label: t`Load more. Shown so far: ${count}` },
  };
}

/** Returns a cause that fits into the side bar. The tooltip shows the full text. */
function formatShortCause(failure: unknown) {
  if (!isApiError(failure) || failure.info.shortText === undefined) return errorText(failure);
  return [failure.info.shortText, failure.serverMessage].filter(Boolean).join(': ');
}

function createFailedItem(node: NoticeNode, failure: unknown, text: string, label = text): vscode.TreeItem {
  return {
    ...createLeaf(toSingleLine(label, 200), 'error', 'list.errorForeground'),
    description: t('Retry'),
    tooltip: `${text}\n\n${t('Click to try again.')}`,
    command: { command: 'mailing.explorer.retry', title: t('Retry'), arguments: [node] },
    contextValue: needsNewKey(failure) ? 'mailing.error.key' : 'mailing.error',
    accessibilityInformation: { label: t`Error: ${toSingleLine(text, 400)} Press Enter to try again.` },
  };
}

function createEmptyItem({ parent }: NoticeNode): vscode.TreeItem {
  const { empty } = parent.definition;
  const filtered = isFiltered(parent.filter);
  const item = filtered ? createLeaf(t('Nothing matches the filter'), 'filter') : createLeaf(empty.message, 'info');
  const command = filtered ? { command: 'mailing.explorer.clearFilter', title: t('Clear Filter') } : empty.command;
  if (!command) return item;
  return {
    ...item,
    description: command.title,
    command: { ...command, arguments: [parent, ...(command.arguments ?? [])] },
    tooltip: command.title,
  };
}

function createProblemItem({ entry, message }: ProblemNode): vscode.TreeItem {
  const text = formatPair(toSingleLine(entry, 60), toSingleLine(message, 300));
  const command = 'workbench.action.openSettings';
  return {
    ...createLeaf(text, 'warning', 'list.warningForeground'),
    description: t('Open Settings'),
    tooltip: `${text}\n\n${t`Click to open the setting ${'mailing.connections'}.`}`,
    contextValue: 'mailing.problem',
    command: { command, title: t('Open Settings'), arguments: ['@id:mailing.connections'] },
    accessibilityInformation: { label: t`Warning: ${text}` },
  };
}

function createLeaf(label: string, codicon: string, color?: string): vscode.TreeItem {
  return { label, iconPath: createIcon(codicon, color) };
}

function createIcon(codicon: string, color?: string) {
  return new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Returns rows as Markdown without commands, links or images. */
function createInertMarkdown(rows: readonly TooltipRow[]) {
  const markdown = new vscode.MarkdownString(formatTooltip(rows), false);
  markdown.supportHtml = false;
  markdown.isTrusted = false;
  return markdown;
}

/** Sets the document URIs of dragged nodes, so that an editor group opens them on drop. */
export function setDragData(nodes: readonly Node[], data: vscode.DataTransfer): void {
  const documents = nodes.flatMap((node) => {
    if (node.kind !== 'record' || !node.item.document) return [];
    const { name, suffix } = node.item.document;
    return [buildUri(node.collection, node, toBaseName(name, String(node.id)) + suffix)];
  });
  if (documents.length > 0) data.set('text/uri-list', new vscode.DataTransferItem(documents.map(String).join('\r\n')));
}
