import type { BodyElement } from './document.ts';
import type { Email } from './model.ts';

/** A compound selector, such as `a.button[href]`. */
interface SelectorCompound {
  readonly type?: string;
  readonly ids: readonly string[];
  readonly classes: readonly string[];
  readonly attributes: readonly AttributeTest[];
  /** The combinator to the compound on its left. */
  readonly combinator: ' ' | '>' | '+' | '~' | '';
}

interface AttributeTest {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

export interface ParsedSelector {
  /** From right to left. */
  readonly compounds: readonly SelectorCompound[];
  /** Specificity as one comparable number. */
  readonly specificity: number;
  /** Whether the selector has a pseudo-class or pseudo-element, which matching ignores. */
  readonly isDynamic: boolean;
  /** Cached results: whether any ancestor or previous sibling matches the compounds from an index on. */
  readonly matchCache: Map<number, boolean>;
}

const selectorToken = new RegExp(
  [
    String.raw`(\s*[>+~]\s*|\s+)`,
    String.raw`([a-z_][\w-]*|\*)`,
    String.raw`#((?:[\w-]|\\.|[^\0-\x7f])+)`,
    String.raw`\.((?:[\w-]|\\.|[^\0-\x7f])+)`,
    String.raw`\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]+|(?=\])))\s*(?:i\s*)?)?\]`,
    String.raw`(::?[\w-]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?)`,
  ].join('|'),
  'giy',
);

type MutableCompound = {
  -readonly [key in keyof SelectorCompound]: SelectorCompound[key] extends readonly (infer Item)[]
    ? Item[]
    : SelectorCompound[key];
};

const createCompound = (combinator: SelectorCompound['combinator']): MutableCompound => ({
  ids: [],
  classes: [],
  attributes: [],
  combinator,
});

const unescapeName = (name: string): string => name.replace(/\\(.)/gu, '$1');

/** Parses a selector; undefined if its syntax is unsupported. */
export function parseSelector(text: string): ParsedSelector | undefined {
  const compounds: MutableCompound[] = [createCompound('')];
  let specificity = 0;
  let isDynamic = false;
  const trimmed = text.replace(/\/\*[^]*?(?:\*\/|$)/gu, ' ').trim();
  selectorToken.lastIndex = 0;
  let at = 0;
  while (at < trimmed.length) {
    selectorToken.lastIndex = at;
    const match = selectorToken.exec(trimmed);
    if (!match) return undefined;
    const [whole, combinator, type, id, className, attribute, operator = '', quoted, single, plain, pseudo] = match;
    const current = compounds.at(-1) ?? createCompound('');
    if (combinator !== undefined)
      compounds.push(createCompound((combinator.trim() || ' ') as SelectorCompound['combinator']));
    else if (type !== undefined) current.type = type.toLowerCase();
    else if (id !== undefined) current.ids.push(unescapeName(id));
    else if (className !== undefined) current.classes.push(unescapeName(className));
    else if (attribute !== undefined)
      current.attributes.push({ name: attribute.toLowerCase(), operator, value: quoted ?? single ?? plain ?? '' });
    else if (pseudo !== undefined && !/^:(?:link|any-link)$/iu.test(pseudo)) isDynamic = true;
    specificity +=
      id !== undefined
        ? 10_000
        : className !== undefined || attribute !== undefined || pseudo !== undefined
          ? 100
          : type && type !== '*'
            ? 1
            : 0;
    at += whole.length;
  }
  return { compounds: compounds.reverse(), specificity, isDynamic, matchCache: new Map() };
}

/** Returns a function that parses each selector once. */
export function createSelectorReader(): typeof parseSelector {
  const cache = new Map<string, ParsedSelector | undefined>();
  return (text) => {
    if (!cache.has(text)) cache.set(text, parseSelector(text));
    return cache.get(text);
  };
}

const attributeTests: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  '': () => true,
  '=': (value, wanted) => value === wanted,
  '~=': (value, wanted) => value.split(/\s+/u).includes(wanted),
  '|=': (value, wanted) => value === wanted || value.startsWith(`${wanted}-`),
  '^=': (value, wanted) => wanted !== '' && value.startsWith(wanted),
  '$=': (value, wanted) => wanted !== '' && value.endsWith(wanted),
  '*=': (value, wanted) => wanted !== '' && value.includes(wanted),
};

