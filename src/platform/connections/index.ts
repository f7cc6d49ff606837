import * as vscode from 'vscode';
import { registerCommands, type CommandHost } from '../ui/commands.ts';
import { Connections } from './connections.ts';
import type { SettingsProblem } from './model.ts';
import { OutboxDocuments, outboxScheme } from './outboxDocuments.ts';
import type { Compose } from '../../service/sandbox/index.ts';
import { SandboxHost } from './sandbox.ts';

/** Registers the commands, the sandbox, the outbox documents and warnings about invalid settings. Doesn't load the client. */
export function register(context: vscode.ExtensionContext, host: CommandHost, compose: Compose): Connections {
  const { log } = host;
  const connections = new Connections(context, log);
  const sandbox = new SandboxHost(context, connections, compose);
  const outbox = new OutboxDocuments(sandbox);
  const load = () => import('./handlers.ts');
  context.subscriptions.push(
    ...registerCommands(
      host,
      [
        'mailing.connection.add',
        'mailing.connection.edit',
        'mailing.connection.setApiKey',
        'mailing.connection.test',
        'mailing.connection.remove',
        'mailing.connection.openFolder',
      ],
      async () => (await load()).connectionHandlers(connections),
    ),
    ...registerCommands(
      host,
      ['mailing.sandbox.start', 'mailing.sandbox.stop', 'mailing.sandbox.reset', 'mailing.sandbox.openOutbox'],
      async () => (await load()).sandboxHandlers(sandbox),
    ),
    vscode.workspace.registerTextDocumentContentProvider(outboxScheme, outbox),
    connections.onDidChangeProblems((problems) => void reportProblems(problems, log)),
    outbox,
    sandbox,
    connections,
  );
  void reportProblems(connections.problems, log);
  return connections;
}

async function reportProblems(problems: readonly SettingsProblem[], log: vscode.LogOutputChannel): Promise<void> {
  if (problems.length > 0) await (await import('./handlers.ts')).showSettingsProblems(problems, log);
}
