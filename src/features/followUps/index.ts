import * as vscode from 'vscode';
import type { ExtensionServices } from '../../platform/services.ts';
import { once } from '../../platform/ui/once.ts';
import { registerCommands } from '../../platform/ui/commands.ts';
import { commands } from './commands.ts';
import { registerForm } from '../../platform/documents/form/register.ts';
import { followUpDocuments, formEditor } from './documents.ts';
import { collection } from './model.ts';

/**
 * Hands the follow-ups to the shared mechanisms: their branch of the tree, their documents with what is said above them, form and commands.
 */
export function register(services: ExtensionServices): void {
  const { connections, context, documents, explorer, testable, references } = services;
  const load = once(async () => {
    const [{ Storage }, { SentMails }, { noticeOf }] = await Promise.all([
      import('./storage.ts'),
      import('./sentMails.ts'),
      import('./notice.ts'),
    ]);
    const sent = new SentMails(vscode.Uri.joinPath(context.globalStorageUri, 'sent-mails').fsPath);
    const storage = new Storage(sent, (id) => connections.get(id));
    return { sent, storage, notice: (uri: vscode.Uri) => noticeOf(uri, storage) };
  });
  const kind = followUpDocuments(async () => (await load()).storage);
  const handlers = async () => {
    const [{ handlersOf }, { FollowUps }, { sent }] = await Promise.all([
      import('./handlers.ts'),
      import('./followUps.ts'),
      load(),
    ]);
    return handlersOf(new FollowUps(services, kind, sent));
  };
  explorer.register(async () => (await import('./tree.ts')).followUpTree);
  documents.register(kind);
  testable.register({
    collection,
    heading: 'Mails of follow-ups',
    codicon: 'zap',
    load: async () => {
      const [{ testedMails }, { FollowUps }, { sent }] = await Promise.all([
        import('./tested.ts'),
        import('./followUps.ts'),
        load(),
      ]);
      return testedMails(new FollowUps(services, kind, sent));
    },
  });
  references.register(async (...asked) => {
    const [{ usingMails }, { storage }] = await Promise.all([import('./uses.ts'), load()]);
    return usingMails(storage)(...asked);
  });
  const saved = new vscode.EventEmitter<void>();
  context.subscriptions.push(
    saved,
    documents.onDidSave(({ address }) => {
      if (address.kind.collection === collection) saved.fire();
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'mailing', pattern: '**/follow-ups/*/mails/*' },
      { onDidChangeCodeLenses: saved.event, provideCodeLenses: async ({ uri }) => (await load()).notice(uri) },
    ),
    registerForm(documents, formEditor, async () => {
      const [{ FollowUpFormSession }, { storage }] = await Promise.all([import('./host/session.ts'), load()]);
      return (document, panel) => new FollowUpFormSession(document, panel, services, storage);
    }),
    ...registerCommands(services, commands, handlers),
  );
}
