import { findFirstIndex } from '../html/ranges.ts';
import { parseSource } from '../html/sourceMap.ts';
import type { SourceNode, SourceRange } from '../html/sourceMap.ts';
import { align } from './align.ts';

/** Maps offsets between an email's body and the sent HTML. UTF-16 offsets; undefined without a counterpart. */
export interface SentOffsetMap {
  toBody(offset: number): number | undefined;
  toSent(offset: number): number | undefined;
}

interface MappedElement {
  readonly range: SourceRange;
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
