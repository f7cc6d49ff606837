import * as vscode from 'vscode';
import { commandsOn } from '../workbench/commands.ts';
import { confirm } from '../workbench/messages.ts';
import { argumentsOf, connectionOf, type Arguments, type Suitable } from './arguments.ts';
import type { Connections } from './connections.ts';
import type { Connection } from './model.ts';
import type { SandboxHost, SandboxStart } from './sandbox.ts';

interface Parts {
  readonly connections: Connections;
  readonly sandbox: SandboxHost;
  readonly log: vscode.LogOutputChannel;
}

/** All commands of connections and the sandbox. Their handlers are loaded with the first of them that runs. */
export function registerCommands({ connections, sandbox, log }: Parts): vscode.Disposable[] {
  const actions = () => import('./actions.ts');
  const command = commandsOn(log);
  const onConnection = (id: string, title: string, suitable: Suitable, handle: (connection: Connection, given: Arguments) => unknown): vscode.Disposable =>
    command(id, title, async (argument) => {
      const given = argumentsOf(argument);
      const connection = await connectionOf(connections, given, title, suitable);
      return connection && handle(connection, given);
    });
  return [
    command('mailing.connection.add', 'Add Connection', async (argument) => (await actions()).addConnection(connections, argumentsOf(argument))),
    onConnection('mailing.connection.edit', 'Edit Connection', 'settings', async (connection, given) => (await actions()).editConnection(connections, connection, given)),
    onConnection('mailing.connection.setApiKey', 'Set API Key', 'settings', async (connection, given) => (await actions()).setApiKey(connections, connection, given)),
    onConnection('mailing.connection.test', 'Test Connection', 'any', async (connection) => (await actions()).testAndTell(connections, connection)),
    onConnection('mailing.connection.remove', 'Remove Connection', 'settings', async (connection) => (await actions()).removeConnection(connections, connection)),
    onConnection('mailing.connection.openFolder', 'Open Connection as Folder', 'any', async (connection) => (await actions()).openFolder(connection)),
    command('mailing.sandbox.start', 'Start Sandbox', (argument) => startSandbox(sandbox, argument)),
    command('mailing.sandbox.stop', 'Stop Sandbox', () => sandbox.stop()),
    command('mailing.sandbox.reset', 'Reset Sandbox', () => resetSandbox(sandbox)),
    command('mailing.sandbox.openOutbox', 'Open Sandbox Outbox', async (argument) => (await import('./outbox.ts')).openFromOutbox(sandbox, messageId(argument))),
  ];
}

/** Takes a moment that isn't worth a notification. */
async function startSandbox(sandbox: SandboxHost, argument: unknown): Promise<Connection> {
  return vscode.window.withProgress({ location: { viewId: 'mailing.explorer' } }, () => sandbox.start(startOptions(argument)));
}

async function resetSandbox(sandbox: SandboxHost): Promise<boolean | undefined> {
  if (!(await confirm('Reset the sandbox to its sample data?', ['What you changed in the sandbox is lost, and its outbox is emptied.'], 'Reset'))) return undefined;
  return sandbox.reset();
}

function messageId(argument: unknown): number | undefined {
  const id = field(argument, 'id');
  return typeof id === 'number' ? id : undefined;
}

function startOptions(argument: unknown): SandboxStart {
  const [profile, templates, subscribers] = [field(argument, 'profile'), field(argument, 'templates'), field(argument, 'subscribers')];
  return {
    ...(profile === 'documented' || profile === 'acymailing' ? { profile } : {}),
    ...(typeof templates === 'number' ? { templates } : {}),
    ...(typeof subscribers === 'number' ? { subscribers } : {}),
  };
}

function field(argument: unknown, name: string): unknown {
  return typeof argument === 'object' && argument !== null ? Object.entries(argument).find(([key]) => key === name)?.[1] : undefined;
}
