import type { ElementNode, TreeNode } from './tree.ts';
import { collectElements } from './tree.ts';

/** Indexes the elements of a document for selector matching. Elements are identified by their number in document order. */
export class ElementIndex {
  readonly all: readonly ElementNode[];
  /** Index of the parent, or -1. */
  readonly parents: Int32Array;
  /** Index of the previous sibling element, or -1. */
  readonly previous: Int32Array;
  readonly allIndexes: readonly number[];
  private readonly indexes: ReadonlyMap<ElementNode, number>;
  private readonly children: number[][];
  private readonly byName = new Map<string, number[]>();
  private readonly byClass = new Map<string, number[]>();
  private readonly byId = new Map<string, number[]>();
  /** Number of children with each name, by the index of the parent. */
  private readonly counts = new Map<number, Map<string, number>>();
  private readonly classes = new Map<number, ReadonlySet<string>>();
  private readonly byAttribute = new Map<string, number[]>();

  constructor(top: readonly TreeNode[]) {
    this.all = collectElements(top);
    this.indexes = new Map(this.all.map((element, index) => [element, index]));
    this.allIndexes = this.all.map((_, index) => index);
    this.parents = new Int32Array(this.all.length).fill(-1);
    this.previous = new Int32Array(this.all.length).fill(-1);
    this.children = this.all.map(() => []);
    this.all.forEach((element, index) => this.register(element, index));
  }

  private register(element: ElementNode, index: number): void {
    const parent = element.parent === undefined ? undefined : this.indexes.get(element.parent);
    if (parent !== undefined) {
      this.parents[index] = parent;
      this.previous[index] = this.children[parent]?.at(-1) ?? -1;
      this.children[parent]?.push(index);
    }
    addToIndex(this.byName, element.name, index);
    for (const name of new Set(splitClassNames(element.attributes.get('class') ?? '')))
      addToIndex(this.byClass, name, index);
    const id = element.attributes.get('id');
    if (typeof id === 'string') addToIndex(this.byId, id, index);
    for (const name of element.attributes.keys()) addToIndex(this.byAttribute, name, index);
  }

  getChildren(index: number): readonly number[] {
    return this.children[index] ?? [];
  }

  withName(name: string): readonly number[] {
    return this.byName.get(name) ?? [];
  }

  withClass(name: string): readonly number[] {
    return this.byClass.get(name) ?? [];
  }

  hasClass(index: number, name: string): boolean {
    const cached = this.classes.get(index) ?? new Set(splitClassNames(this.all[index]?.attributes.get('class') ?? ''));
    this.classes.set(index, cached);
    return cached.has(name);
  }

  /** Counts the siblings with a name, or all siblings, including the element itself. */
  countSiblings(index: number, name: string | undefined): number {
    const parent = this.parents[index] ?? -1;
    const siblings = parent < 0 ? [index] : this.getChildren(parent);
    if (name === undefined) return siblings.length;
    const cached = this.counts.get(parent) ?? countNames(siblings.map((sibling) => this.all[sibling]?.name ?? ''));
    this.counts.set(parent, cached);
    return cached.get(name) ?? 0;
  }

  withAttribute(name: string): readonly number[] {
    return this.byAttribute.get(name) ?? [];
  }

  withId(id: string): readonly number[] {
    return this.byId.get(id) ?? [];
  }
}

function countNames(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const splitClassNames = (text: string): string[] => text.split(/[ \t\r\n]+/).filter((word) => word !== '');

function addToIndex(map: Map<string, number[]>, key: string, index: number): void {
  const indexes = map.get(key);
  if (indexes) indexes.push(index);
  else map.set(key, [index]);
}
