import * as l10n from '@vscode/l10n';
import { LimitExceeded } from './model.ts';
import { InvalidSelector, parseServiceSelector } from './selectorParse.ts';
import type { Combinator, CompoundSelector, SelectorCondition } from './selectorParse.ts';
import { collectElements, getText } from './tree.ts';
import type { ElementNode } from './tree.ts';

/** An element that selectors can match. */
export interface MatchableElement {
  readonly node: ElementNode;
  /** Position in document order. */
  readonly index: number;
  readonly parent: MatchableElement | undefined;
  /** The previous sibling. */
  readonly previous: MatchableElement | undefined;
  readonly children: MatchableElement[];
  /** Number of children with each name. */
  readonly childCounts: Map<string, number>;
  readonly classes: ReadonlySet<string>;
}

/** Returns the element and its descendants in document order. */
export function listMatchableElements(root: ElementNode): MatchableElement[] {
  const elements = new Map<ElementNode, MatchableElement>();
  for (const node of collectElements([root])) {
    const parent = node.parent && elements.get(node.parent);
    const classes = new Set((node.attributes.get('class') ?? '').split(/[ \t\r\n]+/).filter(Boolean));
    const element: MatchableElement = {
      node,
      index: elements.size,
      parent,
      previous: parent?.children.at(-1),
      children: [],
      childCounts: new Map(),
      classes,
    };
    parent?.children.push(element);
    parent?.childCounts.set(node.name, (parent.childCounts.get(node.name) ?? 0) + 1);
    elements.set(node, element);
  }
  return [...elements.values()];
}

/** Returns the elements by `<p`, `.class`, `#id` and `[attribute`. */
function indexElements(elements: readonly MatchableElement[]): ReadonlyMap<string, readonly MatchableElement[]> {
  const byKey = new Map<string, MatchableElement[]>();
  for (const element of elements) {
    const { name, attributes } = element.node;
    const id = attributes.get('id');
    const keys = [
      `<${name}`,
      ...[...element.classes].map((each) => `.${each}`),
      ...[...attributes.keys()].map((each) => `[${each}`),
      ...(typeof id === 'string' ? [`#${id}`] : []),
    ];
    for (const key of keys) {
      const others = byKey.get(key);
      if (others) others.push(element);
      else byKey.set(key, [element]);
    }
  }
  return byKey;
}

type PositionCondition = Extract<SelectorCondition, { kind: 'position' }>;
type Elements = readonly MatchableElement[];

/** Moves from elements along an axis, then filters by name and conditions. */
interface MatchStep {
  readonly axis: Combinator | 'all';
  readonly name: string | undefined;
  readonly conditions: readonly SelectorCondition[];
}

/** Matches selectors like the service's XPath: positions are counted along the axis of each step. */
export class SelectorMatcher {
  readonly #elements: Elements;
  readonly #byKey: ReadonlyMap<string, Elements>;
  /** The current style attribute of an element, or undefined. */
  readonly #getStyle: (element: MatchableElement) => string | undefined;
  readonly #results = new Map<string, Elements | 'invalid'>();
  #budget: number;

  constructor(elements: Elements, getStyle: (element: MatchableElement) => string | undefined, budget: number) {
    this.#elements = elements;
    this.#byKey = indexElements(elements);
    this.#getStyle = getStyle;
    this.#budget = budget;
  }

  /** Returns the matching elements in document order, or `invalid` if the service can't parse the selector. */
  find(selector: string): Elements | 'invalid' {
    const matches = this.#results.get(selector) ?? this.#search(selector);
    // Styles change while rules are added.
    if (!/style/i.test(selector)) this.#results.set(selector, matches);
    return matches;
  }

  #search(selector: string): Elements | 'invalid' {
    try {
      const matches = (parseServiceSelector(selector) ?? []).map((compounds) =>
        toSteps(compounds).reduce<Elements>(
          (from, step, rank) => (rank > 0 && from.length === 0 ? from : this.#applyStep(from, step)),
          [],
        ),
      );
      return matches.length === 1 ? (matches[0] ?? []) : sortUnique(matches.flat());
    } catch (error) {
      if (error instanceof InvalidSelector) return 'invalid';
      throw error;
    }
  }

