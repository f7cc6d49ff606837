import type { Range } from '../html/ranges.ts';
import type { Tag, TagLanguage, TagParam } from './model.ts';
import { findRawElements, phpTrim, stripTags } from '../html/stripTags.ts';
import { decodeUrl } from './php.ts';
import { ForwardSearch } from '../html/text.ts';
import { findPairs } from './scan.ts';

type MutableTag = { -readonly [Key in keyof Tag]: Tag[Key] };

interface LanguageNames {
  readonly families: ReadonlyMap<string, string>;
  readonly pairs: ReadonlyMap<string, string>;
  readonly condition: string | undefined;
}

/** Parses all tags in order and links both halves of pairs and conditions. Unfinished tags end where they can't continue. */
export function parseTags(text: string, language: TagLanguage): Tag[] {
  if (language.families.length === 0 && language.pairs.length === 0) return [];
  const reader = new TagReader(text, {
    families: new Map(
      language.families.flatMap(({ name, aliases }) =>
        [name, ...aliases].map((one) => [one.toLowerCase(), name] as const),
      ),
    ),
    pairs: new Map(language.pairs.map(({ name }) => [name.toLowerCase(), name])),
    condition: language.conditions?.name,
  });
  const tags = reader.read();
  linkPairs(text, tags, language);
  linkConditions(tags);
  return tags;
}

class TagReader {
  readonly #text: string;
  readonly #names: LanguageNames;
  readonly #closers: ForwardSearch;
  /** A tag ends with the line and before another tag. */
  readonly #stops: ForwardSearch;
  readonly #markup: ForwardSearch;
  readonly #isProse: (offset: number) => boolean;

  constructor(text: string, names: LanguageNames) {
    this.#text = text;
    this.#names = names;
    this.#closers = new ForwardSearch(text, /\}|%7D/gi);
    this.#stops = new ForwardSearch(text, /[\n{]|%7B/gi);
    this.#markup = new ForwardSearch(text, /[<"]/g);
    this.#isProse = createProseTest(text);
  }

  read(): MutableTag[] {
    const tags: MutableTag[] = [];
    const opening = /(\{|%7B)( ?\/? ?)([a-z_][a-z0-9_.-]*)/gi;
    for (let match = opening.exec(this.#text); match; match = opening.exec(this.#text)) {
      const [, brace = '', slash = '', name = ''] = match;
      const nameEnd = opening.lastIndex;
      const tag = this.#readTag({
        start: match.index,
        nameStart: nameEnd - name.length,
        nameEnd,
        name,
        isClosing: slash === '/',
        isSpaced: slash.includes(' '),
        isEncoded: brace !== '{',
      });
      if (!tag) continue;
      tags.push(tag);
      // A condition can contain tags.
      opening.lastIndex = tag.kind === 'if' ? nameEnd : Math.max(nameEnd, tag.end);
    }
    return tags;
  }

  #readTag(opening: TagOpening): MutableTag | undefined {
    const { name, nameEnd, isClosing } = opening;
    const lowerName = name.toLowerCase();
    const rest = this.#text.slice(nameEnd, nameEnd + 3);
    const colon = rest.startsWith(':') ? 1 : /^%3A/i.test(rest) ? 3 : 0;
    const pair = this.#names.pairs.get(lowerName);
    const family = this.#names.families.get(lowerName);
    const isCondition = lowerName === this.#names.condition;
    const isEnd = rest === '' || /^(?:[|}\n<"]|%7D)/i.test(rest);
    if (opening.isSpaced)
      return (pair ?? family) !== undefined || isCondition
        ? this.#readUnrecognized(opening, nameEnd + colon)
        : undefined;
    if (isClosing) {
      if (isCondition) return this.#readWhole(opening, 'endIf', lowerName, nameEnd);
      return pair === undefined
        ? this.#readUnrecognized(opening, nameEnd)
        : this.#readWhole(opening, 'close', pair, nameEnd);
    }
    if (isCondition && colon > 0) return this.#readCondition(opening, nameEnd + colon);
    if (family !== undefined && colon > 0) return this.#readWhole(opening, 'value', family, nameEnd + colon);
    if (pair !== undefined && (isEnd || colon > 0))
      return this.#readWhole(opening, 'open', pair, colon > 0 ? nameEnd + colon : nameEnd);
    return this.#readUnrecognized(opening, nameEnd + colon);
  }

  /** Reads a tag up to its brace on the same line, or up to where it must end. */
  #readWhole(opening: TagOpening, kind: Tag['kind'], family: string, innerStart: number): MutableTag {
    const close = this.#closers.from(innerStart);
    const stop = this.#stops.from(innerStart)?.start ?? this.#text.length;
    if (close && close.start < stop)
      return this.#createTag(opening, kind, family, { start: innerStart, end: close.start }, close.end, true);
    const end = Math.min(stop, this.#markup.from(innerStart)?.start ?? stop);
    return this.#createTag(opening, kind, family, { start: innerStart, end }, end, false);
  }

