import { findRawElements, phpTrim, stripTags } from '../html/stripTags.ts';
import { findRangeAt, ForwardSearch, type Range } from '../html/text.ts';
import type { Tag, TagLanguage, TagParam } from './model.ts';
import { decodeUrl } from './php.ts';

type MutableTag = { -readonly [Key in keyof Tag]: Tag[Key] };

const closingKinds = { value: undefined, open: 'close', if: 'endIf' } as const;

/** A tag's name in the language's table, and the kind of its opening half. */
interface TagName {
  readonly name: string;
  readonly kind: keyof typeof closingKinds;
}

/** Where the text after a tag's name ends, and where the tag ends. */
interface TagEnd {
  readonly innerEnd: number;
  readonly end: number;
  readonly isClosed: boolean;
}

/** Parses all tags in order and links both halves of pairs and conditions. Unfinished tags end where they can't continue. */
export function parseTags(text: string, language: TagLanguage): Tag[] {
  const { families, pairs, conditions } = language;
  const names = new Map<string, TagName>();
  for (const { name } of pairs) names.set(name.toLowerCase(), { name, kind: 'open' });
  for (const { name, aliases } of families)
    for (const one of [name, ...aliases]) names.set(one.toLowerCase(), { name, kind: 'value' });
  if (conditions) names.set(conditions.name, { name: conditions.name, kind: 'if' });
  if (names.size === 0) return [];
  const tags = readTags(text, names);
  for (const group of new Set(pairs.map((pair) => pair.group))) {
    const at = new Map(tags.map((tag, index) => [tag.start, index]));
    for (const { start, content } of findPairs(text, language, group))
      linkTags(tags, at.get(start), at.get(content.end));
  }
  const open: number[] = [];
  tags.forEach((tag, index) => {
    if (tag.kind === 'if') tag.level = open.push(index);
    if (tag.kind === 'endIf') linkTags(tags, open.pop(), index);
  });
  return tags;
}

function linkTags(tags: readonly MutableTag[], open = -1, close = -1) {
  const [first, second] = [tags[open], tags[close]];
  if (!first || !second) return;
  first.partner = close;
  second.partner = open;
  if (first.level !== undefined) second.level = first.level;
}

