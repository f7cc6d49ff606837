import type { Range } from '../../../email/html/text.ts';
import { parseTags, type Tag, type TagLanguage, type TagLocation } from '../../../email/tags/index.ts';
import { t } from '../../../l10n.ts';
import { parseFieldTexts, type PlacedText } from '../../../sync/fields/jsonTexts.ts';
import { once } from '../../../ui/async.ts';

/** A text that may contain tags. */
export interface TagText extends PlacedText {
  readonly where: TagLocation;
  /** Returns the tags, parsed on first use. Very long texts have none, because this runs on every keystroke. */
  getTags(): readonly Tag[];
}

/** Longer texts get no pairs, folding and hints. No delivered email is that long. */
const MAX_PARSED_CHARS = 2_000_000;

/** Fields of the details in which the service replaces tags. */
const taggedFields = ['subject', 'preheader', 'headers'] as const;

/** Returns the texts of a document in which the service replaces tags. Accepts incomplete documents. */
export function getTagTexts(languageId: string, document: string, language: TagLanguage): readonly TagText[] {
  const toTagText = (where: TagLocation, placed: PlacedText) => ({
    ...placed,
    where,
    getTags: once(() => (placed.text.length > MAX_PARSED_CHARS ? [] : parseTags(placed.text, language))),
  });
  if (languageId === 'json')
    return parseFieldTexts(document, taggedFields).map(({ field, ...placed }) => toTagText(field, placed));
  const identity = <T>(value: T) => value;
  const range = { start: 0, end: document.length };
  return languageId === 'html'
    ? [toTagText('body', { text: document, range, toDocument: identity, fromDocument: identity, write: identity })]
    : [];
}

/** Returns the text that contains an offset of the document. */
export function findTagTextAt(texts: readonly TagText[], offset: number): TagText | undefined {
  return texts.find(({ range }) => range.start <= offset && offset <= range.end);
}

/** A tag with document ranges. */
export interface PlacedTag extends Range {
  readonly name: string;
  readonly nameRange: Range;
}

/** Returns the tag at an offset of the document and its partner; undefined if it has none. */
export function findPairAt(texts: readonly TagText[], offset: number): readonly [PlacedTag, PlacedTag] | undefined {
  const text = findTagTextAt(texts, offset);
  if (!text) return undefined;
  const tags = text.getTags();
  const at = text.fromDocument(offset);
  const tag = tags.findLast(({ start, end, partner }) => partner !== undefined && start <= at && at <= end);
  const partner = tags[tag?.partner ?? -1];
  const place = (each: Tag) => ({
    ...toDocumentRange(each, text),
    name: each.name,
    nameRange: toDocumentRange(each.nameRange, text),
  });
  return tag && partner && [place(tag), place(partner)];
}

/** Returns the ranges from the opening to the closing tag of each pair and condition, in document order. */
export function getPairRanges(texts: readonly TagText[]): Range[] {
  return texts.flatMap((text) =>
    text.getTags().flatMap(({ kind, start, partner }, _index, tags) => {
      const close = (kind === 'open' || kind === 'if') && partner !== undefined ? tags[partner] : undefined;
      return close ? [toDocumentRange({ start, end: close.start }, text)] : [];
    }),
  );
}

export const toDocumentRange = ({ start, end }: Range, text: TagText): Range => ({
  start: text.toDocument(start),
  end: text.toDocument(end),
});

/**
 * Returns why a pair can't get a name; undefined if it can. Links may be renamed to other links; all other names can
 * only change case.
 */
export function findNameProblem({ pairs }: TagLanguage, name: string, wanted: string): string | undefined {
  const links = pairs.filter(({ task }) => task !== undefined).map((pair) => pair.name);
  if (links.includes(name.toLowerCase()))
    return links.includes(wanted) ? undefined : t`Use one of: ${links.join(', ')}.`;
  return wanted.toLowerCase() === name.toLowerCase() ? undefined : t`"${name}" can't be renamed.`;
}
