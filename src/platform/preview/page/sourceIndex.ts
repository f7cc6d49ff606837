import { findFirstIndex } from '../../../email/html/ranges.ts';
import { isBlockedElement } from '../../../email/compose/safety.ts';
import { hasReopenedElement } from '../../../email/html/sourceMap.ts';
import type { Range } from '../../../email/html/ranges.ts';
import type { SourceNode } from '../../../email/html/sourceMap.ts';

type MovableRange = { -readonly [Key in keyof Range]: number };

/** A shown node and its range in the composed text. Edits move the ranges. */
export interface SourceEntry {
  readonly node: Node;
  readonly range: MovableRange;
  /** The range between an element's tags. */
  readonly inner?: MovableRange;
  readonly attributes?: Readonly<Record<string, MovableRange>>;
  /** False if the parser created several nodes from one tag: an edit would affect all of them. */
  readonly isSingle: boolean;
}

const isIndexedNode = (node: Node): boolean => node.nodeType !== Node.DOCUMENT_TYPE_NODE && node.nodeName !== 'BASE';
const isIndexedSource = (node: SourceNode): boolean =>
  node.name !== '#documentType' && !isBlockedElement(node.name, node.attribute);

function isSameNode(source: SourceNode, live: Node): boolean {
  return source.value === undefined
    ? source.name === live.nodeName.toLowerCase()
    : source.name === live.nodeName && source.value === live.nodeValue;
}

/**
 * Maps shown nodes to ranges of the composed text by walking both trees in parallel. Where the trees differ (browsers flatten very deep and split
 * very long nodes), nodes are left out rather than mapped wrongly.
 */
export class SourceIndex {
  readonly #entries: SourceEntry[] = [];
  /** Whether the parser created several nodes from any tag. */
  readonly hasRepeated: boolean;
  readonly #byNode = new WeakMap<Node, SourceEntry>();

  constructor(root: SourceNode, live: Document) {
    const found: Omit<SourceEntry, 'isSingle'>[] = [];
    this.#pair(root, live, found);
    const starts = new Map<number, number>();
    for (const { range } of found) starts.set(range.start, (starts.get(range.start) ?? 0) + 1);
    // The sort must be stable: an element without a start tag begins where its first child does.
    for (const entry of found.sort((one, other) => one.range.start - other.range.start)) {
      const full = { ...entry, isSingle: starts.get(entry.range.start) === 1 };
      this.#entries.push(full);
      this.#byNode.set(full.node, full);
    }
    this.hasRepeated = hasReopenedElement(root) || this.#entries.some((entry) => !entry.isSingle);
  }

  #pair(source: SourceNode, live: Node, found: Omit<SourceEntry, 'isSingle'>[]): void {
    const nodes = [...live.childNodes].filter(isIndexedNode);
    const children = source.children.filter(isIndexedSource);
    if (nodes.length !== children.length) return;
    for (const [index, child] of children.entries()) {
      const node = nodes[index];
      if (!node || !isSameNode(child, node)) continue;
      const { range, inner, attributes } = child;
      if (range) found.push({ node, range, ...(inner ? { inner } : {}), ...(attributes ? { attributes } : {}) });
      this.#pair(child, node, found);
    }
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
  shift(held: MovableRange, delta: number): void {
    const { start, end } = held;
    for (const { range, inner, attributes } of this.#entries) {
      if (range.end <= start) continue;
      if (range.start >= end && range !== held) {
        range.start += delta;
        range.end += delta;
        if (inner) moveRange(inner, delta);
        if (attributes) for (const attribute of Object.values(attributes)) moveRange(attribute, delta);
        continue;
      }
      range.end += delta;
      if (!inner) continue;
      if (inner.start >= end) {
        inner.start += delta;
        if (attributes) shiftAttributes(attributes, held, delta);
      }
      inner.end += delta;
    }
  }

  #findContaining(from: SourceEntry | undefined, offset: number): SourceEntry | undefined {
    let entry = from;
    while (entry && !(entry.range.start <= offset && offset <= entry.range.end)) entry = this.#findAncestor(entry.node);
    return entry;
  }

  #findAncestor(node: Node): SourceEntry | undefined {
    for (let above = node.parentNode; above; above = above.parentNode) {
      const entry = this.#byNode.get(above);
      if (entry) return entry;
    }
    return undefined;
  }

  /** Returns the last entry that starts at or before an offset. */
  #findLastStarting(offset: number): SourceEntry | undefined {
    return this.#entries[findFirstIndex(this.#entries, ({ range }) => range.start > offset) - 1];
  }
}

function moveRange(range: MovableRange, delta: number): void {
  range.start += delta;
  range.end += delta;
}

function shiftAttributes(attributes: Readonly<Record<string, MovableRange>>, held: MovableRange, delta: number): void {
  for (const range of Object.values(attributes)) {
    if (range === held) continue;
    if (range.start >= held.end) moveRange(range, delta);
  }
  held.end += delta;
}
