import { LimitExceeded } from './model.ts';
import { InvalidSelector, parseServiceSelector } from './selectorParse.ts';
import type { Combinator, CompoundSelector, SelectorCondition } from './selectorParse.ts';
import { collectElements, getText } from './tree.ts';
import type { ElementNode, TreeNode } from './tree.ts';

/** Indexes the elements of a document for selector matching. Elements are identified by their number in document order. */
export class ElementIndex {
  readonly all: readonly ElementNode[];
  readonly allIndexes: readonly number[];
  /** Index of the parent, or -1. */
  readonly parents: Int32Array;
  /** Index of the previous sibling element, or -1. */
  readonly previous: Int32Array;
  readonly #children: number[][];
  /** Elements by `<p`, `.class`, `#id` and `[attribute`. */
  readonly #byKey = new Map<string, number[]>();
  /** Number of children with each name, by the index of the parent. */
  readonly #counts = new Map<number, Map<string, number>>();
  readonly #classes = new Map<number, ReadonlySet<string>>();

  constructor(top: readonly TreeNode[]) {
    this.all = collectElements(top);
    this.allIndexes = this.all.map((_, index) => index);
    this.parents = new Int32Array(this.all.length).fill(-1);
    this.previous = new Int32Array(this.all.length).fill(-1);
    this.#children = this.all.map(() => []);
    const indexes = new Map(this.all.map((element, index) => [element, index]));
    this.all.forEach(({ parent, name, attributes }, index) => {
      const parentIndex = parent && indexes.get(parent);
      if (parentIndex !== undefined) {
        this.parents[index] = parentIndex;
        this.previous[index] = this.#children[parentIndex]?.at(-1) ?? -1;
        this.#children[parentIndex]?.push(index);
      }
      const id = attributes.get('id');
      const classes = [...splitClassNames(attributes.get('class') ?? '')].map((each) => `.${each}`);
      const keys = [`<${name}`, ...classes, ...[...attributes.keys()].map((each) => `[${each}`)];
      for (const key of typeof id === 'string' ? [...keys, `#${id}`] : keys) {
        const others = this.#byKey.get(key);
        if (others) others.push(index);
        else this.#byKey.set(key, [index]);
      }
    });
  }

  getChildren(index: number): readonly number[] {
    return this.#children[index] ?? [];
  }

  /** `key`: `<p`, `.class`, `#id` or `[attribute`. */
  find(key: string): readonly number[] {
    return this.#byKey.get(key) ?? [];
  }

  hasClass(index: number, name: string): boolean {
    const cached = this.#classes.get(index) ?? splitClassNames(this.all[index]?.attributes.get('class') ?? '');
    this.#classes.set(index, cached);
    return cached.has(name);
  }

  /** Counts the siblings with a name, or all siblings, including the element itself. */
  countSiblings(index: number, name: string | undefined): number {
    const parent = this.parents[index] ?? -1;
    const siblings = parent < 0 ? [index] : this.getChildren(parent);
    if (name === undefined) return siblings.length;
    const counts = this.#counts.get(parent) ?? new Map<string, number>();
    if (counts.size === 0)
      for (const sibling of siblings) {
        const siblingName = this.all[sibling]?.name ?? '';
        counts.set(siblingName, (counts.get(siblingName) ?? 0) + 1);
      }
    this.#counts.set(parent, counts);
    return counts.get(name) ?? 0;
  }
}

const splitClassNames = (text: string): ReadonlySet<string> =>
  new Set(text.split(/[ \t\r\n]+/).filter((word) => word !== ''));

type PositionCondition = Extract<SelectorCondition, { kind: 'position' }>;

/** Moves from elements along an axis, then filters by name and conditions. */
interface MatchStep {
  readonly axis: Combinator | 'all';
  readonly name: string | undefined;
  readonly conditions: readonly SelectorCondition[];
}

/** Matches selectors like the service's XPath: positions are counted along the axis of each step. */
export class SelectorMatcher {
  private readonly elements: ElementIndex;
  /** The current style attribute of an element, or undefined. */
  private readonly getStyle: (index: number) => string | undefined;
  private readonly resultsBySelector = new Map<string, readonly number[] | 'invalid'>();
  private readonly marks: Int32Array;
  /** Cached results by element: `2 * mark` for no, `2 * mark + 1` for yes. */
  private readonly reachability: Int32Array;
  private mark = 0;
  private budget: number;

  constructor(elements: ElementIndex, getStyle: (index: number) => string | undefined, budget: number) {
    this.elements = elements;
    this.getStyle = getStyle;
    this.marks = new Int32Array(elements.all.length);
    this.reachability = new Int32Array(elements.all.length);
    this.budget = budget;
  }

