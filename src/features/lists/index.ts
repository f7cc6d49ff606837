import type { ExtensionServices } from '../../platform/services.ts';
import { registerCommands } from '../../platform/ui/commands.ts';
import { commands } from './commands.ts';
import { collection } from './model.ts';

export function register(services: ExtensionServices): void {
  const handlers = async () => (await import('./handlers.ts')).createHandlers(services);
  services.records.push({
    collection,
    heading: 'Lists',
    codicon: 'list-unordered',
    load: async () => (await import('./handlers.ts')).createOperations(services),
  });
  services.explorer.register(async () => (await import('./tree.ts')).listTree);
  services.context.subscriptions.push(...registerCommands(services, commands, handlers));
}
