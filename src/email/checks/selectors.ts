import type { Selector } from 'css-tree';
import { unescapeCss } from '../html/nesting.ts';
import { parseCss } from './css.ts';
import type { BodyElement } from './document.ts';
import { memoize } from './memoize.ts';
import type { ParsedEmail } from './parsedEmail.ts';

/** A compound selector, such as `a.button[href]`. */
interface SelectorCompound {
  type: string;
  readonly ids: string[];
  readonly classes: string[];
  readonly attributes: { readonly name: string; readonly operator: string; readonly value: string }[];
  /** The combinator to the compound on its left. */
  readonly combinator: string;
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

/** Parses a selector; undefined if its syntax is unsupported. */
function parseSelector(text: string): ParsedSelector | undefined {
  try {
    return readSelector(parseCss(text, { context: 'selector' }) as Selector);
  } catch {
    return undefined;
  }
}

function readSelector({ children }: Selector): ParsedSelector | undefined {
  const createCompound = (combinator: string): SelectorCompound => ({
    type: '*',
    ids: [],
    classes: [],
    attributes: [],
    combinator,
  });
  let current = createCompound('');
  const compounds = [current];
  let specificity = 0;
  let isDynamic = false;
  for (const node of children) {
    if (node.type === 'Combinator') compounds.unshift((current = createCompound(node.name)));
    else if (node.type === 'TypeSelector') {
      if (node.name.includes('|')) return undefined;
      current.type = node.name.toLowerCase();
      if (node.name !== '*') specificity += 1;
    } else if (node.type === 'IdSelector') {
      current.ids.push(unescapeCss(node.name));
      specificity += 10_000;
    } else if (node.type === 'ClassSelector') {
      current.classes.push(unescapeCss(node.name));
      specificity += 100;
    } else if (node.type === 'AttributeSelector') {
      const { name, matcher, value } = node;
      const wanted = value?.type === 'String' ? value.value : (value?.name ?? '');
      current.attributes.push({ name: name.name.toLowerCase(), operator: matcher ?? '', value: wanted });
      specificity += 100;
    } else if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector') {
      isDynamic ||= !/^(?:any-)?link$/iu.test(node.name);
      specificity += 100;
    } else return undefined;
  }
  return { compounds, specificity, isDynamic, matchCache: new Map() };
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

const matchesCompound = ({ type, ids, classes, attributes }: SelectorCompound, element: BodyElement): boolean =>
  (type === '*' || type === element.name) &&
  ids.every((id) => element.get('id') === id) &&
  classes.every((name) => element.classes.has(name)) &&
  attributes.every(({ name, operator, value }) => {
    const actual = element.get(name);
    return actual !== undefined && attributeTests[operator]?.(actual, value) === true;
  });

/**
 * The remaining matching steps of an email, which all style rules share. Comparing an element with a compound takes one step. An email of
 * 177 KB takes about 20,000.
 */
export const getBudget = memoize(({ email: { body, stylesheet = '' } }: ParsedEmail) => ({
  remaining: 50_000 + 2 * (body.length + stylesheet.length),
}));

type Budget = ReturnType<typeof getBudget>;

/** Returns whether the compounds left of one match, starting from the element that matches this compound. */
function matchesLeftPart(selector: ParsedSelector, element: BodyElement, from: number, budget: Budget): boolean {
  const { compounds, matchCache } = selector;
  const [before, compound] = [compounds[from - 1], compounds[from]];
  if (!before || !compound) return true;
  const isNext = before.combinator === '>' || before.combinator === '+';
  const direction = before.combinator === '+' || before.combinator === '~' ? 'previous' : 'parent';
  const visitedKeys: number[] = [];
  let isFound = false;
  let origin = element;
  for (let candidate = origin[direction]; candidate && !isFound; candidate = origin[direction]) {
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
    origin = candidate;
  }
  if (budget.remaining >= 0) for (const key of visitedKeys) matchCache.set(key, isFound);
  return isFound;
}

/** Returns the index key of a selector's subject: `#id`, `.class`, a type, or `*`. */
function getSelectorKey({ compounds: [subject] }: ParsedSelector): string {
  if (subject?.ids[0] !== undefined) return `#${subject.ids[0]}`;
  return subject?.classes[0] === undefined ? (subject?.type ?? '*') : `.${subject.classes[0]}`;
}

/** Indexes the sent elements, including those that the parser inserts, by their possible selector keys. */
const indexElements = memoize((mail: ParsedEmail) => {
  const { elements, impliedElements } = mail.authored;
  const byKey = new Map<string, BodyElement[]>();
  for (const element of [...elements, ...impliedElements].filter((each) => mail.isSent(each))) {
    const id = element.get('id');
    const keys = [
      element.name,
      '*',
      ...(id === undefined ? [] : [`#${id}`]),
      ...[...element.classes].map((name) => `.${name}`),
    ];
    for (const key of keys) {
      const same = byKey.get(key);
      if (same) same.push(element);
      else byKey.set(key, [element]);
    }
  }
  return byKey;
});

interface SelectorMatch {
  readonly selector: ParsedSelector | undefined;
  /** The elements that the selector matches without its pseudo-classes; undefined if unsupported, or if the budget is spent. */
  readonly elements: readonly BodyElement[] | undefined;
}

const getMatches = memoize((_mail: ParsedEmail) => new Map<string, SelectorMatch>());

/** Parses a selector and finds its elements, once for each text. */
export function matchSelector(mail: ParsedEmail, text: string): SelectorMatch {
  const matches = getMatches(mail);
  const match = matches.get(text) ?? findMatch(mail, text);
  matches.set(text, match);
  return match;
}

function findMatch(mail: ParsedEmail, text: string): SelectorMatch {
  const selector = parseSelector(text);
  const budget = getBudget(mail);
  const subject = selector?.compounds[0];
  if (!selector || !subject || budget.remaining < 0) return { selector, elements: undefined };
  const found = (indexElements(mail).get(getSelectorKey(selector)) ?? []).filter(
    (element) =>
      (budget.remaining -= 1) >= 0 &&
      matchesCompound(subject, element) &&
      matchesLeftPart(selector, element, 1, budget),
  );
  return { selector, elements: budget.remaining < 0 ? undefined : found };
}

/** Returns whether a selector matches no element that AcyMailing's parser creates; false if undetermined. */
export const matchesNothing = (mail: ParsedEmail, text: string): boolean =>
  matchSelector(mail, text).elements?.every(
    ({ isInSource, name, children }) => !isInSource && !(name === 'body' && children.length > 0),
  ) === true;
