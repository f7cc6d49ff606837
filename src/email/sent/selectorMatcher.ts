import type { ElementIndex } from './elementIndex.ts';
import { LimitExceeded } from './model.ts';
import { BadSelector, parseSelector } from './selectorParse.ts';
import type { Combinator, Compound, Condition } from './selectorParse.ts';
import { textOf } from './tree.ts';

type PositionCondition = Extract<Condition, { kind: 'position' }>;

/** A step from elements to others: to all, or along a combinator; then those that the conditions hold for. */
interface MatchStep {
  readonly axis: Combinator | 'all';
  readonly name: string | undefined;
  readonly conditions: readonly Condition[];
}

/** Finds what selectors match, in the steps of the service's XPath: positions are counted along the way a step goes. */
export class SelectorMatcher {
  private readonly elements: ElementIndex;
  /** The style attribute of an element as it is by now; undefined where there is none. */
  private readonly getStyle: (place: number) => string | undefined;
  private readonly resultsBySelector = new Map<string, readonly number[] | 'bad'>();
  private readonly marks: Int32Array;
  /** Whether an element reaches one that is marked: twice the mark, and one more for yes. */
  private readonly reachability: Int32Array;
  private mark = 0;
  private budget: number;

  constructor(elements: ElementIndex, styleOf: (place: number) => string | undefined, effort: number) {
    this.elements = elements;
    this.getStyle = styleOf;
    this.marks = new Int32Array(elements.all.length);
    this.reachability = new Int32Array(elements.all.length);
    this.budget = effort;
  }

  /** Places of the elements that a selector matches, in document order; `bad` where the service can't parse it. */
  find(selector: string): readonly number[] | 'bad' {
    const known = this.resultsBySelector.get(selector);
    if (known) return known;
    const found = this.search(selector);
    // What depends on styles may be another next time.
    if (!/style/i.test(selector)) this.resultsBySelector.set(selector, found);
    return found;
  }

  private search(selector: string): readonly number[] | 'bad' {
    try {
      const selectors = parseSelector(selector) ?? [];
      const found = selectors.map((compounds) => this.applySteps(toSteps(compounds)));
      return found.length === 1 ? (found[0] ?? []) : [...new Set(found.flat())].sort((one, other) => one - other);
    } catch (error) {
      if (error instanceof BadSelector) return 'bad';
      throw error;
    }
  }

  private applySteps(steps: readonly MatchStep[]): readonly number[] {
    return steps.reduce<readonly number[]>(
      (places, step, index) => (index > 0 && places.length === 0 ? places : this.applyStep(places, step)),
      [],
    );
  }

  private spend(effort: number): void {
    if ((this.budget -= effort) < 0) throw new LimitExceeded('The styles have too many rules for so many elements.');
  }

  private applyStep(from: readonly number[], step: MatchStep): readonly number[] {
    return step.conditions.some(isPositional) ? this.filterByPosition(from, step) : this.filterCandidates(from, step);
  }

  /** Without positions: of the elements that the conditions may hold for, those that lie right. */
  private filterCandidates(from: readonly number[], step: MatchStep): readonly number[] {
    const liesRight = this.createAxisTest(from, step.axis);
    const candidates = this.candidates(step);
    this.spend(candidates.length);
    return candidates.filter(
      (place) => this.hasName(place, step.name) && liesRight(place) && this.matchesAll(step.conditions, place, 0, 0),
    );
  }

  private candidates({ name, conditions }: MatchStep): readonly number[] {
    const named = name === undefined ? this.elements.allPositions : this.elements.withName(name);
    for (const condition of conditions) {
      if (condition.kind !== 'attribute') continue;
      if (condition.name === 'id' && condition.operator === '=') return this.elements.withId(condition.value);
      if (isClassCondition(condition)) return this.elements.withClass(condition.value);
      // Styles change while rules are written, and without the attribute `!=` holds, too.
      if (condition.name === 'style' || condition.operator === '!=') continue;
      const having = this.elements.withAttribute(condition.name);
      if (having.length < named.length) return having;
    }
    return named;
  }

  private createAxisTest(from: readonly number[], axis: MatchStep['axis']): (place: number) => boolean {
    const { parents, previous } = this.elements;
    if (axis === 'all') return () => true;
    const isMarked = this.markAll(from);
    switch (axis) {
      case '>':
        return (place) => isMarked(parents[place] ?? -1);
      case ' ':
        return (place) => this.reaches(place, parents, isMarked);
      case '+':
        return (place) => isMarked(previous[place] ?? -1);
      case '~':
        return (place) => this.reaches(place, previous, isMarked);
    }
  }

  private reaches(place: number, links: Int32Array, isMarked: (place: number) => boolean): boolean {
    // What is found out on one way is not tried again on another.
    const [no, yes] = [2 * this.mark, 2 * this.mark + 1];
    let answer = no;
    let at = place;
    for (; at >= 0 && answer === no; at = links[at] ?? -1) {
      const known = this.reachability[at];
      if (known === no) break;
      this.spend(1);
      if (known === yes || isMarked(links[at] ?? -1)) answer = yes;
    }
    for (let passed = place; passed !== at; passed = links[passed] ?? -1) this.reachability[passed] = answer;
    return answer === yes;
  }

