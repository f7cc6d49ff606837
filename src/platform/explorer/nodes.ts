import type { Connection } from '../connections/model.ts';
import type { RecordRef } from '../connections/record.ts';
import type { RecordBranch } from './recordBranch.ts';
import type { FilterValues, RecordGroup, RecordItem, TreeCollection } from './model.ts';

/** A noun's branch, whatever its records are. */
export type AnyCollection = TreeCollection<{ readonly id: number }>;

/** A service. */
export class ConnectionNode {
  readonly kind = 'connection';
  /** Id of the connection. */
  readonly connection: string;
  definition: Connection;
  readonly collections = new Map<string, CollectionNode>();
  /** What was last shown of its state, to see whether it must be drawn again. */
  shownState = '';
  /** How many of its branches are being read for VS Code. */
  pendingReads = 0;

  constructor(definition: Connection) {
    this.connection = definition.id;
    this.definition = definition;
  }

  get treeId(): string {
    return this.connection;
  }
}

/** A noun's branch under a service. */
export class CollectionNode {
  readonly kind = 'collection';
  readonly parent: ConnectionNode;
  readonly definition: AnyCollection;
  readonly branch: RecordBranch<{ readonly id: number }, RecordNode>;
  filter: FilterValues = {};
  /** What was last shown beside the label, to see whether it must be drawn again. */
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

/** A record. It is what commands take as their first argument. */
export class RecordNode implements RecordRef {
  readonly kind = 'record';
  readonly connection: string;
  readonly id: number;
  readonly parent: CollectionNode;
  /** It changes in place: VS Code knows the row by its node. */
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

/** A node of a collection that is no record. */
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
 * What stands below the records: "Load more…", that it loads, why it failed, that there are no more. It is one node all the time, so that
 * the keyboard's focus stays where it was while one becomes the other.
 */
export class TailNode extends CollectionPart {
  readonly kind = 'tail';
  readonly part = 'tail';
}

/** Why a collection could not be read. */
export class FailureNode extends CollectionPart {
  readonly kind = 'failure';
  readonly part = 'failure';
}

/** Says that there are no records, or none that pass the filter. */
export class EmptyNode extends CollectionPart {
  readonly kind = 'empty';
  readonly part = 'empty';
}

/** Records of a collection that stand together. */
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

/** An entry of the settings that can't be used. */
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

/** What stands under a collection, in order. */
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

/** What a record stands under. */
export function getParentNode(node: RecordNode, grouped: boolean): CollectionNode | GroupNode {
  return (
    (grouped ? node.parent.groups.find(({ definition }) => definition.key === node.item.group) : undefined) ??
    node.parent
  );
}
