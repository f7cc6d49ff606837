import * as vscode from 'vscode';
import type { Connection } from '../connections/model.ts';
import { addUnreadableNote, cleanFilter } from './display.ts';
import type { FilterValues } from './model.ts';
import {
  CollectionNode,
  ConnectionNode,
  createTreeItem,
  describeCollection,
  describeState,
  RecordNode,
  setDragData,
  type AnyCollection,
  type ConnectionSource,
  type Node,
} from './nodes.ts';
import { RecordBranch } from './recordBranch.ts';

/** A branch of the tree, or all branches of a connection. */
export interface BranchRef {
  readonly connection?: string;
  /** Name of a collection in URIs. */
  readonly collection?: string;
}

/** Time that VS Code gets to render new rows. */
const RENDER_DELAY_MS = 300;

/** The tree of connections, collections and records. Collections are registered by features. */
export class ExplorerTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #connections: ConnectionSource;
  readonly #collections: readonly AnyCollection[];
  readonly #nodes = new Map<string, ConnectionNode>();
  #definitions = '';
  readonly #changes = new vscode.EventEmitter<Node | Node[] | undefined>();
  /** Rows whose change event is due; undefined means the whole tree. */
  readonly #pending = new Set<Node | undefined>();
  /** Responses that VS Code is still rendering. */
  #pendingRenders = 0;
  readonly #subscriptions: vscode.Disposable[];

  readonly onDidChangeTreeData = this.#changes.event;
  readonly setDragData = setDragData;

  /** The order of `collections` is the order in the tree. */
  constructor(connections: ConnectionSource, collections: readonly AnyCollection[]) {
    this.#connections = connections;
    this.#collections = collections;
    this.#syncConnections();
    this.#subscriptions = [
      this.#changes,
      connections.onDidChange(({ id }) => this.#handleConnectionsChanged(id)),
      connections.onDidChangeProblems(() => this.#notify(undefined)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const isConcerned = ({ definition: { groups } }: CollectionNode) =>
          groups?.setting !== undefined && event.affectsConfiguration(groups.setting);
        this.#notify(...this.branches().filter(isConcerned));
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
      .flatMap((node) => node.collections)
      .filter((node) => collection === undefined || node.collection === collection);
  }

  /**
   * Marks the loaded records of the target (a node or a reference; everything by default) as outdated, and cancels its
   * requests. Visible branches reload now, others when they are expanded. Nothing collapses.
   */
  refresh(target: BranchRef = {}): void {
    const branches = this.branches(target).filter(({ branch }) => branch.wasOpened);
    for (const { branch } of branches) branch.refresh();
    this.#notify(...branches);
  }

  /** Updates the row of a record without reloading its branch. */
  updateRecord(target: BranchRef, record: { readonly id: number }): void {
    for (const node of this.branches(target)) {
      const row = node.branch.view.items.find(({ id }) => id === record.id);
      const before = JSON.stringify(row?.item);
      if (!node.branch.updateRecord(record)) this.refresh(node);
      // The branch has already reported removed rows.
      else if (row && JSON.stringify(row.item) !== before) this.#notify(this.#isGrouped(node) ? node : row);
    }
  }

  /** Filters a branch by these values, named by the collection's filter keys; `{}` clears the filter. */
  setFilter(node: CollectionNode, values: FilterValues): FilterValues {
    node.filter = cleanFilter(node.definition.filters, values);
    node.branch.reset();
    this.#notify(node);
    return node.filter;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return createTreeItem(node, this.#connections);
  }

  getParent(node: Node): Node | undefined {
    if (!('parent' in node)) return undefined;
    const { parent } = node;
    if (node.kind !== 'record' || !this.#isGrouped(node.parent)) return parent;
    return node.parent.groups.find(({ definition }) => definition.key === node.item.group) ?? parent;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node?.kind !== 'collection') {
      this.#awaitRendering(() => undefined);
      if (!node) {
        const problems = this.#connections.problems.map((problem, index) => ({
          ...problem,
          kind: 'problem' as const,
          treeId: `problem ${index}`,
        }));
        return [...problems, ...this.roots];
      }
      if (node.kind === 'connection')
        return node.collections.filter(({ definition }) => definition.isAvailable?.(node.definition) !== false);
      return node.kind === 'group' ? node.records : [];
    }
    node.parent.pendingReads += 1;
    await node.branch.load();
    this.#awaitRendering(() => {
      node.parent.pendingReads -= 1;
      this.#refreshLabels(node);
    });
    const { items, failure, tail } = node.branch.view;
    const shown = this.#isGrouped(node) ? node.groups.filter(({ records }) => records.length > 0) : items;
    if (tail !== 'none') return [...shown, node.notice];
    return failure !== undefined || items.length === 0 ? [node.notice, ...shown] : [...shown];
  }

  dispose(): void {
    for (const { branch } of this.branches()) branch.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /**
   * Updates the labels beside a loaded branch, once per load: updating a row renders everything below it again. While
   * the branch is still loading, the end of the load does this.
   */
  #refreshLabels(node: CollectionNode) {
    const { parent } = node;
    if (node.branch.isReading) return;
    if (parent.pendingReads === 0 && describeState(parent, this.#connections) !== parent.shownState)
      this.#notify(parent);
    else if (describeCollection(node) !== node.shownDescription) this.#notify(node);
  }

  #isGrouped({ definition: { groups } }: CollectionNode) {
    if (groups?.setting === undefined) return groups !== undefined;
    return vscode.workspace.getConfiguration().get<boolean>(groups.setting) === true;
  }

  /**
   * Renders what changed: everything if connections were added, removed or redefined, else the one whose state
   * changed. While VS Code waits for rows of a connection, this is deferred: rows of a branch that is rendered
   * meanwhile would be lost.
   */
  #handleConnectionsChanged(id: string | undefined) {
    const redefined = this.#syncConnections();
    const node = this.#nodes.get(id ?? '');
    if (node) this.#updateBrokenState(node);
    if (redefined) this.#notify(undefined);
    else if (node?.pendingReads === 0 && describeState(node, this.#connections) !== node.shownState) this.#notify(node);
  }

  /** Updates the nodes to the current connections. Returns whether they changed. */
  #syncConnections() {
    const { all } = this.#connections;
    const definitions = JSON.stringify(all);
    if (definitions === this.#definitions) return false;
    this.#definitions = definitions;
    for (const [id, node] of this.#nodes) {
      if (all.some((connection) => connection.id === id)) continue;
      for (const { branch } of node.collections) branch.dispose();
      this.#nodes.delete(id);
    }
    for (const connection of all) {
      const node = this.#nodes.get(connection.id) ?? this.#createConnectionNode(connection);
      const { baseUrl, profile } = node.definition;
      node.definition = connection;
      if (baseUrl !== connection.baseUrl || profile !== connection.profile)
        for (const { branch } of node.collections) branch.reset();
    }
    return true;
  }

  /** Reloads failed branches once their connection works again, and with a new key those that are being read too. */
  #updateBrokenState(node: ConnectionNode) {
    const wasBroken = node.isBroken;
    const { kind } = this.#connections.state(node.connection);
    node.isBroken = ['failed', 'keyMissing'].includes(kind);
    if (node.isBroken || !(wasBroken || kind === 'unknown')) return;
    for (const { branch } of node.collections) {
      if (branch.view.failure === undefined && !(kind === 'unknown' && branch.isReading)) continue;
      branch.refresh();
      // An empty state forces the row to render, which reloads its branches.
      node.shownState = '';
    }
  }

  #createConnectionNode(connection: Connection) {
    const node = new ConnectionNode(connection);
    this.#nodes.set(connection.id, node);
    node.collections = this.#collections.map(
      (definition) => new CollectionNode(node, definition, (collection) => this.#createBranch(collection)),
    );
    return node;
  }

  #createBranch(node: CollectionNode): CollectionNode['branch'] {
    const { connection, definition } = node;
    return new RecordBranch({
      pageSize: definition.pageSize,
      fetch: (page, signal) =>
        this.#connections.run(this.#connections.getService(connection), (client) =>
          definition.fetch(client, page, node.filter, { signal }),
        ),
      matchesFilter: (record) => definition.matchesFilter?.(record, node.filter) ?? true,
      toItem: (record, before) => {
        const item = addUnreadableNote(definition.item(record, { connection, id: record.id }), record);
        if (!before) return new RecordNode(node, record.id, item);
        before.item = item;
        return before;
      },
      onChanged: (what) => this.#notify(what === 'tail' ? node.notice : node),
    });
  }

  /** Renders the rows and everything below them again; the whole tree for `undefined`. */
  #notify(...nodes: (Node | undefined)[]) {
    for (const node of nodes) this.#pending.add(node);
    this.#fireChanges();
  }

  /**
   * Defers change events until VS Code has rendered the rows that are being returned, then runs `onRendered`. If a row changes while VS Code
   * is receiving its children, VS Code keeps the old children, which its extension host no longer knows, and runs commands on them without
   * an argument.
   */
  #awaitRendering(onRendered: () => void) {
    this.#pendingRenders += 1;
    const end = () => {
      this.#pendingRenders -= 1;
      onRendered();
      this.#fireChanges();
    };
    const wait = () => void setTimeout(end, RENDER_DELAY_MS);
    // Messages to VS Code arrive in order: it answers this command after receiving the children, or not at all if it is shutting down.
    vscode.commands.executeCommand('noop').then(wait, wait);
  }

  #fireChanges() {
    if (this.#pendingRenders > 0 || this.#pending.size === 0) return;
    const due = [...this.#pending];
    this.#pending.clear();
    const isCovered = (node: Node) =>
      'connection' in node &&
      due.some((above) => above?.kind === 'connection' && above !== node && above.connection === node.connection);
    const nodes = due.filter((node) => node !== undefined).filter((node) => !isCovered(node));
    if (due.includes(undefined)) this.#changes.fire(undefined);
    else this.#changes.fire(nodes.length === 1 ? nodes[0] : nodes);
  }
}
