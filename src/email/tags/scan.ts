// Finds tags with the service's own patterns, in one pass.

import { ForwardSearch } from '../html/text.ts';
import type { Range } from '../html/ranges.ts';
import type { TagLanguage, TagPair } from './model.ts';

const createClosingBracePattern = (): RegExp => /\}|%7D/gi;

export interface FoundTag extends Range {
  /** Lowercase. */
  readonly family: string;
  /** The text between the colon and the closing brace. */
  readonly inner: string;
  readonly innerStart: number;
}

/** Finds tags `{family:…}` of these families, up to the first closing brace on the same line. */
export function findTags(text: string, names: readonly string[]): FoundTag[] {
  const matches: FoundTag[] = [];
  if (names.length === 0) return matches;
  // Matches any name, because user-defined names may be too long for a pattern.
  const opening = /(?:\{|%7B)([a-z_][a-z0-9_.-]*)(?:%3A|:)/gi;
  const targetNames = new Set(names.map((name) => name.toLowerCase()));
  const closers = new ForwardSearch(text, createClosingBracePattern());
  const lineEnds = new ForwardSearch(text, /\n/g);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const innerStart = opening.lastIndex;
    const family = (match[1] ?? '').toLowerCase();
    if (!targetNames.has(family)) continue;
    const close = closers.from(innerStart);
    if (!close) break;
    const lineEnd = lineEnds.from(innerStart);
    if (lineEnd && lineEnd.start < close.start) continue;
    matches.push({
      start: match.index,
      end: close.end,
      family,
      inner: text.slice(innerStart, close.start),
      innerStart,
    });
    opening.lastIndex = close.end;
  }
  return matches;
}

export interface FoundPair extends Range {
  readonly contentStart: number;
  readonly contentEnd: number;
  /** The name with its parameters, as written. */
  readonly inner: string;
}

const acceptsParameters = (pair: TagPair): boolean =>
  pair.parameters.length > 0 || pair.task === 'unsubscribe' || pair.task === 'disableTracking';

/** Finds the pairs of a group: each opening half with the next closing half of the group. Their content is skipped. */
export function findPairs(text: string, language: TagLanguage, group: string): FoundPair[] {
  const pairs = language.pairs.filter((pair) => pair.group === group);
  if (pairs.length === 0) return [];
  const names = pairs.map(({ name }) => name).sort((one, other) => other.length - one.length);
  return group === 'info' ? findInfoPairs(text) : matchPairs(text, pairs, names);
}

function matchPairs(text: string, pairs: readonly TagPair[], names: readonly string[]): FoundPair[] {
  const matches: FoundPair[] = [];
  const plain = new Set(pairs.filter((pair) => !acceptsParameters(pair)).map(({ name }) => name));
  const opening = new RegExp(`(?:\\{|%7B)(${names.join('|')})(?=\\||\\}|%7D)`, 'gi');
  const ends = new ForwardSearch(text, createClosingBracePattern());
  const closers = new ForwardSearch(text, new RegExp(`(?:\\{|%7B)/(?:${names.join('|')})(?:\\}|%7D)`, 'gi'));
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const nameEnd = opening.lastIndex;
    const hasParameters = text[nameEnd] === '|';
    if (hasParameters && (plain.has((match[1] ?? '').toLowerCase()) || text[nameEnd + 1] === '}')) continue;
    const end = ends.from(hasParameters ? nameEnd + 2 : nameEnd);
    const close = end && closers.from(end.end);
    if (!end || !close) break;
    const nameStart = nameEnd - (match[1] ?? '').length;
    matches.push({
      start: match.index,
      end: close.end,
      contentStart: end.end,
      contentEnd: close.start,
      inner: text.slice(nameStart, end.start),
    });
    opening.lastIndex = close.end;
  }
  return matches;
}

/** Finds `{info:key}…{/info}`, whose braces are never encoded. */
function findInfoPairs(text: string): FoundPair[] {
  const matches: FoundPair[] = [];
  const opening = /\{info:([a-z_]+)\}/gi;
  const closers = new ForwardSearch(text, /\{\/info\}/gi);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const close = closers.from(opening.lastIndex);
    if (!close) break;
    matches.push({
      start: match.index,
      end: close.end,
      contentStart: opening.lastIndex,
      contentEnd: close.start,
      inner: `info:${match[1] ?? ''}`,
    });
    opening.lastIndex = close.end;
  }
  return matches;
}

/** Finds the innermost conditions `{if:…}…{/if}`. `inner` is the condition. */
export function findConditions(text: string, name: string): FoundPair[] {
  const matches: FoundPair[] = [];
  const halves = new RegExp(`\\{${name}|\\{/${name}\\}`, 'gi');
  const braces = new ForwardSearch(text, /\}/g);
  let open: { start: number; conditionEnd: number } | undefined;
  for (let match = halves.exec(text); match; match = halves.exec(text)) {
    if (match[0][1] !== '/') {
      const end = text[halves.lastIndex] === ':' ? braces.from(halves.lastIndex + 1) : undefined;
      open = end && { start: match.index, conditionEnd: end.start };
    } else if (open && open.conditionEnd < match.index) {
      const inner = text.slice(open.start + name.length + 2, open.conditionEnd);
      matches.push({
        start: open.start,
        end: halves.lastIndex,
        contentStart: open.conditionEnd + 1,
        contentEnd: match.index,
        inner,
      });
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
