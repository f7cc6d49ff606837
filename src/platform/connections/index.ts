import * as vscode from 'vscode';
import { registerCommands, type CommandServices } from '../../ui/commands.ts';
import { Connections } from './connections.ts';
import type { SettingsProblem } from './model.ts';
import type { Compose } from '../../service/sandbox/index.ts';
import { outboxScheme, SandboxHost } from './sandbox.ts';
import { showActiveConnection } from './statusBar.ts';

/** Registers the commands, the sandbox, the outbox documents and warnings about invalid settings. Doesn't load the client. */
export function register(context: vscode.ExtensionContext, services: CommandServices, compose: Compose): Connections {
  const { log } = services;
  const connections = new Connections(context, log);
  const sandbox = new SandboxHost(context, connections, compose);
  const load = () => import('./handlers.ts');
  const reportProblems = async (problems: readonly SettingsProblem[]) => {
    if (problems.length > 0) await (await load()).showSettingsProblems(problems, log);
  };
  context.subscriptions.push(
    ...registerCommands(
      services,
      [
        'mailing.connection.add',
        'mailing.connection.edit',
        'mailing.connection.setApiKey',
        'mailing.connection.test',
        'mailing.connection.remove',
        'mailing.connection.openFolder',
        'mailing.sandbox.start',
        'mailing.sandbox.stop',
        'mailing.sandbox.reset',
        'mailing.sandbox.openOutbox',
        'mailing.copyDiagnostics',
      ],
      async () => (await load()).createHandlers(context, connections, sandbox),
    ),
    vscode.workspace.registerTextDocumentContentProvider(outboxScheme, sandbox),
    connections.onDidChangeProblems(reportProblems),
    showActiveConnection(connections),
    sandbox,
    connections,
  );
  void reportProblems(connections.problems);
  return connections;
}
