import type { BodyDocument, BodyElement } from './document.ts';
import { findRangeAt } from '../html/ranges.ts';

/** The part of a body that AcyMailing sends: no `<html>`, no head, and nothing after `</body>` or `</html>`. */
export interface SentDocument {
  readonly document: BodyDocument;
  /** Start of the first sent element or text. */
  readonly start: number;
  readonly end: number;
  readonly isSent: (element: BodyElement) => boolean;
}

export function createSentDocument(source: string, { elements, texts, comments, isWhole }: BodyDocument): SentDocument {
  const end = findBodyEnd(source, comments);
  const unsent = new Set<BodyElement>();
  for (const element of elements)
    if (element.start >= end || isContainer(element) || isInside(element, unsent)) unsent.add(element);
  const isSent = (element: BodyElement): boolean => !isContainer(element) && !unsent.has(element);
  const sent = elements.filter(isSent);
  const sentTexts = texts.filter(({ start, parent }) => start < end && isSent(parent));
  const start = Math.min(sent[0]?.start ?? source.length, sentTexts[0]?.start ?? source.length);
  return { document: { elements: sent, texts: sentTexts, comments, isWhole }, start, end, isSent };
}

const isContainer = ({ name }: BodyElement): boolean => name === 'html' || name === 'head';

function isInside({ parent }: BodyElement, unsent: ReadonlySet<BodyElement>): boolean {
  return parent !== undefined && (parent.name === 'head' || (parent.name !== 'html' && unsent.has(parent)));
}

function findBodyEnd(source: string, comments: BodyDocument['comments']): number {
  const ordered = comments.toSorted((one, other) => one.start - other.start);
  for (const { index } of source.matchAll(/<\/(?:body|html)\s*>/giu)) {
    if (findRangeAt(ordered, index) === undefined) return index;
  }
  return source.length;
}

const leadingHeadContent = new RegExp(
  String.raw`\s+|<!--(?!\[if)[^]*?-->|<!doctype[^>]*>|</?(?:html|head)\b[^>]*>` +
    String.raw`|<(style|title|script)\b[^]*?</\1\s*>|<(?:meta|link|base)\b[^>]*>`,
  'iuy',
);

/**
 * Returns where the content of a body without `<body>` starts: at the first conditional comment, text, or element that doesn't belong in
 * a head.
 */
export function findContentStart(source: string, { elements }: BodyDocument): number {
  let at = elements.find(({ name }) => name === 'head')?.end ?? 0;
  for (;;) {
    leadingHeadContent.lastIndex = at;
    if (at >= source.length || !leadingHeadContent.test(source)) return at;
    at = leadingHeadContent.lastIndex;
  }
}
