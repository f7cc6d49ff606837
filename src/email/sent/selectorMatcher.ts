import { t } from '../../l10n.ts';
import { findRangeAt, mergeRanges } from '../html/text.ts';
import { LimitExceeded } from './model.ts';

/** An element that selectors can match. */
export interface MatchableElement<Item> {
  readonly name: string;
  readonly classes: ReadonlySet<string>;
  /** Position in document order. */
  readonly order: number;
  /** Position of the last descendant, or of the element itself. */
  readonly lastOrder: number;
  readonly parent: Item | undefined;
  /** The previous sibling. */
  readonly previous: Item | undefined;
  readonly children: readonly Item[];
  /** Returns the value of an attribute. */
  readonly get: (attribute: string) => string | undefined;
}

/** Takes steps from the budget. Throws if it is spent. */
type Spend = (steps: number) => void;

export interface Condition<Item> {
  /** What matching elements are indexed by: `#id`, `.class` or `[attribute`. */
  readonly key?: string;
  /** Whether it depends on the position among the elements that the combinator leads to. */
  readonly isPositional?: boolean;
  readonly test: (element: Item, position: number, last: number, spend: Spend) => boolean;
}

/** A part of a selector between combinators. */
export interface CompoundSelector<Item> {
  /** Empty for the first one. */
  readonly combinator: string;
  /** Name of the elements that positions are counted among. Undefined: all elements. */
  name: string | undefined;
  readonly conditions: Condition<Item>[];
  /** Number of child steps that structural pseudo-classes add. */
  childSteps: number;
}

/** Moves from elements along an axis, then filters by name and conditions. */
type MatchStep<Item> = Omit<CompoundSelector<Item>, 'childSteps'>;

/** Characters of a value that are compared in one step. Splitting it into words takes longer than searching it. */
const CHARS_PER_STEP = 32;
const WORD_CHARS_PER_STEP = 4;

/** Compares an attribute with the value in a selector. An empty operator tests for the attribute only. */
export function matchesValue(actual: string | undefined, operator: string, value: string, spend: Spend): boolean {
  if (actual === undefined || operator === '') return actual !== undefined;
  spend(actual.length / (operator === '~=' ? WORD_CHARS_PER_STEP : CHARS_PER_STEP));
  if (operator === '=') return actual === value;
  if (operator === '|=') return actual === value || actual.startsWith(`${value}-`);
  if (operator === '~=') return ` ${actual.replace(/[ \t\r\n]+/g, ' ').trim()} `.includes(` ${value} `);
  if (value === '') return false;
  if (operator === '^=') return actual.startsWith(value);
  return operator === '$=' ? actual.endsWith(value) : actual.includes(value);
}

/** Matches selectors like the service's XPath: positions are counted along the axis of each step. */
export class SelectorMatcher<Item extends MatchableElement<Item>> {
  /** Remaining steps: elements that may be visited, and their conditions that may be tested. */
  budget: number;
  readonly #elements: readonly Item[];
  readonly #byKey = new Map<string, Item[]>();

  constructor(elements: readonly Item[], budget: number) {
    this.#elements = elements;
    this.budget = budget;
    const add = (key: string, element: Item) => {
      const others = this.#byKey.get(key);
      if (others) others.push(element);
      else this.#byKey.set(key, [element]);
    };
    for (const element of elements) {
      add(element.name, element);
      for (const name of element.classes) add(`.${name}`, element);
      const id = element.get('id');
      if (id !== undefined) add(`#${id}`, element);
    }
  }

  /** Returns the elements that match any of the selectors. Throws if the budget is spent. */
  find(selectors: readonly (readonly CompoundSelector<Item>[])[]): readonly Item[] {
    const matches = selectors.map((compounds) =>
      compounds
        .flatMap(toSteps)
        .reduce<readonly Item[]>(
          (from, step, rank) => (rank > 0 && from.length === 0 ? from : this.#applyStep(from, step)),
          [],
        ),
    );
    return matches.length === 1 ? (matches[0] ?? []) : sortUnique(matches.flat());
  }

  readonly #spend: Spend = (steps) => {
    if ((this.budget -= steps) < 0) throw new LimitExceeded(t('The styles have too many rules for so many elements.'));
  };

