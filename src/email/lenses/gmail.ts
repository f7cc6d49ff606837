import { parseStylesheet } from '../checks/css.ts';
import type { StyleDeclaration } from '../checks/css.ts';
import { replaceBefore } from '../html/textSearch.ts';
import type { TextEdit } from '../tags/index.ts';
import { droppedByGmail } from './properties.ts';
import { createAttributeEdits, listPlacedElements, isDescendant, restyleElements } from './restyle.ts';
import type { PlacedElement, Restyling } from './restyle.ts';

/** Characters of all styles that Gmail reads; the block that passes it is dropped, and what comes behind. */
const MAX_STYLE_CHARS = 16 * 1024;

const unsupportedValue = /\bvar\(|\blight-dark\(|\bconic-gradient\(|\bcolor\(/i;
const isGrid = ({ property, value: text }: StyleDeclaration): boolean =>
  property === 'display' && /^(?:inline-)?grid\b/i.test(text);
/** At-rules that it reads; of questions about the device, those about width. */
const supportedAtRules = new Set(['media']);
const unsupportedMediaFeature = /prefers-|hover|pixel-ratio/i;

const mapValue = ({ property, value: text }: StyleDeclaration): string | undefined =>
  droppedByGmail.test(property) || unsupportedValue.test(text) ? undefined : text;

/** With an account of another service, the app drops grids too. */
const mapOtherAccountValue = (declaration: StyleDeclaration): string | undefined =>
  isGrid(declaration) ? undefined : mapValue(declaration);

const gmailRestyling: Restyling = {
  mapValue,
  keepsAtRule: ({ name, prelude }) => supportedAtRules.has(name) && !unsupportedMediaFeature.test(prelude),
  // Of what asks for a state, it knows `:hover` alone.
  keepsSelector: (selector) => {
    const plain = replaceBefore(selector, selector.lastIndexOf(']') + 1, /\[[^\]]*\]|\\./g, '').replace(/\\./g, '');
    return !/::?(?!hover\b)[a-z-]/i.test(plain);
  },
};

/** Gmail in a browser: it cuts what it doesn't know out of styles. */
export function createGmailEdits(html: string): TextEdit[] {
  const elements = listPlacedElements(html);
  const body = elements.find(({ name }) => name === 'body');
  let length = 0;
  const removed = new Set<PlacedElement>();
  for (const style of elements.filter(({ name }) => name === 'style')) {
    const css = html.slice(style.inner.start, style.inner.end);
    if ((body && isDescendant(style, body)) || hasNestedAtRules(css)) removed.add(style);
    else if ((length += css.length) > MAX_STYLE_CHARS) removed.add(style);
  }
  const remaining = elements.filter((element) => !removed.has(element));
  return [...createRemovals(removed), ...restyleElements(html, remaining, gmailRestyling)];
}

/** Gmail's app with an account of somebody else: no styles but those on the elements themselves. */
export function createOtherAccountEdits(html: string): TextEdit[] {
  const elements = listPlacedElements(html);
  const styles = new Set(elements.filter(({ name }) => name === 'style'));
  const others = elements.filter((element) => !styles.has(element));
  const classes = others.flatMap((element) => createAttributeEdits(element, 'class', undefined));
  return [...createRemovals(styles), ...restyleElements(html, others, { mapValue: mapOtherAccountValue }), ...classes];
}

const createRemovals = (elements: ReadonlySet<PlacedElement>): TextEdit[] =>
  [...elements].map(({ range }) => ({ ...range, text: '' }));

/** Whether an at-rule stands in an at-rule: Gmail drops the whole block. */
const hasNestedAtRules = (css: string): boolean =>
  parseStylesheet(css).atRules.some(({ parent }) => parent !== undefined);
