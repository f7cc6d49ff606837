import * as vscode from 'vscode';
import type { RecordRef } from '../connections/model.ts';
import type { BranchRef, ExplorerTree } from './explorerTree.ts';
import type { TreeCollection } from './model.ts';
import type { AnyCollection, ConnectionSource, Node } from './nodes.ts';

type CollectionRecord = RecordRef & { readonly collection: string };

export type Explorer = ReturnType<typeof createExplorer>;

/** The tree view in the side bar. Its content, `ExplorerTree`, is loaded when it is first shown. */
export function createExplorer(connections: ConnectionSource) {
  const collections: (() => Promise<AnyCollection>)[] = [];
  const changes = new vscode.EventEmitter<Node | Node[] | undefined>();
  const deletions = new vscode.EventEmitter<CollectionRecord>();
  let loadedTree: Promise<ExplorerTree> | undefined;
  const view = vscode.window.createTreeView<Node>('mailing.explorer', {
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getTreeItem: async (node) => (await tree()).getTreeItem(node),
      getChildren: async (node) => (await tree()).getChildren(node),
      getParent: async (node) => (await tree()).getParent(node),
    },
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: {
      dragMimeTypes: ['text/uri-list'],
      dropMimeTypes: [],
      handleDrag: async (nodes, data) => (await tree()).setDragData(nodes, data),
    },
  });
  const setContexts = () => {
    const { all } = connections;
    const contexts = {
      hasConnections: all.length > 0,
      hasServices: all.some(({ sandbox }) => !sandbox),
      hasSandbox: all.some(({ sandbox }) => sandbox),
    };
    for (const [name, value] of Object.entries(contexts))
      void vscode.commands.executeCommand('setContext', `mailing.${name}`, value);
  };
  setContexts();
  const subscriptions = [
    view,
    changes,
    deletions,
    connections.onDidChange(({ id }) => (id === undefined ? setContexts() : undefined)),
    // The connection may be removed meanwhile.
    connections.onDidAdd((id) => revealConnection(id).catch(() => undefined)),
  ];

  /** Loads the content of the view. */
  function tree() {
    return (loadedTree ??= createTree());
  }

  /**
   * Marks the loaded records of the target (a node or a reference; everything by default) as outdated. Visible branches
   * reload now, others when they are expanded. Nothing collapses.
   */
  const refresh = (target: BranchRef = {}) => void loadedTree?.then((loaded) => loaded.refresh(target));

  /** Shows, selects and expands a connection. */
  async function revealConnection(id: string) {
    const node = (await tree()).roots.find(({ connection }) => connection === id);
    if (node) await view.reveal(node, { select: true, focus: false, expand: true });
  }

  async function createTree() {
    const [{ ExplorerTree }, ...loadedCollections] = await Promise.all([
      import('./explorerTree.ts'),
      ...collections.map((load) => load()),
    ]);
    const created = new ExplorerTree(connections, loadedCollections);
    created.onDidChangeTreeData((changed) => changes.fire(changed));
    return created;
  }

  return {
    /** Fires after a record was deleted in this window. */
    onDidDeleteRecord: deletions.event,
    view,
    tree,
    refresh,
    /**
     * Adds a collection to every connection. The tree shows collections in registration order, and they must be registered before it is
     * first shown.
     */
    register: <R extends { readonly id: number }>(load: () => Promise<TreeCollection<R>>) => {
      collections.push(load);
    },
    /** Call after a record was deleted on the service. */
    notifyDeleted: (record: CollectionRecord) => {
      refresh({ connection: record.connection, collection: record.collection });
      deletions.fire(record);
    },
    /** Updates the row of a record that was read elsewhere, such as after a save, without another request. */
    updateRecord: (target: BranchRef, record: { readonly id: number }) =>
      void loadedTree?.then((loaded) => loaded.updateRecord(target, record)),
    /** Returns the selected record if it is the only selection. With several records selected, the target would be a guess. */
    get selectedRecord() {
      const [node, ...others] = view.selection;
      return others.length === 0 && node?.kind === 'record'
        ? { connection: node.connection, collection: node.collection, id: node.id }
        : undefined;
    },
    /** Shows and selects a record if it is loaded. */
    reveal: async (collection: string, { connection, id }: RecordRef) => {
      const [node] = (await tree()).branches({ connection, collection });
      await node?.branch.load();
      const row = node?.branch.view.items.find((record) => record.id === id);
      if (row) await view.reveal(row, { select: true, focus: false });
    },
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
      void loadedTree?.then((loaded) => loaded.dispose());
    },
  };
}
