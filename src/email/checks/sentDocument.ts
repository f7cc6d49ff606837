import type { BodyDocument, BodyElement } from './document.ts';
import { findRangeAt } from '../html/ranges.ts';

/** What AcyMailing sends of a body: no `<html>`, no head, and nothing after `</body>` or `</html>`. */
export interface SentDocument {
  readonly document: BodyDocument;
  /** Where the first element or text that is sent begins. */
  readonly start: number;
  readonly end: number;
  readonly isSent: (element: BodyElement) => boolean;
}

export function createSentDocument(source: string, { elements, texts, comments, isWhole }: BodyDocument): SentDocument {
  const end = bodyEnd(source, comments);
  const unsent = new Set<BodyElement>();
  for (const element of elements)
    if (element.start >= end || isOuter(element) || isInside(element, unsent)) unsent.add(element);
  const isSent = (element: BodyElement): boolean => !isOuter(element) && !unsent.has(element);
  const sent = elements.filter(isSent);
  const read = texts.filter(({ start, parent }) => start < end && isSent(parent));
  const start = Math.min(sent[0]?.start ?? source.length, read[0]?.start ?? source.length);
  return { document: { elements: sent, texts: read, comments, isWhole }, start, end, isSent };
}

const isOuter = ({ name }: BodyElement): boolean => name === 'html' || name === 'head';

function isInside({ parent }: BodyElement, unsent: ReadonlySet<BodyElement>): boolean {
  return parent !== undefined && (parent.name === 'head' || (parent.name !== 'html' && unsent.has(parent)));
}

function bodyEnd(source: string, comments: BodyDocument['comments']): number {
  const ordered = comments.toSorted((one, other) => one.start - other.start);
  for (const { index } of source.matchAll(/<\/(?:body|html)\s*>/giu)) {
    if (findRangeAt(ordered, index) === undefined) return index;
  }
  return source.length;
}

const leading = new RegExp(
  String.raw`\s+|<!--(?!\[if)[^]*?-->|<!doctype[^>]*>|</?(?:html|head)\b[^>]*>` +
    String.raw`|<(style|title|script)\b[^]*?</\1\s*>|<(?:meta|link|base)\b[^>]*>`,
  'iuy',
);

/** Where content begins in a body without `<body>`: at the first conditional comment, text, or element that doesn't belong into a head. */
export function findContentStart(source: string, { elements }: BodyDocument): number {
  let at = elements.find(({ name }) => name === 'head')?.end ?? 0;
  for (;;) {
    leading.lastIndex = at;
    if (at >= source.length || !leading.test(source)) return at;
    at = leading.lastIndex;
  }
}