  /** Returns the indexes of matching elements in document order, or `invalid` if the service can't parse the selector. */
  find(selector: string): readonly number[] | 'invalid' {
    const cached = this.resultsBySelector.get(selector);
    if (cached) return cached;
    const matches = this.search(selector);
    // Styles change while rules are added.
    if (!/style/i.test(selector)) this.resultsBySelector.set(selector, matches);
    return matches;
  }

  private search(selector: string): readonly number[] | 'invalid' {
    try {
      const selectors = parseServiceSelector(selector) ?? [];
      const matches = selectors.map((compounds) => this.applySteps(toSteps(compounds)));
      return matches.length === 1 ? (matches[0] ?? []) : [...new Set(matches.flat())].sort((one, other) => one - other);
    } catch (error) {
      if (error instanceof InvalidSelector) return 'invalid';
      throw error;
    }
  }

  private applySteps(steps: readonly MatchStep[]): readonly number[] {
    return steps.reduce<readonly number[]>(
      (indexes, step, rank) => (rank > 0 && indexes.length === 0 ? indexes : this.applyStep(indexes, step)),
      [],
    );
  }

  private spend(budget: number): void {
    if ((this.budget -= budget) < 0) throw new LimitExceeded('The styles have too many rules for so many elements.');
  }

  private applyStep(from: readonly number[], step: MatchStep): readonly number[] {
    return step.conditions.some(isPositional) ? this.filterByPosition(from, step) : this.filterCandidates(from, step);
  }

  /** Filters candidate elements for a step without positions. */
  private filterCandidates(from: readonly number[], step: MatchStep): readonly number[] {
    const isOnAxis = this.createAxisTest(from, step.axis);
    const candidates = this.candidates(step);
    this.spend(candidates.length);
    return candidates.filter(
      (index) => this.hasName(index, step.name) && isOnAxis(index) && this.matchesAll(step.conditions, index, 0, 0),
    );
  }

  private candidates({ name, conditions }: MatchStep): readonly number[] {
    const candidates = name === undefined ? this.elements.allIndexes : this.elements.find(`<${name}`);
    for (const condition of conditions) {
      if (condition.kind !== 'attribute') continue;
      if (condition.name === 'id' && condition.operator === '=') return this.elements.find(`#${condition.value}`);
      if (isClassCondition(condition)) return this.elements.find(`.${condition.value}`);
      // Styles change while rules are added, and `!=` also matches elements without the attribute.
      if (condition.name === 'style' || condition.operator === '!=') continue;
      const having = this.elements.find(`[${condition.name}`);
      if (having.length < candidates.length) return having;
    }
    return candidates;
  }

  private createAxisTest(from: readonly number[], axis: MatchStep['axis']): (index: number) => boolean {
    const { parents, previous } = this.elements;
    if (axis === 'all') return () => true;
    const isMarked = this.markAll(from);
    switch (axis) {
      case '>':
        return (index) => isMarked(parents[index] ?? -1);
      case ' ':
        return (index) => this.reaches(index, parents, isMarked);
      case '+':
        return (index) => isMarked(previous[index] ?? -1);
      case '~':
        return (index) => this.reaches(index, previous, isMarked);
    }
  }

  private reaches(index: number, links: Int32Array, isMarked: (index: number) => boolean): boolean {
    // Results are cached for all elements on the path.
    const [no, yes] = [2 * this.mark, 2 * this.mark + 1];
    let answer = no;
    let at = index;
    for (; at >= 0 && answer === no; at = links[at] ?? -1) {
      const cached = this.reachability[at];
      if (cached === no) break;
      this.spend(1);
      if (cached === yes || isMarked(links[at] ?? -1)) answer = yes;
    }
    for (let visited = index; visited !== at; visited = links[visited] ?? -1) this.reachability[visited] = answer;
    return answer === yes;
  }

  private markAll(indexes: readonly number[]): (index: number) => boolean {
    const mark = (this.mark += 1);
    for (const index of indexes) this.marks[index] = mark;
    return (index) => index >= 0 && this.marks[index] === mark;
  }

  private filterByPosition(from: readonly number[], step: MatchStep): readonly number[] {
    const matches = new Set<number>();
    for (const indexes of this.listAlongAxis(from, step.axis)) {
      this.spend(indexes.length);
      const candidates = indexes.filter((index) => this.hasName(index, step.name));
      candidates.forEach((index, rank) => {
        const isNext = step.axis !== '+' || rank === 0;
        if (isNext && this.matchesAll(step.conditions, index, rank + 1, candidates.length)) matches.add(index);
      });
    }
    return [...matches].sort((one, other) => one - other);
  }

  /** Yields the elements along an axis for each start element. */
  private *listAlongAxis(from: readonly number[], axis: MatchStep['axis']): Generator<readonly number[]> {
    if (axis === 'all') yield this.elements.allIndexes;
    else if (axis === '>') for (const index of from) yield this.elements.getChildren(index);
    else if (axis === ' ') for (const index of this.listDescendantsOrSelf(from)) yield this.elements.getChildren(index);
    else for (const index of from) yield this.listFollowingSiblings(index);
  }

