import type { ElementNode, TreeNode } from './tree.ts';
import { elementsOf } from './tree.ts';

/** The elements of a document by their place in it, with what selectors ask of them. Places are numbers in document order. */
export class ElementIndex {
  readonly all: readonly ElementNode[];
  /** Place of the parent, or -1. */
  readonly parents: Int32Array;
  /** Place of the element before, under the same parent, or -1. */
  readonly previous: Int32Array;
  readonly allPositions: readonly number[];
  private readonly positions: ReadonlyMap<ElementNode, number>;
  private readonly children: number[][];
  private readonly byName = new Map<string, number[]>();
  private readonly byClass = new Map<string, number[]>();
  private readonly byId = new Map<string, number[]>();
  /** By parent, how many children have each name. */
  private readonly counts = new Map<number, Map<string, number>>();
  private readonly classes = new Map<number, ReadonlySet<string>>();
  private readonly byAttribute = new Map<string, number[]>();

  constructor(top: readonly TreeNode[]) {
    this.all = elementsOf(top);
    this.positions = new Map(this.all.map((element, place) => [element, place]));
    this.allPositions = this.all.map((_, place) => place);
    this.parents = new Int32Array(this.all.length).fill(-1);
    this.previous = new Int32Array(this.all.length).fill(-1);
    this.children = this.all.map(() => []);
    this.all.forEach((element, place) => this.register(element, place));
  }

  private register(element: ElementNode, place: number): void {
    const parent = element.parent === undefined ? undefined : this.positions.get(element.parent);
    if (parent !== undefined) {
      this.parents[place] = parent;
      this.previous[place] = this.children[parent]?.at(-1) ?? -1;
      this.children[parent]?.push(place);
    }
    addToIndex(this.byName, element.name, place);
    for (const name of new Set(splitClassNames(element.attributes.get('class') ?? '')))
      addToIndex(this.byClass, name, place);
    const id = element.attributes.get('id');
    if (typeof id === 'string') addToIndex(this.byId, id, place);
    for (const name of element.attributes.keys()) addToIndex(this.byAttribute, name, place);
  }

  getChildren(place: number): readonly number[] {
    return this.children[place] ?? [];
  }

  withName(name: string): readonly number[] {
    return this.byName.get(name) ?? [];
  }

  withClass(name: string): readonly number[] {
    return this.byClass.get(name) ?? [];
  }

  hasClass(place: number, name: string): boolean {
    const known = this.classes.get(place) ?? new Set(splitClassNames(this.all[place]?.attributes.get('class') ?? ''));
    this.classes.set(place, known);
    return known.has(name);
  }

  /** How many children of an element's parent have a name, or how many there are; the element itself counts. */
  countSiblings(place: number, name: string | undefined): number {
    const parent = this.parents[place] ?? -1;
    const siblings = parent < 0 ? [place] : this.getChildren(parent);
    if (name === undefined) return siblings.length;
    const known = this.counts.get(parent) ?? countNames(siblings.map((sibling) => this.all[sibling]?.name ?? ''));
    this.counts.set(parent, known);
    return known.get(name) ?? 0;
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

function addToIndex(index: Map<string, number[]>, key: string, place: number): void {
  const places = index.get(key);
  if (places) places.push(place);
  else index.set(key, [place]);
}
