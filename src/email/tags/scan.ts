// Finds tags with the service's own patterns, in one pass.

import type { Range } from '../html/ranges.ts';
import { ForwardSearch } from '../html/text.ts';
import type { TagLanguage } from './model.ts';

export interface FoundTag extends Range {
  /** The text between the colon and the closing brace; for a pair, its name with the parameters; for a condition, the condition. */
  readonly inner: string;
}

export interface FoundPair extends FoundTag {
  readonly content: Range;
}

const createBraceSearch = (text: string): ForwardSearch => new ForwardSearch(text, /\}|%7D/gi);

/** Finds tags `{family:…}` of these families, up to the first closing brace on the same line. */
export function findTags(text: string, names: readonly string[]): FoundTag[] {
  const matches: FoundTag[] = [];
  // Matches any name, because user-defined names may be too long for a pattern.
  const opening = /(?:\{|%7B)([a-z_][a-z0-9_.-]*)(?:%3A|:)/gi;
  const targetNames = new Set(names.map((name) => name.toLowerCase()));
  const closers = createBraceSearch(text);
  const lineEnds = new ForwardSearch(text, /\n/g);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    if (!targetNames.has((match[1] ?? '').toLowerCase())) continue;
    const innerStart = opening.lastIndex;
    const close = closers.from(innerStart);
    if (!close) break;
    if ((lineEnds.from(innerStart)?.start ?? Infinity) < close.start) continue;
    matches.push({ start: match.index, end: close.end, inner: text.slice(innerStart, close.start) });
    opening.lastIndex = close.end;
  }
  return matches;
}

/** Finds the pairs of a group: each opening half with the next closing half of the group. Their content is skipped. */
export function findPairs(text: string, { pairs }: TagLanguage, group: string): FoundPair[] {
  const own = pairs.filter((pair) => pair.group === group);
  if (own.length === 0) return [];
  // The service never encodes the braces of `{info:key}…{/info}`.
  if (group === 'info')
    return matchPairs(text, /\{(info:[a-z_]+)(?=\})/gi, /\{\/info\}/gi, new ForwardSearch(text, /\}/g), new Set());
  const names = own
    .map(({ name }) => name)
    .sort((one, other) => other.length - one.length)
    .join('|');
  const withParameters = own.filter(
    ({ parameters, task }) => parameters.length > 0 || task === 'unsubscribe' || task === 'disableTracking',
  );
  return matchPairs(
    text,
    new RegExp(`(?:\\{|%7B)(${names})(?=\\||\\}|%7D)`, 'gi'),
    new RegExp(`(?:\\{|%7B)/(?:${names})(?:\\}|%7D)`, 'gi'),
    createBraceSearch(text),
    new Set(withParameters.map(({ name }) => name)),
  );
}

/** `withParameters`: the names that parameters can follow. */
function matchPairs(
  text: string,
  opening: RegExp,
  closing: RegExp,
  ends: ForwardSearch,
  withParameters: ReadonlySet<string>,
): FoundPair[] {
  const matches: FoundPair[] = [];
  const closers = new ForwardSearch(text, closing);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const name = match[1] ?? '';
    const nameEnd = opening.lastIndex;
    const hasParameters = text[nameEnd] === '|';
    if (hasParameters && (!withParameters.has(name.toLowerCase()) || text[nameEnd + 1] === '}')) continue;
    const end = ends.from(hasParameters ? nameEnd + 2 : nameEnd);
    const close = end && closers.from(end.end);
    if (!close) break;
    matches.push({
      start: match.index,
      end: close.end,
      content: { start: end.end, end: close.start },
      inner: text.slice(nameEnd - name.length, end.start),
    });
    opening.lastIndex = close.end;
  }
  return matches;
}

/** Finds the innermost conditions `{if:…}…{/if}`. */
export function findConditions(text: string, name: string): FoundPair[] {
  const matches: FoundPair[] = [];
  const halves = new RegExp(`\\{${name}|\\{/${name}\\}`, 'gi');
  const braces = new ForwardSearch(text, /\}/g);
  let open: (Range & { readonly inner: string }) | undefined;
  for (let match = halves.exec(text); match; match = halves.exec(text)) {
    const { index, 0: half } = match;
    const innerStart = halves.lastIndex + 1;
    if (half[1] !== '/') {
      const brace = text[innerStart - 1] === ':' ? braces.from(innerStart) : undefined;
      open = brace && { start: index, end: brace.end, inner: text.slice(innerStart, brace.start) };
    } else if (open && open.end <= index) {
      const { start, end, inner } = open;
      matches.push({ start, end: halves.lastIndex, content: { start: end, end: index }, inner });
      open = undefined;
    }
  }
  return matches;
}

/** Finds the opening tag around an offset. Must be called with ascending offsets. */
export class OpenTagTracker {
  readonly #text: string;
  readonly #name: RegExp;
  #at = 0;
  #start = -1;

  /** `name`: a pattern for the element's lowercase name. */
  constructor(text: string, name: string) {
    this.#text = text;
    this.#name = new RegExp(`<${name}(?=[^a-z])`, 'i');
  }

  /** Returns the start of the tag that is open at an offset, or -1. */
  before(offset: number): number {
    const skipped = this.#text.slice(this.#at, offset);
    const end = skipped.lastIndexOf('>');
    if (end >= 0) this.#start = -1;
    if (this.#start < 0) {
      const open = this.#name.exec(skipped.slice(end + 1));
      if (open) this.#start = this.#at + end + 1 + open.index;
    }
    this.#at = Math.max(this.#at, offset);
    return this.#start;
  }
}
