import { Places } from '../tags/scan.ts';
import { parseSource } from '../html/sourceMap.ts';
import type { SourceNode } from '../html/sourceMap.ts';
import { align } from './align.ts';
import type { AlignmentItem } from './align.ts';
import { textPartOf } from './textPart.ts';

/** A place of the text part that reads badly. UTF-16 offsets. */
export interface TextMark {
  readonly kind: 'joined' | 'twice';
  readonly start: number;
  readonly end: number;
}

/** Stands for a line break that the service deletes. No email has it: it belongs to nobody. */
const sign = '\uf8ff';
/** Elements that begin no line of their own in the text part. */
const inline = '</?(?:a|span|b|strong|em|i|u|s|font|small|big|sup|sub|code|label)\\b';
const lineBreaks = new RegExp(`(?<=[^\\s<>${sign}]|${inline}[^<>]*>)[\\r\\n\\t]+(?=[^\\s<>]|${inline})`, 'y');

/** Where two words become one because only a line break stood between them, and where a link's text is its address. */
export function textMarks(html: string, site: string | undefined, text: string): readonly TextMark[] {
  const signed = textPartOf(withSigns(html), site);
  return [...joined(signed, text), ...twice(text)].sort((one, other) => one.start - other.start);
}

/** Puts a sign in place of each line break between words, but not in tags and comments. */
function withSigns(html: string): string {
  const [tagEnds, commentEnds] = [new Places(html, />/g), new Places(html, /-->/g)];
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
    result += html.slice(from, at) + sign;
    from = next.lastIndex = lineBreaks.lastIndex;
  }
  return result + html.slice(from);
}

function joined(signed: string, text: string): TextMark[] {
  // Where both were not made of one HTML, nothing is said rather than something wrong.
  if (signed.replaceAll(sign, '') !== text) return [];
  const marks: TextMark[] = [];
  let passed = 0;
  for (let at = signed.indexOf(sign); at >= 0; at = signed.indexOf(sign, at + 1)) {
    const place = at - passed;
    passed += 1;
    if (!/\S/.test(text[place - 1] ?? ' ') || !/\S/.test(text[place] ?? ' ')) continue;
    const before = /\S*$/.exec(text.slice(Math.max(0, place - 60), place))?.[0].length ?? 0;
    const behind = /^\S*/.exec(text.slice(place, place + 60))?.[0].length ?? 0;
    marks.push({ kind: 'joined', start: place - before, end: place + behind });
  }
  return marks;
}

function twice(text: string): TextMark[] {
  const marks: TextMark[] = [];
  const address = /(\S+) \)/y;
  let from = 0;
  for (let at = text.indexOf(' ( '); at >= 0; at = text.indexOf(' ( ', Math.max(at + 1, from - 1))) {
    let start = at;
    while (start > from && /\S/.test(text.charAt(start - 1))) start -= 1;
    address.lastIndex = at + 3;
    const found = start < at ? address.exec(text) : null;
    if (!found) continue;
    from = address.lastIndex;
    if (bare(text.slice(start, at)) === bare(found[1] ?? '')) marks.push({ kind: 'twice', start, end: from });
  }
  return marks;
}

const bare = (address: string): string =>
  address.toLowerCase().replace(/^(?:https?:\/\/|mailto:)(?:www\.)?|^www\.|\/$/g, '');

interface Word extends AlignmentItem {
  readonly start: number;
}

/** Where in the body the text at an offset of the text part comes from; undefined where nothing is known. */
export function textPlaces(body: string, text: string): (offset: number) => number | undefined {
  const [inText, inBody] = [wordsOf(text, 0), bodyWords(parseSource(body), body)];
  const pairs = align(inText, inBody);
  return (offset) => {
    for (let index = inText.findLastIndex(({ start }) => start <= offset); index >= 0; index -= 1) {
      const found = inBody[pairs[index] ?? -1];
      if (found) return found.start;
    }
    return undefined;
  };
}

const unseen = new Set(['head', 'style', 'script', 'title', 'template', '#comment']);

function bodyWords(root: SourceNode, body: string): Word[] {
  const words: Word[] = [];
  const visit = (node: SourceNode): void => {
    if (unseen.has(node.name)) return;
    const { range } = node;
    if (node.name === '#text' && range)
      for (const word of wordsOf(body.slice(range.start, range.end), range.start)) words.push(word);
    node.children.forEach(visit);
  };
  visit(root);
  return words;
}

/** Words by their letters and digits alone: what stands between is written differently in HTML and in text. */
function wordsOf(text: string, start: number): Word[] {
  const words: Word[] = [];
  for (const { 0: word, index } of text.matchAll(/(?:&(?!nbsp;)#?\w+;|[^\s&]|&(?!#?\w+;))+/g)) {
    const letters = word
      .replace(/&#?\w+;/g, '')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
    if (letters !== '' && !word.includes('://')) words.push({ start: start + index, exactKey: letters, looseKey: '' });
  }
  return words;
}
