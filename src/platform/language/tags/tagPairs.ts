import type { Range } from '../../../email/html/ranges.ts';
import { parseTags, type Tag, type TagLanguage } from '../../../email/tags/index.ts';
import { findTagTextAt, type TagText } from './tagTexts.ts';

/** Two tags that belong together, as document ranges. */
export interface TagPair {
  readonly nameRanges: readonly [Range, Range];
  readonly tagRanges: readonly [Range, Range];
  /** The name at the requested position. */
  readonly name: string;
  readonly nameRange: Range;
}

export type ReadTags = (text: TagText, language: TagLanguage) => readonly Tag[];

const parseTextTags: ReadTags = ({ text }, language) => parseTags(text, language);

/** Returns the pair or condition with a tag at an offset of the document. */
export function findPairAt(
  texts: readonly TagText[],
  offset: number,
  language: TagLanguage,
  read = parseTextTags,
): TagPair | undefined {
  const text = findTagTextAt(texts, offset);
  if (!text) return undefined;
  const tags = read(text, language);
  const place = text.fromDocument(offset);
  const tag = tags.findLast(({ start, end, partner }) => partner !== undefined && start <= place && place <= end);
  const other = tag?.partner === undefined ? undefined : tags[tag.partner];
  if (!tag || !other) return undefined;
  const [first, last] = tag.start < other.start ? [tag, other] : [other, tag];
  const placed = (stretch: Range): Range => toDocumentRange(stretch, text);
  return {
    nameRanges: [placed(first.nameRange), placed(last.nameRange)],
    tagRanges: [placed(first), placed(last)],
    name: tag.name,
    nameRange: placed(tag.nameRange),
  };
}

/** Returns the ranges from the opening to the closing tag of each pair and condition, in document order. */
export function getPairRanges(texts: readonly TagText[], language: TagLanguage, read = parseTextTags): Range[] {
  return texts.flatMap((text) => {
    const tags = read(text, language);
    return tags.flatMap((tag) => {
      const close = getClosingTag(tag, tags);
      return close ? [toDocumentRange({ start: tag.start, end: close.start }, text)] : [];
    });
  });
}

const getClosingTag = ({ kind, partner }: Tag, tags: readonly Tag[]): Tag | undefined =>
  (kind === 'open' || kind === 'if') && partner !== undefined ? tags[partner] : undefined;

const toDocumentRange = ({ start, end }: Range, text: TagText): Range => ({
  start: text.toDocument(start),
  end: text.toDocument(end),
});

/**
 * Returns a function that validates new names of a pair and returns the problem. Links may be renamed to other links;
 * all other names can only change case.
 */
export function createNameValidator({ pairs }: TagLanguage, name: string): (wanted: string) => string | undefined {
  const links = pairs.filter(({ task }) => task !== undefined).map((pair) => pair.name);
  const isLink = links.some((link) => link === name.toLowerCase());
  return (wanted) => {
    if (isLink) return links.includes(wanted) ? undefined : `Use one of: ${links.join(', ')}.`;
    return wanted.toLowerCase() === name.toLowerCase() ? undefined : `"${name}" can't be renamed.`;
  };
}
