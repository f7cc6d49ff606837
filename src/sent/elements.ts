import type { ElementNode, TreeNode } from './tree.ts';
import { elementsOf } from './tree.ts';

/** The elements of a document by their place in it, with what selectors ask of them. Places are numbers in document order. */
export class Elements {
  readonly all: readonly ElementNode[];
  /** Place of the parent, or -1. */
  readonly parents: Int32Array;
  /** Place of the element before, under the same parent, or -1. */
  readonly previous: Int32Array;
  readonly everywhere: readonly number[];
  private readonly places: ReadonlyMap<ElementNode, number>;
  private readonly children: number[][];
  private readonly byName = new Map<string, number[]>();
  private readonly byClass = new Map<string, number[]>();
  private readonly byId = new Map<string, number[]>();

  constructor(top: readonly TreeNode[]) {
    this.all = elementsOf(top);
    this.places = new Map(this.all.map((element, place) => [element, place]));
    this.everywhere = this.all.map((_, place) => place);
    this.parents = new Int32Array(this.all.length).fill(-1);
    this.previous = new Int32Array(this.all.length).fill(-1);
    this.children = this.all.map(() => []);
    this.all.forEach((element, place) => this.register(element, place));
  }

  private register(element: ElementNode, place: number): void {
    const parent = element.parent === undefined ? undefined : this.places.get(element.parent);
    if (parent !== undefined) {
      this.parents[place] = parent;
      this.previous[place] = this.children[parent]?.at(-1) ?? -1;
      this.children[parent]?.push(place);
    }
    add(this.byName, element.name, place);
    for (const name of new Set(words(element.attributes.get('class') ?? ''))) add(this.byClass, name, place);
    const id = element.attributes.get('id');
    if (typeof id === 'string') add(this.byId, id, place);
  }

  childrenOf(place: number): readonly number[] {
    return this.children[place] ?? [];
  }

  named(name: string): readonly number[] {
    return this.byName.get(name) ?? [];
  }

  withClass(name: string): readonly number[] {
    return this.byClass.get(name) ?? [];
  }

  withId(id: string): readonly number[] {
    return this.byId.get(id) ?? [];
  }
}

const words = (text: string): string[] => text.split(/[ \t\r\n]+/).filter((word) => word !== '');

function add(index: Map<string, number[]>, key: string, place: number): void {
  const places = index.get(key);
  if (places) places.push(place);
  else index.set(key, [place]);
}
