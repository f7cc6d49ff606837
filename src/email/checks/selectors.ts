import type { BodyElement } from './document.ts';
import type { Email } from './model.ts';

/** One element of a selector: `a.button[href]`. */
interface Compound {
  readonly type?: string;
  readonly ids: readonly string[];
  readonly classes: readonly string[];
  readonly attributes: readonly AttributeTest[];
  /** How it stands to the compound on its left. */
  readonly combinator: ' ' | '>' | '+' | '~' | '';
}

interface AttributeTest {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

export interface ParsedSelector {
  /** From right to left. */
  readonly compounds: readonly Compound[];
  /** Ids, classes and the like, types: as one number that compares. */
  readonly specificity: number;
  /** A pseudo-class or pseudo-element that the element's state decides, or that is not looked at here. */
  readonly isDynamic: boolean;
  /** Results of matching: whether any ancestor, or any sibling before, matches the parts from one on. */
  readonly further: Map<number, boolean>;
}

const piece = new RegExp(
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

type Draft = {
  -readonly [key in keyof Compound]: Compound[key] extends readonly (infer Item)[] ? Item[] : Compound[key];
};

const draft = (combinator: Compound['combinator']): Draft => ({ ids: [], classes: [], attributes: [], combinator });

const unescaped = (name: string): string => name.replace(/\\(.)/gu, '$1');

/** Reads a selector; undefined for one that is not understood. */
export function parseSelector(text: string): ParsedSelector | undefined {
  const compounds: Draft[] = [draft('')];
  let specificity = 0;
  let isDynamic = false;
  const trimmed = text.replace(/\/\*[^]*?(?:\*\/|$)/gu, ' ').trim();
  piece.lastIndex = 0;
  let at = 0;
  while (at < trimmed.length) {
    piece.lastIndex = at;
    const match = piece.exec(trimmed);
    if (!match) return undefined;
    const [whole, combinator, type, id, className, attribute, operator = '', quoted, single, plain, pseudo] = match;
    const current = compounds.at(-1) ?? draft('');
    if (combinator !== undefined) compounds.push(draft((combinator.trim() || ' ') as Compound['combinator']));
    else if (type !== undefined) current.type = type.toLowerCase();
    else if (id !== undefined) current.ids.push(unescaped(id));
    else if (className !== undefined) current.classes.push(unescaped(className));
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
  return { compounds: compounds.reverse(), specificity, isDynamic, further: new Map() };
}

/** Reads each selector once, for all rules that ask. */
export function createSelectorReader(): typeof parseSelector {
  const known = new Map<string, ParsedSelector | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, parseSelector(text));
    return known.get(text);
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

function fits({ type, ids, classes, attributes }: Compound, element: BodyElement): boolean {
  if (type !== undefined && type !== '*' && type !== element.name) return false;
  if (!ids.every((id) => element.get('id') === id)) return false;
  if (!classes.every((name) => element.hasClass(name))) return false;
  return attributes.every(({ name, operator, value }) => {
    const has = element.get(name);
    return has !== undefined && attributeTests[operator]?.(has, value) === true;
  });
}

/** How much matching an email may still take: one step for each element that is compared with a part of a selector. */
export interface MatchBudget {
  left: number;
}

/** An email of 177 KB takes some 20,000 steps. In proportion to the texts, so that twice the text takes twice the time. */
export const createMatchBudget = ({ body, stylesheet = '' }: Email): MatchBudget => ({
  left: 50_000 + 2 * (body.length + stylesheet.length),
});

/** Returns whether a selector matches an element; takes pseudo-classes as matching, and false when the effort is spent. */
export function matchesElement(selector: ParsedSelector, element: BodyElement, effort: MatchBudget): boolean {
  effort.left -= 1;
  const [last] = selector.compounds;
  if (!last || !fits(last, element)) return false;
  return selector.compounds.length === 1 || leftMatches(selector, element, 1, effort);
}

/** Whether what stands left of a compound matches, seen from the element that the compound matches. */
function leftMatches(selector: ParsedSelector, element: BodyElement, from: number, effort: MatchBudget): boolean {
  const { compounds, further } = selector;
  const [before, compound] = [compounds[from - 1], compounds[from]];
  if (!before || !compound) return true;
  const isSibling = before.combinator === '+' || before.combinator === '~';
  const isNext = before.combinator === '>' || before.combinator === '+';
  const step = (at: BodyElement): BodyElement | undefined => (isSibling ? at.previous : at.parent);
  const passed: number[] = [];
  let isFound = false;
  for (let at = step(element), origin = element; at && !isFound; origin = at, at = step(at)) {
    // What was found out from one element is not tried again on another way.
    const key = origin.order * compounds.length + from;
    const known = isNext ? undefined : further.get(key);
    if (known !== undefined) {
      isFound = known;
      break;
    }
    if ((effort.left -= 1) < 0) return false;
    passed.push(key);
    isFound = fits(compound, at) && leftMatches(selector, at, from + 1, effort);
    if (isNext) return isFound;
  }
  if (effort.left >= 0) for (const key of passed) further.set(key, isFound);
  return isFound;
}

/** A word under which an element that a selector speaks of can be found: `#id`, `.class`, a type, or `*`. */
export function getSelectorKey({ compounds }: ParsedSelector): string {
  const [last] = compounds;
  if (last?.ids[0] !== undefined) return `#${last.ids[0]}`;
  if (last?.classes[0] !== undefined) return `.${last.classes[0]}`;
  return last?.type ?? '*';
}

/** Words under which each element is found, put together once. */
export function createElementKeyReader(): typeof keysOf {
  const known = new Map<BodyElement, readonly string[]>();
  return (element) => {
    const keys = known.get(element) ?? keysOf(element);
    known.set(element, keys);
    return keys;
  };
}

function keysOf(element: BodyElement): readonly string[] {
  const keys = [element.name, '*'];
  const id = element.get('id');
  if (id !== undefined) keys.push(`#${id}`);
  const { classes } = element;
  for (const name of classes.length > 1 ? new Set(classes) : classes) keys.push(`.${name}`);
  return keys;
}
