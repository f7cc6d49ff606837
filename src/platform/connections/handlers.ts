import * as vscode from 'vscode';
import { type CommandArgument, type CommandHandler, getFields } from '../ui/commands.ts';
import { showInfo, showWarning, confirm } from '../ui/messages.ts';
import { escapeMessage } from '../ui/text.ts';
import * as actions from './actions.ts';
import type { Arguments } from './actions.ts';
import type { Connections } from './connections.ts';
import type { SettingsProblem, Connection } from './model.ts';
import { openOutboxMessage } from './outbox.ts';
import type { SandboxHost } from './sandbox.ts';
import { isProfileName } from './settings.ts';

export type ConnectionHandlers = Readonly<
  Record<'add' | 'edit' | 'setApiKey' | 'test' | 'remove' | 'openFolder', CommandHandler>
>;

export type SandboxHandlers = Readonly<Record<'start' | 'stop' | 'reset' | 'openOutbox', CommandHandler>>;

export function connectionHandlers(connections: Connections): ConnectionHandlers {
  const onConnection =
    (
      title: string,
      includesSandbox: boolean,
      handler: (connections: Connections, connection: Connection, args: Arguments) => unknown,
    ): CommandHandler =>
    async (argument) => {
      const args = parseArguments(argument);
      const connection = await pickConnection(connections, args, title, includesSandbox);
      return connection && handler(connections, connection, args);
    };
  return {
    add: (argument) => actions.addConnection(connections, parseArguments(argument)),
    edit: onConnection('Edit Connection', false, actions.editConnection),
    setApiKey: onConnection('Set API Key', false, actions.setApiKey),
    test: onConnection('Test Connection', true, actions.testAndReport),
    remove: onConnection('Remove Connection', false, actions.removeConnection),
    openFolder: onConnection('Open Connection as Folder', true, (_, connection) => actions.openFolder(connection)),
  };
}

/** Parses a command's first argument. Ignores empty texts, and anything but an object. */
function parseArguments(argument: CommandArgument): Arguments {
  return Object.fromEntries(
    Object.entries(getFields(argument)).filter(([, value]) => typeof value === 'string' && value !== ''),
  );
}

/** Returns the connection of the argument, the only accepted one, or the picked one; undefined if the user cancels. */
async function pickConnection(
  connections: Connections,
  args: Arguments,
  title: string,
  includesSandbox: boolean,
): Promise<Connection | undefined> {
  if (args.connection !== undefined) {
    const named = connections.get(args.connection);
    if (!named) throw new Error(`There is no connection “${args.connection}”.`);
    if (named.sandbox && !includesSandbox)
      throw new Error('The sandbox belongs to this window: it has no address, key or settings to change.');
    return named;
  }
  const accepted = connections.all.filter(({ sandbox }) => includesSandbox || sandbox !== true);
  if (accepted.length === 0) {
    const add = 'Add Connection';
    if ((await showInfo('There is no connection yet.', add)) === add)
      await vscode.commands.executeCommand('mailing.connection.add');
    return undefined;
  }
  if (accepted.length === 1) return accepted[0];
  const items = accepted.map((connection) => ({
    label: escapeMessage(connection.name),
    description: escapeMessage(connection.baseUrl),
    connection,
  }));
  const options = { title, placeHolder: 'Which connection?', ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options))?.connection;
}

export function sandboxHandlers(sandbox: SandboxHost): SandboxHandlers {
  return {
    start: (argument) => {
      const { profile, templates, subscribers } = getFields(argument);
      // Starting is too short for a notification.
      return vscode.window.withProgress({ location: { viewId: 'mailing.explorer' } }, () =>
        sandbox.start({
          profile: isProfileName(profile) ? profile : undefined,
          templates: typeof templates === 'number' ? templates : undefined,
          subscribers: typeof subscribers === 'number' ? subscribers : undefined,
        }),
      );
    },
    stop: () => sandbox.stop(),
    reset: async () => {
      const detail = ['You lose your changes in the sandbox and the messages in its outbox.'];
      return (await confirm('Reset the sandbox to its sample data?', detail, 'Reset')) ? sandbox.reset() : undefined;
    },
    openOutbox: (argument) => {
      const { id } = getFields(argument);
      return openOutboxMessage(sandbox, typeof id === 'number' ? id : undefined);
    },
  };
}

/** Shows a warning that names the invalid entries in the settings. */
export async function showSettingsProblems(
  problems: readonly SettingsProblem[],
  log: vscode.LogOutputChannel,
): Promise<void> {
  const [first, ...others] = problems;
  if (!first) return;
  for (const { entry, message } of problems) log.warn(`Settings, mailing.connections: ${entry}: ${message}`);
  const more =
    others.length === 0
      ? ''
      : ` And ${others.length} more: ${others.map(({ entry, message }) => `${entry}: ${message}`).join(' ')}`;
  const open = 'Open Settings';
  const chosen = await showWarning(
    `A connection in your settings needs correcting: ${first.entry}: ${first.message}${more}`,
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'mailing.connections');
}
