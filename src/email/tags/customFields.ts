import { acymailing } from './data/acymailing.ts';
import type { CustomField } from './model.ts';

const serviceColumns: ReadonlySet<string> = new Set(
  acymailing.families.find(({ source }) => source === 'subscriber')?.ids.map(({ id }) => id),
);

/**
 * The custom fields behind the names that records of subscribers have beside the service's own. Services name a field there by its label,
 * and tell its namekey nowhere: they make it of the label's small letters, digits and underscores, unless somebody wrote another one.
 */
export function createCustomFields(names: readonly string[]): CustomField[] {
  return names
    .filter((name) => !serviceColumns.has(name))
    .map((name): CustomField => (/^[a-z0-9_-]+$/.test(name) ? { namekey: name, label: name } : guessCustomField(name)))
    .filter(({ namekey }) => namekey !== '');
}

const guessCustomField = (label: string): CustomField => ({
  namekey: label.toLowerCase().replace(/[^a-z0-9_]/g, ''),
  label,
  isGuessed: true,
});

/** What a custom field is, in words. */
export const describeCustomField = ({ label, isGuessed = false }: CustomField): string =>
  isGuessed
    ? `Custom field ${label}. The service does not tell its namekey: mostly it is this`
    : `Custom field ${label}`;
