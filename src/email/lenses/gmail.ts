import { parseStylesheet } from '../checks/css.ts';
import type { StyleDeclaration } from '../checks/css.ts';
import { replaceBefore } from '../html/textSearch.ts';
import type { TextEdit } from '../tags/index.ts';
import { droppedByGmail } from './properties.ts';
import { attributeEdit, elementsOf, isWithin, restyled } from './restyle.ts';
import type { PlacedElement, Restyling } from './restyle.ts';

/** Characters of all styles that Gmail reads; the block that passes it is dropped, and what comes behind. */
const MOST = 16 * 1024;

const droppedValue = /\bvar\(|\blight-dark\(|\bconic-gradient\(|\bcolor\(/i;
const isGrid = ({ property, value: text }: StyleDeclaration): boolean =>
  property === 'display' && /^(?:inline-)?grid\b/i.test(text);
/** At-rules that it reads; of questions about the device, those about width. */
const known = new Set(['media']);
const unknownQuestion = /prefers-|hover|pixel-ratio/i;

const value = ({ property, value: text }: StyleDeclaration): string | undefined =>
  droppedByGmail.test(property) || droppedValue.test(text) ? undefined : text;

/** With an account of another service, the app drops grids too. */
const foreignValue = (declaration: StyleDeclaration): string | undefined =>
  isGrid(declaration) ? undefined : value(declaration);

const restyling: Restyling = {
  value,
  keepsAtRule: ({ name, prelude }) => known.has(name) && !unknownQuestion.test(prelude),
  // Of what asks for a state, it knows `:hover` alone.
  keepsSelector: (selector) => {
    const plain = replaceBefore(selector, selector.lastIndexOf(']') + 1, /\[[^\]]*\]|\\./g, '').replace(/\\./g, '');
    return !/::?(?!hover\b)[a-z-]/i.test(plain);
  },
};

/** Gmail in a browser: it cuts what it doesn't know out of styles. */
export function gmail(html: string): TextEdit[] {
  const elements = elementsOf(html);
  const body = elements.find(({ name }) => name === 'body');
  let length = 0;
  const cut = new Set<PlacedElement>();
  for (const style of elements.filter(({ name }) => name === 'style')) {
    const css = html.slice(style.inner.start, style.inner.end);
    if ((body && isWithin(style, body)) || hasNested(css)) cut.add(style);
    else if ((length += css.length) > MOST) cut.add(style);
  }
  const kept = elements.filter((element) => !cut.has(element));
  return [...cutOut(cut), ...restyled(html, kept, restyling)];
}

/** Gmail's app with an account of somebody else: no styles but those on the elements themselves. */
export function gmailForeign(html: string): TextEdit[] {
  const elements = elementsOf(html);
  const styles = new Set(elements.filter(({ name }) => name === 'style'));
  const others = elements.filter((element) => !styles.has(element));
  const classes = others.flatMap((element) => attributeEdit(element, 'class', undefined));
  return [...cutOut(styles), ...restyled(html, others, { value: foreignValue }), ...classes];
}

const cutOut = (elements: ReadonlySet<PlacedElement>): TextEdit[] =>
  [...elements].map(({ range }) => ({ ...range, text: '' }));

/** Whether an at-rule stands in an at-rule: Gmail drops the whole block. */
const hasNested = (css: string): boolean => parseStylesheet(css).atRules.some(({ parent }) => parent !== undefined);
