/**
 * Brackets within brackets of a stylesheet: browsers read them by recursion, which ends in a crash or takes time square to the depth. The
 * tokens are those of
 * https://www.w3.org/TR/css-syntax-3/#tokenization, as far as brackets depend on them.
 */

/** Deeper than any stylesheet nests. */
const MAX_BRACKET_DEPTH = 100;

/** What a stylesheet is made of. Captured: a function's name, a bracket that opens, one that closes. */
const tokenPatterns = [
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
const token = new RegExp(tokenPatterns.map(({ source }) => source).join('|'), 'giy');
/** What `url(` goes on with where its address has no quotes: everything to the next bracket. */
const unquotedUrl = /\s*(?!["'\s])(?:[^)\\]|\\[^])*\)?/y;

/** Replaces the escapes of an identifier, a string or an address. */
export const unescapeCss = (name: string): string =>
  name.replace(/\\([\da-f]{1,6})\s?|\\([^])/gi, (_all, code?: string, sign?: string) =>
    code === undefined ? (sign ?? '') : decodeCodePoint(Number.parseInt(code, 16)),
  );

const decodeCodePoint = (code: number): string => (code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code));

/** Whether brackets of a stylesheet, or of a style attribute, nest deeper than a browser can take. */
export function isNestedTooDeep(css: string): boolean {
  if (css.length <= MAX_BRACKET_DEPTH) return false;
  let depth = 0;
  token.lastIndex = 0;
  for (let match = token.exec(css); match; match = token.exec(css)) {
    const [, name, opening, closing] = match;
    if (name !== undefined && unescapeCss(name).toLowerCase() === 'url') {
      unquotedUrl.lastIndex = token.lastIndex;
      if (unquotedUrl.test(css)) {
        token.lastIndex = unquotedUrl.lastIndex;
        continue;
      }
    }
    if (name !== undefined || opening !== undefined) depth += 1;
    else if (closing !== undefined) depth = Math.max(0, depth - 1);
    if (depth > MAX_BRACKET_DEPTH) return true;
  }
  return false;
}

export const NESTING_REFUSAL = `The brackets of a style nest more than ${MAX_BRACKET_DEPTH} deep: too deep to show. Is a closing one missing?`;

/** A number of columns is what no mail client shows, and what browsers take minutes for where it is large. */
const manyColumns = /\bcolumn(?:s|-count)\s*:[^;}]{0,60}?(?<![\d.-])\d{3,}(?![\d.a-z%])/i;

/** Why a stylesheet, or a style attribute, isn't shown, in a sentence. */
export function getStyleRefusal(css: string): string | undefined {
  if (isNestedTooDeep(css)) return NESTING_REFUSAL;
  if (manyColumns.test(css)) return 'A style asks for hundreds of columns: too many to show.';
  return undefined;
}
