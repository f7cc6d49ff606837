import { formatNumber, t } from '../../l10n.ts';
import { getNestingRefusal, isNestedTooDeep } from './nesting.ts';
import { getLimitMessage, MAX_TREE_DEPTH, parseHtml, type HtmlLimit, type HtmlLimits } from './parseHtml.ts';
import type { DefaultTreeAdapterTypes } from 'parse5';

/** Limits of what the preview renders. Larger documents are not emails, and rendering them would block the editor. */

/** Ten times what Gmail shows of a body and a stylesheet. */
const MAX_DISPLAY_CHARS = 1024 * 1024;
/** A template of 177 KB has about 3,000. */
const MAX_DISPLAY_ELEMENTS = 20_000;
/** Browsers reopen every unclosed formatting element in each paragraph: a few hundred of them produce millions of elements. */
const MAX_UNCLOSED_FORMATTING_TAGS = 100;
/** End tags that don't match the last start tag. With more of them, only the parser can determine the nesting depth. */
const MAX_STRAY_END_TAGS = 100;
/** Comparing two elements takes quadratic time in their attributes. */
const MAX_ATTRIBUTES_PER_TAG = 1000;
/** Attributes of all tags. An attribute inside another tag's value counts again. */
const MAX_TOTAL_ATTRIBUTES = 200_000;
/** Ratio of attribute characters to the document's length. Tags inside attribute values are scanned again. */
const MAX_ATTRIBUTE_PASSES = 8;
/** Character references can produce alternating scripts, which are slow to shape. */
const MAX_REFERENCES = 20_000;
/** Long runs of non-ASCII characters or combining marks take quadratic time to lay out. */
const expensiveRun = /[^\0-\x7f]{20000}|[\p{M}\p{Cf}]{2000}/u;
/** With fewer opening brackets, styles can't nest deeply enough to crash a browser. */
const MAX_UNCHECKED_BRACES = 1000;
const MAX_UNCHECKED_PARENTHESES = 5000;

// Without `a` and `nobr`, which a second start tag closes.
const reopenedTags = new Set('b big code em font i s small strike strong tt u'.split(' '));
/** Void elements and elements that the next of their kind closes: leaving them open doesn't nest them. */
const nonNestingTags = new Set(
  (
    'area base br col embed hr img input link meta param source track wbr p li td th tr tbody thead tfoot dt dd ' +
    'option optgroup a nobr'
  ).split(' '),
);

/** Returns how many characters of a body are shown; all of them for a normal email. */
export function getDisplayLength(body: string): number {
  const run = expensiveRun.exec(body);
  const limit = Math.min(run ? run.index + run[0].length : Infinity, body.length, MAX_DISPLAY_CHARS);
  return findExcessMatch(
    body,
    /<[a-z]/gi,
    MAX_DISPLAY_ELEMENTS,
    findExcessMatch(body, /&[#a-z]/gi, MAX_REFERENCES, limit),
  );
}

/** Returns how many characters of a stylesheet are shown. */
export function getStyleDisplayLength(stylesheet: string): number {
  return Math.min(stylesheet.length, MAX_DISPLAY_CHARS);
}

const hasMoreThan = (text: string, pattern: RegExp, more: number) =>
  findExcessMatch(text, pattern, more, text.length) < text.length;

/** Returns the offset of the first match beyond a limit, or `end` if there is none before it. */
function findExcessMatch(text: string, pattern: RegExp, limit: number, end: number) {
  let count = 0;
  for (const { index } of text.matchAll(pattern)) {
    if (index >= end) break;
    if ((count += 1) > limit) return index;
  }
  return end;
}

/** Returns, as a sentence, why rendering a document would freeze the browser; undefined if it is safe. Counts tags without parsing. */
export function getDisplayRefusal(html: string): string | undefined {
  const { maxOpenFormatting, maxDepth, maxPossibleDepth, strayEndTags, hasManyAttributes } = measureTags(html);
  if (hasManyAttributes)
    return t`A tag has too many attributes (more than ${formatNumber(MAX_ATTRIBUTES_PER_TAG)}). Is a quote missing?`;
  if (maxOpenFormatting > MAX_UNCLOSED_FORMATTING_TAGS)
    return t`Too many formatting tags, such as <b> and <font>, are never closed (${formatNumber(maxOpenFormatting)}).`;
  if (maxDepth > MAX_TREE_DEPTH)
    return t`The tags are nested too deep (${formatNumber(maxDepth)} levels). Is an end tag missing?`;
  // Stray end tags and self-closing tags make counting unreliable: then the document is parsed.
  const isUncertain =
    maxPossibleDepth > MAX_TREE_DEPTH ||
    strayEndTags > MAX_STRAY_END_TAGS ||
    hasMoreThan(html, /\{|&[#l]/gi, MAX_UNCHECKED_BRACES) ||
    hasMoreThan(html, /\(|&[#l]/gi, MAX_UNCHECKED_PARENTHESES);
  const limit = isUncertain
    ? findTreeLimit(html, { depth: MAX_TREE_DEPTH, elements: 4 * MAX_DISPLAY_ELEMENTS })
    : undefined;
  if (limit === 'nesting') return getNestingRefusal();
  if (limit === 'elements')
    return t`The tags create too many elements (more than ${formatNumber(4 * MAX_DISPLAY_ELEMENTS)}). Is an end tag missing?`;
  return limit === undefined ? undefined : getLimitMessage(limit);
}

/** Counts tags without parsing. `maxDepth`: the nesting depth if every end tag closes an element. `maxPossibleDepth`: if end tags close only a matching last start tag. */
function measureTags(html: string) {
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
    // In SVG it is self-closing, elsewhere it is a start tag.
    if (!isSelfClosing) maxDepth = Math.max(maxDepth, (depth = Math.max(0, depth + step)));
    if (!isEnd) maxPossibleDepth = Math.max(maxPossibleDepth, stack.push(name));
    else if (stack.at(-1) === name) stack.pop();
    else strayEndTags += 1;
  }
  return { maxOpenFormatting, maxDepth, maxPossibleDepth, strayEndTags, hasManyAttributes };
}

/** Counts the attributes of a tag, up to one more than the limit. */
function scanAttributes(html: string, from: number) {
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

/**
 * Returns the first limit that a document's tree exceeds, or `nesting` for the brackets of its stylesheets; undefined if it exceeds none.
 */
export function findTreeLimit(html: string, limits: HtmlLimits): HtmlLimit | 'nesting' | undefined {
  const { document, limit } = parseHtml(html, limits);
  if (limit !== undefined) return limit;
  const pending: DefaultTreeAdapterTypes.Node[] = [document];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.nodeName === 'style' && 'childNodes' in node)
      if (isNestedTooDeep(node.childNodes.map((text) => ('value' in text ? text.value : '')).join('')))
        return 'nesting';

    if ('content' in node) pending.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) pending.push(child);
  }
  return undefined;
}
