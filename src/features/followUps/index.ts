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
  const { context, documents, explorer, records, references } = services;
<<<<<<< HEAD
  const handlers = once(async () => (await import('./handlers.ts')).createHandlers(services, kind));
  const kind = createFollowUpDocuments(async () => (await handlers()).storage);
  explorer.register(async () => (await handlers()).tree);
=======
  const load = once(async () => (await import('./main.ts')).openFollowUps(services, kind));
  const kind = createFollowUpDocuments(async () => (await load()).storage);
  explorer.register(async () => (await load()).tree);
>>>>>>> 39e29c40 (Load the code of templates, campaigns, follow-ups and lists in one place each)
  documents.register(kind);
  records.push({
    collection,
    heading: 'Follow-ups',
    codicon: 'zap',
<<<<<<< HEAD
    load: async () => (await handlers()).operations,
  });
  references.push(async (...args) => (await handlers()).findReferences(...args));
=======
    load: async () => (await load()).operations,
  });
  references.push(async (...args) => (await load()).findReferences(...args));
>>>>>>> 39e29c40 (Load the code of templates, campaigns, follow-ups and lists in one place each)
  const saveEmitter = new vscode.EventEmitter<void>();
  context.subscriptions.push(
    saveEmitter,
    documents.onDidSave(({ address }) => {
      if (address.kind.collection === collection) saveEmitter.fire();
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'mailing', pattern: '**/follow-ups/*/mails/*' },
      {
        onDidChangeCodeLenses: saveEmitter.event,
        provideCodeLenses: async (document) => (await handlers()).provideCodeLenses(document),
      },
    ),
<<<<<<< HEAD
    registerForm(documents, followUpFormEditor, async () => (await handlers()).openForm),
    ...registerCommands(services, commands, async () => (await handlers()).commands),
=======
    registerForm(documents, followUpFormEditor, async () => (await load()).openForm),
    ...registerCommands(services, commands, async () => (await load()).handlers),
>>>>>>> 39e29c40 (Load the code of templates, campaigns, follow-ups and lists in one place each)
  );
}
