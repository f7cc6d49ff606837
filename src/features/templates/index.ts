import type { ExtensionServices } from '../../platform/services.ts';
import { registerCommands } from '../../platform/ui/commands.ts';
import { commands } from './commands.ts';
import { templateDocuments } from './documents.ts';
import { collection, templateSuffixes } from './model.ts';

/** Registers the templates' tree branch, documents, previews, test sends and commands. */
export function register(services: ExtensionServices): void {
  const { context, documents, explorer, previews, records } = services;
  explorer.register(async () => (await import('./tree.ts')).templateTree);
  documents.register(templateDocuments);
  previews.registerResolver(async (body) => {
    const { getRecordSource } = await import('../../platform/preview/host/source.ts');
    return getRecordSource(documents, collection, templateSuffixes, body);
  });
  records.push({
    collection,
    heading: 'Templates',
    codicon: 'file-code',
    load: async () => (await import('./handlers.ts')).createOperations(services),
  });
  context.subscriptions.push(
    ...registerCommands(services, commands, async () => (await import('./handlers.ts')).createHandlers(services)),
  );
}
