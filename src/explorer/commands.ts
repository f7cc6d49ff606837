import * as vscode from 'vscode';
import type { Explorer } from './explorer.ts';
import type { FilterValues } from './model.ts';

/** Registers the tree's own commands. What they do is loaded when the first is used. */
export function registerCommands(explorer: Explorer): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  const actions = () => import('./actions.ts');
  return [
    registerCommand('mailing.explorer.refresh', async (target?: unknown) => (await actions()).refresh(explorer, target)),
    registerCommand('mailing.explorer.filter', async (target?: unknown, values?: FilterValues) =>
      (await actions()).filter(explorer, target, values),
    ),
    registerCommand('mailing.explorer.clearFilter', async (target?: unknown) => (await actions()).clearFilter(explorer, target)),
    registerCommand('mailing.explorer.copyId', async (target?: unknown) => (await actions()).copyId(explorer, target)),
    registerCommand('mailing.explorer.delete', async (node?: unknown) => (await actions()).runDelete(node)),
    registerCommand('mailing.explorer.loadMore', async (node?: unknown) => (await actions()).loadMore(explorer, node)),
    registerCommand('mailing.explorer.retry', async (node?: unknown) => (await actions()).retry(explorer, node)),
  ];
}
