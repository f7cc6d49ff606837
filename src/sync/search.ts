import { formatHex, parseTransparentColor } from '../email/checks/color.ts';
import { decodeEntities } from '../email/html/entities.ts';
import { createPositionFinder, type Range } from '../email/html/text.ts';
import { parseTags, readTagLanguage } from '../email/tags/index.ts';
import { parseFieldTexts } from './fields/jsonTexts.ts';

/** What a search looks for. `missingTag` finds the emails without a merge tag. */
export const searchKinds = ['text', 'regex', 'link', 'image', 'color', 'tag', 'missingTag'] as const;

export interface SearchQuery {
  readonly kind: (typeof searchKinds)[number];
  readonly text: string;
  /** The setting of the service's merge tags. */
  readonly tags?: unknown;
}

/** A document of an email: its body, its stylesheet, or its details as JSON. */
export interface SearchedDocument {
  readonly suffix: string;
  readonly text: string;
}

/** A match. Lines and characters start at 0. */
export type SearchMatch = ReturnType<typeof searchDocument>[number];

/** Further matches in a text aren't returned. */
const MAX_MATCHES = 100;
const [MAX_CHARS_BEFORE, MAX_CHARS] = [15, 100];

/** Texts that can match, in HTML, in code for Outlook, and in stylesheets. */
const patterns = {
  link: /(?<=\bhref\s{0,3}=\s{0,3}["']?)[^"'<>]+/gi,
  image: /(?<=\b(?:src|srcset|background|poster)\s{0,3}=\s{0,3}["']?)[^"'<>]+|(?<=\burl\(["']?)[^"'<>()]+/gi,
  color: /#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]{0,60}\)|(?<=[:=][^;{}<>]{0,60})\b[a-z]{3,20}\b/gi,
};

/**
 * Returns the matches in an email; undefined if it doesn't match. A regular expression can take any time: call this where it is interrupted.
 * @throws `SyntaxError` for an invalid regular expression
 */
export function searchEmail(
  query: SearchQuery,
  documents: readonly SearchedDocument[],
): readonly SearchMatch[] | undefined {
  const find = createFinder(query);
  const matches = documents.flatMap((document) => searchDocument(document, find));
  if (query.kind === 'missingTag') return matches.length > 0 ? undefined : [];
  return matches.length > 0 ? matches : undefined;
}

function searchDocument({ suffix, text }: SearchedDocument, find: (text: string) => Iterable<Range>) {
  const isJson = suffix.endsWith('.json');
  const whole = { field: suffix === '.css' ? 'stylesheet' : 'body', text, toDocument: (offset: number) => offset };
  return (isJson ? parseFieldTexts(text, ['subject', 'preheader']) : [whole]).flatMap((part) => {
    const found: Range[] = [];
    for (const range of find(part.text)) if (found.push(range) === MAX_MATCHES) break;
    if (found.length === 0) return [];
    const findPosition = createPositionFinder(text);
    const toPlace = (offset: number) => findPosition(part.toDocument(offset));
    return found.map(({ start, end }) => ({
      suffix,
      field: part.field,
      from: toPlace(start),
      to: toPlace(end),
      /** What is before the match, the match, and what is after it, cut. */
      excerpt: [
        part.text.slice(Math.max(0, start - MAX_CHARS_BEFORE), start).replace(/^[^]*\n/, ''),
        part.text.slice(start, Math.min(end, start + MAX_CHARS)),
        part.text.slice(end, end + MAX_CHARS).replace(/\n[^]*$/, ''),
      ] as const,
    }));
  });
}

function createFinder({ kind, text, tags }: SearchQuery): (text: string) => Iterable<Range> {
  const wanted = text.toLowerCase();
  if (kind === 'tag' || kind === 'missingTag') {
    const language = readTagLanguage(tags);
    const name = wanted.replace(/^\{|\}$/g, '');
    return (searched) =>
      parseTags(searched, language).filter(({ start, end }) => searched.slice(start, end).toLowerCase().includes(name));
  }
  const escaped = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern =
    kind in patterns ? patterns[kind as keyof typeof patterns] : new RegExp(kind === 'text' ? escaped : text, 'gim');
  const accepts = (value: string) =>
    kind === 'color'
      ? normalizeColor(value) === normalizeColor(text)
      : kind in patterns
        ? [value, decodeEntities(value)].some((each) => each.toLowerCase().includes(wanted))
        : value !== '';
  return (searched) => findPattern(searched, pattern, accepts);
}

function* findPattern(text: string, pattern: RegExp, accepts: (value: string) => boolean) {
  for (const { index, 0: found } of text.matchAll(pattern))
    if (accepts(found)) yield { start: index, end: index + found.length };
}

function normalizeColor(text: string) {
  const parsed = parseTransparentColor(text);
  return parsed && `${formatHex(parsed.color)} ${parsed.alpha}`;
}
