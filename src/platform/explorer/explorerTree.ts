import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import type { Connection } from '../connections/model.ts';
import { RecordBranch } from './recordBranch.ts';
import { cleanFilter } from './filters.ts';
import { describeCollection, describeState, createTreeItem, type TreeState } from './items.ts';
import type { FilterValues } from './model.ts';
import { addUnreadableNote } from './drawing.ts';
import {
  getChildNodes,
  CollectionNode,
  ConnectionNode,
  getParentNode,
  ProblemNode,
  RecordNode,
  type AnyCollection,
  type Node,
} from './nodes.ts';

export type ConnectionSource = Pick<
  Connections,
  'all' | 'problems' | 'get' | 'state' | 'onDidChange' | 'onDidChangeProblems' | 'run'
>;

/** A branch of the tree, or all branches of a connection. */
export interface BranchRef {
  readonly connection?: string;
  /** Name of a collection in URIs. */
  readonly collection?: string;
}

/** The tree of connections, collections and records. Collections are registered by features. */
export class ExplorerTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #connections: ConnectionSource;
  readonly #collections: readonly AnyCollection[];
  readonly #nodes = new Map<string, ConnectionNode>();
  /** Ids of connections that failed or have no key. */
  readonly #brokenIds = new Set<string>();
  #definitions = '';
  readonly #changes = new TreeChanges();
  readonly #subscriptions: vscode.Disposable[];
  readonly #state: TreeState;

  readonly onDidChangeTreeData = this.#changes.event;

  /** The order of `collections` is the order in the tree. */
  constructor(connections: ConnectionSource, collections: readonly AnyCollection[]) {
    this.#connections = connections;
    this.#collections = collections;
    this.#state = {
      getState: (id) => connections.state(id),
      get isOnlyConnection() {
        return connections.all.length === 1;
      },
    };
    this.#syncConnections();
    this.#subscriptions = [
      this.#changes,
      connections.onDidChange(({ id }) => this.#handleConnectionsChanged(id)),
      connections.onDidChangeProblems(() => this.#changes.notify(undefined)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const concerned = this.branches().filter(
          ({ definition: { groups } }) => groups !== undefined && event.affectsConfiguration(groups.setting),
        );
        this.#changes.notify(...concerned);
      }),
    ];
  }

  get roots(): readonly ConnectionNode[] {
    return this.#connections.all.map(({ id }) => this.#nodes.get(id)).filter((node) => node !== undefined);
  }

  /** Returns the branches that a reference names: one, those of a connection, or all. */
  branches({ connection, collection }: BranchRef = {}): readonly CollectionNode[] {
    return this.roots
      .filter((node) => connection === undefined || node.connection === connection)
      .flatMap((node) => [...node.collections.values()])
      .filter((node) => collection === undefined || node.collection === collection);
  }

  /**
   * Marks the loaded records of the target (a node or a reference; everything by default) as outdated, and cancels its
   * requests. Visible branches reload now, others when they are expanded. Nothing collapses.
   */
  refresh(target: BranchRef = {}): void {
    const branches = this.branches(target).filter(({ branch }) => branch.wasOpened);
    for (const { branch } of branches) branch.refresh();
    if (target.connection === undefined) this.#changes.notify(undefined);
    else this.#changes.notify(...branches);
  }

  /** Updates the row of a record without reloading its branch. */
  updateRecord(target: BranchRef, record: { readonly id: number }): void {
    for (const node of this.branches(target)) {
      const row = node.branch.view.items.find(({ id }) => id === record.id);
      const before = JSON.stringify(row?.item);
      if (!node.branch.updateRecord(record)) this.refresh(node);
      // The branch has already reported removed rows.
      else if (row && JSON.stringify(row.item) !== before) this.#changes.notify(this.#isGrouped(node) ? node : row);
    }
  }

  /** Filters a branch by these values, named by the collection's filter keys; `{}` clears the filter. */
  setFilter(node: CollectionNode, values: FilterValues): FilterValues {
    node.filter = cleanFilter(node.definition.filters, values);
    node.branch.reset();
    this.#changes.notify(node);
    return node.filter;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return createTreeItem(node, this.#state);
  }

  getParent(node: Node): Node | undefined {
    if (node.kind === 'record') return getParentNode(node, this.#isGrouped(node.parent));
    return 'parent' in node ? node.parent : undefined;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node?.kind !== 'collection') {
      this.#changes.awaitRendering(() => undefined);
      return this.#getStaticChildren(node);
    }
    node.parent.pendingReads += 1;
    await node.branch.load();
    this.#changes.awaitRendering(() => {
      node.parent.pendingReads -= 1;
      this.#refreshLabels(node);
    });
    return getChildNodes(node, this.#isGrouped(node));
  }

  dispose(): void {
    for (const { branch } of this.branches()) branch.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Returns the children that don't have to be loaded. */
  #getStaticChildren(node: Exclude<Node, CollectionNode> | undefined): Node[] {
    if (node === undefined) {
      return [
        ...this.#connections.problems.map(({ entry, message }, index) => new ProblemNode(entry, message, index)),
        ...this.roots,
      ];
    }
    if (node.kind === 'connection') return [...node.collections.values()];
    return node.kind === 'group' ? node.records : [];
  }

  /**
   * Updates the labels beside a loaded branch, once per load: updating a row renders everything below it again. While
   * the branch is still loading, the end of the load does this.
   */
  #refreshLabels(node: CollectionNode): void {
    const { parent } = node;
    if (node.branch.isReading) return;
    if (parent.pendingReads === 0 && describeState(parent, this.#state) !== parent.shownState)
      this.#changes.notify(parent);
    else if (describeCollection(node) !== node.shownDescription) this.#changes.notify(node);
  }

  #isGrouped({ definition: { groups } }: CollectionNode): boolean {
    return groups !== undefined && vscode.workspace.getConfiguration().get<boolean>(groups.setting) === true;
  }

  /**
   * Renders what changed: everything if connections were added, removed or redefined, else the one whose state
   * changed. While VS Code waits for rows of a connection, this is deferred: rows of a branch that is rendered
   * meanwhile would be lost.
   */
  #handleConnectionsChanged(id: string | undefined): void {
    const redefined = this.#syncConnections();
    const node = id === undefined ? undefined : this.#nodes.get(id);
    if (node) this.#updateBrokenState(node);
    if (redefined) this.#changes.notify(undefined);
    else if (node?.pendingReads === 0 && describeState(node, this.#state) !== node.shownState)
      this.#changes.notify(node);
  }

  /** Updates the nodes to the current connections. Returns whether they changed. */
  #syncConnections(): boolean {
    const { all } = this.#connections;
    const definitions = JSON.stringify(all);
    if (definitions === this.#definitions) return false;
    this.#definitions = definitions;
    for (const [id, node] of this.#nodes) {
      if (all.some((connection) => connection.id === id)) continue;
      for (const { branch } of node.collections.values()) branch.dispose();
      this.#nodes.delete(id);
      this.#brokenIds.delete(id);
    }
    for (const connection of all) {
      const node = this.#nodes.get(connection.id) ?? this.#createConnectionNode(connection);
      const { baseUrl, profile } = node.definition;
      node.definition = connection;
      this.#nodes.set(connection.id, node);
      if (baseUrl !== connection.baseUrl || profile !== connection.profile)
        for (const { branch } of node.collections.values()) branch.reset();
    }
    return true;
  }

  /** Reloads failed branches once their connection works again. */
  #updateBrokenState(node: ConnectionNode): void {
    const { kind } = this.#connections.state(node.connection);
    const isBroken = kind === 'failed' || kind === 'keyMissing';
    const wasBroken = this.#brokenIds.has(node.connection);
    if (isBroken) this.#brokenIds.add(node.connection);
    else this.#brokenIds.delete(node.connection);
    const failed =
      wasBroken && !isBroken ? [...node.collections.values()].filter(({ branch }) => branch.hasFailed) : [];
    for (const { branch } of failed) branch.refresh();
    // An empty state forces the row to render, which reloads its branches.
    if (failed.length > 0) node.shownState = '';
  }

  #createConnectionNode(connection: Connection): ConnectionNode {
    const node = new ConnectionNode(connection);
    for (const definition of this.#collections)
      node.collections.set(definition.id, this.#createCollectionNode(node, definition));
    return node;
  }

  #createCollectionNode(parent: ConnectionNode, definition: AnyCollection): CollectionNode {
    const { connection } = parent;
    return new CollectionNode(parent, definition, (node) => {
      return new RecordBranch({
        pageSize: definition.pageSize,
        fetch: (page, signal) =>
          this.#connections.run(connection, (client) => definition.fetch(client, page, node.filter, { signal })),
        matchesFilter: (record) => definition.matchesFilter?.(record, node.filter) ?? true,
        toItem: (record, before) => {
          const item = addUnreadableNote(definition.item(record, { connection, id: record.id }), record);
          if (before === undefined) return new RecordNode(node, record.id, item);
          before.item = item;
          return before;
        },
        onChanged: (what) => this.#changes.notify(what === 'tail' ? node.tail : node),
      });
    });
  }
}