  /** Reads a condition up to its own brace, past tags within it. */
  #readCondition(opening: TagOpening, innerStart: number): MutableTag {
    let depth = 0;
    const limit = Math.min(this.#text.length, innerStart + MAX_CONDITION_CHARS);
    for (let at = innerStart; at < limit; at += 1) {
      const sign = this.#text[at];
      if (sign === '\n' || depth > MAX_TAG_DEPTH) break;
      if (sign === '{') depth += 1;
      if (sign !== '}') continue;
      if (depth === 0)
        return this.#createTag(opening, 'if', opening.name.toLowerCase(), { start: innerStart, end: at }, at + 1, true);
      depth -= 1;
    }
    const stop = Math.min(this.#stops.from(innerStart)?.start ?? this.#text.length, limit);
    return this.#createTag(opening, 'if', opening.name.toLowerCase(), { start: innerStart, end: stop }, stop, false);
  }

  /** Reads tag-like text outside of stylesheets, scripts and template syntax of other engines. */
  #readUnrecognized(opening: TagOpening, innerStart: number): MutableTag | undefined {
    const { start, nameEnd } = opening;
    if (this.#text[start - 1] === '{' || this.#text[start - 1] === '$' || !this.#isProse(start)) return undefined;
    const shape = /(?:\}(?!\})|%7D)|[ |:][^{}\n<>;"]{0,200}?(?:\}(?!\})|%7D)/iy;
    shape.lastIndex = nameEnd;
    const match = shape.exec(this.#text);
    if (!match) return undefined;
    const end = shape.lastIndex;
    const closeLength = this.#text[end - 1] === '}' ? 1 : 3;
    return this.#createTag(
      opening,
      'unknown',
      opening.name,
      { start: Math.min(innerStart, end - closeLength), end: end - closeLength },
      end,
      true,
    );
  }

  #createTag(
    { start, name, nameStart, nameEnd, isEncoded }: TagOpening,
    kind: Tag['kind'],
    family: string,
    inner: Range,
    end: number,
    isClosed: boolean,
  ): MutableTag {
    const [idRange = inner, ...params] = kind === 'if' ? [inner] : this.#splitAtBars(inner);
    const id = this.#text.slice(idRange.start, idRange.end);
    return {
      start,
      end,
      kind,
      family,
      name,
      nameRange: { start: nameStart, end: nameEnd },
      id: kind === 'if' ? id : stripTags(decodeUrl(id)),
      idRange,
      params: params.flatMap((range) => this.#readParameter(range)),
      isClosed,
      isEncoded,
    };
  }

  /** Splits at bars, which can be percent-encoded. */
  #splitAtBars({ start, end }: Range): Range[] {
    const parts: Range[] = [];
    let from = start;
    for (const bar of this.#text.slice(start, end).matchAll(/\||%7C/gi)) {
      parts.push({ start: from, end: start + bar.index });
      from = start + bar.index + bar[0].length;
    }
    return [...parts, { start: from, end }];
  }

  #readParameter({ start, end }: Range): TagParam[] {
    const text = this.#text.slice(start, end);
    const colon = /:|%3A/i.exec(text);
    const name = phpTrim(stripTags(decodeUrl(text.slice(0, colon?.index))));
    const value = colon ? stripTags(decodeUrl(text.slice(colon.index + colon[0].length))) : true;
    return name === '' ? [] : [{ name, value, start, end }];
  }
}

interface TagOpening {
  readonly start: number;
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly isClosing: boolean;
  /** Whether whitespace precedes the name. */
  readonly isSpaced: boolean;
  readonly isEncoded: boolean;
}

const MAX_CONDITION_CHARS = 500;
/** Tags nested in a condition. */
const MAX_TAG_DEPTH = 4;

/** Returns a test for offsets outside script and style elements. Must be called with ascending offsets. */
function createProseTest(text: string): (offset: number) => boolean {
  const elements = findRawElements(text);
  let index = 0;
  return (offset) => {
    while ((elements[index]?.end ?? Infinity) <= offset) index += 1;
    return offset < (elements[index]?.start ?? Infinity);
  };
}

function linkPairs(text: string, tags: MutableTag[], language: TagLanguage): void {
  const at = new Map(tags.map((tag, index) => [tag.start, index]));
  const source = new Set(tags.map(({ name }) => name.toLowerCase()));
  const pairs = language.pairs.filter(({ name }) => source.has(name.toLowerCase()));
  for (const group of new Set(pairs.map((pair) => pair.group))) {
    for (const { start, content } of findPairs(text, language, group))
      linkTags(tags, at.get(start), at.get(content.end));
  }
}

function linkConditions(tags: MutableTag[]): void {
  const open: number[] = [];
  tags.forEach((tag, index) => {
    if (tag.kind === 'if') tag.level = open.push(index);
    if (tag.kind === 'endIf') linkTags(tags, open.pop(), index);
  });
}

function linkTags(tags: MutableTag[], open: number | undefined, close: number | undefined): void {
  const [first, second] = [open, close].map((index) => (index === undefined ? undefined : tags[index]));
  if (!first || !second) return;
  first.partner = close;
  second.partner = open;
  if (first.level !== undefined) second.level = first.level;
}