  #spend(budget: number): void {
    if ((this.#budget -= budget) < 0)
      throw new LimitExceeded(l10n.t('The styles have too many rules for so many elements.'));
  }

  #applyStep(from: Elements, step: MatchStep): Elements {
    const { axis, conditions } = step;
    const isNamed = ({ node }: MatchableElement): boolean => step.name === undefined || node.name === step.name;
    if (!conditions.some(isPositional)) {
      const isOnAxis = this.#createAxisTest(from, axis);
      const candidates = this.#listCandidates(step);
      this.#spend(candidates.length);
      return candidates.filter(
        (element) => isNamed(element) && isOnAxis(element) && this.#matchesAll(conditions, element, 0, 0),
      );
    }
    const matches: MatchableElement[] = [];
    for (const elements of this.#listAlongAxis(from, axis)) {
      this.#spend(elements.length);
      const candidates = elements.filter(isNamed);
      const { length } = candidates;
      for (const [rank, element] of (axis === '+' ? candidates.slice(0, 1) : candidates).entries())
        if (this.#matchesAll(conditions, element, rank + 1, length)) matches.push(element);
    }
    return sortUnique(matches);
  }

  #listCandidates({ name, conditions }: MatchStep): Elements {
    const find = (key: string): Elements => this.#byKey.get(key) ?? [];
    const candidates = name === undefined ? this.#elements : find(`<${name}`);
    for (const condition of conditions) {
      if (condition.kind !== 'attribute') continue;
      if (condition.name === 'id' && condition.operator === '=') return find(`#${condition.value}`);
      if (isClassCondition(condition)) return find(`.${condition.value}`);
      // Styles change while rules are added, and `!=` also matches elements without the attribute.
      if (condition.name === 'style' || condition.operator === '!=') continue;
      const having = find(`[${condition.name}`);
      if (having.length < candidates.length) return having;
    }
    return candidates;
  }

  #createAxisTest(from: Elements, axis: MatchStep['axis']): (element: MatchableElement) => boolean {
    if (axis === 'all') return () => true;
    const link = axis === '>' || axis === ' ' ? 'parent' : 'previous';
    if (axis === ' ' || axis === '~') return this.#createReachTest(from, link);
    const starts = new Set(from);
    return ({ [link]: other }) => other !== undefined && starts.has(other);
  }

  /** Returns a test for elements that reach one of the start elements through their parents or previous siblings. */
  #createReachTest(from: Elements, link: 'parent' | 'previous'): (element: MatchableElement) => boolean {
    const starts = new Set(from);
    // Results are stored for all elements on the path.
    const results = new Map<MatchableElement, boolean>();
    return (element) => {
      const path: MatchableElement[] = [];
      let result: boolean | undefined;
      for (let at: MatchableElement | undefined = element; at && result === undefined; at = at[link]) {
        result = results.get(at);
        if (result !== undefined) break;
        this.#spend(1);
        path.push(at);
        if (at[link] && starts.has(at[link])) result = true;
      }
      for (const visited of path) results.set(visited, result ?? false);
      return result ?? false;
    };
  }

  /** Yields the elements along an axis for each start element. */
  *#listAlongAxis(from: Elements, axis: MatchStep['axis']): Generator<Elements> {
    if (axis === 'all') yield this.#elements;
    else if (axis === '>') for (const { children } of from) yield children;
    else if (axis === ' ') {
      const starts = new Set(from);
      const isInside = this.#createReachTest(from, 'parent');
      for (const element of this.#elements) if (starts.has(element) || isInside(element)) yield element.children;
    } else
      for (const element of from) {
        const siblings = element.parent?.children ?? [];
        this.#spend(siblings.length);
        yield siblings.slice(siblings.indexOf(element) + 1);
      }
  }

  #matchesAll(
    conditions: readonly SelectorCondition[],
    element: MatchableElement,
    position: number,
    last: number,
  ): boolean {
    return conditions.every((condition) => this.#matches(condition, element, position, last));
  }

  #matches(condition: SelectorCondition, element: MatchableElement, position: number, last: number): boolean {
    const { node, parent } = element;
    switch (condition.kind) {
      case 'name':
        return node.name === condition.name;
      case 'attribute':
        return isClassCondition(condition)
          ? element.classes.has(condition.value)
          : matchesValue(this.#getAttribute(element, condition.name), condition.operator, condition.value);
      case 'not':
        return !this.#matchesAll(condition.conditions, element, position, last);
      case 'position':
        return isAtPosition(condition, position, last);
      case 'onlyChild':
        return last === 1;
      case 'onlyOfType': {
        const { name } = condition;
        if (name === undefined) return !parent || parent.children.length === 1;
        return !parent || (parent.childCounts.get(name) ?? 0) === (node.name === name ? 1 : 0);
      }
      case 'root':
        return !parent;
      case 'empty':
        this.#spend(node.children.length);
        return node.children.every((child) => child.kind !== 'element' && getText(child) === '');
      case 'never':
        return false;
    }
  }

  #getAttribute(element: MatchableElement, name: string): string | undefined {
    if (name === 'style') return this.#getStyle(element);
    const value = element.node.attributes.get(name);
    return value === null ? '' : value;
  }
}

const sortUnique = (elements: Elements): Elements =>
  [...new Set(elements)].sort((one, other) => one.index - other.index);

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
  if (operator === '=') return actual === value;
  if (operator === '|=') return actual === value || actual.startsWith(`${value}-`);
  if (operator === 'exists') return true;
  if (isFalsyInPhp(value)) return false;
  if (operator === '^=') return actual.startsWith(value);
  if (operator === '$=') return actual.endsWith(value);
  return operator === '*='
    ? actual.includes(value)
    : ` ${actual.replace(/[ \t\r\n]+/g, ' ').trim()} `.includes(` ${value} `);
}