/** Time that VS Code gets to render new rows. */
const RENDER_DELAY_MS = 300;

/**
 * Defers change events until VS Code has rendered the rows it requested. If a row changes while VS Code is receiving
 * its children, VS Code keeps the old children, which its extension host no longer knows, and runs commands on them
 * without an argument.
 */
class TreeChanges implements vscode.Disposable {
  readonly #emitter = new vscode.EventEmitter<Node | Node[] | undefined>();
  /** Undefined means the whole tree. */
  readonly #pending = new Set<Node | undefined>();
  /** Responses that VS Code is still rendering. */
  #pendingRenders = 0;

  readonly event = this.#emitter.event;

  /** Renders the rows and everything below them again; the whole tree for `undefined`. */
  notify(...nodes: (Node | undefined)[]): void {
    for (const node of nodes) this.#pending.add(node);
    this.#flush();
  }

  /** Call when children are returned to VS Code. `onRendered` runs once they are rendered. */
  awaitRendering(onRendered: () => void): void {
    this.#pendingRenders += 1;
    // Messages to VS Code arrive in order: it answers this command after receiving the children.
    const arrived = vscode.commands.executeCommand('noop');
    const end = (): void => {
      this.#pendingRenders -= 1;
      onRendered();
      this.#flush();
    };
    const wait = (): void => void setTimeout(end, RENDER_DELAY_MS);
    // Without an answer, VS Code is shutting down.
    arrived.then(wait, wait);
  }

  dispose(): void {
    this.#emitter.dispose();
  }

  #flush(): void {
    if (this.#pendingRenders > 0 || this.#pending.size === 0) return;
    const due = [...this.#pending];
    this.#pending.clear();
    const nodes = due
      .filter((node) => node !== undefined)
      .filter((node) => !due.some((above) => above !== node && isAncestor(above, node)));
    if (due.includes(undefined)) this.#emitter.fire(undefined);
    else this.#emitter.fire(nodes.length === 1 ? nodes[0] : nodes);
  }
}

/** Returns whether `node` is the connection of the row `below`. */
function isAncestor(node: Node | undefined, below: Node): boolean {
  return node?.kind === 'connection' && 'connection' in below && node.connection === below.connection;
}
