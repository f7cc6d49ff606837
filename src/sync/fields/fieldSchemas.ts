import * as v from 'valibot';
import { t } from '../../l10n.ts';

/* Schemas and messages of fields that several JSON documents share. Loaded together with the schemas that use them. */

/** Like all messages here, this one follows the name of a field. */
export const textMessage = (): string => t('must be text in quotes.');

const addressPattern = /^[^\s@<>",;]+@[^\s@<>",;]+$/u;

/** The formats of text fields. Each field may be empty. */
const schemas = {
  text: v.string(textMessage),
  address: v.pipe(
    v.string(textMessage),
    v.check(
      (value) => value === '' || addressPattern.test(value),
      () => t('must be one email address, or empty.'),
    ),
  ),
  addresses: v.pipe(
    v.string(textMessage),
    v.check(
      (value) => value.trim() === '' || value.split(',').every((part) => addressPattern.test(part.trim())),
      () => t('must be email addresses separated by commas, or empty.'),
    ),
  ),
} as const;

/** Names of text fields with their formats. */
export type TextFields = Readonly<Record<string, keyof typeof schemas>>;

type Entries<F extends TextFields, Default extends '' | undefined> = {
  readonly [Name in keyof F]: v.OptionalSchema<(typeof schemas)[F[Name]], Default>;
};

/** Returns schemas of text fields. `missing`: the value of a missing field. A field without a value keeps its own on the service. */
export function textFields<F extends TextFields, Missing extends '' | undefined>(
  fields: F,
  missing: Missing,
): Entries<F, Missing> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [name, v.optional(schemas[kind], missing)]),
  ) as Entries<F, Missing>;
}

/** A message, or a function that returns it in the display language. */
type Message = string | (() => string);

/** Returns a schema of text that can't be empty. `message`: "a campaign needs a name." */
export const requiredText = (message: Message) => v.pipe(v.string(textMessage), v.regex(/\S/u, message));

/** Returns a schema of a whole number. */
export const wholeNumber = (message: Message, minimum: number) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(minimum, message));

const idMessages = {
  list: () => t('must be the ID of a list.'),
  mail: () => t('must be the ID of an email.'),
  segment: () => t('must be the ID of a segment.'),
};

/** Returns a schema of a list of ids of records of one type. */
export const idList = (type: keyof typeof idMessages) =>
  v.array(wholeNumber(idMessages[type], 1), () => t`must be a list of IDs, such as ${'[1, 2]'}.`);

/** An issue as reported by valibot. */
type Issue = { readonly expected: string | null; readonly received: string };

/** Returns the message for details that are invalid as a whole. */
export function getDetailsMessage({ expected, received }: Issue): string {
  if (expected === 'never') return t('is not a known field.');
  return received === 'undefined' ? t('is missing.') : t('The details must be a JSON object.');
}

/** A problem in details, with a message for its field. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Returns all problems that a schema finds in a value, with their paths. */
export function findProblems(schema: v.GenericSchema, value: unknown): readonly Problem[] {
  const { issues = [] } = v.safeParse(schema, value);
  return issues.map(({ path, message }) => ({ path: (path ?? []).map(({ key }) => key as string | number), message }));
}
