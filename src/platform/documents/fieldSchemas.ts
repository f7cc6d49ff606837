import * as v from 'valibot';
import type { FieldProblem } from '../webview/form/protocol.ts';

/* Schemas and messages of fields that several JSON documents share. Loaded together with the schemas that use them. */

export const textMessage = 'must be text in quotes.';

const addressPattern = /^[^\s@<>",;]+@[^\s@<>",;]+$/u;

/** The formats of text fields. Each field may be empty. */
const schemas = {
  text: v.string(textMessage),
  address: v.pipe(
    v.string(textMessage),
    v.check((value) => value === '' || addressPattern.test(value), 'must be one email address, or empty.'),
  ),
  addresses: v.pipe(
    v.string(textMessage),
    v.check(
      (value) => value.trim() === '' || value.split(',').every((part) => addressPattern.test(part.trim())),
      'must be email addresses separated by commas, or empty.',
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

/** Returns a schema of text that can't be empty. `message`: "a campaign needs a name." */
export const requiredText = (message: string) => v.pipe(v.string(textMessage), v.regex(/\S/u, message));

/** Returns a schema of a whole number. */
export const wholeNumber = (message: string, minimum: number) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(minimum, message));

/** Returns a schema of a list of ids. `noun`: "list". */
export const idList = (noun: string) =>
  v.array(wholeNumber(`must be the id of a ${noun}.`, 1), 'must be a list of ids: [1, 2].');

/** An issue as reported by valibot. */
type Issue = { readonly expected: string | null; readonly received: string };

/** Returns the message for details that are invalid as a whole. `noun`: "a campaign". */
export const createDetailsMessage =
  (noun: string) =>
  ({ expected, received }: Issue): string => {
    if (expected === 'never') return `is not a field of ${noun}.`;
    return received === 'undefined' ? 'is missing.' : `The details of ${noun} are one JSON object.`;
  };

/** A problem in details, with a message for its field. */
export type Problem = Pick<FieldProblem, 'path' | 'message'>;

/** Returns all problems that a schema finds in a value, with their paths. */
export function findProblems(schema: v.GenericSchema, value: unknown): readonly Problem[] {
  const { issues = [] } = v.safeParse(schema, value);
  return issues.map(({ path, message }) => ({ path: (path ?? []).map(({ key }) => key as string | number), message }));
}
