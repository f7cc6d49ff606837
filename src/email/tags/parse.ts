import type { Stretch, Tag, TagLanguage, TagParam } from './model.ts';
import { cutElements, decodeUrl, stripMarkup, trim } from './php.ts';
import { findPairs, Places } from './scan.ts';

type Draft = { -readonly [Key in keyof Tag]: Tag[Key] };

interface Names {
  readonly families: ReadonlyMap<string, string>;
  readonly pairs: ReadonlyMap<string, string>;
  readonly condition: string | undefined;
}

/** All tags of a text in their order, with both halves of pairs and conditions linked. Half-typed ones end where they can't go on. */
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
  readonly #names: Names;
  readonly #closers: Places;
  /** Where a tag can't go on: with the line, or at another tag. */
  readonly #stops: Places;
  readonly #markup: Places;
  readonly #prose: (place: number) => boolean;

  constructor(text: string, names: Names) {
    this.#text = text;
    this.#names = names;
    this.#closers = new Places(text, /\}|%7D/gi);
    this.#stops = new Places(text, /[\n{]|%7B/gi);
    this.#markup = new Places(text, /[<"]/g);
    this.#prose = outsideElements(text);
  }

  read(): Draft[] {
    const tags: Draft[] = [];
    const opening = /(\{|%7B)( ?\/? ?)([a-z_][a-z0-9_.-]*)/gi;
    for (let match = opening.exec(this.#text); match; match = opening.exec(this.#text)) {
      const [, brace = '', slash = '', name = ''] = match;
      const nameEnd = opening.lastIndex;
      const tag = this.#tag({
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
      // A condition may hold tags.
      opening.lastIndex = tag.kind === 'if' ? nameEnd : Math.max(nameEnd, tag.end);
    }
    return tags;
  }

  #tag(found: Opening): Draft | undefined {
    const { name, nameEnd, isClosing } = found;
    const known = name.toLowerCase();
    const rest = this.#text.slice(nameEnd, nameEnd + 3);
    const colon = rest.startsWith(':') ? 1 : /^%3A/i.test(rest) ? 3 : 0;
    const pair = this.#names.pairs.get(known);
    const family = this.#names.families.get(known);
    const isCondition = known === this.#names.condition;
    const isEnd = rest === '' || /^(?:[|}\n<"]|%7D)/i.test(rest);
    if (found.isSpaced)
      return (pair ?? family) !== undefined || isCondition ? this.#unknown(found, nameEnd + colon) : undefined;
    if (isClosing) {
      if (isCondition) return this.#whole(found, 'endIf', known, nameEnd);
      return pair === undefined ? this.#unknown(found, nameEnd) : this.#whole(found, 'close', pair, nameEnd);
    }
    if (isCondition && colon > 0) return this.#condition(found, nameEnd + colon);
    if (family !== undefined && colon > 0) return this.#whole(found, 'value', family, nameEnd + colon);
    if (pair !== undefined && (isEnd || colon > 0))
      return this.#whole(found, 'open', pair, colon > 0 ? nameEnd + colon : nameEnd);
    return this.#unknown(found, nameEnd + colon);
  }

  /** A tag of the language: up to its brace on the same line, or to where it breaks off. */
  #whole(found: Opening, kind: Tag['kind'], family: string, innerStart: number): Draft {
    const close = this.#closers.from(innerStart);
    const stop = this.#stops.from(innerStart)?.start ?? this.#text.length;
    if (close && close.start < stop)
      return this.#made(found, kind, family, { start: innerStart, end: close.start }, close.end, true);
    const end = Math.min(stop, this.#markup.from(innerStart)?.start ?? stop);
    return this.#made(found, kind, family, { start: innerStart, end }, end, false);
  }

  /** A condition runs to the brace that is not of a tag within. */
  #condition(found: Opening, innerStart: number): Draft {
    let depth = 0;
    const limit = Math.min(this.#text.length, innerStart + longestCondition);
    for (let at = innerStart; at < limit; at += 1) {
      const sign = this.#text[at];
      if (sign === '\n' || depth > deepest) break;
      if (sign === '{') depth += 1;
      if (sign !== '}') continue;
      if (depth === 0)
        return this.#made(found, 'if', found.name.toLowerCase(), { start: innerStart, end: at }, at + 1, true);
      depth -= 1;
    }
    const stop = Math.min(this.#stops.from(innerStart)?.start ?? this.#text.length, limit);
    return this.#made(found, 'if', found.name.toLowerCase(), { start: innerStart, end: stop }, stop, false);
  }

  /** What looks like a tag, in text that people read: neither a rule of a stylesheet nor another engine's braces. */
  #unknown(found: Opening, innerStart: number): Draft | undefined {
    const { start, nameEnd } = found;
    if (this.#text[start - 1] === '{' || this.#text[start - 1] === '$' || !this.#prose(start)) return undefined;
    const shape = /(?:\}(?!\})|%7D)|[ |:][^{}\n<>;"]{0,200}?(?:\}(?!\})|%7D)/iy;
    shape.lastIndex = nameEnd;
    const match = shape.exec(this.#text);
    if (!match) return undefined;
    const end = shape.lastIndex;
    const closeLength = this.#text[end - 1] === '}' ? 1 : 3;
    return this.#made(
      found,
      'unknown',
      found.name,
      { start: Math.min(innerStart, end - closeLength), end: end - closeLength },
      end,
      true,
    );
  }

  #made(found: Opening, kind: Tag['kind'], family: string, inner: Stretch, end: number, isClosed: boolean): Draft {
    const { start, name, nameStart, nameEnd, isEncoded } = found;
    const written = this.#text.slice(inner.start, inner.end);
    const [id, ...params] =
      kind === 'if' ? [{ text: written, start: inner.start, end: inner.end }] : split(written, inner.start);
    const idText = id?.text ?? '';
    return {
      start,
      end,
      kind,
      family,
      name,
      nameAt: { start: nameStart, end: nameEnd },
      id: kind === 'if' ? idText : stripMarkup(decodeUrl(idText)),
      idAt: { start: id?.start ?? inner.start, end: id?.end ?? inner.start },
      params: params.flatMap(paramOf),
      isClosed,
      isEncoded,
    };
  }
}

