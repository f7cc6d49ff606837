import { createLazyKind } from '../../platform/documents/lazyKind.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { registerCommands } from '../../platform/ui/commands.ts';
import { commands } from './commands.ts';
import { collection, templateKind, templateSuffixes } from './model.ts';

/** Registers the templates' tree branch, documents, previews, test sends and commands. */
export function register(services: ExtensionServices): void {
<<<<<<< HEAD
  const { context, documents, explorer, previews, records } = services;
  explorer.register(async () => (await import('./tree.ts')).templateTree);
  documents.register(templateDocuments);
  previews.registerResolver(async (body) => {
    const { getRecordSource } = await import('../../platform/preview/host/source.ts');
    return getRecordSource(documents, collection, templateSuffixes, body);
  });
  records.push({
=======
  const load = () => import('./main.ts');
  services.explorer.register(async () => (await load()).templateTree);
  services.documents.register(createLazyKind(templateKind, async () => (await load()).templateDocuments));
  services.records.push({
>>>>>>> 39e29c40 (Load the code of templates, campaigns, follow-ups and lists in one place each)
    collection,
    heading: 'Templates',
    codicon: 'file-code',
    mailParts: templateSuffixes,
    load: async () => (await load()).createOperations(services),
  });
  services.context.subscriptions.push(
    ...registerCommands(services, commands, async () => (await load()).createHandlers(services)),
  );
}
