import { formatNumber, t } from '../../l10n.ts';

/**
 * Nested brackets in stylesheets: browsers parse them recursively, which crashes or takes quadratic time. Tokens follow
 * https://www.w3.org/TR/css-syntax-3/#tokenization for all that affects brackets.
 */

/** Real stylesheets nest far less. */
const MAX_BRACKET_DEPTH = 100;

/** Tokens of a stylesheet. Captures a function's name, an opening bracket, or a closing one. */
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
/** The rest of `url(` without quotes, up to the closing bracket. */
const unquotedUrl = /\s*(?!["'\s])(?:[^)\\]|\\[^])*\)?/y;

/** Decodes the escapes of an identifier, a string or a URL. */
export const unescapeCss = (name: string): string =>
  name.replace(/\\([\da-f]{1,6})\s?|\\([^])/gi, (_all, code?: string, sign?: string) =>
    code === undefined ? (sign ?? '') : decodeCodePoint(Number.parseInt(code, 16)),
  );

const decodeCodePoint = (code: number) => (code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code));

/** Returns whether brackets of a stylesheet or style attribute nest too deep for a browser. */
export function isNestedTooDeep(css: string): boolean {
  // Most stylesheets have too few brackets to nest that deep.
  if ((css.match(/[([{]/g)?.length ?? 0) <= MAX_BRACKET_DEPTH) return false;
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

export const getNestingRefusal = (): string =>
  t`The brackets in a style are nested too deep (more than ${formatNumber(MAX_BRACKET_DEPTH)} levels). Is a closing bracket missing?`;

/** No mail client supports column counts, and browsers take minutes to lay out large ones. */
const manyColumns = /\bcolumn(?:s|-count)\s*:[^;}]{0,60}?(?<![\d.-])\d{3,}(?![\d.a-z%])/i;

/** Returns, as a sentence, why a stylesheet or style attribute isn't shown; undefined if it is safe. */
export function getStyleRefusal(css: string): string | undefined {
  if (isNestedTooDeep(css)) return getNestingRefusal();
  if (manyColumns.test(css)) return t('A style has too many columns.');
  return undefined;
}
