import { t } from '@vscode/l10n';
import type { ExtensionServices } from '../services.ts';
import { once } from '../../ui/async.ts';
import { registerCommands } from '../../ui/commands.ts';

export function register(services: ExtensionServices): void {
  const load = once(async () => (await import('./handlers.ts')).createHandlers(services));
  services.records.push({
    collection: 'lists',
    heading: t('Lists'),
    codicon: 'list-unordered',
    load: async () => (await load()).operations,
  });
  services.explorer.register(async () => (await load()).tree);
  services.context.subscriptions.push(
    ...registerCommands(services, ['mailing.list.create'], async () => (await load()).commands),
  );
}
