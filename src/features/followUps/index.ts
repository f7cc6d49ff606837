import * as vscode from 'vscode';
import type { ExtensionServices } from '../../platform/services.ts';
import { once } from '../../platform/ui/async.ts';
import { registerCommands } from '../../platform/ui/commands.ts';
import { commands } from './commands.ts';
import { registerForm } from '../../platform/documents/form/register.ts';
import { createFollowUpDocuments, followUpFormEditor } from './documents.ts';
import { collection } from './model.ts';

/** Registers the follow-ups' tree, documents, code lenses, form and commands. */
export function register(services: ExtensionServices): void {
  const { connections, context, documents, explorer, records, references } = services;
  const load = once(async () => {
    const [{ Storage }, { SentMailStore }, { createNoticeLenses }] = await Promise.all([
      import('./storage.ts'),
      import('./sentMailStore.ts'),
      import('./notice.ts'),
    ]);
    const sentMails = new SentMailStore(vscode.Uri.joinPath(context.globalStorageUri, 'sent-mails').fsPath);
    const storage = new Storage(sentMails, (id) => connections.get(id));
    return { sentMails, storage, getNotice: (uri: vscode.Uri) => createNoticeLenses(uri, storage) };
  });
  const kind = createFollowUpDocuments(async () => (await load()).storage);
  const loadCommands = once(async () => {
    const [{ createHandlers, createOperations }, { FollowUps }, { sentMails }] = await Promise.all([
      import('./handlers.ts'),
      import('./followUps.ts'),
      load(),
    ]);
    const followUps = new FollowUps(services, kind, sentMails);
    return { handlers: createHandlers(followUps), operations: createOperations(followUps) };
  });
  explorer.register(async () => (await import('./tree.ts')).followUpTree);
  documents.register(kind);
  records.push({
    collection,
    heading: 'Follow-ups',
    codicon: 'zap',
    load: async () => (await loadCommands()).operations,
  });
  references.push(async (...args) => {
    const [{ createMailReferenceProvider }, { storage }] = await Promise.all([import('./mailReferences.ts'), load()]);
    return createMailReferenceProvider(storage)(...args);
  });
  const saveEmitter = new vscode.EventEmitter<void>();
  context.subscriptions.push(
    saveEmitter,
    documents.onDidSave(({ address }) => {
      if (address.kind.collection === collection) saveEmitter.fire();
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'mailing', pattern: '**/follow-ups/*/mails/*' },
      { onDidChangeCodeLenses: saveEmitter.event, provideCodeLenses: async ({ uri }) => (await load()).getNotice(uri) },
    ),
    registerForm(documents, followUpFormEditor, async () => {
      const [{ FollowUpFormSession }, { storage }] = await Promise.all([import('./host/session.ts'), load()]);
      return (document, panel) => new FollowUpFormSession(document, panel, services, storage);
    }),
    ...registerCommands(services, commands, async () => (await loadCommands()).handlers),
  );
}
