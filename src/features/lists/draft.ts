import { t } from '@vscode/l10n';
import type { NewList } from '../../service/client/index.ts';
import type { Row } from '../../service/client/shapes.ts';
import { localized } from '../../l10n.ts';

export interface ListDraft {
  readonly name: string;
  /** `#rrggbb`. If undefined, the service chooses. */
  readonly color?: string;
  readonly active: boolean;
  readonly visible: boolean;
  /** Ids of mails. */
  readonly welcomeId?: number;
  readonly unsubscribeId?: number;
}

/** Colors that are easy to distinguish in light and dark themes. */
export const getSwatches = localized((): readonly (readonly [name: string, color: string])[] => [
  [t('Blue'), '#2f6feb'],
  [t('Teal'), '#0e8a8a'],
  [t('Green'), '#1a7f37'],
  [t('Olive'), '#7a7f1a'],
  [t('Amber'), '#c2700f'],
  [t('Red'), '#cf222e'],
  [t('Pink'), '#bf3989'],
  [t('Violet'), '#8250df'],
  [t('Brown'), '#8a5a33'],
  [t('Gray'), '#57606a'],
]);

/** Returns an error message, or undefined if the name is valid. */
export function validateListName(text: string): string | undefined {
  return text.trim() === '' ? t('A list needs a name.') : undefined;
}

/** Returns an error message unless the text is `#rrggbb`, the only form that the API accepts. */
export function validateColor(text: string): string | undefined {
  return /^#[\da-f]{6}$/iu.test(text.trim())
    ? undefined
    : t`Enter a color such as ${'#2f6feb'}: a number sign and six digits (0–9, a–f).`;
}

/** Returns an error message unless the text is a mail id or empty. */
export function validateMailId(text: string): string | undefined {
  return /^(?:[1-9]\d{0,14})?$/u.test(text.trim())
    ? undefined
    : t('Enter the ID of an email, a whole number. Leave it empty for no email.');
}

/** Returns the name of a predefined color, or the value itself. */
export function getColorName(color: string): string {
  return getSwatches().find(([, value]) => value === color.toLowerCase())?.[0] ?? color;
}

/** Creates the request for a list. The API uses 1 for true and 2 for false. */
export function createListRequest({ name, active, visible, ...others }: ListDraft): NewList {
  return { ...others, name: name.trim(), active: active ? 1 : 2, visible: visible ? 1 : 2 };
}

/**
 * Reads a new list from the fields of a command's argument, which uses API names and values. For `active` and `visible`, also accepts 0, true and false.
 * Without a name, the name is empty.
 *
 * Throws if a value is invalid.
 */
export function parseDraft(fields: Row): ListDraft {
  return {
    name: parseText(fields, 'name', validateListName) ?? '',
    color: parseText(fields, 'color', validateColor),
    active: parseFlag(fields, 'active'),
    visible: parseFlag(fields, 'visible'),
    welcomeId: parseMailId(fields, 'welcomeId'),
    unsubscribeId: parseMailId(fields, 'unsubscribeId'),
  };
}

function createValueError(field: string, reason: string) {
  return new Error(`Invalid "${field}": ${reason}`);
}

function parseText(fields: Row, field: string, validate: (text: string) => string | undefined) {
  const value = fields[field];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw createValueError(field, 'must be text.');
  const problem = validate(value);
  if (problem !== undefined) throw createValueError(field, problem);
  return value.trim();
}

function parseFlag(fields: Row, field: string) {
  const value = fields[field] ?? true;
  if (value === true || value === 1) return true;
  if (value === false || value === 0 || value === 2) return false;
  throw createValueError(field, 'must be 1 for yes or 2 for no.');
}

function parseMailId(fields: Row, field: string) {
  const value = fields[field];
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/u.test(String(value).trim()))
    throw createValueError(field, 'must be the ID of an email, a whole number.');
  return Number(value);
}
