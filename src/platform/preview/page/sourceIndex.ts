import { findFirstIndex } from '../../../email/html/ranges.ts';
import { isBlockedElement } from '../../../email/compose/safety.ts';
import { hasReopenedElement } from '../../../email/html/sourceMap.ts';
import type { SourceNode, SourceRange } from '../../../email/html/sourceMap.ts';

/** A shown node and its place in the composed text. Ranges move as the text is edited. */
export interface SourceEntry {
  readonly node: Node;
  readonly range: SourceRange;
  /** What is between an element's tags. */
  readonly inner?: SourceRange;
  readonly attributes?: Readonly<Record<string, SourceRange>>;
  /** False where the parser made several nodes of one tag: a change of the source would reach more than this node. */
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
 * Which shown node stands at which place of the composed text. The tree of the source and the tree that is shown are walked side by
 * side: where they don't agree (the browser cuts very deep or very long nodes) nothing is looked up, rather than something wrong.
 */
export class SourceIndex {
  readonly #entries: SourceEntry[] = [];
  /** Whether the parser made several nodes of one tag anywhere. */
  readonly hasRepeated: boolean;
  readonly #byNode = new WeakMap<Node, SourceEntry>();

  constructor(root: SourceNode, live: Document) {
    const found: Omit<SourceEntry, 'isSingle'>[] = [];
    this.#pair(root, live, found);
    const starts = new Map<number, number>();
    for (const { range } of found) starts.set(range.start, (starts.get(range.start) ?? 0) + 1);
    // A stable sort: an element with its start tag left out begins where its first child does.
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

  /** The innermost node whose source holds an offset; at the edge between two, the one before. */
  find(offset: number): SourceEntry | undefined {
    return (
      this.#findContaining(this.#findLastStarting(offset - 1), offset) ??
      this.#findContaining(this.#findLastStarting(offset), offset)
    );
  }

  /** The nodes that a change at an offset may belong to: the one before it, and the one that begins there. */
  findTouching(offset: number): readonly SourceEntry[] {
    const before = this.#findContaining(this.#findLastStarting(offset - 1), offset);
    const after = this.#findLastStarting(offset);
    return [before, after?.range.start === offset ? after : undefined].filter((entry) => entry !== undefined);
  }

  /** What the source has around a node, whatever the tree has: they differ where the parser moved the node elsewhere. */
  findEnclosing(entry: SourceEntry): SourceEntry | undefined {
    const before = this.#findLastStarting(entry.range.start - 1);
    return before && this.#findContaining(before, entry.range.end);
  }

  get(node: Node): SourceEntry | undefined {
    return this.#byNode.get(node);
  }

  /** A node's own entry, or that of the nearest node above which has one. */
  findNearest(node: Node): SourceEntry | undefined {
    return this.#byNode.get(node) ?? this.#findAncestor(node);
  }

  /** The text grew by `delta` within `held`, a range that no node begins or ends in. */
  shift(held: SourceRange, delta: number): void {
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

  /** The last entry that begins at or before an offset. */
  #findLastStarting(offset: number): SourceEntry | undefined {
    return this.#entries[findFirstIndex(this.#entries, ({ range }) => range.start > offset) - 1];
  }
}

function moveRange(range: SourceRange, delta: number): void {
  range.start += delta;
  range.end += delta;
}

function shiftAttributes(attributes: Readonly<Record<string, SourceRange>>, held: SourceRange, delta: number): void {
  for (const range of Object.values(attributes)) {
    if (range === held) continue;
    if (range.start >= held.end) moveRange(range, delta);
  }
  held.end += delta;
}
