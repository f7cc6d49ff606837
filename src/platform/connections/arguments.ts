import * as vscode from 'vscode';
import { type CommandArgument, getFields } from '../ui/commands.ts';
import { showInfo } from '../ui/messages.ts';
import { escapeMessage } from '../ui/text.ts';
import type { Connections } from './connections.ts';
import { pickItem } from './input.ts';
import type { Connection } from './model.ts';

/** A command's first argument as texts by name: a tree node, or what another extension or a key binding gives. */
export interface Arguments {
  readonly connection?: string;
  readonly id?: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly profile?: string;
}

/** Reads a first argument; what isn't an object says nothing. */
export function parseArguments(argument: CommandArgument): Arguments {
  return Object.fromEntries(Object.entries(getFields(argument)).filter(([, value]) => typeof value === 'string'));
}

/** A text of the argument; an empty one says nothing. */
export function getArgument(args: Arguments, field: keyof Arguments): string | undefined {
  const value = args[field];
  return value === '' ? undefined : value;
}

/** Which connections a command can be used on. */
export type ConnectionFilter = 'any' | 'settings';

/** The connection of the argument, the only suitable one, or the one picked; undefined where the user cancels. */
export async function pickConnection(
  connections: Connections,
  args: Arguments,
  title: string,
  suitable: ConnectionFilter,
): Promise<Connection | undefined> {
  if (args.connection !== undefined) {
    const named = connections.get(args.connection);
    if (!named) throw new Error(`There is no connection “${args.connection}”.`);
    if (named.sandbox && suitable === 'settings')
      throw new Error('The sandbox belongs to this window: it has no address, key or settings to change.');
    return named;
  }
  const offered = connections.all.filter((connection) => suitable === 'any' || connection.sandbox !== true);
  if (offered.length === 0) {
    const add = 'Add Connection';
    if ((await showInfo('There is no connection yet.', add)) === add)
      await vscode.commands.executeCommand('mailing.connection.add');
    return undefined;
  }
  if (offered.length === 1) return offered[0];
  return pickItem(
    title,
    'Which connection?',
    offered.map((connection) => ({
      label: escapeMessage(connection.name),
      description: escapeMessage(connection.baseUrl),
      value: connection,
    })),
  );
}
