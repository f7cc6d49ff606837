import type { DefaultTreeAdapterTypes } from 'parse5';
import { parseHtml } from './parseHtml.ts';

/** A half-open range of the source. */
export interface SourceRange {
  start: number;
  end: number;
}

/** A node of the parsed document with its place in the source. */
export interface SourceNode {
  /** Tag name in lower case, or `#text`, `#comment`, `#document`. */
  readonly name: string;
  /** The node's text from its first to its last character. Absent where the parser made the node by itself. */
  readonly range?: SourceRange;
  /** What is between an element's tags. */
  readonly inner?: SourceRange;
  /** Attributes with their names, as the source has them. */
  readonly attributes?: Readonly<Record<string, SourceRange>>;
  /** Text of a text node or a comment, as the parser reads it. */
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
 * The tree that a browser without scripts makes of a document (parse5 follows the same algorithm, step by step), with the place of
 * each node in the source. Of a document that exceeds the limits of `parseHtml`, the part before that.
 */
export function parseSource(html: string): SourceNode {
  return toSourceNode(parseHtml(html).document);
}

/** Elements that the parser opens anew elsewhere when they were not closed (https://html.spec.whatwg.org/#formatting). */
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

/** Whether the parser made a formatting element of its own: what its tag says then stands for several elements. */
export function hasReopenedElement(node: SourceNode): boolean {
  return (formattingElements.has(node.name) && !node.range) || node.children.some(hasReopenedElement);
}

/** The innermost element whose source holds an offset; with it its way down from the root, outermost first. */
export function findElementPath(root: SourceNode, offset: number): readonly SourceNode[] {
  const path: SourceNode[] = [];
  const visit = (node: SourceNode): void => {
    const holds = node.range && node.range.start <= offset && offset < node.range.end;
    if (holds && !node.name.startsWith('#')) path.push(node);
    // An element that the parser made by itself has no place of its own, but what is in it has.
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
