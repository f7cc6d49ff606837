/**
 * Brackets within brackets of a stylesheet: browsers read them by recursion, which ends in a crash or takes time square to the depth. The
 * tokens are those of
 * https://www.w3.org/TR/css-syntax-3/#tokenization, as far as brackets depend on them.
 */

/** Deeper than any stylesheet nests. */
const MAX_NESTING = 100;

/** What a stylesheet is made of. Captured: a function's name, a bracket that opens, one that closes. */
const tokens = [
  /\/\*[^]*?(?:\*\/|$)/,
  /"(?:[^"\\\n\r\f]|\\[^])*"?/,
  /'(?:[^'\\\n\r\f]|\\[^])*'?/,
  /((?:[-\w\u0080-\uffff]|\\[\da-f]{1,6}\s?|\\[^\n\r\f\da-f])+)\(/,
  /[-\w\u0080-\uffff]+/,
  /\\[^]/,
  /([[({])/,
  /([\])}])/,
  /[^]/,
];
const token = new RegExp(tokens.map(({ source }) => source).join('|'), 'giy');
/** What `url(` goes on with where its address has no quotes: everything to the next bracket. */
const address = /\s*(?!["'\s])(?:[^)\\]|\\[^])*\)?/y;

/** Replaces the escapes of an identifier, a string or an address. */
export const unescaped = (name: string): string =>
  name.replace(/\\([\da-f]{1,6})\s?|\\([^])/gi, (_all, code?: string, sign?: string) =>
    code === undefined ? (sign ?? '') : safeCharacter(Number.parseInt(code, 16)),
  );

const safeCharacter = (code: number): string => (code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code));

/** Whether brackets of a stylesheet, or of a style attribute, nest deeper than a browser can take. */
export function nestsTooDeep(css: string): boolean {
  if (css.length <= MAX_NESTING) return false;
  let depth = 0;
  token.lastIndex = 0;
  for (let match = token.exec(css); match; match = token.exec(css)) {
    const [, name, opening, closing] = match;
    if (name !== undefined && unescaped(name).toLowerCase() === 'url') {
      address.lastIndex = token.lastIndex;
      if (address.test(css)) {
        token.lastIndex = address.lastIndex;
        continue;
      }
    }
    if (name !== undefined || opening !== undefined) depth += 1;
    else if (closing !== undefined) depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

export const nestingRefusal = `The brackets of a style nest more than ${MAX_NESTING} deep: too deep to show. Is a closing one missing?`;

/** A number of columns is what no mail client shows, and what browsers take minutes for where it is large. */
const manyColumns = /\bcolumn(?:s|-count)\s*:[^;}]{0,60}?(?<![\d.-])\d{3,}(?![\d.a-z%])/i;

/** Why a stylesheet, or a style attribute, isn't shown, in a sentence. */
export function styleRefusalOf(css: string): string | undefined {
  if (nestsTooDeep(css)) return nestingRefusal;
  if (manyColumns.test(css)) return 'A style asks for hundreds of columns: too many to show.';
  return undefined;
}