  private listFollowingSiblings(index: number): readonly number[] {
    const siblings = this.elements.getChildren(this.elements.parents[index] ?? -1);
    this.spend(siblings.length);
    return siblings.slice(siblings.indexOf(index) + 1);
  }

  private listDescendantsOrSelf(from: readonly number[]): readonly number[] {
    const isMarked = this.markAll(from);
    return this.elements.allIndexes.filter(
      (index) => isMarked(index) || this.reaches(index, this.elements.parents, isMarked),
    );
  }

  private hasName(index: number, name: string | undefined): boolean {
    return name === undefined || this.elements.all[index]?.name === name;
  }

  private matchesAll(conditions: readonly SelectorCondition[], index: number, position: number, last: number): boolean {
    return conditions.every((condition) => this.matchesCondition(condition, index, position, last));
  }

  private matchesCondition(condition: SelectorCondition, index: number, position: number, last: number): boolean {
    switch (condition.kind) {
      case 'name':
        return this.hasName(index, condition.name);
      case 'attribute':
        return isClassCondition(condition)
          ? this.elements.hasClass(index, condition.value)
          : matchesValue(this.getAttribute(index, condition.name), condition.operator, condition.value);
      case 'not':
        return !this.matchesAll(condition.conditions, index, position, last);
      case 'position':
        return isAtPosition(condition, position, last);
      case 'onlyChild':
        return last === 1;
      case 'onlyOfType':
        return this.elements.countSiblings(index, condition.name) === (this.hasName(index, condition.name) ? 1 : 0);
      case 'root':
        return (this.elements.parents[index] ?? -1) < 0;
      case 'empty':
        this.spend(this.elements.all[index]?.children.length ?? 0);
        return (
          this.elements.all[index]?.children.every((child) => child.kind !== 'element' && getText(child) === '') ??
          false
        );
      case 'never':
        return false;
    }
  }

  private getAttribute(index: number, name: string): string | undefined {
    if (name === 'style') return this.getStyle(index);
    const value = this.elements.all[index]?.attributes.get(name);
    return value === null ? '' : value;
  }
}

const isPositional = (condition: SelectorCondition): boolean =>
  condition.kind === 'position' ||
  condition.kind === 'onlyChild' ||
  (condition.kind === 'not' && condition.conditions.some(isPositional));

/** Structural pseudo-classes need additional steps through the parents. */
function toSteps(compounds: readonly CompoundSelector[]): MatchStep[] {
  return compounds.flatMap(({ combinator, name, conditions, childSteps }): MatchStep[] => {
    const any = (axis: MatchStep['axis']): MatchStep => ({ axis, name: undefined, conditions: [] });
    const axis = combinator ?? 'all';
    // After a combinator, the combinator's own step replaces a single child step.
    if (childSteps === 0 || (childSteps === 1 && combinator)) return [{ axis, name, conditions }];
    return [any(axis), ...Array.from({ length: childSteps - 1 }, () => any('>')), { axis: '>', name, conditions }];
  });
}

function isAtPosition({ step, offset, fromEnd }: PositionCondition, position: number, last: number): boolean {
  if (step === 0) return position === (fromEnd ? last - (offset - 1) : offset);
  if (step < 0 && offset < 1) return false;
  const rest = fromEnd ? last - position - (offset - 1) : position - offset;
  return (step < 0 ? rest <= 0 : rest >= 0) && (Math.abs(step) === 1 || rest % step === 0);
}

/** Returns whether a condition tests for a single class. */
const isClassCondition = ({ name, operator, value }: Extract<SelectorCondition, { kind: 'attribute' }>): boolean =>
  name === 'class' && operator === '~=' && !isFalsyInPhp(value) && !/[ \t\r\n]/.test(value);

/** PHP treats '' and '0' as false, so the service never matches such a class. */
const isFalsyInPhp = (value: string): boolean => value === '' || value === '0';

function matchesValue(actual: string | undefined, operator: string, value: string): boolean {
  if (operator === '!=') return actual === undefined ? !isFalsyInPhp(value) : actual !== value;
  if (actual === undefined) return false;
  switch (operator) {
    case '=':
      return actual === value;
    case '~=':
      return !isFalsyInPhp(value) && ` ${actual.replace(/[ \t\r\n]+/g, ' ').trim()} `.includes(` ${value} `);
    case '|=':
      return actual === value || actual.startsWith(`${value}-`);
    case '^=':
      return !isFalsyInPhp(value) && actual.startsWith(value);
    case '$=':
      return !isFalsyInPhp(value) && actual.endsWith(value);
    case '*=':
      return !isFalsyInPhp(value) && actual.includes(value);
    default:
      return true;
  }
}
