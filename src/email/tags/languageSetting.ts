import { createTagLanguage, tagLanguage } from './languages.ts';
import type { FamilyDescription } from './languages.ts';
import type { TagLanguage } from './model.ts';

/** Returns the tag language that a setting names or describes. Invalid settings mean AcyMailing; families without fields are ignored. */
export function readTagLanguage(setting: unknown): TagLanguage {
  if (setting === 'none') return tagLanguage('none');
  const families = isRecord(setting) ? setting['families'] : undefined;
  if (!isRecord(families)) return tagLanguage('acymailing');
  return createTagLanguage({ families: Object.fromEntries(Object.entries(families).filter(isDescription)) });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === 'string';

function isDescription(entry: [string, unknown]): entry is [string, FamilyDescription] {
  const [, described] = entry;
  if (!isRecord(described)) return false;
  const { title, about, fields, where = [] } = described;
  return (
    isRecord(fields) &&
    isOptionalText(title) &&
    isOptionalText(about) &&
    Array.isArray(where) &&
    where.every((location) => typeof location === 'string')
  );
}