function matchesCompound({ type, ids, classes, attributes }: SelectorCompound, element: BodyElement): boolean {
  if (type !== undefined && type !== '*' && type !== element.name) return false;
  if (!ids.every((id) => element.get('id') === id)) return false;
  if (!classes.every((name) => element.hasClass(name))) return false;
  return attributes.every(({ name, operator, value }) => {
    const actual = element.get(name);
    return actual !== undefined && attributeTests[operator]?.(actual, value) === true;
  });
}

/** The remaining matching steps for an email. Comparing an element with a compound takes one step. */
export interface MatchBudget {
  remaining: number;
}

/** Returns the budget for an email, in proportion to its length. An email of 177 KB takes about 20,000 steps. */
export const createMatchBudget = ({ body, stylesheet = '' }: Email): MatchBudget => ({
  remaining: 50_000 + 2 * (body.length + stylesheet.length),
});

/** Returns whether a selector matches an element, ignoring pseudo-classes; false once the budget is spent. */
export function matchesElement(selector: ParsedSelector, element: BodyElement, budget: MatchBudget): boolean {
  budget.remaining -= 1;
  const [last] = selector.compounds;
  if (!last || !matchesCompound(last, element)) return false;
  return selector.compounds.length === 1 || matchesLeftPart(selector, element, 1, budget);
}

/** Returns whether the compounds left of one match, starting from the element that matches this compound. */
function matchesLeftPart(selector: ParsedSelector, element: BodyElement, from: number, budget: MatchBudget): boolean {
  const { compounds, matchCache } = selector;
  const [before, compound] = [compounds[from - 1], compounds[from]];
  if (!before || !compound) return true;
  const isSibling = before.combinator === '+' || before.combinator === '~';
  const isNext = before.combinator === '>' || before.combinator === '+';
  const step = (candidate: BodyElement): BodyElement | undefined => (isSibling ? candidate.previous : candidate.parent);
  const visitedKeys: number[] = [];
  let isFound = false;
  for (
    let candidate = step(element), origin = element;
    candidate && !isFound;
    origin = candidate, candidate = step(candidate)
  ) {
    // Results are cached, because different paths reach the same element.
    const key = origin.order * compounds.length + from;
    const cached = isNext ? undefined : matchCache.get(key);
    if (cached !== undefined) {
      isFound = cached;
      break;
    }
    if ((budget.remaining -= 1) < 0) return false;
    visitedKeys.push(key);
    isFound = matchesCompound(compound, candidate) && matchesLeftPart(selector, candidate, from + 1, budget);
    if (isNext) return isFound;
  }
  if (budget.remaining >= 0) for (const key of visitedKeys) matchCache.set(key, isFound);
  return isFound;
}

/** Returns the index key of a selector's subject: `#id`, `.class`, a type, or `*`. */
export function getSelectorKey({ compounds }: ParsedSelector): string {
  const [last] = compounds;
  if (last?.ids[0] !== undefined) return `#${last.ids[0]}`;
  if (last?.classes[0] !== undefined) return `.${last.classes[0]}`;
  return last?.type ?? '*';
}

/** Returns a function that computes the index keys of each element once. */
export function createElementKeyReader(): typeof getElementKeys {
  const cache = new Map<BodyElement, readonly string[]>();
  return (element) => {
    const keys = cache.get(element) ?? getElementKeys(element);
    cache.set(element, keys);
    return keys;
  };
}

function getElementKeys(element: BodyElement): readonly string[] {
  const keys = [element.name, '*'];
  const id = element.get('id');
  if (id !== undefined) keys.push(`#${id}`);
  const { classes } = element;
  for (const name of classes.length > 1 ? new Set(classes) : classes) keys.push(`.${name}`);
  return keys;
}
