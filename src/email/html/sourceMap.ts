import type { DefaultTreeAdapterTypes, Token } from 'parse5';
import type { Range } from './text.ts';
import { parseHtml } from './parseHtml.ts';

/** A node of the parsed document with its source range. */
export interface SourceNode {
  /** Lowercase tag name, or `#text`, `#comment`, `#document`. */
  readonly name: string;
  /** Range of the whole node. Absent if the parser inserted the node. */
  readonly range?: Range;
  /** Range of an element's content. */
  readonly inner?: Range;
  /** Ranges of the attributes, including their names. */
  readonly attributes?: Readonly<Record<string, Range>>;
  /** Decoded text of a text node or a comment. */
  readonly value?: string;
  readonly attribute: (name: string) => string | undefined;
  readonly children: readonly SourceNode[];
}

const getNoAttribute = () => undefined;

const toRange = ({ startOffset, endOffset }: Token.Location) => ({ start: startOffset, end: endOffset });

function toElementNode({
  tagName,
  attrs,
  childNodes,
  sourceCodeLocation,
}: DefaultTreeAdapterTypes.Element): SourceNode {
  const node = {
    name: tagName.toLowerCase(),
    attribute: (name: string) => attrs.find((attr) => attr.name === name)?.value,
    children: childNodes.map(toSourceNode),
  };
  if (!sourceCodeLocation) return node;
  const { startTag, endTag, attrs: locations = {} } = sourceCodeLocation;
  const { start, end } = toRange(sourceCodeLocation);
  const innerStart = startTag?.endOffset ?? end;
  const inner = { start: innerStart, end: Math.max(innerStart, endTag?.startOffset ?? end) };
  const attributes = Object.fromEntries(Object.entries(locations).map(([name, location]) => [name, toRange(location)]));
  return { ...node, range: { start, end: Math.max(end, inner.end) }, inner, attributes };
}

function toSourceNode(node: DefaultTreeAdapterTypes.Node): SourceNode {
  if ('tagName' in node) return toElementNode(node);
  if ('childNodes' in node)
    return { name: node.nodeName, attribute: getNoAttribute, children: node.childNodes.map(toSourceNode) };
  const location = node.sourceCodeLocation;
  const value = 'value' in node ? node.value : 'data' in node ? node.data : '';
  const range = location ? { range: toRange(location) } : {};
  return { name: node.nodeName, ...range, value, attribute: getNoAttribute, children: [] };
}

/**
 * Parses a document as a browser without scripts does, with source ranges. A document that exceeds the limits of `parseHtml` is parsed up
 * to there.
 */
export function parseSource(html: string): SourceNode {
  return toSourceNode(parseHtml(html).document);
}

/** Elements that the parser reopens if they were left open (https://html.spec.whatwg.org/#formatting). */
export const formattingElements: ReadonlySet<string> = new Set(
  'a b big code em font i nobr s small strike strong tt u'.split(' '),
);

/** Returns whether the parser reopened a formatting element: one start tag then produces several elements. */
export function hasReopenedElement(node: SourceNode): boolean {
  return (formattingElements.has(node.name) && !node.range) || node.children.some(hasReopenedElement);
}
