import { parseTags, type TextRange, type Tag, type TagLanguage } from '../../../email/tags/index.ts';
import { tagTextAt, type TagText } from './tagTexts.ts';

/** Two halves that belong together, as stretches of the document: the names in them, and the whole halves. */
export interface Halves {
  readonly names: readonly [TextRange, TextRange];
  readonly whole: readonly [TextRange, TextRange];
  /** The name as it is written at the place that was asked for. */
  readonly name: string;
  readonly at: TextRange;
}

/** Reads the tags of a text. */
export type ReadTags = (text: TagText, language: TagLanguage) => readonly Tag[];

const readAll: ReadTags = ({ text }, language) => parseTags(text, language);

/** The halves of the pair or condition that an offset of a document stands in one of. */
export function halvesAt(
  texts: readonly TagText[],
  offset: number,
  language: TagLanguage,
  read = readAll,
): Halves | undefined {
  const text = tagTextAt(texts, offset);
  if (!text) return undefined;
  const tags = read(text, language);
  const place = text.fromDocument(offset);
  const tag = tags.findLast(({ start, end, partner }) => partner !== undefined && start <= place && place <= end);
  const other = tag?.partner === undefined ? undefined : tags[tag.partner];
  if (!tag || !other) return undefined;
  const [first, last] = tag.start < other.start ? [tag, other] : [other, tag];
  const placed = (stretch: TextRange): TextRange => inDocument(stretch, text);
  return {
    names: [placed(first.nameRange), placed(last.nameRange)],
    whole: [placed(first), placed(last)],
    name: tag.name,
    at: placed(tag.nameRange),
  };
}

/** From the opening to the closing half of each pair and condition, in the order of the document. */
export function spansOf(texts: readonly TagText[], language: TagLanguage, read = readAll): TextRange[] {
  return texts.flatMap((text) => {
    const tags = read(text, language);
    return tags.flatMap((tag) => {
      const close = closingOf(tag, tags);
      return close ? [inDocument({ start: tag.start, end: close.start }, text)] : [];
    });
  });
}

const closingOf = ({ kind, partner }: Tag, tags: readonly Tag[]): Tag | undefined =>
  (kind === 'open' || kind === 'if') && partner !== undefined ? tags[partner] : undefined;

const inDocument = ({ start, end }: TextRange, text: TagText): TextRange => ({
  start: text.toDocument(start),
  end: text.toDocument(end),
});

/** Names that halves of a name may have instead: those of links each other's, all others their own alone, in any case. */
export function namesInstead({ pairs }: TagLanguage, name: string): (wanted: string) => string | undefined {
  const links = pairs.filter(({ task }) => task !== undefined).map((pair) => pair.name);
  const isLink = links.some((link) => link === name.toLowerCase());
  return (wanted) => {
    if (isLink) return links.includes(wanted) ? undefined : `There are: ${links.join(', ')}.`;
    return wanted.toLowerCase() === name.toLowerCase() ? undefined : `“${name}” has no other name.`;
  };
}
