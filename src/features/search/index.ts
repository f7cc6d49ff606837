import { once } from '../../ui/async.ts';
import { registerCommands } from '../../ui/commands.ts';
import type { ExtensionServices } from '../services.ts';

/** Registers the search in all emails of a service. Its view is created with the first search. */
export function register(services: ExtensionServices): void {
  const { subscriptions } = services.context;
  const load = once(async () => {
    const { createSearch } = await import('./search.ts');
    const { view, handlers } = createSearch(services);
    subscriptions.push(view);
    return handlers;
  });
  subscriptions.push(...registerCommands(services, ['mailing.findInTemplates'], load));
}
