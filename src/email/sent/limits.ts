import { TooMuch } from './model.ts';

/** Beyond, an email is no email, and composing it would hold up whoever waits. */

/** Characters of all fields together: ten times what Gmail shows. */
const MAX_LENGTH = 1024 * 1024;
/** Elements of a body. A template of 177 KB has some 3,000. */
export const MAX_ELEMENTS = 20_000;
/** Opening signs without a closing one after them: each is looked for to the end. */
const MAX_OPEN = 500;
/** Characters of a selector. */
export const MAX_SELECTOR = 2000;

// In proportion to the email, so that twice the text takes twice the time.
/** Steps of matching selectors: elements looked at. */
export const matchingEffort = (length: number): number => 200_000 + 5 * length;
/** Declarations merged, and written into style attributes. */
export const stylingEffort = (length: number): number => 100_000 + length;

/** Throws where the fields of an email can't be composed in bounded time. */
export function refuseAbsurd(fields: readonly string[]): void {
  const length = fields.reduce((sum, field) => sum + field.length, 0);
  if (length > MAX_LENGTH)
    throw new TooMuch(`The email has ${length} characters: more than ${MAX_LENGTH} are not composed.`);
  fields.forEach(refuseOpen);
}

const pairs = [
  ['<', '>'],
  ['{', '}'],
  ['[', ']'],
] as const;

/** Throws where too many signs are open at a time. What is taken out of a text may leave more of them than it had. */
export function refuseOpen(text: string): void {
  for (const [open, close] of pairs) {
    if (!hasManyOpen(text, open, close)) continue;
    throw new TooMuch(`More than ${MAX_OPEN} signs "${open}" stand before a "${close}". Is one missing?`);
  }
}

function hasManyOpen(text: string, open: string, close: string): boolean {
  for (let at = text.indexOf(open); at >= 0;) {
    const found = text.indexOf(close, at);
    const end = found < 0 ? text.length : found;
    for (let count = 0; at >= 0 && at < end; at = text.indexOf(open, at + 1)) if ((count += 1) > MAX_OPEN) return true;
  }
  return false;
}
