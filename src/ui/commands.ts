import * as vscode from 'vscode';
import type { Row } from '../service/client/shapes.ts';
import { once } from './async.ts';

/** Untrusted: keybindings and other extensions can pass anything. */
export type CommandArgument = unknown;

/** `selected`: all selected tree nodes, if the command runs on several. */
export type CommandArguments = readonly [argument?: CommandArgument, selected?: CommandArgument];

export type CommandHandler = (...args: CommandArguments) => unknown;

/** Handlers by the ids of their commands. */
export type CommandHandlers<Id extends string = string> = Readonly<Record<Id, CommandHandler>>;

/** Tracks running commands, so that background work can wait until the extension is in use but idle. */
export class CommandActivity implements vscode.Disposable {
  readonly #idle = new vscode.EventEmitter<void>();
  /** Fires when the tree becomes visible or a command ends, unless another command is running. */
  readonly onDidIdle = this.#idle.event;
  #runningCount = 0;

  /** True if no command runs, and so none shows a prompt. */
  get isIdle(): boolean {
    return this.#runningCount === 0;
  }

  fireIfIdle(): void {
    if (this.isIdle) this.#idle.fire();
  }

  async run<T>(command: () => Promise<T>): Promise<T> {
    this.#runningCount += 1;
    try {
      return await command();
    } finally {
      this.#runningCount -= 1;
      this.fireIfIdle();
    }
  }

  dispose(): void {
    this.#idle.dispose();
  }
}

export interface CommandServices {
  readonly log: vscode.LogOutputChannel;
  readonly activity: CommandActivity;
}

/**
 * Registers commands whose handlers are loaded when the first of them runs. A command returns its handler's result;
 * undefined if the user cancels or the handler fails, which is reported with error actions.
 */
export function registerCommands<Id extends string>(
  { log, activity }: CommandServices,
  ids: readonly Id[],
  load: () => Promise<CommandHandlers<Id>>,
): vscode.Disposable[] {
  const handlers = once(load);
  return ids.map((id) =>
    vscode.commands.registerCommand(id, (...args: CommandArguments) =>
      activity.run(async () => {
        try {
          return await (await handlers())[id](...args);
        } catch (error) {
          const { showCommandError } = await import('./messages.ts');
          const retry = () => vscode.commands.executeCommand(id, ...args);
          void showCommandError(error, id, { log, retry });
          return undefined;
        }
      }),
    ),
  );
}

/** Returns the fields of an argument of any type; none for a URI. */
export function getFields(argument: CommandArgument): Row {
  return typeof argument === 'object' && argument !== null && !(argument instanceof vscode.Uri) ? { ...argument } : {};
}

/** Returns the fields of an argument that have one of these names and a value. */
export function pickFields(argument: CommandArgument, names: readonly string[]): Row {
  return Object.fromEntries(
    Object.entries(getFields(argument)).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}
