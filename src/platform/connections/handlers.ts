import * as vscode from 'vscode';
import { type CommandArgument, getFields } from '../ui/commands.ts';
import { showWarning, confirm } from '../ui/messages.ts';
import { parseArguments, pickConnection, type Arguments, type ConnectionFilter } from './arguments.ts';
import type { Connections } from './connections.ts';
import type { SettingsProblem, Connection } from './model.ts';
import type { SandboxHost, SandboxStart } from './sandbox.ts';

type ConnectionHandler = (argument: CommandArgument) => Promise<unknown>;

export type ConnectionHandlers = Readonly<
  Record<'add' | 'edit' | 'setApiKey' | 'test' | 'remove' | 'openFolder', ConnectionHandler>
>;

export type SandboxHandlers = Readonly<Record<'start' | 'stop' | 'reset' | 'openOutbox', ConnectionHandler>>;

export function connectionHandlers(connections: Connections): ConnectionHandlers {
  // Users who only try the sandbox don't need it.
  const actions = () => import('./actions.ts');
  const onConnection =
    (
      title: string,
      filter: ConnectionFilter,
      handler: (connection: Connection, args: Arguments) => unknown,
    ): ConnectionHandler =>
    async (argument) => {
      const args = parseArguments(argument);
      const connection = await pickConnection(connections, args, title, filter);
      return connection && handler(connection, args);
    };
  return {
    add: async (argument) => (await actions()).addConnection(connections, parseArguments(argument)),
    edit: onConnection('Edit Connection', 'settings', async (connection, args) =>
      (await actions()).editConnection(connections, connection, args),
    ),
    setApiKey: onConnection('Set API Key', 'settings', async (connection, args) =>
      (await actions()).setApiKey(connections, connection, args),
    ),
    test: onConnection('Test Connection', 'any', async (connection) =>
      (await actions()).testAndReport(connections, connection),
    ),
    remove: onConnection('Remove Connection', 'settings', async (connection) =>
      (await actions()).removeConnection(connections, connection),
    ),
    openFolder: onConnection('Open Connection as Folder', 'any', async (connection) =>
      (await actions()).openFolder(connection),
    ),
  };
}

export function sandboxHandlers(sandbox: SandboxHost): SandboxHandlers {
  return {
    start: (argument) => startSandbox(sandbox, argument),
    stop: () => sandbox.stop(),
    reset: () => resetSandbox(sandbox),
    openOutbox: async (argument) => (await import('./outbox.ts')).openOutboxMessage(sandbox, parseMessageId(argument)),
  };
}

/** Starting is too short for a notification. */
async function startSandbox(sandbox: SandboxHost, argument: CommandArgument): Promise<Connection> {
  return vscode.window.withProgress({ location: { viewId: 'mailing.explorer' } }, () =>
    sandbox.start(parseStartOptions(argument)),
  );
}

async function resetSandbox(sandbox: SandboxHost): Promise<boolean | undefined> {
  const lost = ['What you changed in the sandbox is lost, and its outbox is emptied.'];
  return (await confirm('Reset the sandbox to its sample data?', lost, 'Reset')) ? sandbox.reset() : undefined;
}

function parseMessageId(argument: CommandArgument): number | undefined {
  const { id } = getFields(argument);
  return typeof id === 'number' ? id : undefined;
}

function parseStartOptions(argument: CommandArgument): SandboxStart {
  const { profile, templates, subscribers } = getFields(argument);
  return {
    profile: profile === 'documented' || profile === 'acymailing' ? profile : undefined,
    templates: typeof templates === 'number' ? templates : undefined,
    subscribers: typeof subscribers === 'number' ? subscribers : undefined,
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
