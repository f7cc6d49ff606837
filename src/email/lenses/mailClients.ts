// What mail clients drop, hide or replace.

import { isMetByWord, parseConditions } from '../checks/conditions.ts';
import { cssUrls, parseStylesheet, type StyleDeclaration } from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import { findFirstIndex, findLastMatchEnd, replaceBefore, type TextEdit } from '../html/text.ts';
import {
  applyEdits,
  createAttributeEdits,
  createNamePattern,
  listPlacedElements,
  restyleElements,
  type PlacedElement,
  type Restyling,
} from './edits.ts';

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
const mapValue = ({ property, value: text }: StyleDeclaration) =>
  droppedByGmail.test(property) || unsupportedValue.test(text) ? undefined : text;

/** With an account of another service, the Gmail app drops grids too. */
const otherAccountRestyling: Restyling = {
  mapValue: (declaration) =>
    declaration.property === 'display' && /^(?:inline-)?grid\b/i.test(declaration.value)
      ? undefined
      : mapValue(declaration),
};

const gmailRestyling: Restyling = {
  mapValue,
  // Gmail supports `@media` with width features only.
  keepsAtRule: ({ name, prelude }) => name === 'media' && !/prefers-|hover|pixel-ratio/i.test(prelude),
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
    const isInBody = body && body.range.start < style.range.start && style.range.end <= body.range.end;
    // Blocks with nested at-rules are dropped as a whole.
    const isDropped = isInBody || parseStylesheet(css).atRules.some(({ parent }) => parent !== undefined);
    if (isDropped || (length += css.length) > MAX_STYLE_CHARS) removed.add(style);
  }
  const remaining = elements.filter((element) => !removed.has(element));
  return [...createRemovals(removed), ...restyleElements(html, remaining, gmailRestyling)];
}

/** The Gmail app with an account of another service supports inline styles only. */
export function createOtherAccountEdits(html: string): TextEdit[] {
  const elements = listPlacedElements(html);
  const styles = elements.filter(({ name }) => name === 'style');
  const others = elements.filter(({ name }) => name !== 'style');
  const classes = others.flatMap((element) => createAttributeEdits(element, 'class', undefined));
  return [...createRemovals(styles), ...restyleElements(html, others, otherAccountRestyling), ...classes];
}

const createRemovals = (elements: Iterable<PlacedElement>) =>
  [...elements].map(({ range }) => ({ ...range, text: '' }));

/** Properties that Word ignores (caniemail.com, 2026-06-29). */
const ignoredByWord = createNamePattern(`
  accent-color align-items animation.* aspect-ratio backdrop-filter background-(?:blend-mode|clip|image|origin|position|repeat|size)
  block-size border-image.* border-(?:block|inline).* border.*-radius border-spacing box-shadow box-sizing caption-side clear clip-path
  color-scheme column.* empty-cells filter flex.* float font-size-adjust
  gap grid.* hyphen.* inline-size inset.* justify-content left right top bottom
  list-style-(?:image|position) (?:margin|padding)-(?:block|inline).* mask.* (?:max|min)-(?:width|height|block-size|inline-size)
  mix-blend-mode object-.* opacity orphans outline.* overflow.* position resize scroll-.* shape-.* tab-size table-layout text-align-last
  text-(?:emphasis|orientation|overflow|shadow|underline-offset|wrap).* text-decoration-.* transform.* transition.* user-select
  visibility white-space widows word-(?:spacing|wrap|break) writing-mode z-index --.*
`);

