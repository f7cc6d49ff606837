import { NESTING_REFUSAL } from './nesting.ts';
import { getLimitMessage, MAX_TREE_DEPTH } from './parseHtml.ts';
import { findTreeLimit } from './treeLimit.ts';

/** What a browser may be asked to show. Beyond, an email is no email, and showing it would hold up whoever types. */

/** Characters of a body or a stylesheet: ten times what Gmail shows of both. */
const MAX_DISPLAY_CHARS = 1024 * 1024;
/** Elements of a body. A template of 177 KB has some 3,000. */
const MAX_DISPLAY_ELEMENTS = 20_000;
/** A browser opens every unclosed formatting element anew in each paragraph: some hundreds of them make millions of elements. */
const MAX_UNCLOSED_FORMATTING_TAGS = 100;
/** End tags that don't close what was opened last: with more of them, only the parser knows how deep the tags nest. */
const MAX_STRAY_END_TAGS = 100;
/** Attributes of an element. Comparing two elements takes time square to them. */
const MAX_ATTRIBUTES_PER_TAG = 1000;
/** Attributes of all tags, counted once more for each tag they stand in the value of another for. */
const MAX_TOTAL_ATTRIBUTES = 200_000;
/** How often a document's length is read as attributes: tags in the values of others are read once more for each. */
const MAX_ATTRIBUTE_PASSES = 8;
/** Character references: signs of many scripts in turn take a moment for each. */
const MAX_REFERENCES = 20_000;
/** Signs beyond ASCII without anything between, and marks on a letter, take time square to their number. */
const expensiveRun = /[^\0-\x7f]{20000}|[\p{M}\p{Cf}]{2000}/u;
/** With fewer opening brackets, styles can't nest so deep that a browser ends while it reads them. */
const MAX_UNCHECKED_BRACES = 1000;
const MAX_UNCHECKED_PARENTHESES = 5000;

