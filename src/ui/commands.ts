import * as vscode from 'vscode';
import { once } from './once.ts';

/** What a command does with its first argument. `selected`: all nodes that are selected in the tree, where it is run on several. */
export type Handle = (argument: unknown, selected?: unknown) => unknown;

/** Registers one command. Returns what the handler made or found; undefined where the user cancelled, or it failed and that was told. */
export type RegisterCommand = (id: string, title: string, handle: Handle) => vscode.Disposable;

/** Makes commands whose failures are told with their cause and a way out. `title` says what could not be done. */
export function commandsOn(log: vscode.LogOutputChannel): RegisterCommand {
  return (id, title, handle) =>
    vscode.commands.registerCommand(id, async (argument: unknown, selected?: unknown) => {
      try {
        return await handle(argument, selected);
      } catch (error) {
        const [{ showError }, { given }] = await Promise.all([import('./messages.ts'), import('../documents/parseArgument.ts')]);
        const { connection } = given(argument);
        void showError(error, {
          title,
          log,
          retry: () => vscode.commands.executeCommand(id, argument, selected),
          ...(connection === undefined ? {} : { connection }),
        });
        return undefined;
      }
    });
}

/**
 * Registers all commands of a noun: `mailing.<noun>.<name>` for each of the titles. What they do is loaded when the first of them runs.
 */
export function registerNounCommands<Name extends string>(
  log: vscode.LogOutputChannel,
  noun: string,
  titles: Readonly<Record<Name, string>>,
  load: () => Promise<Readonly<Record<Name, Handle>>>,
): vscode.Disposable[] {
  const command = commandsOn(log);
  const loaded = once(load);
  return (Object.keys(titles) as Name[]).map((name) =>
    command(`mailing.${noun}.${name}`, titles[name], async (argument, selected) => (await loaded())[name](argument, selected)),
  );
}
