/** Conditional comments, which show or hide content in Outlook for Windows only. */

import { findCommentEnd } from '../html/landmarks.ts';
import { ForwardSearch } from '../html/text.ts';
import type { Range } from '../html/ranges.ts';

/** `<!--[if mso]>…<![endif]-->`, or `<!--[if !mso]><!-->…<!--<![endif]-->` where `isRevealed`. */
export interface ConditionalBlock extends Range {
  readonly condition: string;
  readonly opener: Range;
  readonly closer: Range;
  readonly isRevealed: boolean;
  /** Whether the block contains a VML background or shape. */
  readonly drawsVml: boolean;
}

/** A malformed conditional comment, and the edits that fix it. */
export interface ConditionProblem extends Range {
  readonly kind: 'unclosed' | 'stray' | 'nested' | 'slash';
  readonly related?: Range;
  readonly edits: readonly (Range & { readonly text: string })[];
}

/** `<![if !mso]>` and `<![endif]>` outside of a comment. */
export interface BareMarker extends Range {
  readonly isEnd: boolean;
  readonly condition: string;
}

export interface Conditions {
  readonly blocks: readonly ConditionalBlock[];
  readonly problems: readonly ConditionProblem[];
  readonly bare: readonly BareMarker[];
}

const conditionMarker =
  /<!--\[if\s([^\]<]*)\]>(-->|\s*<!--[\s>-]*?-->|<!-->)?|<!--\s*<!\[endif\]\s*-->|<!--|<!\[endif\]\s*(?:\/\s*)?(-->|>)|<!\[if\s([^\]<]*)\]>/giu;

const vmlElement = /<v:(?:rect|roundrect|background|fill|shape)/iu;

interface OpenCondition {
  readonly condition: string;
  readonly opener: Range;
}

/** Parses all conditional comments of a text. */
export function parseConditions(text: string): Conditions {
  const blocks: ConditionalBlock[] = [];
  const problems: ConditionProblem[] = [];
  const bare: BareMarker[] = [];
  const open: OpenCondition[] = [];
  const hidden = new HiddenBlockReader(text, { blocks, problems });
  conditionMarker.lastIndex = 0;
  for (let match = conditionMarker.exec(text); match; match = conditionMarker.exec(text)) {
    const [whole, condition, revealing, closing, bareCondition] = match;
    const range = { start: match.index, end: match.index + whole.length };
    if (condition !== undefined && revealing !== undefined) {
      const outer = open.at(-1);
      if (outer) problems.push({ ...range, kind: 'nested', related: outer.opener, edits: [] });
      open.push({ condition: condition.trim(), opener: range });
    } else if (condition !== undefined) {
      conditionMarker.lastIndex = hidden.read({ condition: condition.trim(), opener: range });
    } else if (bareCondition !== undefined) {
      bare.push({ ...range, isEnd: false, condition: bareCondition.trim() });
    } else if (closing === '>' && !whole.includes('/')) {
      bare.push({ ...range, isEnd: true, condition: '' });
    } else if (whole === '<!--') {
      conditionMarker.lastIndex = findCommentEnd(text, range.start);
    } else {
      closeRevealed(open, range, whole, { blocks, problems });
    }
  }
  const end = { start: text.length, end: text.length };
  for (const { opener } of open)
    problems.push({ ...opener, kind: 'unclosed', edits: [{ ...end, text: '<!--<![endif]-->' }] });
  return { blocks, problems, bare };
}

type ConditionResults = { readonly blocks: ConditionalBlock[]; readonly problems: ConditionProblem[] };

function closeRevealed(
  open: OpenCondition[],
  range: Range,
  whole: string,
  { blocks, problems }: ConditionResults,
): void {
  const openCondition = open.pop();
  if (whole.includes('/'))
    problems.push({ ...range, kind: 'slash', edits: [{ ...range, text: openCondition ? '<!--<![endif]-->' : '' }] });
  else if (!openCondition) problems.push({ ...range, kind: 'stray', edits: [{ ...range, text: '' }] });
  if (openCondition)
    blocks.push({
      ...openCondition,
      closer: range,
      start: openCondition.opener.start,
      end: range.end,
      isRevealed: true,
      drawsVml: false,
    });
}

/** Reads conditional comments whose content only Outlook parses. Scans each part of the text once. */
class HiddenBlockReader {
  readonly #text: string;
  readonly #results: ConditionResults;
  readonly #closes: ForwardSearch;
  readonly #comments: ForwardSearch;
  readonly #outerEnds: ForwardSearch;
  readonly #commentsBetween: ForwardSearch;
  #endMarkerCache: { readonly before: number; readonly found: EndMarker | undefined } | undefined;

  constructor(text: string, results: ConditionResults) {
    this.#text = text;
    this.#results = results;
    this.#closes = new ForwardSearch(text, /-->/gu);
    this.#comments = new ForwardSearch(text, /<!--/gu);
    this.#outerEnds = new ForwardSearch(text, /<!\[endif\]-->/giu);
    this.#commentsBetween = new ForwardSearch(text, /<!--/gu);
  }

