import type { CommandRow } from '../ui/commands.ts';
import type { ConnectionHandlers, SandboxHandlers } from './handlers.ts';

export const connectionCommands: readonly CommandRow<keyof ConnectionHandlers>[] = [
  ['mailing.connection.add', 'Add Connection', 'add'],
  ['mailing.connection.edit', 'Edit Connection', 'edit'],
  ['mailing.connection.setApiKey', 'Set API Key', 'setApiKey'],
  ['mailing.connection.test', 'Test Connection', 'test'],
  ['mailing.connection.remove', 'Remove Connection', 'remove'],
  ['mailing.connection.openFolder', 'Open Connection as Folder', 'openFolder'],
];

export const sandboxCommands: readonly CommandRow<keyof SandboxHandlers>[] = [
  ['mailing.sandbox.start', 'Start Sandbox', 'start'],
  ['mailing.sandbox.stop', 'Stop Sandbox', 'stop'],
  ['mailing.sandbox.reset', 'Reset Sandbox', 'reset'],
  ['mailing.sandbox.openOutbox', 'Open Sandbox Outbox', 'openOutbox'],
];