// Not `a` and `nobr`: a second one closes the first.
const reopenedTags = new Set(['b', 'big', 'code', 'em', 'font', 'i', 's', 'small', 'strike', 'strong', 'tt', 'u']);
/** Without content, or closed by the next of their kind: they don't nest by being left open. */
const nonNestingTags = new Set([
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
export function getDisplayLength(body: string): number {
  const run = expensiveRun.exec(body);
  const most = Math.min(run ? run.index + run[0].length : Infinity, body.length, MAX_DISPLAY_CHARS);
  return findExcessMatch(
    body,
    /<[a-z]/gi,
    MAX_DISPLAY_ELEMENTS,
    findExcessMatch(body, /&[#a-z]/gi, MAX_REFERENCES, most),
  );
}

/** How many characters of a stylesheet are shown. */
export function getStyleDisplayLength(stylesheet: string): number {
  return Math.min(stylesheet.length, MAX_DISPLAY_CHARS);
}

const hasMoreThan = (text: string, pattern: RegExp, more: number): boolean =>
  findExcessMatch(text, pattern, more, text.length) < text.length;

/** Where a pattern is found once more than it may be, or `end` where it isn't before that. */
function findExcessMatch(text: string, pattern: RegExp, most: number, end: number): number {
  let count = 0;
  for (let match = pattern.exec(text); match && match.index < end; match = pattern.exec(text)) {
    count += 1;
    if (count > most) return match.index;
  }
  return end;
}

/** Why a document isn't shown, in a sentence, where it would bring a browser to a halt. Reads its tags, not its meaning. */
export function getDisplayRefusal(html: string): string | undefined {
  const { maxOpenFormatting, maxDepth, maxPossibleDepth, strayEndTags, hasManyAttributes } = measureTags(html);
  if (hasManyAttributes)
    return `A tag has more than ${MAX_ATTRIBUTES_PER_TAG} attributes: too many to show. Is a quote missing?`;
  if (maxOpenFormatting > MAX_UNCLOSED_FORMATTING_TAGS)
    return `${maxOpenFormatting} formatting tags (<b>, <font>, …) are opened and not closed: too many to show.`;
  if (maxDepth > MAX_TREE_DEPTH) return `The tags nest ${maxDepth} deep: too deep to show. Is an end tag missing?`;
  // Counting is deceived by end tags that end nothing, and by tags that may close themselves: then the parser decides.
  const isUncertain =
    maxPossibleDepth > MAX_TREE_DEPTH ||
    strayEndTags > MAX_STRAY_END_TAGS ||
    hasMoreThan(html, /\{|&[#l]/gi, MAX_UNCHECKED_BRACES) ||
    hasMoreThan(html, /\(|&[#l]/gi, MAX_UNCHECKED_PARENTHESES);
  const limit = isUncertain
    ? findTreeLimit(html, { depth: MAX_TREE_DEPTH, elements: 4 * MAX_DISPLAY_ELEMENTS })
    : undefined;
  if (limit === 'nesting') return NESTING_REFUSAL;
  if (limit === 'depth')
    return `The tags nest more than ${MAX_TREE_DEPTH} deep: too deep to show. Is an end tag missing?`;
  if (limit === 'elements')
    return `The tags make more than ${4 * MAX_DISPLAY_ELEMENTS} elements: too many to show. Is an end tag missing?`;
  return limit === undefined ? undefined : getLimitMessage(limit);
}

interface TagMeasures {
  /** Formatting tags that are open at a time. */
  readonly maxOpenFormatting: number;
  /** How deep the tags nest, where every end tag ends something. */
  readonly maxDepth: number;
  /** How deep they may nest, where end tags end only what was opened last. */
  readonly maxPossibleDepth: number;
  /** End tags of something else than what was opened last. */
  readonly strayEndTags: number;
  readonly hasManyAttributes: boolean;
}

function measureTags(html: string): TagMeasures {
  let depth = 0;
  let maxDepth = 0;
  let openFormatting = 0;
  let maxOpenFormatting = 0;
  let strayEndTags = 0;
  let attributeCount = 0;
  let readChars = 0;
  let hasManyAttributes = false;
  let maxPossibleDepth = 0;
  const stack: string[] = [];
  const tagStart = /<(\/?)([a-z][^\s/>]*)/gi;
  for (let match = tagStart.exec(html); match && !hasManyAttributes; match = tagStart.exec(html)) {
    const name = (match[2] ?? '').toLowerCase();
    const isEnd = match[1] === '/';
    const step = isEnd ? -1 : 1;
    const { count, end, isSelfClosing } = isEnd
      ? { count: 0, end: tagStart.lastIndex, isSelfClosing: false }
      : scanAttributes(html, tagStart.lastIndex);
    attributeCount += count;
    readChars += end - tagStart.lastIndex;
    hasManyAttributes =
      count > MAX_ATTRIBUTES_PER_TAG ||
      attributeCount > MAX_TOTAL_ATTRIBUTES ||
      readChars > MAX_ATTRIBUTE_PASSES * html.length;
    if (reopenedTags.has(name))
      maxOpenFormatting = Math.max(maxOpenFormatting, (openFormatting = Math.max(0, openFormatting + step)));
    if (nonNestingTags.has(name)) continue;
    // In a drawing it closes itself, elsewhere it is a start tag.
    if (!isSelfClosing) maxDepth = Math.max(maxDepth, (depth = Math.max(0, depth + step)));
    if (!isEnd) maxPossibleDepth = Math.max(maxPossibleDepth, stack.push(name));
    else if (stack.at(-1) === name) stack.pop();
    else strayEndTags += 1;
  }
  return { maxOpenFormatting, maxDepth, maxPossibleDepth, strayEndTags, hasManyAttributes };
}

interface AttributeScan {
  readonly count: number;
  readonly end: number;
  /** Whether the tag ends with a slash. */
  readonly isSelfClosing: boolean;
}

/** Reads the attributes that follow in a tag, one more than the limit at most. */
function scanAttributes(html: string, from: number): AttributeScan {
  const attribute = /[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>"'][^\s>]*)?)?/y;
  attribute.lastIndex = from;
  let count = 0;
  let end = from;
  while (count <= MAX_ATTRIBUTES_PER_TAG && attribute.test(html)) {
    count += 1;
    end = attribute.lastIndex;
  }
  const tagEnd = /[\s/]*>/y;
  tagEnd.lastIndex = end;
  return { count, end, isSelfClosing: tagEnd.test(html) && html[tagEnd.lastIndex - 2] === '/' };
}
