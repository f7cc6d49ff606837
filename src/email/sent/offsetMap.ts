import { findFirstIndex } from '../html/ranges.ts';
import type { Range } from '../html/ranges.ts';
import { parseSource } from '../html/sourceMap.ts';
import type { SourceNode } from '../html/sourceMap.ts';

/** Items with equal exact keys always match. Items with equal loose keys may match. */
interface AlignmentItem {
  readonly exactKey: string;
  readonly looseKey: string;
}

const MAX_LOOKAHEAD_ITEMS = 60;

/** Returns for each item of `one` the index of its counterpart in `other`, or -1. Both sequences keep their order. Runs in linear time. */
export function align(one: readonly AlignmentItem[], other: readonly AlignmentItem[]): Int32Array {
  const pairs = new Int32Array(one.length).fill(-1);
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    const [skippedOne, skippedOther] = findNextMatch(one, other, i, j);
    // Items that differ on both sides at the same position were changed, not added.
    for (let n = 0; n < Math.min(skippedOne, skippedOther); n += 1) {
      if (one[i + n]?.looseKey === other[j + n]?.looseKey) pairs[i + n] = j + n;
    }
    i += skippedOne;
    j += skippedOther;
    if (i < one.length && j < other.length && one[i]?.exactKey === other[j]?.exactKey) {
      pairs[i] = j;
      i += 1;
      j += 1;
    }
  }
  return pairs;
}

/** Returns how many items to skip on each side until both match again. */
function findNextMatch(
  one: readonly AlignmentItem[],
  other: readonly AlignmentItem[],
  i: number,
  j: number,
): readonly [number, number] {
  for (let sum = 0; sum <= MAX_LOOKAHEAD_ITEMS; sum += 1) {
    // Equal skips come first because changes are more common than additions.
    for (let step = 0; step <= sum; step += 1) {
      const skipped = Math.floor(sum / 2) + (step % 2 === 0 ? -step / 2 : (step + 1) / 2);
      if (skipped < 0 || skipped > sum) continue;
      const [a, b] = [one[i + skipped], other[j + sum - skipped]];
      if (a && b && a.exactKey === b.exactKey) return [skipped, sum - skipped];
    }
  }
  return [1, 1];
}

/** Maps offsets between an email's body and the sent HTML. UTF-16 offsets; undefined without a counterpart. */
export interface SentOffsetMap {
  toBody(offset: number): number | undefined;
  toSent(offset: number): number | undefined;
}

interface MappedElement {
  readonly range: Range;
  readonly node: SourceNode;
  readonly parent: MappedElement | undefined;
  readonly exactKey: string;
  readonly looseKey: string;
}

/** Elements that the service rewrites or never sends. */
const skippedElements = new Set(['head', 'style', 'script', 'title', 'meta', 'link', 'base', 'template']);
/** Characters of an element's own text that identify it among its siblings. */
const KEY_TEXT_CHARS = 24;

/** Aligns the elements of a body with those of the sent HTML, which keeps most of them in order. Takes quadratic time in the nesting depth. */
export function mapSentOffsets(body: string, sent: string): SentOffsetMap {
  const [inBody, inSent] = [listMappedElements(body), listMappedElements(sent)];
  const toBody = new Map<MappedElement, MappedElement>();
  const toSent = new Map<MappedElement, MappedElement>();
  align(inSent, inBody).forEach((index, at) => {
    const [from, to] = [inSent[at], inBody[index]];
    if (!from || !to) return;
    toBody.set(from, to);
    toSent.set(to, from);
  });
  return {
    toBody: (offset) => mapOffset(inSent, toBody, sent, body, offset),
    toSent: (offset) => mapOffset(inBody, toSent, body, sent, offset),
  };
}

function listMappedElements(html: string): MappedElement[] {
  const elements: MappedElement[] = [];
  const visit = (node: SourceNode, parent: MappedElement | undefined): void => {
    if (skippedElements.has(node.name)) return;
    let own = parent;
    if (node.range && !node.name.startsWith('#')) {
      const text = node.children.map(({ name, value }) => (name === '#text' ? value : '')).join('');
      own = {
        node,
        range: node.range,
        parent,
        looseKey: node.name,
        exactKey: `${node.name} ${text.replace(/\s+/g, '').slice(0, KEY_TEXT_CHARS)}`,
      };
      elements.push(own);
    }
    for (const child of node.children) visit(child, own);
  };
  visit(parseSource(html), undefined);
  return elements.sort((one, other) => one.range.start - other.range.start);
}

function mapOffset(
  elements: readonly MappedElement[],
  pairs: ReadonlyMap<MappedElement, MappedElement>,
  from: string,
  to: string,
  offset: number,
): number | undefined {
  for (let element = findInnermost(elements, offset); element; element = element.parent) {
    const other = pairs.get(element);
    if (other) return mapOffsetInText(element.node, other.node, from, to, offset) ?? other.range.start;
  }
  return undefined;
}

function findInnermost(elements: readonly MappedElement[], offset: number): MappedElement | undefined {
  let element = elements[findFirstIndex(elements, ({ range }) => range.start > offset) - 1];
  while (element && offset >= element.range.end) element = element.parent;
  return element;
}

/** Maps to the same character if both texts are equal, otherwise to the start of the text. */
function mapOffsetInText(
  one: SourceNode,
  other: SourceNode,
  from: string,
  to: string,
  offset: number,
): number | undefined {
  const texts = ({ children }: SourceNode): SourceNode[] =>
    children.filter(({ name, value }) => name === '#text' && value?.trim());
  const own = texts(one);
  const index = own.findIndex(({ range }) => range && range.start <= offset && offset < range.end);
  const [text, counter] = [own[index]?.range, texts(other)[index]?.range];
  if (!text || !counter) return undefined;
  const isSame = from.slice(text.start, text.end) === to.slice(counter.start, counter.end);
  return isSame ? counter.start + offset - text.start : counter.start;
}

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
