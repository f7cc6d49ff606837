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
  readonly branch: RecordBranch<{ readonly id: number }, RecordNode>;
  filter: FilterValues = {};
  /** The description as last rendered, to detect changes. */
  shownDescription = '';
  readonly tail: TailNode;
  readonly failure: FailureNode;
  readonly empty: EmptyNode;
  readonly groups: readonly GroupNode[];

  constructor(
    parent: ConnectionNode,
    definition: AnyCollection,
    branch: (node: CollectionNode) => RecordBranch<{ readonly id: number }, RecordNode>,
  ) {
    this.parent = parent;
    this.definition = definition;
    this.branch = branch(this);
    this.tail = new TailNode(this);
    this.failure = new FailureNode(this);
    this.empty = new EmptyNode(this);
    this.groups = (definition.groups?.all ?? []).map((group) => new GroupNode(this, group));
  }

  get connection(): string {
    return this.parent.connection;
  }

  /** Name of the collection in URIs. */
  get collection(): string {
    return this.definition.id;
  }

  get treeId(): string {
    return `${this.connection}/${this.collection}`;
  }
}

/** A record. Commands take it as their first argument. */
export class RecordNode implements RecordRef {
  readonly kind = 'record';
  readonly connection: string;
  readonly id: number;
  readonly parent: CollectionNode;
  /** Mutable: VS Code identifies the row by its node. */
  item: RecordItem;

  constructor(parent: CollectionNode, id: number, item: RecordItem) {
    this.connection = parent.connection;
    this.id = id;
    this.parent = parent;
    this.item = item;
  }

  get collection(): string {
    return this.parent.collection;
  }

  get treeId(): string {
    return `${this.parent.treeId}/${this.id}`;
  }
}

/** A child of a collection other than a record. */
abstract class CollectionPart {
  abstract readonly part: string;
  readonly parent: CollectionNode;

  constructor(parent: CollectionNode) {
    this.parent = parent;
  }

  get connection(): string {
    return this.parent.connection;
  }

  get collection(): string {
    return this.parent.collection;
  }

  get treeId(): string {
    return `${this.parent.treeId}/${this.part}`;
  }
}

/**
 * The row below the records: "Load more…", loading, failed, or all shown. It stays the same node, so that it keeps the
 * keyboard focus when its state changes.
 */
export class TailNode extends CollectionPart {
  readonly kind = 'tail';
  readonly part = 'tail';
}

/** Shows why a collection could not be read. */
export class FailureNode extends CollectionPart {
  readonly kind = 'failure';
  readonly part = 'failure';
}

/** Shows that there are no records, or none that pass the filter. */
export class EmptyNode extends CollectionPart {
  readonly kind = 'empty';
  readonly part = 'empty';
}

export class GroupNode extends CollectionPart {
  readonly kind = 'group';
  readonly part: string;
  readonly definition: RecordGroup;

  constructor(parent: CollectionNode, definition: RecordGroup) {
    super(parent);
    this.part = `group ${definition.key}`;
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
  ConnectionNode | CollectionNode | RecordNode | TailNode | FailureNode | EmptyNode | GroupNode | ProblemNode;

/** Returns the children of a collection in order. */
export function getChildNodes(
  node: CollectionNode,
  grouped: boolean,
): (RecordNode | TailNode | FailureNode | EmptyNode | GroupNode)[] {
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
