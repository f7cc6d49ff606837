import type { Token } from 'parse5';
import { readTags } from '../html/parseHtml.ts';
import { findFirstIndex, ForwardSearch, insertEdit, type Range, type TextEdit } from '../html/text.ts';

/**
 * A placeholder of the service's visual editor: a table row or a span with a tag in `data-dynamic` around a preview. When sending, the
 * service replaces it by what the tag stands for. It searches the text for the end, and can miss it.
 */
export interface Placeholder extends Range {
  readonly kind: 'row' | 'span';
  /** The tag, as written in the attribute. */
  readonly tag: Range;
  /** End of the start tag. */
  readonly openEnd: number;
  /** What the service finds: the end, only a later or an earlier one, or none. */
  readonly state: 'whole' | 'late' | 'early' | 'unreplaced';
  /** End of the replaced text. */
  readonly replacedEnd: number;
  /** Restores a broken placeholder. Empty if that isn't possible. */
  readonly repair: readonly TextEdit[];
}

const kinds = {
  tr: { kind: 'row', ending: /<\/i>[^<]*<\/td>[^<]*<\/tr>/gi, closing: /<\/td\s*>\s*<\/tr\s*>$/i, added: '<i></i>' },
  span: { kind: 'span', ending: /<\/em>[^<]*<\/span>/gi, closing: /<\/span\s*>$/i, added: '<em></em>' },
} as const;

const structuralNames = new Set(['table', 'tr', 'td', 'th', 'div', 'p', 'li', 'span']);
/** As deep as browsers support. */
const MAX_DEPTH = 500;
/** `</td>` and `</tr>`, with a line break and indentation. */
const MAX_CLOSING_CHARS = 500;

interface OpenElement {
  readonly name: string;
  readonly start: number;
  readonly tag: Token.TagToken;
  end: number;
}

/** Returns the placeholders of a body in order; those in previews too. Takes linear time. */
export function findPlaceholders(body: string): readonly Placeholder[] {
  if (!body.includes('data-dynamic')) return [];
  const endings = { tr: new ForwardSearch(body, kinds.tr.ending), span: new ForwardSearch(body, kinds.span.ending) };
  return findElements(body).flatMap(({ name, start, end, tag }) =>
    name === 'tr' || name === 'span' ? (readPlaceholder(body, name, { start, end }, tag, endings[name]) ?? []) : [],
  );
}

/** Finds the elements with a tag in `data-dynamic`, and where they end. */
function findElements(body: string) {
  const open: OpenElement[] = [];
  const found: OpenElement[] = [];
  const close = (index: number, end: number) => {
    for (const element of open.splice(index)) element.end = end;
  };
  readTags(body, {
    startTag(tag) {
      const { tagName: name, location } = tag;
      if (!location || !structuralNames.has(name)) return;
      const row = name === 'tr' ? open.findLastIndex((element) => /^t(?:able|r)$/.test(element.name)) : -1;
      if (open[row]?.name === 'tr') close(row, location.startOffset);
      const element = { name, start: location.startOffset, tag, end: body.length };
      if (/^\s*(?:\{|%7b)/i.test(tag.attrs.find((attribute) => attribute.name === 'data-dynamic')?.value ?? ''))
        found.push(element);
      if (open.length < MAX_DEPTH) open.push(element);
    },
    endTag({ tagName, location }) {
      const index = open.findLastIndex(({ name }) => name === tagName);
      if (index < 0 || !location) return;
      close(index + 1, location.startOffset);
      close(index, location.endOffset);
    },
    comment: () => undefined,
  });
  return found;
}

function readPlaceholder(
  body: string,
  name: keyof typeof kinds,
  { start, end }: Range,
  { location }: Token.TagToken,
  endings: ForwardSearch,
): Placeholder | undefined {
  const { kind, closing, added } = kinds[name];
  const attribute = location?.attrs?.['data-dynamic'];
  if (!location || !attribute) return undefined;
  const { startOffset, endOffset } = attribute;
  const openEnd = Math.min(location.endOffset, end);
  const [, quote = '', value = ''] = /^[^=]*=\s*(["']?)([^]*?)\1$/.exec(body.slice(startOffset, endOffset)) ?? [];
  const tag = { start: endOffset - quote.length - value.length, end: endOffset - quote.length };
  // The service searches for the first tag bracket, even in quotes.
  const isPlain = !body.slice(start + 1, startOffset).includes('>');
  const cell = kind === 'row' ? body.indexOf('<', tag.end) : tag.end;
  const hasCell = kind === 'span' || /^<td(?=[\s>])/i.test(body.slice(cell, cell + 4));
  const isQuoted = kind === 'span' || body.startsWith(`data-dynamic="${value}"`, startOffset);
  const isFollowed = kind === 'span' || endOffset < openEnd - 1;
  const isRead = isPlain && hasCell && isQuoted && isFollowed;
  // At least one character before the ending.
  const ending = endings.from((kind === 'row' && hasCell ? body.indexOf('>', cell) + 1 || end : tag.end) + 1);
  const replacedEnd = isRead && ending ? ending.end : openEnd;
  const state = !isRead || !ending ? 'unreplaced' : ending.end > end ? 'late' : ending.end < end ? 'early' : 'whole';
  const close = closing.exec(body.slice(Math.max(openEnd, end - MAX_CLOSING_CHARS), end))?.[0];
  const hasEnding = ending !== undefined && ending.end <= end;
  const canRepair = isPlain && hasCell && close !== undefined && !value.includes('"') && state !== 'early';
  const repairedAttribute = `data-dynamic="${value}"${isFollowed ? '' : ' data-row=""'}`;
  const repair = [
    ...(isQuoted && isFollowed ? [] : [{ start: startOffset, end: endOffset, text: repairedAttribute }]),
    ...(hasEnding ? [] : [insertEdit(end - (close?.length ?? 0), added)]),
  ];
  return { start, end, kind, tag, openEnd, state, replacedEnd, repair: canRepair ? repair : [] };
}

/** Returns the innermost placeholder around an offset. */
export const findPlaceholderAt = (placeholders: readonly Placeholder[], offset: number): Placeholder | undefined =>
  placeholders.findLast(({ start, end }) => start <= offset && offset < end);

/** Returns those that no other contains. */
const listOutermost = (placeholders: readonly Placeholder[]): readonly Placeholder[] => {
  let covered = 0;
  return placeholders.filter(({ start, end }) => {
    const isOutermost = start >= covered;
    if (isOutermost) covered = end;
    return isOutermost;
  });
};

/** Returns a function for whether an edit changes a placeholder. */
export function createPlaceholderGuard(placeholders: readonly Placeholder[]): (edit: Range) => boolean {
  const ranges = listOutermost(placeholders);
  return ({ start, end }) => {
    const next = ranges[findFirstIndex(ranges, (range) => range.end > start)];
    return next !== undefined && next.start < end;
  };
}

/** Returns the first placeholder of a text that another text doesn't contain unchanged, in the same order. */
export function findLostPlaceholder(before: string, after: string): string | undefined {
  let from = 0;
  for (const { start, end } of listOutermost(findPlaceholders(before))) {
    const text = before.slice(start, end);
    const at = after.indexOf(text, from);
    if (at < 0) return text;
    from = at + text.length;
  }
  return undefined;
}
