import { t } from '@vscode/l10n';
import { createLazyKind } from '../../platform/documents/lazyKind.ts';
import type { ExtensionServices } from '../services.ts';
import { once } from '../../ui/async.ts';
import { registerCommands } from '../../ui/commands.ts';
import { collection, templateKind } from './model.ts';

/** Registers the templates' tree branch, documents, previews, test sends and commands. */
export function register(services: ExtensionServices): void {
  const load = once(async () => (await import('./handlers.ts')).createHandlers(services));
  services.explorer.register(async () => (await load()).tree);
  services.documents.register(createLazyKind(templateKind, async () => (await load()).kind));
  services.records.push({
    collection,
    heading: t('Templates'),
    codicon: 'file-code',
    load: async () => (await load()).operations,
  });
  services.context.subscriptions.push(
    ...registerCommands(
      services,
      [
        'mailing.template.openStylesheet',
        'mailing.template.openDetails',
        'mailing.template.create',
        'mailing.template.createCampaign',
        'mailing.template.showUses',
      ],
      async () => (await load()).commands,
    ),
  );
}
