import { t } from '@vscode/l10n';
import type { ExtensionServices } from '../services.ts';
import { collection } from './model.ts';

/** Registers the tree branch of the emails that belong to no other collection, and their operations. */
export function register(services: ExtensionServices): void {
  const load = () => import('./otherEmails.ts');
  services.explorer.register(async () => (await load()).otherEmailTree);
  services.records.push({
    collection,
    heading: t('Other Emails'),
    codicon: 'mail',
    load: async () => (await load()).createOperations(services),
  });
}
