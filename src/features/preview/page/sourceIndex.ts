import { findFirstIndex, type Range } from '../../../email/html/text.ts';
import { isBlockedElement } from '../../../email/compose/safety.ts';
import { hasReopenedElement, type SourceNode } from '../../../email/html/sourceMap.ts';

type MovableRange = { -readonly [Key in keyof Range]: number };

/** A shown node and its range in the composed text. Edits move the ranges. */
export interface SourceEntry {
  readonly node: Node;
  readonly range: MovableRange;
  /** The range between an element's tags. */
  readonly inner?: MovableRange;
  readonly attributes?: Readonly<Record<string, MovableRange>>;
  /** False if the parser created several nodes from one tag: an edit would affect all of them. */
  isSingle: boolean;
}

const isIndexedNode = (node: Node) => node.nodeType !== Node.DOCUMENT_TYPE_NODE && node.nodeName !== 'BASE';
const isIndexedSource = (node: SourceNode) =>
  node.name !== '#documentType' && !isBlockedElement(node.name, node.attribute);

function isSameNode(source: SourceNode, live: Node) {
  return source.value === undefined
    ? source.name === live.nodeName.toLowerCase()
    : source.name === live.nodeName && source.value === live.nodeValue;
}

/**
 * Maps shown nodes to ranges of the composed text by walking both trees in parallel. Where the trees differ (browsers flatten very deep and split
 * very long nodes), nodes are left out rather than mapped wrongly.
 */
export class SourceIndex {
  readonly #entries: readonly SourceEntry[];
  /** Whether the parser created several nodes from any tag. */
  readonly hasRepeated: boolean;
  readonly #byNode = new WeakMap<Node, SourceEntry>();

  constructor(root: SourceNode, live: Document) {
    const entries = pairNodes(root, live);
    // The sort must be stable: an element without a start tag begins where its first child does.
    this.#entries = entries.toSorted((one, other) => one.range.start - other.range.start);
    for (const [at, entry] of this.#entries.entries()) {
      this.#byNode.set(entry.node, entry);
      const next = this.#entries[at + 1];
      if (next?.range.start === entry.range.start) next.isSingle = entry.isSingle = false;
    }
    this.hasRepeated = hasReopenedElement(root) || this.#entries.some((entry) => !entry.isSingle);
  }

  /** Returns the innermost node at an offset. Between two nodes, the one before. */
  find(offset: number): SourceEntry | undefined {
    return (
      this.#findContaining(this.#findLastStarting(offset - 1), offset) ??
      this.#findContaining(this.#findLastStarting(offset), offset)
    );
  }

  /** Returns the nodes that an edit at an offset may belong to: the one before it and the one that starts there. */
  findTouching(offset: number): readonly SourceEntry[] {
    const before = this.#findContaining(this.#findLastStarting(offset - 1), offset);
    const after = this.#findLastStarting(offset);
    return [before, after?.range.start === offset ? after : undefined].filter((entry) => entry !== undefined);
  }

  /** Returns the node that encloses an entry in the source. It differs from the parent if the parser moved the node. */
  findEnclosing(entry: SourceEntry): SourceEntry | undefined {
    const before = this.#findLastStarting(entry.range.start - 1);
    return before && this.#findContaining(before, entry.range.end);
  }

  get(node: Node): SourceEntry | undefined {
    return this.#byNode.get(node);
  }

  /** Returns the entry of a node or of its nearest ancestor that has one. */
  findNearest(node: Node): SourceEntry | undefined {
    return this.#byNode.get(node) ?? this.#findAncestor(node);
  }

  /** Moves all ranges after the text grew by `delta` within `held`, a range in which no node starts or ends. */
  shift({ start, end }: Range, delta: number): void {
    const shiftRange = (range: MovableRange) => {
      if (range.end <= start) return;
      if (range.start >= end) range.start += delta;
      range.end += delta;
    };
    for (const { range, inner, attributes } of this.#entries) {
      if (range.end <= start) continue;
      shiftRange(range);
      if (inner) shiftRange(inner);
      for (const name in attributes) if (attributes[name]) shiftRange(attributes[name]);
    }
  }

  #findContaining(from: SourceEntry | undefined, offset: number) {
    let entry = from;
    while (entry && !(entry.range.start <= offset && offset <= entry.range.end)) entry = this.#findAncestor(entry.node);
    return entry;
  }

  #findAncestor(node: Node) {
    for (let above = node.parentNode; above; above = above.parentNode) {
      const entry = this.#byNode.get(above);
      if (entry) return entry;
    }
    return undefined;
  }

  /** Returns the last entry that starts at or before an offset. */
  #findLastStarting(offset: number) {
    return this.#entries[findFirstIndex(this.#entries, ({ range }) => range.start > offset) - 1];
  }
}

/** Pairs the nodes of both trees, in document order. */
function pairNodes(source: SourceNode, live: Node): SourceEntry[] {
  const nodes = [...live.childNodes].filter(isIndexedNode);
  const children = source.children.filter(isIndexedSource);
  if (nodes.length !== children.length) return [];
  return children.flatMap((child, index) => {
    const node = nodes[index];
    if (!node || !isSameNode(child, node)) return [];
    const { range, inner, attributes } = child;
    const inside = pairNodes(child, node);
    return range ? [{ node, range, inner, attributes, isSingle: true }, ...inside] : inside;
  });
}
