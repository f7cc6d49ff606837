import * as vscode from 'vscode';
import type { RecordRef } from '../connections/model.ts';
import type { CommandHandler } from '../ui/commands.ts';
import { showError, showInfo } from '../ui/messages.ts';
import type { BranchRef, Explorer } from './explorer.ts';
import { promptForFilter, pickBranch } from './filterPick.ts';
import { isFiltered } from './filters.ts';
import type { FilterValues } from './model.ts';
import { CollectionNode, FailureNode, TailNode } from './nodes.ts';

/*
 * Handlers of the tree's commands. Their arguments are untrusted: they come from menus, keybindings and other
 * extensions.
 */

export type Handlers = Readonly<
  Record<'refresh' | 'filter' | 'clearFilter' | 'copyId' | 'loadMore' | 'retry', CommandHandler>
>;

export function createHandlers(explorer: Explorer): Handlers {
  return {
    refresh: (target) => refresh(explorer, target),
    filter: (target, values) => filter(explorer, target, values as FilterValues | undefined),
    clearFilter: (target) => clearFilter(explorer, target),
    copyId: (target) => copyId(explorer, target),
    loadMore: (node) => loadMore(explorer, node),
    retry: (node) => retry(explorer, node),
  };
}

function refresh(explorer: Explorer, target: unknown): void {
  explorer.refresh(toBranchRef(target));
}

async function loadMore(explorer: Explorer, node: unknown): Promise<void> {
  if (node instanceof TailNode) await (await explorer.tree()).loadMore(node);
}

async function retry(explorer: Explorer, node: unknown): Promise<void> {
  if (node instanceof TailNode || node instanceof FailureNode) await (await explorer.tree()).retry(node);
}

/** Filters a branch by the given or prompted values. Returns its filter; undefined if the user cancels. */
async function filter(explorer: Explorer, target: unknown, wanted?: FilterValues): Promise<FilterValues | undefined> {
  const tree = await explorer.tree();
  const node = await resolveBranch(target, 'Filter', tree.branches(), 'There is no mailing service to filter in yet.');
  if (!node) return undefined;
  const values = wanted ?? (await promptForFilter(node));
  if (!values) return undefined;
  const filter = tree.setFilter(node, values);
  await explorer.expand(node);
  return filter;
}

/** Returns the branch's filter, which is empty; undefined if there was nothing to clear. */
async function clearFilter(explorer: Explorer, target: unknown): Promise<FilterValues | undefined> {
  const tree = await explorer.tree();
  const node = await resolveBranch(
    target,
    'Clear Filter',
    tree.branches().filter((branch) => isFiltered(branch.filter)),
    'Nothing is filtered.',
  );
  return node && tree.setFilter(node, {});
}

async function copyId(explorer: Explorer, target: unknown): Promise<number | undefined> {
  const [selected] = explorer.selection;
  const id = toRecordId(target) ?? toRecordId(selected);
  if (id === undefined) {
    void showError(new Error('Select a record in the tree first.'), { title: 'No ID was copied' });
    return undefined;
  }
  await vscode.env.clipboard.writeText(String(id));
  vscode.window.setStatusBarMessage(`$(check) ID ${id} copied`, 3000);
  return id;
}

/**
 * Returns the branch that a target names (its node, a record in it, or a reference), or the one the user picks from
 * `candidates`.
 */
async function resolveBranch(
  target: unknown,
  title: string,
  candidates: readonly CollectionNode[],
  none: string,
): Promise<CollectionNode | undefined> {
  if (target instanceof CollectionNode) return target;
  const ref = toBranchRef(target);
  const named = candidates.filter(
    ({ connection, collection }) =>
      [undefined, connection].includes(ref.connection) && [undefined, collection].includes(ref.collection),
  );
  if (named.length === 0) void showInfo(none);
  return named.length > 1 ? pickBranch(named, title) : named[0];
}

function toBranchRef(target: unknown): BranchRef {
  if (typeof target !== 'object' || target === null) return {};
  const { connection, collection } = target as { readonly connection?: unknown; readonly collection?: unknown };
  return {
    ...(typeof connection === 'string' && { connection }),
    ...(typeof collection === 'string' && { collection }),
  };
}

function toRecordId(target: unknown): number | undefined {
  const { id } = (target ?? {}) as Partial<RecordRef>;
  return typeof id === 'number' ? id : undefined;
}
