import { acymailing } from './data/acymailing.ts';
import type { CustomField } from './model.ts';

const serviceColumns: ReadonlySet<string> = new Set(
  acymailing.families.find(({ source }) => source === 'subscriber')?.ids.map(({ id }) => id),
);

/** Derives custom fields from the additional names in subscriber records. Services list them by label and don't report the namekey, which defaults to the label's lowercase letters, digits and underscores. */
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

export const describeCustomField = ({ label, isGuessed = false }: CustomField): string =>
  isGuessed
    ? `Custom field ${label}. The service does not tell its namekey: mostly it is this`
    : `Custom field ${label}`;
