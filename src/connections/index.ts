import * as vscode from 'vscode';
import { showWarning } from '../workbench/messages.ts';
import { registerCommands } from './commands.ts';
import { Connections } from './connections.ts';
import type { SettingsProblem } from './model.ts';
import { OutboxDocuments, outboxScheme } from './outboxDocuments.ts';
import { SandboxHost } from './sandbox.ts';

/** Sets the room up: its commands, the sandbox, the outbox's documents, and notices about the settings. Loads no client. */
export function register(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Connections {
  const connections = new Connections(context, log);
  const sandbox = new SandboxHost(context, connections);
  const outbox = new OutboxDocuments(sandbox);
  context.subscriptions.push(
    ...registerCommands({ connections, sandbox, log }),
    vscode.workspace.registerTextDocumentContentProvider(outboxScheme, outbox),
    connections.onDidChangeProblems((problems) => void noticeProblems(problems, log)),
    outbox,
    sandbox,
    connections,
  );
  void noticeProblems(connections.problems, log);
  return connections;
}

/** Names the entries of the settings that can't be used. The rest works, so it is a warning. */
async function noticeProblems(problems: readonly SettingsProblem[], log: vscode.LogOutputChannel): Promise<void> {
  const [first, ...others] = problems;
  if (!first) return;
  for (const { entry, message } of problems) log.warn(`Settings, mailing.connections: ${entry}: ${message}`);
  const more = others.length === 0 ? '' : ` And ${others.length} more: ${others.map(({ entry, message }) => `${entry}: ${message}`).join(' ')}`;
  const open = 'Open Settings';
  const chosen = await showWarning(`A connection in your settings needs correcting: ${first.entry}: ${first.message}${more}`, open);
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'mailing.connections');
}
