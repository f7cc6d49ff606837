import { nestingRefusal } from './nesting.ts';
import { limitMessage, MAX_DEPTH } from './parseHtml.ts';
import { treeLimit } from './treeLimit.ts';

/** What a browser may be asked to show. Beyond, an email is no email, and showing it would hold up whoever types. */

/** Characters of a body or a stylesheet: ten times what Gmail shows of both. */
const MAX_LENGTH = 1024 * 1024;
/** Elements of a body. A template of 177 KB has some 3,000. */
const MAX_ELEMENTS = 20_000;
/** A browser opens every unclosed formatting element anew in each paragraph: some hundreds of them make millions of elements. */
const MAX_UNCLOSED = 100;
/** End tags that don't close what was opened last: with more of them, only the parser knows how deep the tags nest. */
const MAX_STRAY = 100;
/** Attributes of an element. Comparing two elements takes time square to them. */
const MAX_ATTRIBUTES = 1000;
/** Attributes of all tags, counted once more for each tag they stand in the value of another for. */
const MAX_ALL_ATTRIBUTES = 200_000;
/** How often a document's length is read as attributes: tags in the values of others are read once more for each. */
const MAX_READINGS = 8;
/** Character references: signs of many scripts in turn take a moment for each. */
const MAX_REFERENCES = 20_000;
/** Signs beyond ASCII without anything between, and marks on a letter, take time square to their number. */
const longRun = /[^\0-\x7f]{20000}|[\p{M}\p{Cf}]{2000}/u;
/** With fewer opening brackets, styles can't nest so deep that a browser ends while it reads them. */
const MAX_BRACES = 1000;
const MAX_BRACKETS = 5000;

// Not `a` and `nobr`: a second one closes the first.
const formatting = new Set(['b', 'big', 'code', 'em', 'font', 'i', 's', 'small', 'strike', 'strong', 'tt', 'u']);
/** Without content, or closed by the next of their kind: they don't nest by being left open. */
const shallow = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
  'p',
  'li',
  'td',
  'th',
  'tr',
  'tbody',
  'thead',
  'tfoot',
  'dt',
  'dd',
  'option',
  'optgroup',
  'a',
  'nobr',
]);

/** How many characters of a body are shown: all of them, for an email. */
export function shownLength(body: string): number {
  const run = longRun.exec(body);
  const most = Math.min(run ? run.index + run[0].length : Infinity, body.length, MAX_LENGTH);
  return placeOf(body, /<[a-z]/gi, MAX_ELEMENTS, placeOf(body, /&[#a-z]/gi, MAX_REFERENCES, most));
}

/** How many characters of a stylesheet are shown. */
export function shownStyleLength(stylesheet: string): number {
  return Math.min(stylesheet.length, MAX_LENGTH);
}

const has = (text: string, pattern: RegExp, more: number): boolean =>
  placeOf(text, pattern, more, text.length) < text.length;

/** Where a pattern is found once more than it may be, or `end` where it isn't before that. */
function placeOf(text: string, pattern: RegExp, most: number, end: number): number {
  let count = 0;
  for (let match = pattern.exec(text); match && match.index < end; match = pattern.exec(text)) {
    count += 1;
    if (count > most) return match.index;
  }
  return end;
}

/** Why a document isn't shown, in a sentence, where it would bring a browser to a halt. Reads its tags, not its meaning. */
export function refusalOf(html: string): string | undefined {
  const { unclosed, deepest, deepestAtMost, stray, hasManyAttributes } = measure(html);
  if (hasManyAttributes)
    return `A tag has more than ${MAX_ATTRIBUTES} attributes: too many to show. Is a quote missing?`;
  if (unclosed > MAX_UNCLOSED)
    return `${unclosed} formatting tags (<b>, <font>, …) are opened and not closed: too many to show.`;
  if (deepest > MAX_DEPTH) return `The tags nest ${deepest} deep: too deep to show. Is an end tag missing?`;
  // Counting is deceived by end tags that end nothing, and by tags that may close themselves: then the parser decides.
  const isUncertain =
    deepestAtMost > MAX_DEPTH ||
    stray > MAX_STRAY ||
    has(html, /\{|&[#l]/gi, MAX_BRACES) ||
    has(html, /\(|&[#l]/gi, MAX_BRACKETS);
  const limit = isUncertain ? treeLimit(html, { depth: MAX_DEPTH, elements: 4 * MAX_ELEMENTS }) : undefined;
  if (limit === 'nesting') return nestingRefusal;
  if (limit === 'depth') return `The tags nest more than ${MAX_DEPTH} deep: too deep to show. Is an end tag missing?`;
  if (limit === 'elements')
    return `The tags make more than ${4 * MAX_ELEMENTS} elements: too many to show. Is an end tag missing?`;
  return limit === undefined ? undefined : limitMessage(limit);
}

interface Measures {
  /** Formatting tags that are open at a time. */
  readonly unclosed: number;
  /** How deep the tags nest, where every end tag ends something. */
  readonly deepest: number;
  /** How deep they may nest, where end tags end only what was opened last. */
  readonly deepestAtMost: number;
  /** End tags of something else than what was opened last. */
  readonly stray: number;
  readonly hasManyAttributes: boolean;
}

function measure(html: string): Measures {
  let depth = 0;
  let deepest = 0;
  let open = 0;
  let unclosed = 0;
  let stray = 0;
  let attributes = 0;
  let read = 0;
  let hasManyAttributes = false;
  let deepestAtMost = 0;
  const stack: string[] = [];
  const tag = /<(\/?)([a-z][^\s/>]*)/gi;
  for (let match = tag.exec(html); match && !hasManyAttributes; match = tag.exec(html)) {
    const name = (match[2] ?? '').toLowerCase();
    const isEnd = match[1] === '/';
    const step = isEnd ? -1 : 1;
    const { count, end, isSelfClosing } = isEnd
      ? { count: 0, end: tag.lastIndex, isSelfClosing: false }
      : readAttributes(html, tag.lastIndex);
    attributes += count;
    read += end - tag.lastIndex;
    hasManyAttributes = count > MAX_ATTRIBUTES || attributes > MAX_ALL_ATTRIBUTES || read > MAX_READINGS * html.length;
    if (formatting.has(name)) unclosed = Math.max(unclosed, (open = Math.max(0, open + step)));
    if (shallow.has(name)) continue;
    // In a drawing it closes itself, elsewhere it is a start tag.
    if (!isSelfClosing) deepest = Math.max(deepest, (depth = Math.max(0, depth + step)));
    if (!isEnd) deepestAtMost = Math.max(deepestAtMost, stack.push(name));
    else if (stack.at(-1) === name) stack.pop();
    else stray += 1;
  }
  return { unclosed, deepest, deepestAtMost, stray, hasManyAttributes };
}

interface ReadAttributes {
  readonly count: number;
  readonly end: number;
  /** Whether the tag ends with a slash. */
  readonly isSelfClosing: boolean;
}

/** Reads the attributes that follow in a tag, one more than the limit at most. */
function readAttributes(html: string, from: number): ReadAttributes {
  const attribute = /[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>"'][^\s>]*)?)?/y;
  attribute.lastIndex = from;
  let count = 0;
  let end = from;
  while (count <= MAX_ATTRIBUTES && attribute.test(html)) {
    count += 1;
    end = attribute.lastIndex;
  }
  const tagEnd = /[\s/]*>/y;
  tagEnd.lastIndex = end;
  return { count, end, isSelfClosing: tagEnd.test(html) && html[tagEnd.lastIndex - 2] === '/' };
}
