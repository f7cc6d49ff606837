import * as vscode from 'vscode';
import type { RecordRef } from '../connections/model.ts';
import type { BranchRef, ExplorerTree } from './explorerTree.ts';
import type { TreeCollection } from './model.ts';
import type { AnyCollection, ConnectionSource, Node } from './nodes.ts';

type CollectionRecord = RecordRef & { readonly collection: string };

/** The tree view in the side bar. Its content, `ExplorerTree`, is always loaded at most once: when it is first shown. */
export class Explorer implements vscode.Disposable {
  readonly #connections: ConnectionSource;
  readonly #collections: (() => Promise<AnyCollection>)[] = [];
  readonly #changes = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly #deletions = new vscode.EventEmitter<CollectionRecord>();
  #tree: Promise<ExplorerTree> | undefined;
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Fires after a record was deleted in this window. */
  readonly onDidDeleteRecord = this.#deletions.event;
  readonly view = vscode.window.createTreeView<Node>('mailing.explorer', {
    treeDataProvider: {
      onDidChangeTreeData: this.#changes.event,
      getTreeItem: async (node) => (await this.tree()).getTreeItem(node),
      getChildren: async (node) => (await this.tree()).getChildren(node),
      getParent: async (node) => (await this.tree()).getParent(node),
    },
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: {
      dragMimeTypes: ['text/uri-list'],
      dropMimeTypes: [],
      handleDrag: async (nodes, data) => (await this.tree()).setDragData(nodes, data),
    },
  });

  constructor(connections: ConnectionSource) {
    this.#connections = connections;
    this.#setContexts();
    this.#subscriptions = [
      this.view,
      this.#changes,
      this.#deletions,
      connections.onDidChange(({ id }) => (id === undefined ? this.#setContexts() : undefined)),
      // The connection may be removed meanwhile.
      connections.onDidAdd((id) => this.#revealConnection(id).catch(() => undefined)),
    ];
  }

  /**
   * Adds a collection to every connection. The tree shows collections in registration order, and they must be registered before it is
   * first shown.
   */
  register<R extends { readonly id: number }>(load: () => Promise<TreeCollection<R>>): void {
    this.#collections.push(load);
  }

  /** Loads the content of the view. */
  tree(): Promise<ExplorerTree> {
    return (this.#tree ??= this.#createTree());
  }

  /**
   * Marks the loaded records of the target (a node or a reference; everything by default) as outdated. Visible branches
   * reload now, others when they are expanded. Nothing collapses.
   */
  refresh(target: BranchRef = {}): void {
    void this.#tree?.then((tree) => tree.refresh(target));
  }

  /** Call after a record was deleted on the service. */
  notifyDeleted(record: CollectionRecord): void {
    this.refresh({ connection: record.connection, collection: record.collection });
    this.#deletions.fire(record);
  }

  /** Updates the row of a record that was read elsewhere, such as after a save, without another request. */
  updateRecord(target: BranchRef, record: { readonly id: number }): void {
    void this.#tree?.then((tree) => tree.updateRecord(target, record));
  }

  /** The selected record if it is the only selection. With several records selected, the target would be a guess. */
  get selectedRecord(): Pick<CollectionRecord, 'connection' | 'collection' | 'id'> | undefined {
    const [node, ...others] = this.view.selection;
    return others.length === 0 && node?.kind === 'record'
      ? { connection: node.connection, collection: node.collection, id: node.id }
      : undefined;
  }

  /** Shows and selects a record if it is loaded. */
  async reveal(collection: string, { connection, id }: RecordRef): Promise<void> {
    const [node] = (await this.tree()).branches({ connection, collection });
    await node?.branch.load();
    const row = node?.branch.view.items.find((record) => record.id === id);
    if (row) await this.view.reveal(row, { select: true, focus: false });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#tree?.then((tree) => tree.dispose());
  }

  #setContexts() {
    const { all } = this.#connections;
    const contexts = {
      hasConnections: all.length > 0,
      hasServices: all.some(({ sandbox }) => !sandbox),
      hasSandbox: all.some(({ sandbox }) => sandbox),
    };
    for (const [name, value] of Object.entries(contexts))
      void vscode.commands.executeCommand('setContext', `mailing.${name}`, value);
  }

  /** Shows, selects and expands a connection. */
  async #revealConnection(id: string) {
    const node = (await this.tree()).roots.find(({ connection }) => connection === id);
    if (node) await this.view.reveal(node, { select: true, focus: false, expand: true });
  }

  async #createTree() {
    const [{ ExplorerTree }, ...collections] = await Promise.all([
      import('./explorerTree.ts'),
      ...this.#collections.map((load) => load()),
    ]);
    const tree = new ExplorerTree(this.#connections, collections);
    tree.onDidChangeTreeData((changed) => this.#changes.fire(changed));
    return tree;
  }
}
