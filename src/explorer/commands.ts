import * as vscode from 'vscode';
import type { RecordRef } from '../workbench/record.ts';
import { showError, showInfo } from '../workbench/messages.ts';
import type { BranchRef, Explorer } from './explorer.ts';
import { askFilter, pickBranch } from './filterPick.ts';
import { isFiltered } from './filters.ts';
import type { FilterValues } from './model.ts';
import { CollectionNode, FailureNode, RecordNode, TailNode } from './nodes.ts';

/** Registers the tree's own commands. */
export function registerCommands(explorer: Explorer): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  return [
    registerCommand('mailing.explorer.refresh', (target?: unknown) => explorer.refresh(asBranchRef(target))),
    registerCommand('mailing.explorer.filter', (target?: unknown, values?: FilterValues) => filter(explorer, target, values)),
    registerCommand('mailing.explorer.clearFilter', (target?: unknown) => clearFilter(explorer, target)),
    registerCommand('mailing.explorer.copyId', (target?: unknown) => copyId(explorer, target)),
    registerCommand('mailing.explorer.delete', (node?: unknown) => runDelete(node)),
    registerCommand('mailing.explorer.loadMore', (node?: unknown) => (node instanceof TailNode ? explorer.loadMore(node) : undefined)),
    registerCommand('mailing.explorer.retry', (node?: unknown) => (node instanceof TailNode || node instanceof FailureNode ? explorer.retry(node) : undefined)),
  ];
}

/** Filters a branch by the given values, or by what the user chooses. Gives its filter; undefined where the user cancels. */
async function filter(explorer: Explorer, target: unknown, given?: FilterValues): Promise<FilterValues | undefined> {
  const node = await branchOf(target, 'Filter', explorer.branches(), 'There is no mailing service to filter in yet.');
  if (!node) return undefined;
  const values = given ?? (await askFilter(node));
  if (!values) return undefined;
  const filter = explorer.setFilter(node, values);
  await explorer.expand(node);
  return filter;
}

/** Shows all of a branch again. Gives its filter, which is empty; undefined where there was nothing to clear. */
async function clearFilter(explorer: Explorer, target: unknown): Promise<FilterValues | undefined> {
  const node = await branchOf(target, 'Clear Filter', explorer.branches().filter((branch) => isFiltered(branch.filter)), 'Nothing is filtered.');
  return node && explorer.setFilter(node, {});
}

/** Copies the id that the service knows a record by. */
async function copyId(explorer: Explorer, target: unknown): Promise<number | undefined> {
  const [selected] = explorer.selection;
  const id = asRecordId(target) ?? asRecordId(selected);
  if (id === undefined) {
    void showError(new Error('Select a record in the tree first.'), { title: 'No ID was copied' });
    return undefined;
  }
  await vscode.env.clipboard.writeText(String(id));
  vscode.window.setStatusBarMessage(`$(check) ID ${id} copied`, 3000);
  return id;
}

/** Runs what deletes the focused record. A keybinding can't tell the nodes of one tree apart, so it is found out here. */
async function runDelete(node: unknown): Promise<unknown> {
  const command = node instanceof RecordNode ? node.item.deleteCommand : undefined;
  if (command !== undefined) return vscode.commands.executeCommand(command, node);
  vscode.window.setStatusBarMessage('The Delete key does nothing here.', 3000);
  return undefined;
}

/** The branch a target names (its node, a record of it, or a reference), or the one the user picks of `candidates`. */
async function branchOf(target: unknown, title: string, candidates: readonly CollectionNode[], none: string): Promise<CollectionNode | undefined> {
  if (target instanceof CollectionNode) return target;
  const ref = asBranchRef(target);
  const named = candidates.filter(({ connection, collection }) => [undefined, connection].includes(ref.connection) && [undefined, collection].includes(ref.collection));
  if (named.length === 0) void showInfo(none);
  return named.length > 1 ? pickBranch(named, title) : named[0];
}

/** What of an argument names a branch: nodes and references do. */
function asBranchRef(target: unknown): BranchRef {
  if (typeof target !== 'object' || target === null) return {};
  const { connection, collection } = target as { readonly connection?: unknown; readonly collection?: unknown };
  return { ...(typeof connection === 'string' && { connection }), ...(typeof collection === 'string' && { collection }) };
}

function asRecordId(target: unknown): number | undefined {
  const { id } = (target ?? {}) as Partial<RecordRef>;
  return typeof id === 'number' ? id : undefined;
}