  #meets(conditions: MatchStep<Item>['conditions'], ...element: [element: Item, position: number, last: number]) {
    return conditions.every(({ test }) => {
      this.#spend(1);
      return test(...element, this.#spend);
    });
  }

  #applyStep(from: readonly Item[], step: MatchStep<Item>) {
    const { combinator, name, conditions } = step;
    const isNamed = (element: Item) => name === undefined || element.name === name;
    if (!conditions.some(({ isPositional }) => isPositional)) {
      const isOnAxis = createAxisTest(from, combinator);
      const candidates = this.#listCandidates(step);
      this.#spend(candidates.length);
      return candidates.filter(
        (element) => isNamed(element) && isOnAxis(element) && this.#meets(conditions, element, 0, 0),
      );
    }
    const matches: Item[] = [];
    for (const elements of this.#listAlongAxis(from, combinator)) {
      this.#spend(elements.length);
      const candidates = elements.filter(isNamed);
      const { length } = candidates;
      for (const [rank, element] of (combinator === '+' ? candidates.slice(0, 1) : candidates).entries())
        if (this.#meets(conditions, element, rank + 1, length)) matches.push(element);
    }
    return sortUnique(matches);
  }

  /** Returns the smallest list that contains all elements that a step can match. */
  #listCandidates({ name, conditions }: MatchStep<Item>) {
    return [name, ...conditions.map(({ key }) => key)].reduce((least, key) => {
      const elements = key === undefined ? least : this.#listByKey(key);
      return elements.length < least.length ? elements : least;
    }, this.#elements);
  }

  #listByKey(key: string) {
    let elements = this.#byKey.get(key);
    if (!elements && key.startsWith('[')) {
      this.#spend(this.#elements.length);
      elements = this.#elements.filter((element) => element.get(key.slice(1)) !== undefined);
      this.#byKey.set(key, elements);
    }
    return elements ?? [];
  }

  /** Yields the elements along an axis for each start element. */
  *#listAlongAxis(from: readonly Item[], combinator: string) {
    if (combinator === '') yield this.#elements;
    else if (combinator === '>') for (const { children } of from) yield children;
    else if (combinator === ' ') {
      const starts = new Set(from);
      const isInside = createAxisTest(from, ' ');
      for (const element of this.#elements) if (starts.has(element) || isInside(element)) yield element.children;
    } else
      for (const element of from) {
        const siblings = element.parent?.children ?? [];
        this.#spend(siblings.length);
        yield siblings.slice(siblings.indexOf(element) + 1);
      }
  }
}

/** Returns a test for elements that a combinator leads to from one of the start elements. */
function createAxisTest<Item extends MatchableElement<Item>>(
  from: readonly Item[],
  combinator: string,
): (element: Item) => boolean {
  if (combinator === '') return () => true;
  if (combinator === '~') {
    const firstOrders = new Map<Item | undefined, number>();
    for (const { parent, order } of from) firstOrders.set(parent, Math.min(order, firstOrders.get(parent) ?? Infinity));
    return ({ parent, order }) => order > (firstOrders.get(parent) ?? Infinity);
  }
  if (combinator === ' ') {
    const ranges = mergeRanges(from.map(({ order, lastOrder }) => ({ start: order + 1, end: lastOrder + 1 })));
    return ({ order }) => findRangeAt(ranges, order) !== undefined;
  }
  const starts = new Set(from);
  return ({ [combinator === '>' ? 'parent' : 'previous']: other }) => other !== undefined && starts.has(other);
}

const sortUnique = <Item extends MatchableElement<Item>>(elements: readonly Item[]) =>
  [...new Set(elements)].sort((one, other) => one.order - other.order);

/** Structural pseudo-classes need additional steps through the parents. */
function toSteps<Item>({ combinator, name, conditions, childSteps }: CompoundSelector<Item>): MatchStep<Item>[] {
  const any = (axis: string) => ({ combinator: axis, name: undefined, conditions: [] });
  // After a combinator, the combinator's own step replaces a single child step.
  if (childSteps === 0 || (childSteps === 1 && combinator)) return [{ combinator, name, conditions }];
  return [
    any(combinator),
    ...Array.from({ length: childSteps - 1 }, () => any('>')),
    { combinator: '>', name, conditions },
  ];
}
