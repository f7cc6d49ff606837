import * as v from 'valibot';
import type { FieldProblem } from '../webview/form/protocol.ts';

/*
 * Fields that the JSON documents of several records have, with the words for what is wrong with them. Loaded with the schemas that use
 * them.
 */

export const textMessage = 'must be text in quotes.';

const addressPattern = /^[^\s@<>",;]+@[^\s@<>",;]+$/u;

/** What text fields hold. Each may be empty. */
const schemas = {
  text: v.string(textMessage),
  /** One email address. */
  address: v.pipe(
    v.string(textMessage),
    v.check((value) => value === '' || addressPattern.test(value), 'must be one email address, or empty.'),
  ),
  /** Email addresses separated by commas. */
  addresses: v.pipe(
    v.string(textMessage),
    v.check(
      (value) => value.trim() === '' || value.split(',').every((part) => addressPattern.test(part.trim())),
      'must be email addresses separated by commas, or empty.',
    ),
  ),
} as const;

/** Names of text fields, each with what it holds. */
export type TextFields = Readonly<Record<string, keyof typeof schemas>>;

type Entries<F extends TextFields, Default extends '' | undefined> = {
  readonly [Name in keyof F]: v.OptionalSchema<(typeof schemas)[F[Name]], Default>;
};

/** Schemas of text fields: one that is absent is empty. */
export function textFieldsOrEmpty<F extends TextFields>(fields: F): Entries<F, ''> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [name, v.optional(schemas[kind], '')]),
  ) as Entries<F, ''>;
}

/** Schemas of text fields: one that is absent stays as it is on the service. */
export function optionalTextFields<F extends TextFields>(fields: F): Entries<F, undefined> {
  return Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, v.optional(schemas[kind])])) as Entries<
    F,
    undefined
  >;
}

/** Text that can't be empty. `message`: "a campaign needs a name." */
export const requiredText = (message: string) => v.pipe(v.string(textMessage), v.regex(/\S/u, message));

/** A whole number, or what is wrong with it. */
export const wholeNumber = (message: string, minimum: number) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(minimum, message));

/** A list of ids: `noun` is "list". */
export const idList = (noun: string) =>
  v.array(wholeNumber(`must be the id of a ${noun}.`, 1), 'must be a list of ids: [1, 2].');

/** What the schema library says of a mistake. */
type Issue = { readonly expected: string | null; readonly received: string };

/** What is wrong with the details of a record as a whole: `noun` is "a campaign". */
export const createDetailsMessage =
  (noun: string) =>
  ({ expected, received }: Issue): string => {
    if (expected === 'never') return `is not a field of ${noun}.`;
    return received === 'undefined' ? 'is missing.' : `The details of ${noun} are one JSON object.`;
  };

/** A mistake in details, in words that can stand beside its field. */
export type Problem = Pick<FieldProblem, 'path' | 'message'>;

/** Everything that a schema finds wrong with a value, each at its place. */
export function findProblems(schema: v.GenericSchema, value: unknown): readonly Problem[] {
  const { issues = [] } = v.safeParse(schema, value);
  return issues.map(({ path, message }) => ({ path: (path ?? []).map(({ key }) => key as string | number), message }));
}
