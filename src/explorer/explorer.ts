import * as vscode from 'vscode';
import type { RecordRef } from '../workbench/record.ts';
import { registerCommands } from './commands.ts';
import { dragOf } from './drag.ts';
import { ExplorerTree, type ConnectionSource } from './explorerTree.ts';
import type { CollectionNode, Node } from './nodes.ts';

export type { BranchRef } from './explorerTree.ts';

/** The tree in the side bar, with its commands. */
export class Explorer extends ExplorerTree {
  readonly #view: vscode.TreeView<Node>;
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(connections: ConnectionSource) {
    super(connections);
    this.#view = vscode.window.createTreeView('mailing.explorer', {
      treeDataProvider: this,
      showCollapseAll: true,
      dragAndDropController: { dragMimeTypes: ['text/uri-list'], dropMimeTypes: [], handleDrag: dragOf },
    });
    const setContext = (): void => {
      void vscode.commands.executeCommand('setContext', 'mailing.hasConnections', connections.all.length > 0);
      void vscode.commands.executeCommand('setContext', 'mailing.hasSandbox', connections.all.some((connection) => connection.sandbox));
    };
    setContext();
    this.#subscriptions = [this.#view, connections.onDidChange(({ id }) => (id === undefined ? setContext() : undefined)), ...registerCommands(this)];
  }

  /** The selected nodes. */
  get selection(): readonly Node[] {
    return this.#view.selection;
  }

  /** The record that is selected, where it is one of the collection. */
  selectedRecord(collection: string): RecordRef | undefined {
    const [node] = this.#view.selection;
    return node?.kind === 'record' && node.collection === collection ? { connection: node.connection, id: node.id } : undefined;
  }

  /** Opens a branch in the tree, where that is in sight. */
  async expand(node: CollectionNode): Promise<void> {
    if (this.#view.visible) await this.#view.reveal(node, { select: false, focus: false, expand: true });
  }

  /** Shows a record and selects it, where it is among those that are loaded. True where it is. */
  async reveal(collection: string, { connection, id }: RecordRef): Promise<boolean> {
    const [branch] = this.branches({ connection, collection });
    await branch?.branch.load();
    const node = branch?.branch.view.items.find((record) => record.id === id);
    if (!node) return false;
    await this.#view.reveal(node, { select: true, focus: false });
    return true;
  }

  override dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    super.dispose();
  }
}