function readTags(text: string, names: ReadonlyMap<string, TagName>) {
  const findEnd = createEndFinder(text);
  const tags: MutableTag[] = [];
  const opening = /(\{|%7B)( ?\/? ?)([a-z_][a-z0-9_.-]*)/gi;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const { index: start } = match;
    const [, brace = '', slash = '', name = ''] = match;
    const nameEnd = opening.lastIndex;
    const definition = names.get(name.toLowerCase());
    const rest = text.slice(nameEnd, nameEnd + 3);
    const colon = rest.startsWith(':') ? 1 : /^%3A/i.test(rest) ? 3 : 0;
    const canOpen = colon > 0 || (definition?.kind === 'open' && /^(?:$|[|}\n<"]|%7D)/i.test(rest));
    const isSpaced = slash.includes(' ');
    if (isSpaced && !definition) continue;
    const kind =
      (definition &&
        !isSpaced &&
        (slash === '/' ? closingKinds[definition.kind] : canOpen ? definition.kind : undefined)) ||
      'unknown';
    const innerStart = slash === '/' ? nameEnd : nameEnd + colon;
    const found = findEnd(kind, start, nameEnd, innerStart);
    if (!found) continue;
    const { innerEnd, end, isClosed } = found;
    const inner = { start: Math.min(innerStart, innerEnd), end: innerEnd };
    const [idRange = inner, ...params] = kind === 'if' ? [inner] : splitAtBars(text, inner);
    const id = text.slice(idRange.start, idRange.end);
    tags.push({
      start,
      end,
      kind,
      family: kind === 'unknown' || !definition ? name : definition.name,
      name,
      nameRange: { start: nameEnd - name.length, end: nameEnd },
      id: kind === 'if' ? id : stripTags(decodeUrl(id)),
      idRange,
      params: params.flatMap((range) => readParameter(text, range)),
      isClosed,
      isEncoded: brace !== '{',
    });
    // A condition can contain tags.
    opening.lastIndex = kind === 'if' ? nameEnd : Math.max(nameEnd, end);
  }
  return tags;
}

const MAX_CONDITION_CHARS = 500;
/** Tags nested in a condition. */
const MAX_TAG_DEPTH = 4;

/** Returns a function that finds the end of a tag. Must be called with ascending offsets. */
function createEndFinder(
  text: string,
): (kind: Tag['kind'], start: number, nameEnd: number, innerStart: number) => TagEnd | undefined {
  const closers = new ForwardSearch(text, /\}|%7D/gi);
  /** A tag ends with the line and before another tag. */
  const stops = new ForwardSearch(text, /[\n{]|%7B/gi);
  const markup = new ForwardSearch(text, /[<"]/g);
  const rawElements = findRawElements(text);
  const findStop = (innerStart: number) => stops.from(innerStart)?.start ?? text.length;
  const endUnclosed = (end: number) => ({ innerEnd: end, end, isClosed: false });

  /** A condition ends at its own brace, past tags within it. */
  function findConditionEnd(innerStart: number) {
    let depth = 0;
    const limit = Math.min(text.length, innerStart + MAX_CONDITION_CHARS);
    for (let at = innerStart; at < limit && text[at] !== '\n' && depth <= MAX_TAG_DEPTH; at += 1) {
      if (text[at] === '{') depth += 1;
      if (text[at] === '}' && (depth -= 1) < 0) return { innerEnd: at, end: at + 1, isClosed: true };
    }
    return endUnclosed(Math.min(findStop(innerStart), limit));
  }

  return (kind, start, nameEnd, innerStart) => {
    if (kind === 'if') return findConditionEnd(innerStart);
    if (kind === 'unknown') {
      // Tag-like text in stylesheets, scripts and template syntax of other engines is no tag.
      if (/[{$]/.test(text.charAt(start - 1)) || findRangeAt(rawElements, start)) return undefined;
      const shape = /(?:[ |:][^{}\n<>;"]{0,200}?)?(\}(?!\})|%7D)/iy;
      shape.lastIndex = nameEnd;
      const [, close = ''] = shape.exec(text) ?? [];
      return close === ''
        ? undefined
        : { innerEnd: shape.lastIndex - close.length, end: shape.lastIndex, isClosed: true };
    }
    // Other tags end at a brace on the same line, or where they must end.
    const close = closers.from(innerStart);
    const stop = findStop(innerStart);
    return close && close.start < stop
      ? { innerEnd: close.start, end: close.end, isClosed: true }
      : endUnclosed(Math.min(stop, markup.from(innerStart)?.start ?? stop));
  };
}

/** Splits at bars, which can be percent-encoded. */
function splitAtBars(text: string, { start, end }: Range) {
  const parts: Range[] = [];
  let from = start;
  for (const bar of text.slice(start, end).matchAll(/\||%7C/gi)) {
    parts.push({ start: from, end: start + bar.index });
    from = start + bar.index + bar[0].length;
  }
  return [...parts, { start: from, end }];
}

function readParameter(source: string, { start, end }: Range): TagParam[] {
  const text = source.slice(start, end);
  const colon = /:|%3A/i.exec(text);
  const name = phpTrim(stripTags(decodeUrl(text.slice(0, colon?.index))));
  const value = colon ? stripTags(decodeUrl(text.slice(colon.index + colon[0].length))) : true;
  return name === '' ? [] : [{ name, value, start, end }];
}

// Below: finds tags with the service's own patterns, in one pass.

export interface FoundTag extends Range {
  /** The text between the colon and the closing brace; for a pair, its name with the parameters; for a condition, the condition. */
  readonly inner: string;
}

export interface FoundValue extends FoundTag {
  /** Lowercase. */
  readonly name: string;
}

export interface FoundPair extends FoundTag {
  readonly content: Range;
}

/** Finds tags `{family:…}` of these families, up to the first closing brace on the same line. */
export function findTags(text: string, names: readonly string[]): FoundValue[] {
  const matches: FoundValue[] = [];
  // Matches any name, because user-defined names may be too long for a pattern.
  const opening = /(?:\{|%7B)([a-z_][a-z0-9_.-]*)(?:%3A|:)/gi;
  const targetNames = new Set(names.map((name) => name.toLowerCase()));
  const ends = new ForwardSearch(text, /\}|%7D|\n/gi);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const name = (match[1] ?? '').toLowerCase();
    if (!targetNames.has(name)) continue;
    const innerStart = opening.lastIndex;
    const close = ends.from(innerStart);
    if (!close) break;
    if (text[close.start] === '\n') continue;
    matches.push({ name, start: match.index, end: close.end, inner: text.slice(innerStart, close.start) });
    opening.lastIndex = close.end;
  }
  return matches;
}

/** Finds the pairs of a group: each opening half with the next closing half of the group. Their content is skipped. */
export function findPairs(text: string, { pairs }: TagLanguage, group: string): FoundPair[] {
  const own = pairs.filter((pair) => pair.group === group);
  if (own.length === 0) return [];
  const names = own.map(({ name }) => name).join('|');
  // The service never encodes the braces of `{info:key}…{/info}`.
  const isInfo = group === 'info';
  const [open, end] = isInfo ? ['\\{', '\\}'] : ['(?:\\{|%7B)', '(?:\\}|%7D)'];
  const opening = new RegExp(`${open}(${isInfo ? 'info:[a-z_]+' : names})(?=\\||${end})`, 'gi');
  const ends = new ForwardSearch(text, new RegExp(end, 'gi'));
  const closers = new ForwardSearch(text, new RegExp(`${open}/(?:${names})${end}`, 'gi'));
  const accepting = new Set(
    own
      .filter(({ parameters, task = '' }) => parameters.length > 0 || /^(?:unsubscribe|disableTracking)$/.test(task))
      .map(({ name }) => name),
  );
  const matches: FoundPair[] = [];
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const name = match[1] ?? '';
    const nameEnd = opening.lastIndex;
    const hasParameters = text[nameEnd] === '|';
    if (hasParameters && (!accepting.has(name.toLowerCase()) || text[nameEnd + 1] === '}')) continue;
    const openEnd = ends.from(hasParameters ? nameEnd + 2 : nameEnd);
    const close = openEnd && closers.from(openEnd.end);
    if (!close) break;
    matches.push({
      start: match.index,
      end: close.end,
      content: { start: openEnd.end, end: close.start },
      inner: text.slice(nameEnd - name.length, openEnd.start),
    });
    opening.lastIndex = close.end;
  }
  return matches;
}

/** Finds the innermost conditions `{if:…}…{/if}`. */
export function findConditions(text: string, name: string): FoundPair[] {
  const matches: FoundPair[] = [];
  const braces = new ForwardSearch(text, /\}/g);
  let open: FoundTag | undefined;
  for (const { 0: half, index } of text.matchAll(new RegExp(`\\{${name}|\\{/${name}\\}`, 'gi'))) {
    const halfEnd = index + half.length;
    const innerStart = halfEnd + 1;
    if (half[1] !== '/') {
      const brace = text[innerStart - 1] === ':' ? braces.from(innerStart) : undefined;
      open = brace && { start: index, end: brace.end, inner: text.slice(innerStart, brace.start) };
    } else if (open && open.end <= index) {
      matches.push({ ...open, end: halfEnd, content: { start: open.end, end: index } });
      open = undefined;
    }
  }
  return matches;
}

/** Returns a function that finds the start of the tag that is open at an offset, or -1. Must be called with ascending offsets. `name`: a pattern for the element's lowercase name. */
export function createOpenTagFinder(text: string, name: string): (offset: number) => number {
  const opening = new RegExp(`<${name}(?=[^a-z])`, 'i');
  let at = 0;
  let start = -1;
  return (offset) => {
    const skipped = text.slice(at, offset);
    const end = skipped.lastIndexOf('>');
    if (end >= 0) start = -1;
    if (start < 0) {
      const open = opening.exec(skipped.slice(end + 1));
      if (open) start = at + end + 1 + open.index;
    }
    at = Math.max(at, offset);
    return start;
  };
}
