/** Replicates how PHP and WordPress strip tags. */

import { decodeEntities } from './entities.ts';
import { applyEdits, ForwardSearch, type Range } from './text.ts';

/** Removes scripts and styles with their content, then all tags and comments, then surrounding whitespace. */
export function stripTags(text: string): string {
  const withoutRawElements = applyEdits(text, findRawElements(text));
  return phpTrim(applyEdits(withoutRawElements, findMarkup(withoutRawElements)));
}

/** Strips tags and decodes character references, and collapses whitespace, like the text version of an email. */
export function toDecodedText(html: string): string {
  const stripped = stripTags(html.replace(/(?:&lt;|&#60;)([^ \n\r\t])/gi, '&lt; $1'));
  const decoded = phpTrim(decodeEntities(stripped.replace(/\u00a0|&nbsp;/g, ' ')));
  return decoded.replace(/ +/g, ' ').replace(/\n *\n[ \t\n\v\f\r]+/g, '\n\n');
}

const isTrimmable = (code: number) =>
  code === 32 || code === 9 || code === 10 || code === 13 || code === 0 || code === 11;

/** Returns the range without surrounding whitespace, as PHP defines it. */
export function findTrimmed(text: string): Range {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmable(text.charCodeAt(start))) start += 1;
  while (end > start && isTrimmable(text.charCodeAt(end - 1))) end -= 1;
  return { start, end };
}

export function phpTrim(text: string): string {
  const { start, end } = findTrimmed(text);
  return text.slice(start, end);
}

/** Finds the closed `<script>` and `<style>` elements. */
export function findRawElements(text: string): Range[] {
  const elements: Range[] = [];
  const start = /<(?:(script)|style)/gi;
  const tagEnds = new ForwardSearch(text, />/g);
  const scriptEnds = new ForwardSearch(text, /<\/script>/gi);
  const styleEnds = new ForwardSearch(text, /<\/style>/gi);
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const tagEnd = tagEnds.from(start.lastIndex);
    const end = tagEnd && (match[1] ? scriptEnds : styleEnds).from(tagEnd.end)?.end;
    if (end === undefined) continue;
    elements.push({ start: match.index, end });
    start.lastIndex = end;
  }
  return elements;
}

/** Finds what PHP's `strip_tags` removes: a `<` before a space is text, and quotes in tags hide their content. */
export function findMarkup(text: string): Range[] {
  const ranges: Range[] = [];
  const edge = /<(?![ \t\n\v\f\r])|[>\0]/g;
  let depth = 0;
  for (let match = edge.exec(text); match; match = edge.exec(text)) {
    let end = edge.lastIndex;
    if (match[0] === '<') [end, depth] = skipTag(text, end, depth);
    else if (match[0] === '>' && depth === 0) continue;
    else if (match[0] === '>') depth -= 1;
    ranges.push({ start: match.index, end });
    edge.lastIndex = end;
  }
  return ranges;
}

type TagState = 'tag' | 'instruction' | 'declaration' | 'comment';

/** Returns the offset after a tag or comment, and how many `<` are still open there. */
function skipTag(text: string, start: number, depthBefore: number): [end: number, depth: number] {
  let state: TagState = 'tag';
  let depth = depthBefore;
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '>' && quote === '') {
      if (state !== 'comment' && depth > 0) depth -= 1;
      else if (isTagEnd(state, text, at)) return [at + 1, depth];
    } else if (character === '<' && state === 'tag' && quote === '' && !/^[ \t\n\v\f\r]/.test(text.charAt(at + 1)))
      depth += 1;
    else if ((character === '"' || character === "'") && state !== 'comment') {
      const isEscaped = state !== 'tag' && text.charAt(at - 1) === '\\';
      if (!isEscaped && (quote === '' || quote === character)) quote = quote === '' ? character : '';
    } else state = getNextState(state, text, at);
  }
  return [text.length, depth];
}

function isTagEnd(state: TagState, text: string, at: number) {
  if (state === 'instruction') return text.charAt(at - 1) === '?';
  return state !== 'comment' || text.startsWith('--', at - 2);
}

function getNextState(state: TagState, text: string, at: number) {
  const character = text.charAt(at);
  if (state === 'tag' && text.charAt(at - 1) === '<')
    return character === '!' ? 'declaration' : character === '?' ? 'instruction' : state;
  if (state === 'declaration' && text.slice(at - 2, at + 1) === '!--') return 'comment';
  if (state === 'declaration' && text.slice(at - 8, at + 1).toLowerCase() === '<!doctype') return 'tag';
  if (state === 'instruction' && text.slice(at - 4, at + 1).toLowerCase() === '<?xml') return 'tag';
  return state;
}
