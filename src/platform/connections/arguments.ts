import * as vscode from 'vscode';
import { type CommandArgument, getFields } from '../ui/commands.ts';
import { showInfo } from '../ui/messages.ts';
import { escapeMessage } from '../ui/text.ts';
import type { Connections } from './connections.ts';
import { pickItem } from './input.ts';
import type { Connection } from './model.ts';

/** The text fields of a command's first argument: a tree node, or an object from another extension or a key binding. */
export interface Arguments {
  readonly connection?: string;
  readonly id?: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly profile?: string;
}

/** Parses a command's first argument. Returns an empty object for anything but an object. */
export function parseArguments(argument: CommandArgument): Arguments {
  return Object.fromEntries(Object.entries(getFields(argument)).filter(([, value]) => typeof value === 'string'));
}

/** Returns a field of the argument; empty text counts as missing. */
export function getArgument(args: Arguments, field: keyof Arguments): string | undefined {
  const value = args[field];
  return value === '' ? undefined : value;
}

/** The connections that a command accepts. 'settings': all but the sandbox. */
export type ConnectionFilter = 'any' | 'settings';

/** Returns the connection of the argument, the only accepted one, or the picked one; undefined if the user cancels. */
export async function pickConnection(
  connections: Connections,
  args: Arguments,
  title: string,
  filter: ConnectionFilter,
): Promise<Connection | undefined> {
  if (args.connection !== undefined) {
    const named = connections.get(args.connection);
    if (!named) throw new Error(`There is no connection “${args.connection}”.`);
    if (named.sandbox && filter === 'settings')
      throw new Error('The sandbox belongs to this window: it has no address, key or settings to change.');
    return named;
  }
  const accepted = connections.all.filter((connection) => filter === 'any' || connection.sandbox !== true);
  if (accepted.length === 0) {
    const add = 'Add Connection';
    if ((await showInfo('There is no connection yet.', add)) === add)
      await vscode.commands.executeCommand('mailing.connection.add');
    return undefined;
  }
  if (accepted.length === 1) return accepted[0];
  return pickItem(
    title,
    'Which connection?',
    accepted.map((connection) => ({
      label: escapeMessage(connection.name),
      description: escapeMessage(connection.baseUrl),
      value: connection,
    })),
  );
}
