import { parseTags, type TextRange, type Tag, type TagLanguage } from '../../../email/tags/index.ts';
import { findTagTextAt, type TagText } from './tagTexts.ts';

/** Two halves that belong together, as stretches of the document: the names in them, and the whole halves. */
export interface TagPair {
  readonly nameRanges: readonly [TextRange, TextRange];
  readonly tagRanges: readonly [TextRange, TextRange];
  /** The name as it is written at the place that was asked for. */
  readonly name: string;
  readonly nameRange: TextRange;
}

/** Reads the tags of a text. */
export type ReadTags = (text: TagText, language: TagLanguage) => readonly Tag[];

const parseTextTags: ReadTags = ({ text }, language) => parseTags(text, language);

/** The halves of the pair or condition that an offset of a document stands in one of. */
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
  const placed = (stretch: TextRange): TextRange => toDocumentRange(stretch, text);
  return {
    nameRanges: [placed(first.nameRange), placed(last.nameRange)],
    tagRanges: [placed(first), placed(last)],
    name: tag.name,
    nameRange: placed(tag.nameRange),
  };
}

/** From the opening to the closing half of each pair and condition, in the order of the document. */
export function getPairRanges(texts: readonly TagText[], language: TagLanguage, read = parseTextTags): TextRange[] {
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

const toDocumentRange = ({ start, end }: TextRange, text: TagText): TextRange => ({
  start: text.toDocument(start),
  end: text.toDocument(end),
});

/** Names that halves of a name may have instead: those of links each other's, all others their own alone, in any case. */
export function createNameValidator({ pairs }: TagLanguage, name: string): (wanted: string) => string | undefined {
  const links = pairs.filter(({ task }) => task !== undefined).map((pair) => pair.name);
  const isLink = links.some((link) => link === name.toLowerCase());
  return (wanted) => {
    if (isLink) return links.includes(wanted) ? undefined : `There are: ${links.join(', ')}.`;
    return wanted.toLowerCase() === name.toLowerCase() ? undefined : `“${name}” has no other name.`;
  };
}
