import * as l10n from '@vscode/l10n';
import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import { formatNumber } from '../../l10n.ts';

/** Nested brackets in stylesheets: browsers parse them recursively, which crashes or takes quadratic time. */

/** Real stylesheets nest far less. */
const MAX_BRACKET_DEPTH = 100;

/** By how many levels each type of token changes the depth. */
const depthSteps = new Map(
  Object.entries(tokenTypes).map(([name, type]) => [
    type,
    /^(?:Function|Left)/.test(name) ? 1 : name.startsWith('Right') ? -1 : 0,
  ]),
);

/** Decodes the escapes of an identifier, a string or a URL. */
export const unescapeCss = (name: string): string =>
  name.replace(/\\([\da-f]{1,6})\s?|\\([^])/gi, (_all, code?: string, sign?: string) =>
    code === undefined ? (sign ?? '') : decodeCodePoint(Number.parseInt(code, 16)),
  );

const decodeCodePoint = (code: number): string => (code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code));

/** Returns whether brackets of a stylesheet or style attribute nest too deep for a browser. */
export function isNestedTooDeep(css: string): boolean {
  // Most stylesheets have too few brackets to nest that deep.
  if ((css.match(/[([{]/g)?.length ?? 0) <= MAX_BRACKET_DEPTH) return false;
  let depth = 0;
  let maxDepth = 0;
  tokenize(css, (type) => {
    depth = Math.max(0, depth + (depthSteps.get(type) ?? 0));
    maxDepth = Math.max(maxDepth, depth);
  });
  return maxDepth > MAX_BRACKET_DEPTH;
}

export const getNestingRefusal = (): string =>
  l10n.t`The brackets in a style are nested too deep (more than ${formatNumber(MAX_BRACKET_DEPTH)} levels). Is a closing bracket missing?`;

/** No mail client supports column counts, and browsers take minutes to lay out large ones. */
const manyColumns = /\bcolumn(?:s|-count)\s*:[^;}]{0,60}?(?<![\d.-])\d{3,}(?![\d.a-z%])/i;

/** Returns, as a sentence, why a stylesheet or style attribute isn't shown; undefined if it is safe. */
export function getStyleRefusal(css: string): string | undefined {
  if (isNestedTooDeep(css)) return getNestingRefusal();
  if (manyColumns.test(css)) return l10n.t('A style has too many columns.');
  return undefined;
}
