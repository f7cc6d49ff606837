/** Conditional comments: Outlook's own way of being told what is meant for it alone. */

import { ForwardSearch } from '../tags/scan.ts';
import type { Range } from '../html/ranges.ts';

/** `<!--[if mso]>…<![endif]-->`, or `<!--[if !mso]><!-->…<!--<![endif]-->` where `isRevealed`. */
export interface ConditionalBlock extends Range {
  readonly condition: string;
  readonly opener: Range;
  readonly closer: Range;
  readonly isRevealed: boolean;
  /** Whether it draws a background or a shape for Outlook. */
  readonly drawsVml: boolean;
}

/** What is wrong with one, and the edits that mend it. */
export interface ConditionProblem extends Range {
  readonly kind: 'unclosed' | 'stray' | 'nested' | 'slash';
  readonly related?: Range;
  readonly edits: readonly (Range & { readonly text: string })[];
}

/** `<![if !mso]>` and `<![endif]>`, which stand in the text for all clients. */
export interface BareMarker extends Range {
  readonly isEnd: boolean;
  readonly condition: string;
}

export interface Conditions {
  readonly blocks: readonly ConditionalBlock[];
  readonly problems: readonly ConditionProblem[];
  readonly bare: readonly BareMarker[];
}

const marker =
  /<!--\[if\s([^\]<]*)\]>(-->|\s*<!--[\s>-]*?-->|<!-->)?|<!--\s*<!\[endif\]\s*-->|<!--|<!\[endif\]\s*(?:\/\s*)?(-->|>)|<!\[if\s([^\]<]*)\]>/giu;

const drawing = /<v:(?:rect|roundrect|background|fill|shape)/iu;

interface Opened {
  readonly condition: string;
  readonly opener: Range;
}

/** Finds all conditional comments of a text. */
export function readConditions(text: string): Conditions {
  const blocks: ConditionalBlock[] = [];
  const problems: ConditionProblem[] = [];
  const bare: BareMarker[] = [];
  const open: Opened[] = [];
  const hidden = new HiddenBlocks(text, { blocks, problems });
  marker.lastIndex = 0;
  for (let match = marker.exec(text); match; match = marker.exec(text)) {
    const [whole, condition, revealing, closing, bareCondition] = match;
    const found = { start: match.index, end: match.index + whole.length };
    if (condition !== undefined && revealing !== undefined) {
      const outer = open.at(-1);
      if (outer) problems.push({ ...found, kind: 'nested', related: outer.opener, edits: [] });
      open.push({ condition: condition.trim(), opener: found });
    } else if (condition !== undefined) {
      marker.lastIndex = hidden.read({ condition: condition.trim(), opener: found });
    } else if (bareCondition !== undefined) {
      bare.push({ ...found, isEnd: false, condition: bareCondition.trim() });
    } else if (closing === '>' && !whole.includes('/')) {
      bare.push({ ...found, isEnd: true, condition: '' });
    } else if (whole === '<!--') {
      marker.lastIndex = commentEnd(text, found.start);
    } else {
      closeRevealed(open, found, whole, { blocks, problems });
    }
  }
  const end = { start: text.length, end: text.length };
  for (const { opener } of open)
    problems.push({ ...opener, kind: 'unclosed', edits: [{ ...end, text: '<!--<![endif]-->' }] });
  return { blocks, problems, bare };
}

type Results = { readonly blocks: ConditionalBlock[]; readonly problems: ConditionProblem[] };

function closeRevealed(open: Opened[], found: Range, whole: string, { blocks, problems }: Results): void {
  const opened = open.pop();
  if (whole.includes('/'))
    problems.push({ ...found, kind: 'slash', edits: [{ ...found, text: opened ? '<!--<![endif]-->' : '' }] });
  else if (!opened) problems.push({ ...found, kind: 'stray', edits: [{ ...found, text: '' }] });
  if (opened)
    blocks.push({
      ...opened,
      closer: found,
      start: opened.opener.start,
      end: found.end,
      isRevealed: true,
      drawsVml: false,
    });
}

/** Reads comments that only Outlook looks into, one after the other. Looks at no part of the text twice. */
class HiddenBlocks {
  readonly #text: string;
  readonly #results: Results;
  readonly #closes: ForwardSearch;
  readonly #comments: ForwardSearch;
  readonly #outerEnds: ForwardSearch;
  readonly #commentsBetween: ForwardSearch;
  #ending: { readonly before: number; readonly found: Ending | undefined } | undefined;