  private markAll(places: readonly number[]): (place: number) => boolean {
    const mark = (this.mark += 1);
    for (const place of places) this.marks[place] = mark;
    return (place) => place >= 0 && this.marks[place] === mark;
  }

  private filterByPosition(from: readonly number[], step: MatchStep): readonly number[] {
    const found = new Set<number>();
    for (const places of this.listAlongAxis(from, step.axis)) {
      this.spend(places.length);
      const named = places.filter((place) => this.hasName(place, step.name));
      named.forEach((place, index) => {
        const isNext = step.axis !== '+' || index === 0;
        if (isNext && this.matchesAll(step.conditions, place, index + 1, named.length)) found.add(place);
      });
    }
    return [...found].sort((one, other) => one - other);
  }

  /** The elements along an axis, from each of some elements. */
  private *listAlongAxis(from: readonly number[], axis: MatchStep['axis']): Generator<readonly number[]> {
    if (axis === 'all') yield this.elements.allPositions;
    else if (axis === '>') for (const place of from) yield this.elements.getChildren(place);
    else if (axis === ' ') for (const place of this.listDescendantsOrSelf(from)) yield this.elements.getChildren(place);
    else for (const place of from) yield this.listFollowingSiblings(place);
  }

  private listFollowingSiblings(place: number): readonly number[] {
    const siblings = this.elements.getChildren(this.elements.parents[place] ?? -1);
    this.spend(siblings.length);
    return siblings.slice(siblings.indexOf(place) + 1);
  }

  private listDescendantsOrSelf(from: readonly number[]): readonly number[] {
    const isMarked = this.markAll(from);
    return this.elements.allPositions.filter(
      (place) => isMarked(place) || this.reaches(place, this.elements.parents, isMarked),
    );
  }

  private hasName(place: number, name: string | undefined): boolean {
    return name === undefined || this.elements.all[place]?.name === name;
  }

  private matchesAll(conditions: readonly Condition[], place: number, position: number, last: number): boolean {
    return conditions.every((condition) => this.matchesCondition(condition, place, position, last));
  }

  private matchesCondition(condition: Condition, place: number, position: number, last: number): boolean {
    switch (condition.kind) {
      case 'name':
        return this.hasName(place, condition.name);
      case 'attribute':
        return isClassCondition(condition)
          ? this.elements.hasClass(place, condition.value)
          : matchesValue(this.getAttribute(place, condition.name), condition.operator, condition.value);
      case 'not':
        return !this.matchesAll(condition.conditions, place, position, last);
      case 'position':
        return isAtPosition(condition, position, last);
      case 'onlyChild':
        return last === 1;
      case 'onlyOfType':
        return this.elements.countSiblings(place, condition.name) === (this.hasName(place, condition.name) ? 1 : 0);
      case 'root':
        return (this.elements.parents[place] ?? -1) < 0;
      case 'empty':
        this.spend(this.elements.all[place]?.children.length ?? 0);
        return (
          this.elements.all[place]?.children.every((child) => child.kind !== 'element' && textOf(child) === '') ?? false
        );
      case 'never':
        return false;
    }
  }

  private getAttribute(place: number, name: string): string | undefined {
    if (name === 'style') return this.getStyle(place);
    const value = this.elements.all[place]?.attributes.get(name);
    return value === null ? '' : value;
  }
}

const isPositional = (condition: Condition): boolean =>
  condition.kind === 'position' ||
  condition.kind === 'onlyChild' ||
  (condition.kind === 'not' && condition.conditions.some(isPositional));

/** A compound that asks for elements above it begins with steps to their children. */
function toSteps(compounds: readonly Compound[]): MatchStep[] {
  return compounds.flatMap(({ combinator, name, conditions, parents }): MatchStep[] => {
    const any = (axis: MatchStep['axis']): MatchStep => ({ axis, name: undefined, conditions: [] });
    const axis = combinator ?? 'all';
    // After a combinator a single step to children is left out: the combinator's own step takes its place.
    if (parents === 0 || (parents === 1 && combinator)) return [{ axis, name, conditions }];
    return [any(axis), ...Array.from({ length: parents - 1 }, () => any('>')), { axis: '>', name, conditions }];
  });
}

function isAtPosition({ step, offset, fromEnd }: PositionCondition, position: number, last: number): boolean {
  if (step === 0) return position === (fromEnd ? last - (offset - 1) : offset);
  if (step < 0 && offset < 1) return false;
  const rest = fromEnd ? last - position - (offset - 1) : position - offset;
  return (step < 0 ? rest <= 0 : rest >= 0) && (Math.abs(step) === 1 || rest % step === 0);
}

/** Whether a condition asks for one class, by its name. */
const isClassCondition = ({ name, operator, value }: Extract<Condition, { kind: 'attribute' }>): boolean =>
  name === 'class' && operator === '~=' && !isFalsyInPhp(value) && !/[ \t\r\n]/.test(value);

/** PHP takes '' and '0' for nothing: no such class is found. */
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
