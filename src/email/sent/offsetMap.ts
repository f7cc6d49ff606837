import { findFirstIndex, type Range } from '../html/text.ts';
import { parseSource, type SourceNode } from '../html/sourceMap.ts';

/** Items with equal exact keys always match. Items with equal loose keys may match. */
interface AlignmentItem {
  readonly exactKey: string;
  readonly looseKey: string;
}

const MAX_LOOKAHEAD_ITEMS = 60;

/** Returns the counterparts of the items of `one` in `other`. Both sequences keep their order. Runs in linear time. */
function align<Item extends AlignmentItem>(one: readonly Item[], other: readonly Item[]) {
  const pairs = new Map<Item, Item>();
  const pair = (i: number, j: number, key: keyof AlignmentItem) => {
    const [first, second] = [one[i], other[j]];
    const isPair = first !== undefined && second !== undefined && first[key] === second[key];
    if (isPair) pairs.set(first, second);
    return isPair;
  };
  for (let [i, j] = [0, 0]; i < one.length && j < other.length;) {
    const [skippedOne, skippedOther] = findNextMatch(one, other, i, j);
    // Items that differ on both sides at the same position were changed, not added.
    for (let n = 0; n < Math.min(skippedOne, skippedOther); n += 1) pair(i + n, j + n, 'looseKey');
    i += skippedOne;
    j += skippedOther;
    if (!pair(i, j, 'exactKey')) continue;
    i += 1;
    j += 1;
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
      const item = skipped < 0 || skipped > sum ? undefined : one[i + skipped];
      if (item && item.exactKey === other[j + sum - skipped]?.exactKey) return [skipped, sum - skipped];
    }
  }
  return [1, 1];
}

type MapOffset = (offset: number) => number | undefined;

/** Maps offsets between an email's body and the sent HTML. UTF-16 offsets; undefined without a counterpart. */
export interface SentOffsetMap {
  readonly toBody: MapOffset;
  readonly toSent: MapOffset;
}

interface MappedElement extends AlignmentItem {
  readonly range: Range;
  readonly node: SourceNode;
  readonly parent: MappedElement | undefined;
}

/** Nodes that the service rewrites or never sends. */
const skippedNodes = new Set('head style script title meta link base template #comment'.split(' '));
/** Characters of an element's own text that identify it among its siblings. */
const KEY_TEXT_CHARS = 24;

/** Aligns the elements of a body with those of the sent HTML, which keeps most of them in order. Takes quadratic time in the nesting depth. */
export function mapSentOffsets(body: string, sent: string): SentOffsetMap {
  const [inBody, inSent] = [listMappedElements(body), listMappedElements(sent)];
  const toBody = align(inSent, inBody);
  const toSent = new Map([...toBody].map(([from, to]) => [to, from]));
  return { toBody: createOffsetMap(inSent, toBody, sent, body), toSent: createOffsetMap(inBody, toSent, body, sent) };
}

const listTexts = ({ children }: SourceNode) => children.filter(({ name }) => name === '#text');

function listMappedElements(html: string) {
  const elements: MappedElement[] = [];
  const visit = (node: SourceNode, parent: MappedElement | undefined) => {
    const { name, range } = node;
    if (skippedNodes.has(name)) return;
    let own = parent;
    if (range && !name.startsWith('#')) {
      const text = listTexts(node).map(({ value }) => value);
      const exactKey = `${name} ${text.join('').replace(/\s+/g, '').slice(0, KEY_TEXT_CHARS)}`;
      own = { node, range, parent, looseKey: name, exactKey };
      elements.push(own);
    }
    for (const child of node.children) visit(child, own);
  };
  visit(parseSource(html), undefined);
  return elements.sort((one, other) => one.range.start - other.range.start);
}

const createOffsetMap =
  (
    elements: readonly MappedElement[],
    pairs: ReadonlyMap<MappedElement, MappedElement>,
    from: string,
    to: string,
  ): MapOffset =>
  (offset) => {
    let element = elements[findFirstIndex(elements, ({ range }) => range.start > offset) - 1];
    while (element && offset >= element.range.end) element = element.parent;
    for (; element; element = element.parent) {
      const other = pairs.get(element);
      if (other) return mapOffsetInText(element.node, other.node, from, to, offset) ?? other.range.start;
    }
    return undefined;
  };

/** Maps to the same character if both texts are equal, otherwise to the start of the text. */
function mapOffsetInText(one: SourceNode, other: SourceNode, from: string, to: string, offset: number) {
  const [own, others] = [one, other].map((node) => listTexts(node).filter(({ value }) => value?.trim()));
  const index = own?.findIndex(({ range }) => range && range.start <= offset && offset < range.end) ?? -1;
  const [text, counter] = [own?.[index]?.range, others?.[index]?.range];
  if (!text || !counter) return undefined;
  const isSame = from.slice(text.start, text.end) === to.slice(counter.start, counter.end);
  return isSame ? counter.start + offset - text.start : counter.start;
}

interface PositionedWord extends AlignmentItem {
  readonly start: number;
}

/** Maps an offset of the text part to the body, or returns undefined without a counterpart. */
export function mapTextOffsets(body: string, text: string): MapOffset {
  const inText = listWords(text, 0, []);
  const inBody: PositionedWord[] = [];
  const visit = ({ name, range, children }: SourceNode) => {
    if (skippedNodes.has(name)) return;
    if (name === '#text' && range) listWords(body.slice(range.start, range.end), range.start, inBody);
    children.forEach(visit);
  };
  visit(parseSource(body));
  const pairs = align(inText, inBody);
  return (offset) => {
    const word = inText.findLast((each) => each.start <= offset && pairs.has(each));
    return word && pairs.get(word)?.start;
  };
}

/** Adds the words of a text that starts at an offset. Compares words by letters and digits only, because HTML and text differ in everything between. */
function listWords(text: string, start: number, words: PositionedWord[]) {
  for (const { 0: word, index } of text.matchAll(/(?:&(?!nbsp;)#?\w+;|[^\s&]|&(?!#?\w+;))+/g)) {
    const letters = word
      .replace(/&#?\w+;/g, '')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
    if (letters !== '' && !word.includes('://')) words.push({ start: start + index, exactKey: letters, looseKey: '' });
  }
  return words;
}