  /** Reads the block that starts with an opener. Returns the offset at which the search continues. */
  read(openCondition: OpenCondition): number {
    const { opener } = openCondition;
    const { blocks, problems } = this.#results;
    const text = this.#text;
    const close = this.#closes.from(opener.end)?.start;
    const contentEnd = close ?? text.length;
    // The end of the revealed form, `<!--<![endif]-->`, also ends this one.
    const ending = this.#findEndMarker(contentEnd);
    const inner = this.#comments.from(opener.end);
    const closer = ending
      ? { start: ending.start, end: contentEnd + 3 }
      : { start: contentEnd, end: Math.min(contentEnd + 3, text.length) };
    if (inner && inner.end <= closer.start)
      return this.#readInnerComment(openCondition, { start: inner.start, end: closer.end });
    if (close === undefined) {
      problems.push({
        ...opener,
        kind: 'unclosed',
        edits: [{ start: text.length, end: text.length, text: '<![endif]-->' }],
      });
    } else if (!ending) {
      problems.push({
        ...opener,
        kind: 'unclosed',
        related: closer,
        edits: [{ start: close, end: close, text: '<![endif]' }],
      });
    } else if (ending.hasSlash) {
      problems.push({ ...closer, kind: 'slash', related: opener, edits: [{ ...closer, text: '<![endif]-->' }] });
    }
    blocks.push({
      ...openCondition,
      closer,
      start: opener.start,
      end: closer.end,
      isRevealed: false,
      drawsVml: this.#drawsVml(opener.end, contentEnd),
    });
    return closer.end;
  }

  /** An inner comment ends the outer one. The fixes remove the markers of a nested condition, and a plain comment completely. */
  #readInnerComment(openCondition: OpenCondition, inner: Range): number {
    const { blocks, problems } = this.#results;
    const { opener } = openCondition;
    const isCondition = /^<!--\s*(?:\[if\s|<!\[endif\])/iu.test(this.#text.slice(inner.start, inner.start + 40));
    const drawsVml = this.#drawsVml(opener.end, inner.start);
    // An unclosed block extends into the next one.
    const next = this.#outerEnds.from(inner.end);
    const between = this.#commentsBetween.from(inner.end);
    if (isCondition && (!next || (between && between.end <= next.start))) {
      const at = { start: inner.start, end: inner.start };
      problems.push({ ...opener, kind: 'unclosed', related: inner, edits: [{ ...at, text: '<![endif]-->' }] });
      blocks.push({ ...openCondition, closer: at, start: opener.start, end: inner.start, isRevealed: false, drawsVml });
      return inner.start;
    }
    const edits = isCondition ? createMarkerRemovals(this.#text, inner) : [{ ...inner, text: '' }];
    problems.push({ ...inner, kind: 'nested', related: opener, edits });
    const end = next?.end ?? inner.end;
    blocks.push({
      ...openCondition,
      closer: next ?? { start: end, end },
      start: opener.start,
      end,
      isRevealed: false,
      drawsVml,
    });
    return end;
  }

  #drawsVml(start: number, end: number): boolean {
    return vmlElement.test(this.#text.slice(start, end));
  }

  /** Returns the `<![endif]` marker before the end of a comment. Several openers may share one end. */
  #findEndMarker(contentEnd: number): EndMarker | undefined {
    if (this.#endMarkerCache?.before !== contentEnd)
      this.#endMarkerCache = { before: contentEnd, found: readEndMarker(this.#text, contentEnd) };
    return this.#endMarkerCache.found;
  }
}

interface EndMarker {
  readonly start: number;
  readonly hasSlash: boolean;
}

/** Reads `<!-- <![endif] /` backward from its end. Only `<![endif]` is required. */
function readEndMarker(text: string, end: number): EndMarker | undefined {
  const blanksBefore = (offset: number): number => {
    let at = offset;
    while (at > 0 && /\s/u.test(text.charAt(at - 1))) at -= 1;
    return at;
  };
  const last = blanksBefore(end);
  const hasSlash = text[last - 1] === '/';
  const markerEnd = hasSlash ? blanksBefore(last - 1) : last;
  const start = markerEnd - '<![endif]'.length;
  if (text.slice(Math.max(0, start), markerEnd).toLowerCase() !== '<![endif]') return undefined;
  const before = blanksBefore(start);
  return { start: text.endsWith('<!--', before) ? before - '<!--'.length : start, hasSlash };
}

/** Returns edits that remove both markers of a conditional comment and keep its content. */
function createMarkerRemovals(text: string, { start, end }: Range): ConditionProblem['edits'] {
  const content = text.slice(start, end);
  const opener = /^<!--\s*(?:\[if\s[^\]]*\]>(?:<!-->)?|<!\[endif\]\s*(?:-->)?)/iu.exec(content)?.[0] ?? '';
  const closer = /<!\[endif\]\s*(?:\/\s*)?-->$/iu.exec(content);
  const edits = [{ start, end: start + opener.length, text: '' }];
  return closer && closer.index >= opener.length ? [...edits, { start: start + closer.index, end, text: '' }] : edits;
}

/** Returns whether a condition excludes Outlook for Windows (`!mso`). */
export function excludesOutlook(condition: string): boolean {
  return condition
    .toLowerCase()
    .replace(/[\s()]/gu, '')
    .split('&')
    .includes('!mso');
}

/** Returns whether no client shows a block: only Outlook parses it, and its condition excludes Outlook. */
export const isNeverShown = ({ condition, isRevealed }: ConditionalBlock): boolean =>
  !isRevealed && excludesOutlook(condition);
