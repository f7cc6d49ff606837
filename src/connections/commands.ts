import type * as vscode from 'vscode';
import { registerNounCommands } from '../ui/commands.ts';
import type { Connections } from './connections.ts';
import type { ConnectionHandlers, SandboxHandlers } from './handlers.ts';
import type { SandboxHost } from './sandbox.ts';

export interface Parts {
  readonly connections: Connections;
  readonly sandbox: SandboxHost;
  readonly log: vscode.LogOutputChannel;
}

/** All commands of connections, with what their failures are told under. */
const connectionTitles: Readonly<Record<keyof ConnectionHandlers, string>> = {
  add: 'Add Connection',
  edit: 'Edit Connection',
  setApiKey: 'Set API Key',
  test: 'Test Connection',
  remove: 'Remove Connection',
  openFolder: 'Open Connection as Folder',
};

const sandboxTitles: Readonly<Record<keyof SandboxHandlers, string>> = {
  start: 'Start Sandbox',
  stop: 'Stop Sandbox',
  reset: 'Reset Sandbox',
  openOutbox: 'Open Sandbox Outbox',
};

/** Registers the commands of connections and the sandbox. What they do is loaded when the first of them runs. */
export function registerCommands({ connections, sandbox, log }: Parts): vscode.Disposable[] {
  return [
    ...registerNounCommands(log, 'connection', connectionTitles, async () =>
      (await import('./handlers.ts')).connectionHandlers(connections),
    ),
    ...registerNounCommands(log, 'sandbox', sandboxTitles, async () => (await import('./handlers.ts')).sandboxHandlers(sandbox)),
  ];
}
