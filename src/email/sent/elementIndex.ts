import type { ElementNode, TreeNode } from './tree.ts';
import { collectElements } from './tree.ts';

/** The elements of a document by their place in it, with what selectors ask of them. Places are numbers in document order. */
export class ElementIndex {
  readonly all: readonly ElementNode[];
  /** Place of the parent, or -1. */
  readonly parents: Int32Array;
  /** Place of the element before, under the same parent, or -1. */
  readonly previous: Int32Array;
  readonly allIndexes: readonly number[];
  private readonly indexes: ReadonlyMap<ElementNode, number>;
  private readonly children: number[][];
  private readonly byName = new Map<string, number[]>();
  private readonly byClass = new Map<string, number[]>();
  private readonly byId = new Map<string, number[]>();
  /** By parent, how many children have each name. */
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

  /** How many children of an element's parent have a name, or how many there are; the element itself counts. */
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
