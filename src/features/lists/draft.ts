import type { NewList } from '../../service/client/index.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

/** What a new list is made of, as a user thinks of it. */
export interface ListDraft {
  readonly name: string;
  /** `#rrggbb`; the service's choice where there is none. */
  readonly color?: string;
  readonly active: boolean;
  readonly visible: boolean;
  /** Ids of mails. */
  readonly welcomeId?: number;
  readonly unsubscribeId?: number;
}

/** Colours that are told apart at a glance, on light and dark. */
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
  ['Grey', '#57606a'],
];

/** Why a text is no name of a list; nothing where it is one. */
export function validateListName(text: string): string | undefined {
  return text.trim() === '' ? 'A list needs a name.' : undefined;
}

/** Why a text is no colour. The document takes `#rrggbb` alone. */
export function validateColor(text: string): string | undefined {
  return /^#[\da-f]{6}$/iu.test(text.trim())
    ? undefined
    : 'A colour is written #rrggbb: a hash sign and six of 0–9 and a–f.';
}

/** Why a text is no id of a mail. An empty one is none. */
export function validateMailId(text: string): string | undefined {
  return /^(?:[1-9]\d{0,14})?$/u.test(text.trim())
    ? undefined
    : 'The id of a mail is a whole number. Leave it empty for no mail.';
}

/** "Blue", or the colour itself. */
export function getColorName(color: string): string {
  return swatches.find(([, value]) => value === color.toLowerCase())?.[0] ?? color;
}

/** The request that makes a list. For the document, 1 is yes and 2 is no. */
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
 * What a command's argument says of a new list: the document's names, and its values (`active` and `visible`: 1 is yes, 2 no; 0, true
 * and false are understood).
 *
 * Throws where a value can't be taken.
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
