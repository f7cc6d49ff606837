import * as l10n from '@vscode/l10n';
import { visit } from 'jsonc-parser';
import { findFirstIndex, type Range } from '../../../email/html/ranges.ts';
import { parseTags, type Tag, type TagLanguage, type TagLocation } from '../../../email/tags/index.ts';
import { findTooDeepOffset } from '../../../sync/json.ts';
import { once } from '../../ui/async.ts';

/** A text in a document: a whole body, or one string of the details. Offsets are UTF-16 units. */
export interface PlacedText {
  readonly text: string;
  /** Range in the document, without quotes. */
  readonly range: Range;
  toDocument(offset: number): number;
  fromDocument(offset: number): number;
  /** Escapes a text for the document. */
  write(text: string): string;
}

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
  const toTagText = (where: TagLocation, placed: PlacedText): TagText => ({
    ...placed,
    where,
    getTags: once(() => (placed.text.length > MAX_PARSED_CHARS ? [] : parseTags(placed.text, language))),
  });
  if (languageId === 'json')
    return parseFieldTexts(document, taggedFields).map(({ field, ...placed }) => toTagText(field, placed));
  const identity = <T>(value: T): T => value;
  const range = { start: 0, end: document.length };
  return languageId === 'html'
    ? [toTagText('body', { text: document, range, toDocument: identity, fromDocument: identity, write: identity })]
    : [];
}

/** Returns the text that contains an offset of the document. */
export function findTagTextAt(texts: readonly TagText[], offset: number): TagText | undefined {
  return texts.find(({ range }) => range.start <= offset && offset <= range.end);
}

/** Returns the string values of these fields in a JSON document, at any depth. Accepts incomplete documents. */
export function parseFieldTexts<Field extends string>(
  text: string,
  fields: readonly Field[],
): (PlacedText & { readonly field: Field })[] {
  const found: (PlacedText & { readonly field: Field })[] = [];
  if (findTooDeepOffset(text) !== undefined) return found;
  visit(text, {
    onLiteralValue: (value, offset, length, _line, _character, getPath) => {
      const field = typeof value === 'string' && fields.find((name) => name === getPath().at(-1));
      if (field) found.push({ field, ...parseStringText(text, { start: offset + 1, end: offset + length }) });
    },
  });
  return found;
}

const jsonEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Decodes a JSON string that starts after its opening quote, and maps offsets between text and document. `within`: the
 * maximum range.
 */
function parseStringText(document: string, within: Range): PlacedText {
  let text = '';
  let place = within.start;
  const starts: number[] = [];
  while (place < within.end && document[place] !== '"') {
    starts.push(place);
    const sign = document[place] ?? '';
    const next = document[place + 1] ?? '';
    if (sign !== '\\') {
      text += sign;
      place += 1;
    } else if (next === 'u') {
      const code = Number.parseInt(document.slice(place + 2, place + 6), 16);
      text += String.fromCharCode(Number.isNaN(code) ? 0xfffd : code);
      place += 6;
    } else {
      text += jsonEscapes[next] ?? next;
      place += 2;
    }
  }
  const range = { start: within.start, end: Math.min(place, within.end) };
  starts.push(range.end);
  return {
    text,
    range,
    toDocument: (offset) => starts[Math.max(0, Math.min(offset, starts.length - 1))] ?? range.end,
    fromDocument: (offset) =>
      Math.min(
        findFirstIndex(starts, (start) => start >= offset),
        starts.length - 1,
      ),
    write: (written) => JSON.stringify(written).slice(1, -1),
  };
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
  const place = (each: Tag): PlacedTag => ({
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
    return links.includes(wanted) ? undefined : l10n.t`Use one of: ${links.join(', ')}.`;
  return wanted.toLowerCase() === name.toLowerCase() ? undefined : l10n.t`"${name}" can't be renamed.`;
}
