import type { Selector } from 'css-tree';
import { unescapeCss } from '../html/nesting.ts';
import { parseCss } from './css.ts';
import type { BodyElement } from './document.ts';

/** A compound selector, such as `a.button[href]`. */
interface SelectorCompound {
  /** What an element needs to match, as elements are indexed by: `#id`, `.class`, a type, or `*`. */
  key: string;
  readonly tests: ((element: BodyElement) => boolean)[];
  /** The combinator to the compound on its left. */
  readonly combinator: string;
}

interface ParsedSelector {
  /** From right to left. */
  readonly compounds: readonly SelectorCompound[];
  /** Specificity as one comparable number. */
  readonly specificity: number;
  /** Whether the selector has a pseudo-class or pseudo-element, which matching ignores. */
  readonly isDynamic: boolean;
}

interface SelectorMatch extends Pick<ParsedSelector, 'specificity' | 'isDynamic'> {
  /** The elements that the selector matches without its pseudo-classes; undefined if unsupported, or if the budget is spent. */
  readonly elements?: readonly BodyElement[];
}

const createCompound = (combinator: string): SelectorCompound => ({ key: '*', tests: [], combinator });

/** Parses a selector; undefined if its syntax is unsupported. Throws if it is invalid. */
function parseSelector(text: string): ParsedSelector | undefined {
  const { children } = parseCss(text, { context: 'selector' }) as Selector;
  let current = createCompound('');
  const compounds = [current];
  let specificity = 0;
  let isDynamic = false;
  for (const node of children) {
    if (node.type === 'Combinator') compounds.push((current = createCompound(node.name)));
    else if (node.type === 'TypeSelector') {
      const type = node.name.toLowerCase();
      if (type.includes('|')) return undefined;
      if (type === '*') continue;
      current.tests.push(({ name }) => name === type);
      current.key = type;
      specificity += 1;
    } else if (node.type === 'IdSelector') {
      const wanted = unescapeCss(node.name);
      current.tests.push((element) => element.get('id') === wanted);
      current.key = `#${wanted}`;
      specificity += 10_000;
    } else if (node.type === 'ClassSelector') {
      const wanted = unescapeCss(node.name);
      current.tests.push(({ classes }) => classes.has(wanted));
      if (!current.key.startsWith('#')) current.key = `.${wanted}`;
      specificity += 100;
    } else if (node.type === 'AttributeSelector') {
      const { name, matcher, value } = node;
      const wanted = value?.type === 'String' ? value.value : (value?.name ?? '');
      current.tests.push((element) => matchesAttribute(element.get(name.name.toLowerCase()), matcher, wanted));
      specificity += 100;
    } else if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector') {
      isDynamic ||= !/^(?:any-)?link$/iu.test(node.name);
      specificity += 100;
    } else return undefined;
  }
  return { compounds: compounds.reverse(), specificity, isDynamic };
}

function matchesAttribute(value: string | undefined, matcher: string | null, wanted: string): boolean {
  if (value === undefined || matcher === null) return value !== undefined;
  if (matcher === '=') return value === wanted;
  if (matcher === '~=') return value.split(/\s+/u).includes(wanted);
  if (matcher === '|=') return value === wanted || value.startsWith(`${wanted}-`);
  if (wanted === '') return false;
  if (matcher === '^=') return value.startsWith(wanted);
  return matcher === '$=' ? value.endsWith(wanted) : value.includes(wanted);
}

function matchesCompound({ tests }: SelectorCompound, element: BodyElement): boolean {
  for (const test of tests) if (!test(element)) return false;
  return true;
}

/** Finds the elements that selectors match, in a limited number of steps. */
export class SelectorMatcher {
  /** The remaining matching steps, which all selectors share. Comparing an element with a compound takes one step. */
  budget: number;
  /** Elements by the keys of compounds. */
  readonly #elements = new Map<string, BodyElement[]>();
  readonly #matches = new Map<string, SelectorMatch>();

  constructor(elements: readonly BodyElement[], budget: number) {
    this.budget = budget;
    const add = (key: string, element: BodyElement): void => {
      const same = this.#elements.get(key);
      if (same) same.push(element);
      else this.#elements.set(key, [element]);
    };
    for (const element of elements) {
      add('*', element);
      add(element.name, element);
      for (const name of element.classes) add(`.${name}`, element);
      const id = element.get('id');
      if (id !== undefined) add(`#${id}`, element);
    }
  }

  /** Parses a selector and finds its elements, once for each text. */
  match(text: string): SelectorMatch {
    let match = this.#matches.get(text);
    if (!match) this.#matches.set(text, (match = this.#findMatch(text)));
    return match;
  }

  /** Returns whether a selector matches no element that AcyMailing's parser creates; false if undetermined. */
  matchesNothing(text: string): boolean {
    return (
      this.match(text).elements?.every(
        ({ isInSource, name, children }) => !isInSource && !(name === 'body' && children.length > 0),
      ) === true
    );
  }

  #findMatch(text: string): SelectorMatch {
    let selector: ParsedSelector | undefined;
    try {
      selector = parseSelector(text);
    } catch {
      // Invalid selectors match nothing.
    }
    const { compounds = [], specificity = 0, isDynamic = true } = selector ?? {};
    const [subject] = compounds;
    if (!subject || this.budget < 0) return { specificity, isDynamic };
    const cache = new Map<number, boolean>();
    const elements = this.#elements
      .get(subject.key)
      ?.filter(
        (element) =>
          (this.budget -= 1) >= 0 &&
          matchesCompound(subject, element) &&
          this.#matchesLeftPart(compounds, cache, element, 1),
      );
    return { specificity, isDynamic, elements: this.budget < 0 ? undefined : (elements ?? []) };
  }

  /**
   * Returns whether the compounds left of one match, starting from the element that matches this compound. `cache`: whether any ancestor
   * or previous sibling of an element matches the compounds from an index on. Different paths reach the same element.
   */
  #matchesLeftPart(
    compounds: readonly SelectorCompound[],
    cache: Map<number, boolean>,
    element: BodyElement,
    from: number,
  ): boolean {
    const [before, compound] = [compounds[from - 1], compounds[from]];
    if (!before || !compound) return true;
    const isNext = before.combinator === '>' || before.combinator === '+';
    const direction = before.combinator === '+' || before.combinator === '~' ? 'previous' : 'parent';
    const visitedKeys: number[] = [];
    let isFound: boolean | undefined = false;
    let origin = element;
    for (let candidate = origin[direction]; candidate && !isFound; candidate = origin[direction]) {
      const key = origin.order * compounds.length + from;
      isFound = isNext ? undefined : cache.get(key);
      if (isFound !== undefined) break;
      if ((this.budget -= 1) < 0) return false;
      visitedKeys.push(key);
      isFound = matchesCompound(compound, candidate) && this.#matchesLeftPart(compounds, cache, candidate, from + 1);
      if (isNext) return isFound;
      origin = candidate;
    }
    if (this.budget >= 0) for (const key of visitedKeys) cache.set(key, isFound === true);
    return isFound === true;
  }
}
