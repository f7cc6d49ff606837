/** Conditional comments, which show or hide content in Outlook for Windows only. */

import { findCommentEnd } from '../html/landmarks.ts';
import { ForwardSearch, insertEdit, type Range, type TextEdit } from '../html/text.ts';

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
  readonly related: Range | undefined;
  readonly edits: readonly TextEdit[];
}

/** `<![if !mso]>` and `<![endif]>` outside of a comment. */
interface BareMarker extends Range {
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

/** Parses all conditional comments of a text. Scans each part once. */
export function parseConditions(text: string): Conditions {
  const blocks: ConditionalBlock[] = [];
  const problems: ConditionProblem[] = [];
  const bare: BareMarker[] = [];
  const open: { readonly condition: string; readonly opener: Range }[] = [];
  const closes = new ForwardSearch(text, /-->/gu);
  const comments = new ForwardSearch(text, /<!--/gu);
  const outerEnds = new ForwardSearch(text, /<!\[endif\]-->/giu);
  const commentsBetween = new ForwardSearch(text, /<!--/gu);
  // Several openers may share one end.
  let endMarker: { readonly before: number; readonly found: EndMarker | undefined } | undefined;

  const addProblem = (
    kind: ConditionProblem['kind'],
    { start, end }: Range,
    edits: ConditionProblem['edits'],
    related?: Range,
  ) => problems.push({ start, end, kind, edits, related });

  /** `hiddenEnd`: the end of content that only Outlook parses; absent if all other clients do. */
  const addBlock = (condition: string, opener: Range, closer: Range, hiddenEnd?: number) =>
    blocks.push({
      condition,
      opener,
      closer,
      start: opener.start,
      end: closer.end,
      isRevealed: hiddenEnd === undefined,
      drawsVml: vmlElement.test(text.slice(opener.end, hiddenEnd ?? opener.end)),
    });

  const closeRevealed = (closer: Range, hasSlash: boolean) => {
    const { condition, opener } = open.pop() ?? {};
    if (hasSlash) addProblem('slash', closer, [{ ...closer, text: opener ? '<!--<![endif]-->' : '' }]);
    else if (!opener) addProblem('stray', closer, [{ ...closer, text: '' }]);
    if (opener) addBlock(condition ?? '', opener, closer);
  };

  /** Reads a block whose content only Outlook parses. Returns the offset at which the search continues. */
  const readHidden = (condition: string, opener: Range) => {
    const close = closes.from(opener.end)?.start;
    const contentEnd = close ?? text.length;
    // The end of the revealed form, `<!--<![endif]-->`, also ends this one.
    if (endMarker?.before !== contentEnd) endMarker = { before: contentEnd, found: readEndMarker(text, contentEnd) };
    const { start = contentEnd, hasSlash = false } = endMarker.found ?? {};
    const closer = { start, end: Math.min(contentEnd + 3, text.length) };
    const inner = comments.from(opener.end);
    if (inner && inner.end <= start) return readInnerComment(condition, opener, { ...inner, end: closer.end });
    if (close === undefined) addProblem('unclosed', opener, [insertEdit(contentEnd, '<![endif]-->')]);
    else if (!endMarker.found) addProblem('unclosed', opener, [insertEdit(contentEnd, '<![endif]')], closer);
    else if (hasSlash) addProblem('slash', closer, [{ ...closer, text: '<![endif]-->' }], opener);
    addBlock(condition, opener, closer, contentEnd);
    return closer.end;
  };

  /** An inner comment ends the outer one. The fixes remove the markers of a nested condition, and a plain comment completely. */
  const readInnerComment = (condition: string, opener: Range, inner: Range) => {
    const isCondition = /^<!--\s*(?:\[if\s|<!\[endif\])/iu.test(text.slice(inner.start, inner.start + 40));
    // An unclosed block extends into the next one.
    const next = outerEnds.from(inner.end);
    const between = commentsBetween.from(inner.end);
    const isUnclosed = isCondition && (!next || (between && between.end <= next.start));
    const end = isUnclosed ? inner.start : inner.end;
    const at = { start: end, end };
    if (isUnclosed) addProblem('unclosed', opener, [insertEdit(end, '<![endif]-->')], inner);
    else
      addProblem('nested', inner, isCondition ? createMarkerRemovals(text, inner) : [{ ...inner, text: '' }], opener);
    const closer = isUnclosed ? at : (next ?? at);
    addBlock(condition, opener, closer, inner.start);
    return closer.end;
  };

  conditionMarker.lastIndex = 0;
  for (let match = conditionMarker.exec(text); match; match = conditionMarker.exec(text)) {
    const [whole, hidden, revealing, closing, bareCondition] = match;
    const range = { start: match.index, end: match.index + whole.length };
    const condition = (hidden ?? bareCondition ?? '').trim();
    const hasSlash = whole.includes('/');
    if (hidden !== undefined && revealing !== undefined) {
      const outer = open.at(-1);
      if (outer) addProblem('nested', range, [], outer.opener);
      open.push({ condition, opener: range });
    } else if (hidden !== undefined) conditionMarker.lastIndex = readHidden(condition, range);
    else if (bareCondition !== undefined) bare.push({ ...range, isEnd: false, condition });
    else if (closing === '>' && !hasSlash) bare.push({ ...range, isEnd: true, condition });
    else if (whole === '<!--') conditionMarker.lastIndex = findCommentEnd(text, range.start);
    else closeRevealed(range, hasSlash);
  }
  for (const { opener } of open) addProblem('unclosed', opener, [insertEdit(text.length, '<!--<![endif]-->')]);
  return { blocks, problems, bare };
}

interface EndMarker {
  readonly start: number;
  readonly hasSlash: boolean;
}

/** Reads `<!-- <![endif] /` backward from its end. Only `<![endif]` is required. */
function readEndMarker(text: string, end: number): EndMarker | undefined {
  const blanksBefore = (offset: number) => text.slice(0, offset).trimEnd().length;
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

/** The Word version that renders emails in Outlook 2016 and later. */
const WORD_VERSION = 16;

/** Returns whether a version of Word meets a condition such as `(gte mso 9)|(IE)`. */
export function isMetByWord({ condition }: Pick<ConditionalBlock, 'condition'>, wordVersion = WORD_VERSION): boolean {
  return condition
    .toLowerCase()
    .split('|')
    .some((either) => either.split('&').every((term) => isTermMet(term, wordVersion)));
}

const termPattern = /^[\s(]*(?:(!)[\s(]*)?(?:(gte?|lte?)\s+)?(\w+)(?!\w)\s*([\d.]*)[\s)]*$/;

function isTermMet(term: string, wordVersion: number) {
  const [, not = '', comparison = '', name = '', version = ''] = termPattern.exec(term) ?? [];
  const difference = wordVersion - Number.parseFloat(version);
  const isVersion =
    version === '' ||
    (difference > 0 && comparison.startsWith('gt')) ||
    (difference < 0 && comparison.startsWith('lt')) ||
    (difference === 0 && !/^[gl]t$/.test(comparison));
  const isMet = name === 'true' || name === 'vml' || (name === 'mso' && isVersion);
  return isMet !== (not === '!');
}
