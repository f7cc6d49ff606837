import { parseSource } from '../email/sourceMap.ts';
import type { SourceNode } from '../email/sourceMap.ts';
import { align } from './align.ts';
import type { Aligned } from './align.ts';
import { textPartOf } from './textPart.ts';

/** A place of the text part that reads badly. UTF-16 offsets. */
export interface TextMark {
  readonly kind: 'joined' | 'twice';
  readonly start: number;
  readonly end: number;
}

/** Stands for a line break that the service deletes. No e-mail has it: it belongs to nobody. */
const sign = '\uf8ff';
/** Elements that begin no line of their own in the text part. */
const inline = '</?(?:a|span|b|strong|em|i|u|s|font|small|big|sup|sub|code|label)\\b';
const lineBreaks = new RegExp(`<!--[^]*?-->|<[^>]*>|(?<=[^\\s<>${sign}]|${inline}[^<>]*>)[\\r\\n\\t]+(?=[^\\s<>]|${inline})`, 'g');

/** Where two words become one because only a line break stood between them, and where a link's text is its address. */
export function textMarks(html: string, site: string | undefined, text: string): readonly TextMark[] {
  const signed = textPartOf(html.replace(lineBreaks, (found) => (found.startsWith('<') ? found : sign)), site);
  return [...joined(signed, text), ...twice(text)].sort((one, other) => one.start - other.start);
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
  return [...text.matchAll(/(\S+) \( (\S+) \)/g)]
    .filter(([, shown = '', address = '']) => bare(shown) === bare(address))
    .map(({ 0: whole, index }) => ({ kind: 'twice', start: index, end: index + whole.length }));
}

const bare = (address: string): string => address.toLowerCase().replace(/^(?:https?:\/\/|mailto:)(?:www\.)?|^www\.|\/$/g, '');

interface Word extends Aligned {
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

function bodyWords(node: SourceNode, body: string): Word[] {
  if (unseen.has(node.name)) return [];
  if (node.name === '#text' && node.range) return wordsOf(body.slice(node.range.start, node.range.end), node.range.start);
  return node.children.flatMap((child) => bodyWords(child, body));
}

/** Words by their letters and digits alone: what stands between is written differently in HTML and in text. */
function wordsOf(text: string, start: number): Word[] {
  const words: Word[] = [];
  for (const { 0: word, index } of text.matchAll(/(?:&(?!nbsp;)#?\w+;|[^\s&]|&(?!#?\w+;))+/g)) {
    const letters = word.replace(/&#?\w+;/g, '').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
    if (letters !== '' && !word.includes('://')) words.push({ start: start + index, sure: letters, like: '' });
  }
  return words;
}
