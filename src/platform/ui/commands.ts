import * as vscode from 'vscode';
import { once } from './once.ts';
import type { CommandActivity } from './commandActivity.ts';

/** An argument of a command. Keybindings and other extensions can pass anything. */
export type CommandArgument = unknown;

/** What a command does with its first argument. `selected`: all nodes that are selected in the tree, where it is run on several. */
export type CommandHandler = (argument: CommandArgument, selected?: CommandArgument) => unknown;

/** A command: its id as `package.json` contributes it, what its failures are told under, and the name of its handler. */
export type CommandRow<Name extends string> = readonly [id: string, title: string, handler: Name];

/** What commands share, whatever room they are of. */
export interface CommandHost {
  readonly log: vscode.LogOutputChannel;
  readonly activity: CommandActivity;
}

/** A command of a room that other rooms run: its id, with the types of what it takes and what it resolves to. */
export interface TypedCommand<Argument, Result> {
  readonly id: string;
  /** For the types alone: no command has it. */
  readonly run?: (argument: Argument) => Result;
}

/** Runs a command of another room. */
export function runCommand<Argument, Result>(
  { id }: TypedCommand<Argument, Result>,
  argument: Argument,
): Thenable<Result> {
  return vscode.commands.executeCommand<Result>(id, argument);
}

/**
 * Registers the commands of a room, whose handlers are loaded when the first of them runs. A command returns what its handler made or
 * found; undefined where the user cancelled, and where it failed: that is told with its cause and a way out.
 */
export function registerCommands<Name extends string>(
  { log, activity }: CommandHost,
  rows: readonly CommandRow<Name>[],
  load: () => Promise<Readonly<Record<Name, CommandHandler>>>,
): vscode.Disposable[] {
  const handlers = once(load);
  return rows.map(([id, title, handler]) =>
    vscode.commands.registerCommand(id, (argument: CommandArgument, selected?: CommandArgument) =>
      activity.run(async () => {
        try {
          return await (await handlers())[handler](argument, selected);
        } catch (error) {
          const [{ showError }, { canRetry }] = await Promise.all([import('./messages.ts'), import('./errors.ts')]);
          const retry = canRetry(error) ? () => vscode.commands.executeCommand(id, argument, selected) : undefined;
          void showError(error, { title, log, retry, connection: getConnectionId(argument) });
          return undefined;
        }
      }),
    ),
  );
}

/** The connection that a first argument names: the address of a document by its authority, a node or a reference by its field. */
function getConnectionId(argument: CommandArgument): string | undefined {
  if (argument instanceof vscode.Uri)
    return argument.scheme === 'mailing' && argument.authority !== '' ? argument.authority : undefined;
  const { connection } = getFields(argument);
  return typeof connection === 'string' ? connection : undefined;
}

/** The fields of an argument, of whatever type; those of a URI are none of a command's. */
export function getFields(argument: CommandArgument): Readonly<Record<string, unknown>> {
  return typeof argument === 'object' && argument !== null && !(argument instanceof vscode.Uri) ? { ...argument } : {};
}

/** Those fields of an argument that have one of these names and a value. */
export function pickFields(argument: CommandArgument, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(getFields(argument)).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}
