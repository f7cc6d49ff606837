import { LimitExceeded } from './model.ts';

/** Beyond, an email is no email, and composing it would hold up whoever waits. */

/** Characters of all fields together: ten times what Gmail shows. */
const MAX_EMAIL_CHARS = 1024 * 1024;
/** Elements of a body. A template of 177 KB has some 3,000. */
export const MAX_TREE_ELEMENTS = 20_000;
/** Opening signs without a closing one after them: each is looked for to the end. */
const MAX_UNCLOSED = 500;
/** Characters of a selector. */
export const MAX_SELECTOR_CHARS = 2000;

// In proportion to the email, so that twice the text takes twice the time.
/** Steps of matching selectors: elements looked at. */
export const getMatchingBudget = (length: number): number => 200_000 + 5 * length;
/** Declarations merged, and written into style attributes. */
export const getStylingBudget = (length: number): number => 100_000 + length;

/** Throws where the fields of an email can't be composed in bounded time. */
export function assertWithinLimits(fields: readonly string[]): void {
  const length = fields.reduce((sum, field) => sum + field.length, 0);
  if (length > MAX_EMAIL_CHARS)
    throw new LimitExceeded(`The email has ${length} characters: more than ${MAX_EMAIL_CHARS} are not composed.`);
  fields.forEach(assertFewUnclosed);
}

const bracketPairs = [
  ['<', '>'],
  ['{', '}'],
  ['[', ']'],
] as const;

/** Throws where too many signs are open at a time. What is taken out of a text may leave more of them than it had. */
export function assertFewUnclosed(text: string): void {
  for (const [open, close] of bracketPairs) {
    if (!hasManyUnclosed(text, open, close)) continue;
    throw new LimitExceeded(`More than ${MAX_UNCLOSED} signs "${open}" stand before a "${close}". Is one missing?`);
  }
}

function hasManyUnclosed(text: string, open: string, close: string): boolean {
  for (let at = text.indexOf(open); at >= 0;) {
    const found = text.indexOf(close, at);
    const end = found < 0 ? text.length : found;
    for (let count = 0; at >= 0 && at < end; at = text.indexOf(open, at + 1))
      if ((count += 1) > MAX_UNCLOSED) return true;
  }
  return false;
}
