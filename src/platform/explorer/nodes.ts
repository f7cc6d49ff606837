import type { Connection } from '../connections/model.ts';
import type { RecordRef } from '../connections/model.ts';
import type { RecordBranch } from './recordBranch.ts';
import type { FilterValues, RecordGroup, RecordItem, TreeCollection } from './model.ts';

export type AnyCollection = TreeCollection<{ readonly id: number }>;

export class ConnectionNode {
  readonly kind = 'connection';
  readonly connection: string;
  definition: Connection;
  readonly collections = new Map<string, CollectionNode>();
  /** The state as last rendered, to detect changes. */
  shownState = '';
  /** Number of branches that VS Code is waiting for. */
  pendingReads = 0;

  constructor(definition: Connection) {
    this.connection = definition.id;
    this.definition = definition;
  }

  get treeId(): string {
    return this.connection;
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
  readonly tail: NoticeNode<'tail'>;
  readonly failure: NoticeNode<'failure'>;
  readonly empty: NoticeNode<'empty'>;
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
    this.tail = new NoticeNode(this, 'tail');
    this.failure = new NoticeNode(this, 'failure');
    this.empty = new NoticeNode(this, 'empty');
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
export class RecordNode extends CollectionPart implements RecordRef {
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
 * `tail`: the row below the records ("Load more…", loading, failed, or all shown), which stays the same node so that it keeps the keyboard
 * focus when its state changes. `failure`: why a collection could not be read. `empty`: there are no records, or none that pass the filter.
 */
export class NoticeNode<K extends 'tail' | 'failure' | 'empty' = 'tail' | 'failure' | 'empty'> extends CollectionPart {
  readonly kind: K;

  constructor(parent: CollectionNode, kind: K) {
    super(parent, kind);
    this.kind = kind;
  }
}

export class GroupNode extends CollectionPart {
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
export class ProblemNode {
  readonly kind = 'problem';
  readonly entry: string;
  readonly message: string;
  readonly treeId: string;

  constructor(entry: string, message: string, index: number) {
    this.entry = entry;
    this.message = message;
    this.treeId = `problem ${index}`;
  }
}

export type Node =
  | ConnectionNode
  | CollectionNode
  | RecordNode
  | NoticeNode<'tail'>
  | NoticeNode<'failure'>
  | NoticeNode<'empty'>
  | GroupNode
  | ProblemNode;

/** Returns the children of a collection in order. */
export function getChildNodes(node: CollectionNode, grouped: boolean): Node[] {
  const { items, failure, tail } = node.branch.view;
  const shown = grouped ? node.groups.filter(({ records }) => records.length > 0) : items;
  if (failure !== undefined) return [node.failure, ...shown];
  if (tail !== 'none') return [...shown, node.tail];
  return items.length === 0 ? [node.empty] : [...shown];
}

/** Returns the parent of a record: its collection or group. */
export function getParentNode(node: RecordNode, grouped: boolean): CollectionNode | GroupNode {
  return (
    (grouped ? node.parent.groups.find(({ definition }) => definition.key === node.item.group) : undefined) ??
    node.parent
  );
}
