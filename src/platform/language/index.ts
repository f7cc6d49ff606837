import * as vscode from 'vscode';
import { registerCommands } from '../ui/commands.ts';
import { once } from '../ui/async.ts';
import type { ExtensionServices } from '../services.ts';

/** Registers the language features, loaded with the first open email document, and the commands of the checks. */
export function register(services: ExtensionServices): void {
  const { subscriptions } = services.context;
  const load = once(async () => {
    const editor = (await import('./languageFeatures.ts')).createLanguageFeatures(services);
    subscriptions.push(editor);
    return editor;
  });
  const opened = ({ uri }: vscode.TextDocument): void => {
    if (uri.scheme === 'mailing') void load();
  };
  subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(opened),
    ...registerCommands(
      services,
      ['mailing.checkEmail', 'mailing.checks.useAudienceClients', 'mailing.checks.links'],
      async () => (await load()).handlers,
    ),
  );
  vscode.workspace.textDocuments.forEach(opened);
}
