import type { NewList } from '../../service/client/index.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

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
export const swatches: readonly (readonly [name: string, color: string])[] = [
  ['Blue', '#2f6feb'],
  ['Teal', '#0e8a8a'],
  ['Green', '#1a7f37'],
  ['Olive', '#7a7f1a'],
  ['Amber', '#c2700f'],
  ['Red', '#cf222e'],
  ['Pink', '#bf3989'],
  ['Violet', '#8250df'],
  ['Brown', '#8a5a33'],
  ['Gray', '#57606a'],
];

/** Returns an error message, or undefined if the name is valid. */
export function validateListName(text: string): string | undefined {
  return text.trim() === '' ? 'A list needs a name.' : undefined;
}

/** Returns an error message unless the text is `#rrggbb`, the only form that the API accepts. */
export function validateColor(text: string): string | undefined {
  return /^#[\da-f]{6}$/iu.test(text.trim())
    ? undefined
    : 'A color is written #rrggbb: a hash sign and six of 0–9 and a–f.';
}

/** Returns an error message unless the text is a mail id or empty. */
export function validateMailId(text: string): string | undefined {
  return /^(?:[1-9]\d{0,14})?$/u.test(text.trim())
    ? undefined
    : 'The id of a mail is a whole number. Leave it empty for no mail.';
}

/** Returns the name of a predefined color, or the value itself. */
export function getColorName(color: string): string {
  return swatches.find(([, value]) => value === color.toLowerCase())?.[0] ?? color;
}

/** Creates the request for a list. The API uses 1 for true and 2 for false. */
export function createListRequest({ name, color, active, visible, welcomeId, unsubscribeId }: ListDraft): NewList {
  return {
    name: name.trim(),
    active: active ? 1 : 2,
    visible: visible ? 1 : 2,
    ...(color !== undefined && { color }),
    ...(welcomeId !== undefined && { welcomeId }),
    ...(unsubscribeId !== undefined && { unsubscribeId }),
  };
}

/**
 * Reads the fields of a new list from a command's argument, which uses API names and values. For `active` and `visible`, also accepts 0,
 * true and false.
 *
 * Throws if a value is invalid.
 */
export function parseDraft(argument: CommandArgument): Partial<ListDraft> {
  if (typeof argument !== 'object' || argument === null) return {};
  const { name, color, active, visible, welcomeId, unsubscribeId } = argument as Readonly<Record<string, unknown>>;
  return {
    ...(name !== undefined && { name: parseText('name', name, validateListName) }),
    ...(color !== undefined && { color: parseText('color', color, validateColor) }),
    ...(active !== undefined && { active: parseFlag('active', active) }),
    ...(visible !== undefined && { visible: parseFlag('visible', visible) }),
    ...(welcomeId !== undefined && { welcomeId: parseMailId('welcomeId', welcomeId) }),
    ...(unsubscribeId !== undefined && { unsubscribeId: parseMailId('unsubscribeId', unsubscribeId) }),
  };
}

function parseText(field: string, value: unknown, validate: (text: string) => string | undefined): string {
  const problem = typeof value === 'string' ? validate(value) : 'It is no text.';
  if (typeof value !== 'string' || problem !== undefined)
    throw new Error(`The list’s “${field}” can’t be taken: ${problem}`);
  return value.trim();
}

const FLAG_VALUES = new Map<unknown, boolean>([
  [1, true],
  [true, true],
  [2, false],
  [0, false],
  [false, false],
]);

function parseFlag(field: string, value: unknown): boolean {
  const isSet = FLAG_VALUES.get(value);
  if (isSet === undefined) throw new Error(`The list’s “${field}” can’t be taken: it is 1 for yes or 2 for no.`);
  return isSet;
}

function parseMailId(field: string, value: unknown): number {
  const id =
    typeof value === 'string' && value.trim() !== '' && validateMailId(value) === undefined ? Number(value) : value;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1)
    throw new Error(`The list’s “${field}” can’t be taken: it is the id of a mail, a whole number.`);
  return id;
}