  constructor(text: string, results: Results) {
    this.#text = text;
    this.#results = results;
    this.#closes = new ForwardSearch(text, /-->/gu);
    this.#comments = new ForwardSearch(text, /<!--/gu);
    this.#outerEnds = new ForwardSearch(text, /<!\[endif\]-->/giu);
    this.#commentsBetween = new ForwardSearch(text, /<!--/gu);
  }

  /** Reads the next one. Returns where the search goes on. */
  read(opened: Opened): number {
    const { opener } = opened;
    const { blocks, problems } = this.#results;
    const text = this.#text;
    const close = this.#closes.from(opener.end)?.start;
    const contentEnd = close ?? text.length;
    // The end of the other form, `<!--<![endif]-->`, ends this one too.
    const ending = this.#endingBefore(contentEnd);
    const inner = this.#comments.from(opener.end);
    const closer = ending
      ? { start: ending.start, end: contentEnd + 3 }
      : { start: contentEnd, end: Math.min(contentEnd + 3, text.length) };
    if (inner && inner.end <= closer.start) return this.#commentWithin(opened, { start: inner.start, end: closer.end });
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
      ...opened,
      closer,
      start: opener.start,
      end: closer.end,
      isRevealed: false,
      drawsVml: this.#draws(opener.end, contentEnd),
    });
    return closer.end;
  }

  /** A comment within ends the outer one: nested conditions lose their markers, and a note goes whole. */
  #commentWithin(opened: Opened, inner: Range): number {
    const { blocks, problems } = this.#results;
    const { opener } = opened;
    const isCondition = /^<!--\s*(?:\[if\s|<!\[endif\])/iu.test(this.#text.slice(inner.start, inner.start + 40));
    const drawsVml = this.#draws(opener.end, inner.start);
    // A block that was not closed runs into the next one.
    const next = this.#outerEnds.from(inner.end);
    const between = this.#commentsBetween.from(inner.end);
    if (isCondition && (!next || (between && between.end <= next.start))) {
      const at = { start: inner.start, end: inner.start };
      problems.push({ ...opener, kind: 'unclosed', related: inner, edits: [{ ...at, text: '<![endif]-->' }] });
      blocks.push({ ...opened, closer: at, start: opener.start, end: inner.start, isRevealed: false, drawsVml });
      return inner.start;
    }
    const edits = isCondition ? markersOf(this.#text, inner) : [{ ...inner, text: '' }];
    problems.push({ ...inner, kind: 'nested', related: opener, edits });
    const end = next?.end ?? inner.end;
    blocks.push({
      ...opened,
      closer: next ?? { start: end, end },
      start: opener.start,
      end,
      isRevealed: false,
      drawsVml,
    });
    return end;
  }

  #draws(start: number, end: number): boolean {
    return drawing.test(this.#text.slice(start, end));
  }

  /** The marker `<![endif]` that a comment ends with. Several openers may have one end. */
  #endingBefore(contentEnd: number): Ending | undefined {
    if (this.#ending?.before !== contentEnd)
      this.#ending = { before: contentEnd, found: endingBefore(this.#text, contentEnd) };
    return this.#ending.found;
  }
}

interface Ending {
  readonly start: number;
  readonly hasSlash: boolean;
}

/** Reads `<!-- <![endif] /` backward from its end, all but `<![endif]` optional. */
function endingBefore(text: string, end: number): Ending | undefined {
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

/** Edits that take out the two markers of a conditional comment, and leave what is between. */
function markersOf(text: string, { start, end }: Range): ConditionProblem['edits'] {
  const content = text.slice(start, end);
  const opener = /^<!--\s*(?:\[if\s[^\]]*\]>(?:<!-->)?|<!\[endif\]\s*(?:-->)?)/iu.exec(content)?.[0] ?? '';
  const closer = /<!\[endif\]\s*(?:\/\s*)?-->$/iu.exec(content);
  const edits = [{ start, end: start + opener.length, text: '' }];
  return closer && closer.index >= opener.length ? [...edits, { start: start + closer.index, end, text: '' }] : edits;
}

function commentEnd(text: string, start: number): number {
  if (text.startsWith('<!-->', start)) return start + 5;
  const close = text.indexOf('-->', start + 2);
  return close < 0 ? text.length : close + 3;
}

/** Whether a condition leaves Outlook for Windows out: `!mso`. */
export function excludesOutlook(condition: string): boolean {
  return condition
    .toLowerCase()
    .replace(/[\s()]/gu, '')
    .split('&')
    .includes('!mso');
}

/** Whether no version of Outlook for Windows shows what only it looks into. */
export const isNeverShown = ({ condition, isRevealed }: ConditionalBlock): boolean =>
  !isRevealed && excludesOutlook(condition);
