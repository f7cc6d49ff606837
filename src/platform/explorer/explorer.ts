import * as vscode from 'vscode';
import type { RecordRef } from '../connections/model.ts';
import type { BranchRef, ConnectionSource, ExplorerTree } from './explorerTree.ts';
import type { TreeCollection } from './model.ts';
import type { AnyCollection, CollectionNode, Node } from './nodes.ts';

export type { BranchRef } from './explorerTree.ts';

/** The tree view in the side bar. Its content, `ExplorerTree`, is loaded when it is first shown. */
export class Explorer implements vscode.Disposable {
  readonly #connections: ConnectionSource;
  readonly #collections: (() => Promise<AnyCollection>)[] = [];
  readonly #changes = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly #deletions = new vscode.EventEmitter<RecordRef & { readonly collection: string }>();
  /** Fires after a record was deleted in this window. */
  readonly onDidDeleteRecord = this.#deletions.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #subscriptions: readonly vscode.Disposable[];
  #tree: Promise<ExplorerTree> | undefined;

  constructor(connections: ConnectionSource) {
    this.#connections = connections;
    this.#view = vscode.window.createTreeView<Node>('mailing.explorer', {
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
        handleDrag: async (nodes, data) => (await import('./items.ts')).setDragData(nodes, data),
      },
    });
    const setContext = (): void => {
      void vscode.commands.executeCommand('setContext', 'mailing.hasConnections', connections.all.length > 0);
      void vscode.commands.executeCommand(
        'setContext',
        'mailing.hasServices',
        connections.all.some((connection) => !connection.sandbox),
      );
      void vscode.commands.executeCommand(
        'setContext',
        'mailing.hasSandbox',
        connections.all.some((connection) => connection.sandbox),
      );
    };
    setContext();
    this.#subscriptions = [
      this.#view,
      this.#changes,
      this.#deletions,
      connections.onDidChange(({ id }) => (id === undefined ? setContext() : undefined)),
    ];
  }

  /**
   * Adds a collection to every connection. The tree shows collections in registration order, and they must be
   * registered before it is first shown.
   */
  register<R extends { readonly id: number }>(load: () => Promise<TreeCollection<R>>): void {
    this.#collections.push(load);
  }

  /** Loads the content of the view. */
  tree(): Promise<ExplorerTree> {
    this.#tree ??= this.#makeTree().catch((error: unknown) => {
      this.#tree = undefined;
      throw error;
    });
    return this.#tree;
  }

  /**
   * Marks the loaded records of the target (a node or a reference; everything by default) as outdated. Visible branches
   * reload now, others when they are expanded. Nothing collapses.
   */
  refresh(target: BranchRef = {}): void {
    void this.#tree?.then((tree) => tree.refresh(target));
  }

  /** Call after a record was deleted on the service. */
  notifyDeleted(record: RecordRef & { readonly collection: string }): void {
    this.refresh({ connection: record.connection, collection: record.collection });
    this.#deletions.fire(record);
  }

  /** Updates the row of a record that was read elsewhere, such as after a save, without another request. */
  updateRecord(target: BranchRef, record: { readonly id: number }): void {
    void this.#tree?.then((tree) => tree.updateRecord(target, record));
  }

  get onDidChangeVisibility(): vscode.Event<vscode.TreeViewVisibilityChangeEvent> {
    return this.#view.onDidChangeVisibility;
  }

  get selection(): readonly Node[] {
    return this.#view.selection;
  }

  /**
   * Returns the selected record if it is the only selection. With several records selected, the target would be a
   * guess.
   */
  get selectedRecord(): (RecordRef & { readonly collection: string }) | undefined {
    const [node, ...others] = this.#view.selection;
    return others.length === 0 && node?.kind === 'record'
      ? { connection: node.connection, collection: node.collection, id: node.id }
      : undefined;
  }

  /** Expands a branch if the view is visible. */
  async expand(node: CollectionNode): Promise<void> {
    if (this.#view.visible) await this.#view.reveal(node, { select: false, focus: false, expand: true });
  }

  /** Shows and selects a record if it is loaded. Returns whether it is. */
  async reveal(collection: string, { connection, id }: RecordRef): Promise<boolean> {
    const [branch] = (await this.tree()).branches({ connection, collection });
    await branch?.branch.load();
    const node = branch?.branch.view.items.find((record) => record.id === id);
    if (!node) return false;
    await this.#view.reveal(node, { select: true, focus: false });
    return true;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#tree?.then((tree) => tree.dispose());
  }

  async #makeTree(): Promise<ExplorerTree> {
    const [{ ExplorerTree }, ...collections] = await Promise.all([
      import('./explorerTree.ts'),
      ...this.#collections.map((load) => load()),
    ]);
    const tree = new ExplorerTree(this.#connections, collections);
    tree.onDidChangeTreeData((changed) => this.#changes.fire(changed));
    return tree;
  }
}
