import * as vscode from 'vscode';
import type { RecordRef } from '../connections/record.ts';
import type { BranchRef, ConnectionSource, ExplorerTree } from './explorerTree.ts';
import type { TreeCollection } from './model.ts';
import type { AnyCollection, CollectionNode, Node } from './nodes.ts';

export type { BranchRef } from './explorerTree.ts';

/** The tree in the side bar. What it shows is made when it is first looked at: see `ExplorerTree`. */
export class Explorer implements vscode.Disposable {
  readonly #connections: ConnectionSource;
  readonly #collections: (() => Promise<AnyCollection>)[] = [];
  readonly #changes = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly #deletions = new vscode.EventEmitter<RecordRef & { readonly collection: string }>();
  /** A record was deleted from here. */
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
   * Adds a noun's branch to every connection. Branches stand in the order they were registered in, which has to be done before the
   * tree is first looked at.
   */
  register<R extends { readonly id: number }>(load: () => Promise<TreeCollection<R>>): void {
    this.#collections.push(load);
  }

  /** What the view shows. */
  tree(): Promise<ExplorerTree> {
    this.#tree ??= this.#makeTree().catch((error: unknown) => {
      this.#tree = undefined;
      throw error;
    });
    return this.#tree;
  }

  /**
   * What is loaded of the target (a node, a reference to a branch; all where none is given) is out of date. What is in sight is read
   * again, the rest when it is opened. Nothing collapses.
   */
  refresh(target: BranchRef = {}): void {
    void this.#tree?.then((tree) => tree.refresh(target));
  }

  /** A record was deleted on the service. */
  notifyDeleted(record: RecordRef & { readonly collection: string }): void {
    this.refresh({ connection: record.connection, collection: record.collection });
    this.#deletions.fire(record);
  }

  /** A record was read by itself, right after it was saved say: its row shows what it is now, and nothing is read again for that. */
  updateRecord(target: BranchRef, record: { readonly id: number }): void {
    void this.#tree?.then((tree) => tree.updateRecord(target, record));
  }

  /** The view came into sight, or went out of it. */
  get onDidChangeVisibility(): vscode.Event<vscode.TreeViewVisibilityChangeEvent> {
    return this.#view.onDidChangeVisibility;
  }

  /** The selected nodes. */
  get selection(): readonly Node[] {
    return this.#view.selection;
  }

  /**
   * The record that is selected, where it is one of the collection, and the only one: what is meant for one record is not to guess which.
   */
  selectedRecord(collection: string): RecordRef | undefined {
    const [node, ...others] = this.#view.selection;
    return others.length === 0 && node?.kind === 'record' && node.collection === collection
      ? { connection: node.connection, id: node.id }
      : undefined;
  }

  /** Opens a branch in the tree, where that is in sight. */
  async expand(node: CollectionNode): Promise<void> {
    if (this.#view.visible) await this.#view.reveal(node, { select: false, focus: false, expand: true });
  }

  /** Shows a record and selects it, where it is among those that are loaded. True where it is. */
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
