import * as vscode from 'vscode';
import { showError } from './messages.ts';
import { given } from './given.ts';

/** Registers one command. Returns what the handler made or found; undefined where the user cancelled, or it failed and that was told. */
export type RegisterCommand = (id: string, title: string, handle: (argument: unknown) => unknown) => vscode.Disposable;

/** Makes commands whose failures are told with their cause and a way out. `title` says what could not be done. */
export function commandsOn(log: vscode.LogOutputChannel): RegisterCommand {
  return (id, title, handle) =>
    vscode.commands.registerCommand(id, async (argument: unknown) => {
      try {
        return await handle(argument);
      } catch (error) {
        const { connection } = given(argument);
        void showError(error, { title, log, retry: () => vscode.commands.executeCommand(id, argument), ...(connection === undefined ? {} : { connection }) });
        return undefined;
      }
    });
}
