import { t } from '@vscode/l10n';
import type { ExtensionServices } from '../services.ts';
import { registerCommands } from '../../ui/commands.ts';

export function register(services: ExtensionServices): void {
  const load = () => import('./handlers.ts');
  services.records.push({
    collection: 'lists',
    heading: t('Lists'),
    codicon: 'list-unordered',
    load: async () => (await load()).createOperations(services),
  });
  services.explorer.register(async () => (await load()).listTree);
  services.context.subscriptions.push(
    ...registerCommands(services, ['mailing.list.create'], async () => (await load()).createHandlers(services)),
  );
}