interface Opening {
  readonly start: number;
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly isClosing: boolean;
  /** Whether blanks stand before the name. */
  readonly isSpaced: boolean;
  readonly isEncoded: boolean;
}

const longestCondition = 500;
/** Tags within tags of a condition, at most. */
const deepest = 4;

interface Part extends Stretch {
  readonly text: string;
}

/** The parts between bars, which may be percent-encoded. */
function split(inner: string, start: number): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const bar of inner.matchAll(/\||%7C/gi)) {
    parts.push({ text: inner.slice(from, bar.index), start: start + from, end: start + bar.index });
    from = bar.index + bar[0].length;
  }
  parts.push({ text: inner.slice(from), start: start + from, end: start + inner.length });
  return parts;
}

function paramOf({ text, start, end }: Part): TagParam[] {
  const colon = /:|%3A/i.exec(text);
  const name = trim(stripMarkup(decodeUrl(text.slice(0, colon?.index))));
  return name === ''
    ? []
    : [{ name, value: colon ? stripMarkup(decodeUrl(text.slice(colon.index + colon[0].length))) : true, start, end }];
}

/** Tells whether a place is outside script and style elements: asked for ever later places. */
function outsideElements(text: string): (place: number) => boolean {
  const stretches = cutElements(text);
  let index = 0;
  return (place) => {
    while ((stretches[index]?.[1] ?? Infinity) <= place) index += 1;
    return place >= (stretches[index]?.[0] ?? Infinity);
  };
}

function linkPairs(text: string, tags: Draft[], language: TagLanguage): void {
  const at = new Map(tags.map((tag, index) => [tag.start, index]));
  const written = new Set(tags.map(({ name }) => name.toLowerCase()));
  const pairs = language.pairs.filter(({ name }) => written.has(name.toLowerCase()));
  for (const group of new Set(pairs.map((pair) => pair.group))) {
    for (const { start, contentEnd } of findPairs(text, language, group)) link(tags, at.get(start), at.get(contentEnd));
  }
}

function linkConditions(tags: Draft[]): void {
  const open: number[] = [];
  tags.forEach((tag, index) => {
    if (tag.kind === 'if') tag.level = open.push(index);
    if (tag.kind === 'endIf') link(tags, open.pop(), index);
  });
}

function link(tags: Draft[], open: number | undefined, close: number | undefined): void {
  const [first, second] = [open, close].map((index) => (index === undefined ? undefined : tags[index]));
  if (!first || !second) return;
  first.partner = close;
  second.partner = open;
  if (first.level !== undefined) second.level = first.level;
}
