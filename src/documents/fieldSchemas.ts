import * as v from 'valibot';

/*
 * Fields that the JSON documents of several records have, with the words for what is wrong with them. Loaded with the schemas that use
 * them.
 */

export const textMessage = 'must be text in quotes.';

/** Text, empty where it is absent. */
export const text = v.optional(v.string(textMessage), '');

/** What the schema library says of a mistake. */
type Issue = { readonly expected: string | null; readonly received: string };

/** What is wrong with the details of a record as a whole: `noun` is "a campaign". */
export const detailsMessage = (noun: string) => ({ expected, received }: Issue): string => {
  if (expected === 'never') return `is not a field of ${noun}.`;
  return received === 'undefined' ? 'is missing.' : `The details of ${noun} are one JSON object.`;
};

const addressPattern = /^[^\s@<>",;]+@[^\s@<>",;]+$/u;

/** One e-mail address, or nothing. */
export const address = v.optional(
  v.pipe(v.string(textMessage), v.check((value) => value === '' || addressPattern.test(value), 'must be one e-mail address, or empty.')),
  '',
);

/** E-mail addresses separated by commas, or nothing. */
export const addresses = v.optional(
  v.pipe(
    v.string(textMessage),
    v.check(
      (value) => value.trim() === '' || value.split(',').every((part) => addressPattern.test(part.trim())),
      'must be e-mail addresses separated by commas, or empty.',
    ),
  ),
  '',
);