const ignoredValue =
  /\b(?:var|calc|clamp|min|max|light-dark|rgba|hsla)\(|-gradient\(|^(?:inline-)?(?:flex|grid)\b|\d(?:rem|vh|vw|vmin|vmax|ch)\b/i;

const wordRestyling: Restyling = {
  mapValue: ({ property, value }, element) => {
    if (ignoredByWord.test(property) || ignoredValue.test(value)) return undefined;
    // Word sizes an image by its attributes.
    const isSize = property === 'width' || property === 'height';
    if (isSize && element?.name === 'img' && element.attribute('width') !== undefined) return undefined;
    return property === 'background' ? value.replace(cssUrls, '').trim() || undefined : value;
  },
  browserEquivalents: { 'mso-hide:all': 'display:none' },
  keepsAtRule: ({ name }) => name === 'font-face',
  keepsSelector: (selector) => !/[>+~*]|\[|::?(?!link\b)[a-z-]/i.test(selector.replace(/\\./g, '')),
};

/** Returns edits that keep the conditional content for Outlook for Windows and remove the rest. */
export function createOutlookWindowsEdits(html: string): TextEdit[] {
  const branches = createBranchEdits(html);
  const { text, pieces } = applyEdits(html, branches);
  // Styles inside conditional comments become visible only in the edited text. Their edits are mapped back to the source.
  const elements = listPlacedElements(text);
  const texts = pieces.filter(({ kind }) => kind === 'text');
  const styles = restyleElements(text, elements, wordRestyling).flatMap(({ start, end, text: replacement }) => {
    const piece = texts[findFirstIndex(texts, (each) => end <= each.end)];
    if (!piece || start < piece.start) return [];
    const shift = piece.sourceStart - piece.start;
    return [{ start: start + shift, end: end + shift, text: replacement }];
  });
  return [...branches, ...styles];
}

function createBranchEdits(html: string) {
  const remove = (start: number, end: number) => ({ start, end, text: '' });
  return parseConditions(html).blocks.flatMap((block) => {
    const { start, end, opener, closer } = block;
    if (!isMetByWord(block)) return [remove(start, end)];
    const content = html.slice(opener.end, closer.start);
    // Word settings have no visible output.
    const settings = content.slice(0, findLastMatchEnd(content, /<\/xml\s*>/gi)).matchAll(/<xml\b[^]*?<\/xml\s*>/gi);
    return [
      remove(opener.start, opener.end),
      ...Array.from(settings, ({ 0: { length }, index }) => remove(opener.end + index, opener.end + index + length)),
      remove(closer.start, closer.end),
    ];
  });
}

const imageProperties = /^(?:background|background-image|list-style|list-style-image)$/;

const imageRestyling: Restyling = {
  mapValue: ({ property, value }) => (imageProperties.test(property) ? value.replace(cssUrls, 'none') : value),
};

/** Replaces each image by a frame of its size that shows the alternative text in the image's style. */
export function createImagesBlockedEdits(html: string): TextEdit[] {
  const elements = listPlacedElements(html);
  const others = elements.filter(({ name }) => name !== 'img');
  return [
    ...restyleElements(html, others, imageRestyling),
    ...others.flatMap((element) => createAttributeEdits(element, 'background', undefined)),
    ...elements
      .filter(({ name }) => name === 'img')
      .map((image) => ({ ...image.range, text: createPlaceholder(image) })),
  ];
}

const FRAME_STYLE =
  'box-sizing:border-box;overflow:hidden;border:1px solid #c8c8c8;background-color:#f4f4f4;max-width:100%;vertical-align:bottom';

function createPlaceholder(image: PlacedElement) {
  const [style = '', width = '', height = '', alt = '', classes] = ['style', 'width', 'height', 'alt', 'class'].map(
    image.attribute,
  );
  // Tracking pixels stay invisible.
  if ([width, height].some((size) => /^\s*[01]\s*$/.test(size))) return '';
  const sizes = Object.entries({ width, height }).map(([name, size]) => {
    const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*(%?)/.exec(size) ?? [];
    return number === undefined ? '' : `${name}:${number}${unit || 'px'}`;
  });
  const display = `display:${/(?:^|;)\s*display\s*:\s*block/i.test(style) ? 'block' : 'inline-block'}`;
  const frame = [FRAME_STYLE, ...sizes, style, display].filter(Boolean).join(';');
  const classAttribute = classes === undefined ? '' : ` class="${escapeHtml(classes)}"`;
  return `<span role="img"${classAttribute} style="${escapeHtml(frame)}">${alt.trim() && escapeHtml(alt)}</span>`;
}
