import type { DefaultTreeAdapterTypes } from 'parse5';
import { parseHtml } from './parseHtml.ts';

/** A half-open range of the source. */
export interface SourceRange {
  start: number;
  end: number;
}

/** A node of the parsed document with its source range. */
export interface SourceNode {
  /** Lowercase tag name, or `#text`, `#comment`, `#document`. */
  readonly name: string;
  /** Range of the whole node. Absent if the parser inserted the node. */
  readonly range?: SourceRange;
  /** Range of an element's content. */
  readonly inner?: SourceRange;
  /** Ranges of the attributes, including their names. */
  readonly attributes?: Readonly<Record<string, SourceRange>>;
  /** Decoded text of a text node or a comment. */
  readonly value?: string;
  readonly attribute: (name: string) => string | undefined;
  readonly children: readonly SourceNode[];
}

const getNoAttribute = (): undefined => undefined;

function toElementNode(element: DefaultTreeAdapterTypes.Element): SourceNode {
  const location = element.sourceCodeLocation;
  const attribute = (name: string): string | undefined => element.attrs.find((attr) => attr.name === name)?.value;
  const children = element.childNodes.map(toSourceNode);
  if (!location) return { name: element.tagName.toLowerCase(), attribute, children };
  const range = { start: location.startOffset, end: location.endOffset };
  const innerStart = location.startTag?.endOffset ?? range.end;
  const inner = { start: innerStart, end: Math.max(innerStart, location.endTag?.startOffset ?? range.end) };
  const attributes = Object.fromEntries(
    Object.entries(location.attrs ?? {}).map(([name, { startOffset, endOffset }]) => [
      name,
      { start: startOffset, end: endOffset },
    ]),
  );
  return {
    name: element.tagName.toLowerCase(),
    range: { start: range.start, end: Math.max(range.end, inner.end) },
    inner,
    attributes,
    attribute,
    children,
  };
}

function toSourceNode(node: DefaultTreeAdapterTypes.Node): SourceNode {
  if ('tagName' in node) return toElementNode(node);
  if ('childNodes' in node)
    return { name: node.nodeName, attribute: getNoAttribute, children: node.childNodes.map(toSourceNode) };
  const location = node.sourceCodeLocation;
  const range = location ? { range: { start: location.startOffset, end: location.endOffset } } : {};
  const value = 'value' in node ? node.value : 'data' in node ? node.data : '';
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
export const formattingElements: ReadonlySet<string> = new Set([
  'a',
  'b',
  'big',
  'code',
  'em',
  'font',
  'i',
  'nobr',
  's',
  'small',
  'strike',
  'strong',
  'tt',
  'u',
]);

/** Returns whether the parser reopened a formatting element: one start tag then produces several elements. */
export function hasReopenedElement(node: SourceNode): boolean {
  return (formattingElements.has(node.name) && !node.range) || node.children.some(hasReopenedElement);
}

/** Returns the path from the outermost to the innermost element whose source contains an offset. */
export function findElementPath(root: SourceNode, offset: number): readonly SourceNode[] {
  const path: SourceNode[] = [];
  const visit = (node: SourceNode): void => {
    const holds = node.range && node.range.start <= offset && offset < node.range.end;
    if (holds && !node.name.startsWith('#')) path.push(node);
    // An inserted element has no range, but its descendants have one.
    const next = node.children.findLast((child) => containsOffset(child, offset));
    if (next) visit(next);
  };
  visit(root);
  return path;
}

function containsOffset(node: SourceNode, offset: number): boolean {
  if (node.range) return node.range.start <= offset && offset < node.range.end;
  return node.children.some((child) => containsOffset(child, offset));
}
