import { TooMuch } from './model.ts';

/** Beyond, an e-mail is no e-mail, and composing it would hold up whoever waits. */

/** Characters of all fields together: ten times what Gmail shows. */
const MAX_LENGTH = 1024 * 1024;
/** Elements of a body. A template of 177 KB has some 3,000. */
export const MAX_ELEMENTS = 20_000;
/** Opening signs without a closing one after them: each is looked for to the end. */
const MAX_OPEN = 500;
/** Steps of matching selectors: elements looked at. */
export const MAX_MATCHING = 10_000_000;
/** Declarations written into style attributes. */
export const MAX_STYLING = 2_000_000;

/** Throws where the fields of an e-mail can't be composed in bounded time. */
export function refuseAbsurd(fields: readonly string[]): void {
  const length = fields.reduce((sum, field) => sum + field.length, 0);
  if (length > MAX_LENGTH) throw new TooMuch(`The e-mail has ${length} characters: more than ${MAX_LENGTH} are not composed.`);
  for (const [open, close] of [['<', '>'], ['{', '}'], ['[', ']']] as const) {
    if (fields.some((field) => longestOpen(field, open, close) > MAX_OPEN)) {
      throw new TooMuch(`More than ${MAX_OPEN} signs "${open}" stand before a "${close}". Is one missing?`);
    }
  }
}

function longestOpen(text: string, open: string, close: string): number {
  let longest = 0;
  let count = 0;
  for (const sign of text.matchAll(open === '<' ? /[<>]/g : open === '{' ? /[{}]/g : /[[\]]/g)) {
    count = sign[0] === close ? 0 : count + 1;
    longest = Math.max(longest, count);
  }
  return longest;
}
