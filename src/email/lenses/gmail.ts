import { parseStylesheet } from '../checks/css.ts';
import type { StyleDeclaration } from '../checks/css.ts';
import { replaceBefore } from '../html/text.ts';
import type { TextEdit } from '../tags/index.ts';
import { createAttributeEdits, createNamePattern, listPlacedElements, isDescendant, restyleElements } from './edits.ts';
import type { PlacedElement, Restyling } from './edits.ts';

/** Total length of the styles that Gmail reads. It drops the block that exceeds the limit and all later blocks. */
const MAX_STYLE_CHARS = 16 * 1024;

/** Properties that Gmail drops (caniemail.com, 2026-06-29). */
const droppedByGmail = createNamePattern(`
  accent-color align-items animation.* aspect-ratio backdrop-filter block-size border-image.* border-(?:block|inline).*
  border-(?:start|end)-(?:start|end)-radius box-shadow clip-path color-scheme cursor filter flex-(?:direction|wrap|flow) grid.* hyphen.*
  inline-size inset.* justify-content left right top bottom list-style-image (?:margin|padding)-(?:block|inline).* mask.*
  (?:max|min)-(?:block|inline)-size orphans outline-offset overflow-wrap position resize scroll-.* shape-.* tab-size
  text-decoration-(?:skip-ink|thickness) text-emphasis-position text-shadow text-underline-offset text-wrap transform.* transition.*
  user-select visibility white-space-collapse widows z-index --.*
`);

const unsupportedValue = /\bvar\(|\blight-dark\(|\bconic-gradient\(|\bcolor\(/i;
const isGrid = ({ property, value: text }: StyleDeclaration): boolean =>
  property === 'display' && /^(?:inline-)?grid\b/i.test(text);
/** Gmail supports `@media` with width features only. */
const supportedAtRules = new Set(['media']);
const unsupportedMediaFeature = /prefers-|hover|pixel-ratio/i;

const mapValue = ({ property, value: text }: StyleDeclaration): string | undefined =>
  droppedByGmail.test(property) || unsupportedValue.test(text) ? undefined : text;

/** With an account of another service, the Gmail app drops grids too. */
const mapOtherAccountValue = (declaration: StyleDeclaration): string | undefined =>
  isGrid(declaration) ? undefined : mapValue(declaration);

const gmailRestyling: Restyling = {
  mapValue,
  keepsAtRule: ({ name, prelude }) => supportedAtRules.has(name) && !unsupportedMediaFeature.test(prelude),
  // `:hover` is the only pseudo-class that Gmail supports.
  keepsSelector: (selector) => {
    const plain = replaceBefore(selector, selector.lastIndexOf(']') + 1, /\[[^\]]*\]|\\./g, '').replace(/\\./g, '');
    return !/::?(?!hover\b)[a-z-]/i.test(plain);
  },
};

/** Gmail in a browser removes unsupported styles. */
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

/** The Gmail app with an account of another service supports inline styles only. */
export function createOtherAccountEdits(html: string): TextEdit[] {
  const elements = listPlacedElements(html);
  const styles = new Set(elements.filter(({ name }) => name === 'style'));
  const others = elements.filter((element) => !styles.has(element));
  const classes = others.flatMap((element) => createAttributeEdits(element, 'class', undefined));
  return [...createRemovals(styles), ...restyleElements(html, others, { mapValue: mapOtherAccountValue }), ...classes];
}

const createRemovals = (elements: ReadonlySet<PlacedElement>): TextEdit[] =>
  [...elements].map(({ range }) => ({ ...range, text: '' }));

/** Gmail drops blocks with nested at-rules as a whole. */
const hasNestedAtRules = (css: string): boolean =>
  parseStylesheet(css).atRules.some(({ parent }) => parent !== undefined);
