import { ancestors } from './document.ts';
import type { Element } from './document.ts';

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

export interface ReadSelector {
  /** From right to left. */
  readonly compounds: readonly Compound[];
  /** Ids, classes and the like, types: as one number that compares. */
  readonly specificity: number;
  /** A pseudo-class or pseudo-element that the element's state decides, or that is not looked at here. */
  readonly isDynamic: boolean;
}

const piece = new RegExp(
  [
    String.raw`(\s*[>+~]\s*|\s+)`,
    String.raw`([a-z_][\w-]*|\*)`,
    String.raw`#((?:[\w-]|\\.|[^\0-\x7f])+)`,
    String.raw`\.((?:[\w-]|\\.|[^\0-\x7f])+)`,
    String.raw`\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]*))\s*i?\s*)?\]`,
    String.raw`(::?[\w-]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?)`,
  ].join('|'),
  'giy',
);

type Draft = { -readonly [key in keyof Compound]: Compound[key] extends readonly (infer Item)[] ? Item[] : Compound[key] };

const draft = (combinator: Compound['combinator']): Draft => ({ ids: [], classes: [], attributes: [], combinator });

const unescaped = (name: string): string => name.replace(/\\(.)/gu, '$1');

/** Reads a selector; undefined for one that is not understood. */
export function readSelector(text: string): ReadSelector | undefined {
  const compounds: Draft[] = [draft('')];
  let specificity = 0;
  let isDynamic = false;
  const trimmed = text.replace(/\/\*[^]*?\*\//gu, ' ').trim();
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
  return { compounds: compounds.reverse(), specificity, isDynamic };
}

/** Reads each selector once, for all rules that ask. */
export function selectorReader(): typeof readSelector {
  const known = new Map<string, ReadSelector | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, readSelector(text));
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

function fits({ type, ids, classes, attributes }: Compound, element: Element): boolean {
  if (type !== undefined && type !== '*' && type !== element.name) return false;
  if (!ids.every((id) => element.get('id') === id)) return false;
  if (classes.length > 0) {
    const own = element.classes;
    if (!classes.every((name) => own.includes(name))) return false;
  }
  return attributes.every(({ name, operator, value }) => {
    const has = element.get(name);
    return has !== undefined && attributeTests[operator]?.(has, value) === true;
  });
}

/** Whether an element is one that a selector speaks of. Pseudo-classes are taken for true. */
export function matches({ compounds }: ReadSelector, element: Element): boolean {
  const [last] = compounds;
  if (!last || !fits(last, element)) return false;
  // What failed once is not tried again on another way up.
  return compounds.length === 1 || leftMatches(compounds, element, 1, new Set());
}

function leftMatches(compounds: readonly Compound[], element: Element, from: number, failed: Set<string>): boolean {
  const [before, compound] = [compounds[from - 1], compounds[from]];
  if (!before || !compound) return true;
  return leftOf(before, element).some((other) => {
    const key = `${from} ${other.order}`;
    if (!fits(compound, other) || failed.has(key)) return false;
    if (leftMatches(compounds, other, from + 1, failed)) return true;
    failed.add(key);
    return false;
  });
}

/** The elements that the compound on the left may speak of. */
function leftOf({ combinator }: Compound, element: Element): readonly Element[] {
  if (combinator === '>') return element.parent ? [element.parent] : [];
  if (combinator === ' ') return [...ancestors(element)];
  const before = (element.parent?.children ?? []).filter(({ order }) => order < element.order);
  return combinator === '+' ? before.slice(-1) : before;
}

/** A word under which an element that a selector speaks of can be found: `#id`, `.class`, a type, or `*`. */
export function keyOf({ compounds }: ReadSelector): string {
  const [last] = compounds;
  if (last?.ids[0] !== undefined) return `#${last.ids[0]}`;
  if (last?.classes[0] !== undefined) return `.${last.classes[0]}`;
  return last?.type ?? '*';
}

/** Words under which each element is found, put together once. */
export function keyReader(): typeof keysOf {
  const known = new Map<Element, readonly string[]>();
  return (element) => {
    const keys = known.get(element) ?? keysOf(element);
    known.set(element, keys);
    return keys;
  };
}

function keysOf(element: Element): readonly string[] {
  const keys = [element.name, '*'];
  const id = element.get('id');
  if (id !== undefined) keys.push(`#${id}`);
  for (const name of element.classes) keys.push(`.${name}`);
  return keys;
}
