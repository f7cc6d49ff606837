import { ForwardSearch } from '../tags/scan.ts';
import { parseSource } from '../html/sourceMap.ts';
import type { SourceNode } from '../html/sourceMap.ts';
import { align } from './align.ts';
import type { AlignmentItem } from './align.ts';
import { createTextPart } from './textPart.ts';

/** A range of the text part that reads badly. UTF-16 offsets. */
export interface TextPartProblem {
  readonly kind: 'joined' | 'twice';
  readonly start: number;
  readonly end: number;
}

/** Marks a line break that the service deletes. A private-use character, so no email contains it. */
const BREAK_MARKER = '\uf8ff';
/** Elements that don't start a new line in the text part. */
const inlineTagPattern = '</?(?:a|span|b|strong|em|i|u|s|font|small|big|sup|sub|code|label)\\b';
const lineBreaks = new RegExp(
  `(?<=[^\\s<>${BREAK_MARKER}]|${inlineTagPattern}[^<>]*>)[\\r\\n\\t]+(?=[^\\s<>]|${inlineTagPattern})`,
  'y',
);

/** Finds words that join because only a line break separated them, and links whose text is their URL. */
export function findTextPartProblems(html: string, site: string | undefined, text: string): readonly TextPartProblem[] {
  const marked = createTextPart(markLineBreaks(html), site);
  return [...findJoinedWords(marked, text), ...findRepeatedUrls(text)].sort((one, other) => one.start - other.start);
}

/** Replaces each line break between words by a marker, except in tags and comments. */
function markLineBreaks(html: string): string {
  const [tagEnds, commentEnds] = [new ForwardSearch(html, />/g), new ForwardSearch(html, /-->/g)];
  const next = /<|[\r\n\t]/g;
  let result = '';
  let from = 0;
  for (let match = next.exec(html); match; match = next.exec(html)) {
    const at = match.index;
    if (match[0] === '<') {
      const comment = html.startsWith('<!--', at) ? commentEnds.from(at + 4) : undefined;
      next.lastIndex = (comment ?? tagEnds.from(at))?.end ?? at + 1;
      continue;
    }
    lineBreaks.lastIndex = at;
    if (!lineBreaks.test(html)) continue;
    result += html.slice(from, at) + BREAK_MARKER;
    from = next.lastIndex = lineBreaks.lastIndex;
  }
  return result + html.slice(from);
}

function findJoinedWords(marked: string, text: string): TextPartProblem[] {
  // The text was created from other HTML: no result is better than a wrong one.
  if (marked.replaceAll(BREAK_MARKER, '') !== text) return [];
  const problems: TextPartProblem[] = [];
  let markersBefore = 0;
  for (let at = marked.indexOf(BREAK_MARKER); at >= 0; at = marked.indexOf(BREAK_MARKER, at + 1)) {
    const offset = at - markersBefore;
    markersBefore += 1;
    if (!/\S/.test(text[offset - 1] ?? ' ') || !/\S/.test(text[offset] ?? ' ')) continue;
    const before = /\S*$/.exec(text.slice(Math.max(0, offset - 60), offset))?.[0].length ?? 0;
    const after = /^\S*/.exec(text.slice(offset, offset + 60))?.[0].length ?? 0;
    problems.push({ kind: 'joined', start: offset - before, end: offset + after });
  }
  return problems;
}

function findRepeatedUrls(text: string): TextPartProblem[] {
  const problems: TextPartProblem[] = [];
  const address = /(\S+) \)/y;
  let from = 0;
  for (let at = text.indexOf(' ( '); at >= 0; at = text.indexOf(' ( ', Math.max(at + 1, from - 1))) {
    let start = at;
    while (start > from && /\S/.test(text.charAt(start - 1))) start -= 1;
    address.lastIndex = at + 3;
    const match = start < at ? address.exec(text) : null;
    if (!match) continue;
    from = address.lastIndex;
    if (normalizeUrl(text.slice(start, at)) === normalizeUrl(match[1] ?? ''))
      problems.push({ kind: 'twice', start, end: from });
  }
  return problems;
}

const normalizeUrl = (address: string): string =>
  address.toLowerCase().replace(/^(?:https?:\/\/|mailto:)(?:www\.)?|^www\.|\/$/g, '');

interface PositionedWord extends AlignmentItem {
  readonly start: number;
}

/** Maps an offset of the text part to the body, or returns undefined without a counterpart. */
export function mapTextOffsets(body: string, text: string): (offset: number) => number | undefined {
  const [inText, inBody] = [listWords(text, 0), collectBodyWords(parseSource(body), body)];
  const pairs = align(inText, inBody);
  return (offset) => {
    for (let index = inText.findLastIndex(({ start }) => start <= offset); index >= 0; index -= 1) {
      const match = inBody[pairs[index] ?? -1];
      if (match) return match.start;
    }
    return undefined;
  };
}

const skippedNodes = new Set(['head', 'style', 'script', 'title', 'template', '#comment']);

function collectBodyWords(root: SourceNode, body: string): PositionedWord[] {
  const words: PositionedWord[] = [];
  const visit = (node: SourceNode): void => {
    if (skippedNodes.has(node.name)) return;
    const { range } = node;
    if (node.name === '#text' && range)
      for (const word of listWords(body.slice(range.start, range.end), range.start)) words.push(word);
    node.children.forEach(visit);
  };
  visit(root);
  return words;
}

/** Compares words by letters and digits only, because HTML and text differ in everything between. */
function listWords(text: string, start: number): PositionedWord[] {
  const words: PositionedWord[] = [];
  for (const { 0: word, index } of text.matchAll(/(?:&(?!nbsp;)#?\w+;|[^\s&]|&(?!#?\w+;))+/g)) {
    const letters = word
      .replace(/&#?\w+;/g, '')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
    if (letters !== '' && !word.includes('://')) words.push({ start: start + index, exactKey: letters, looseKey: '' });
  }
  return words;
}
