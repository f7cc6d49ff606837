import { isSafeAttribute } from '../../../email/compose/safety.ts';
import { limitPictures, limitStylePictures } from '../../../email/checks/pictureLimits.ts';
import { formattingElements } from '../../../email/html/sourceMap.ts';
import type { Range } from '../../../email/html/text.ts';
import type { SourceEntry, SourceIndex } from './sourceIndex.ts';

interface Edit extends Range {
  readonly text: string;
}

/** Elements in which the parser treats text or whitespace specially. */
const textSensitiveElement =
  /^(?:HTML|HEAD|TABLE|TBODY|THEAD|TFOOT|TR|COLGROUP|FRAMESET|SELECT|PRE|LISTING|TEXTAREA|NOSCRIPT)$/;
/** Elements whose attributes affect more than the element, or are rewritten by `prepareDocument`. */
const excludedElement = /^(?:HTML|HEAD|BODY|META|LINK|STYLE|INPUT|SOURCE|FORM)$/;
/** Browsers split text nodes at 65,536 characters. */
const MAX_TEXT_NODE_CHARS = 60_000;

/** Decodes character references like the browser. This document is never shown and loads nothing. */
const scratchDocument = new DOMParser().parseFromString('', 'text/html');

/**
 * Parses an element that Chromium's fast path for simple HTML doesn't support: that path reads `&notit;` in an attribute as `¬it;`, unlike the
 * parser.
 */
function parseElement(html: string) {
  scratchDocument.body.innerHTML = html;
  return scratchDocument.body.firstElementChild;
}

const normalizeLines = (raw: string) => raw.replace(/\r\n?/g, '\n');

function decodeText(raw: string) {
  return raw.includes('&') ? (parseElement(`<section>${raw}</section>`)?.textContent ?? '') : normalizeLines(raw);
}

function decodeAttribute(raw: string, quote: string) {
  return parseElement(`<section data-v=${quote}${raw}${quote}></section>`)?.getAttribute('data-v') ?? null;
}

function applyEdit(html: string, range: Range, edit: Edit) {
  return html.slice(range.start, edit.start) + edit.text + html.slice(edit.end, range.end);
}

function patchText(index: SourceIndex, entry: SourceEntry, html: string, edit: Edit): Range | undefined {
  const parent = entry.node.parentNode && index.get(entry.node.parentNode);
  // The parser moves text out of tables, so the parent in the source must be the parent in the tree.
  if (!parent?.inner || parent !== index.findEnclosing(entry) || textSensitiveElement.test(parent.node.nodeName))
    return undefined;
  if (parent.inner.start > entry.range.start || parent.inner.end < entry.range.end) return undefined;
  const old = html.slice(entry.range.start, entry.range.end);
  const raw = applyEdit(html, entry.range, edit);
  if (raw === '' || raw.length > MAX_TEXT_NODE_CHARS || /[<\0]/.test(raw) || /[<\0]/.test(old)) return undefined;
  const isStyle = parent.node.nodeName.toLowerCase() === 'style';
  const read = parent.node.nodeName === 'STYLE' ? normalizeLines : decodeText;
  if (isStyle && limitStylePictures(read(raw)) !== read(raw)) return undefined;
  if (read(old) !== entry.node.nodeValue) return undefined;
  entry.node.nodeValue = read(raw);
  return entry.range;
}

const isPlainComment = (data: string) => !/--|\0|^-?>|-$/.test(data);

function patchComment(entry: SourceEntry, html: string, edit: Edit): Range | undefined {
  const inner = { start: entry.range.start + 4, end: entry.range.end - 3 };
  if (edit.start < inner.start || edit.end > inner.end || !html.startsWith('<!--', entry.range.start)) return undefined;
  const old = normalizeLines(html.slice(inner.start, inner.end));
  const raw = normalizeLines(applyEdit(html, inner, edit));
  if (old !== entry.node.nodeValue || !isPlainComment(old) || !isPlainComment(raw)) return undefined;
  entry.node.nodeValue = raw;
  return entry.range;
}

function patchAttribute(index: SourceIndex, entry: SourceEntry, html: string, edit: Edit): Range | undefined {
  const element = entry.node as Element;
  if (
    !(entry.isSingle && element.namespaceURI === 'http://www.w3.org/1999/xhtml') ||
    excludedElement.test(element.nodeName)
  )
    return undefined;
  if (index.hasRepeated && formattingElements.has(element.localName)) return undefined;
  const found = Object.entries(entry.attributes ?? {}).find(
    ([, range]) => range.start < edit.start && edit.end < range.end,
  );
  if (!found) return undefined;
  const [name, range] = found;
  // `prepareDocument` removes some of them.
  if (name === 'id' || name === 'name') return undefined;
  const quoted = /^[^\s=]+\s*=\s*(["'])([^]*)\1$/.exec(html.slice(range.start, range.end));
  const [, quote = '', old = ''] = quoted ?? [];
  const value = { start: range.end - 1 - old.length, end: range.end - 1 };
  if (!quoted || edit.start < value.start || edit.end > value.end) return undefined;
  const raw = applyEdit(html, value, edit);
  if (raw.includes(quote) || raw.includes('\0')) return undefined;
  const before = decodeAttribute(old, quote);
  const after = decodeAttribute(raw, quote);
  if (before === null || after === null || limitPictures(name, after) !== after) return undefined;
  if (element.getAttribute(name) !== (isSafeAttribute(name, before) ? before : null)) return undefined;
  // A newly set attribute would come last, unlike in the source.
  if (!isSafeAttribute(name, before) && isSafeAttribute(name, after)) return undefined;
  if (isSafeAttribute(name, after)) element.setAttribute(name, after);
  else element.removeAttribute(name);
  return range;
}

/** Applies an edit to one node. Returns the source range that changed its length, or undefined if the node can't be patched. */
function patchEntry(index: SourceIndex, entry: SourceEntry, html: string, edit: Edit): Range | undefined {
  if (edit.start < entry.range.start || edit.end > entry.range.end) return undefined;
  if (entry.node.nodeType === Node.TEXT_NODE) return patchText(index, entry, html, edit);
  return entry.node.nodeType === Node.COMMENT_NODE
    ? patchComment(entry, html, edit)
    : patchAttribute(index, entry, html, edit);
}

/**
 * Applies an edit to the shown tree without parsing again, if parsing is certain to give the same result: within a text, comment or attribute value,
 * without any markup. Returns false otherwise. `html` is the composed text before the edit. Updates the index.
 */
export function editInPlace(index: SourceIndex, html: string, edit: Edit): boolean {
  for (const entry of index.findTouching(edit.start)) {
    const range = patchEntry(index, entry, html, edit);
    if (!range) continue;
    index.shift(range, edit.text.length - (edit.end - edit.start));
    return true;
  }
  return false;
}
