import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { ExtensionServices } from '../services.ts';
import { once } from '../../ui/async.ts';
import { registerCommands } from '../../ui/commands.ts';
import { registerForm } from '../../platform/documents/form/register.ts';
import { createLazyKind } from '../../platform/documents/lazyKind.ts';
import { collection, followUpFormEditor, followUpKind } from './kind.ts';

/** Registers the follow-ups' tree, documents, code lenses, form and commands. */
export function register(services: ExtensionServices): void {
  const { context, documents, explorer, records, references } = services;
  const handlers = once(async () => (await import('./handlers.ts')).createHandlers(services));
  explorer.register(async () => (await handlers()).tree);
  documents.register(createLazyKind(followUpKind, async () => (await handlers()).kind));
  records.push({
    collection,
    heading: t('Follow-ups'),
    codicon: 'zap',
    load: async () => (await handlers()).operations,
  });
  references.push(async (...args) => (await handlers()).findReferences(...args));
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
    registerForm(documents, followUpFormEditor, async () => (await handlers()).openForm),
    ...registerCommands(
      services,
      [
        'mailing.followUp.create',
        'mailing.followUp.attachMail',
        'mailing.followUp.editMail',
        'mailing.followUp.deleteMail',
      ],
      async () => (await handlers()).commands,
    ),
  );
}
