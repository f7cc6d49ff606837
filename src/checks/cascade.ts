import type { AtRule } from './css.ts';
import type { Element } from './document.ts';
import type { Block, Mail } from './mail.ts';
import type { Place } from './model.ts';
import { keyOf, keysOf, matches, selectorReader } from './selectors.ts';
import type { ReadSelector } from './selectors.ts';

/** The declaration that decides a property of an element, with its place. */
export interface Decided {
  readonly property: string;
  readonly value: string;
  readonly place: Place;
}

export interface Cascade {
  /** What is said of an element itself, by attribute `style` or by a rule; nothing inherited. */
  readonly own: (element: Element, property: string) => Decided | undefined;
}

/** Only these are looked up, so that most rules need not be matched. */
const asked = new Set([
  'color',
  'background',
  'background-color',
  'background-image',
  'font-size',
  'font-weight',
  'font',
  'display',
  'visibility',
  'opacity',
  'width',
  'max-width',
  'max-height',
  'padding',
  'padding-top',
  'padding-bottom',
  'padding-left',
  'padding-right',
  'mso-padding-alt',
  'mso-hide',
]);

interface Candidate {
  readonly selector: ReadSelector;
  readonly block: Block;
  readonly order: number;
}

/** Selectors that are tried on elements. An e-mail of 177 KB takes some 20,000; beyond, only style attributes count. */
const mostTests = 2_000_000;

type Media = 'any' | 'phone';

/** Whether a rule in at-rules applies on a desktop, or on a phone that is narrow. */
function applies(atRule: AtRule | undefined, media: Media): boolean {
  if (!atRule) return true;
  if (atRule.name !== 'media') return false;
  const query = atRule.prelude.toLowerCase();
  const isPlain = /^(?:only\s+)?(?:all|screen)?$/u.test(query.trim());
  const isNarrow = media === 'phone' && /max-(?:device-)?width/u.test(query) && !/prefers-|min-(?:device-)?width/u.test(query);
  return (isPlain || isNarrow) && applies(atRule.parent, media);
}

/** Reads what the styles say, as mail clients that keep them all do. */
export function readCascade(mail: Mail, media: Media = 'any'): Cascade {
  const byKey = new Map<string, Candidate[]>();
  const inline = new Map<Element, Block>();
  const readSelector = mail.once(selectorReader);
  mail.blocks.forEach((block, order) => {
    if (block.element) inline.set(block.element, block);
    if (!block.rule || !applies(block.rule.atRule, media)) return;
    if (!block.declarations.some(({ property }) => asked.has(property))) return;
    for (const { text } of block.rule.selectors) {
      const selector = readSelector(text);
      if (!selector || selector.isDynamic) continue;
      const key = keyOf(selector);
      const same = byKey.get(key);
      if (same) same.push({ selector, block, order });
      else byKey.set(key, [{ selector, block, order }]);
    }
  });
  const known = new Map<Element, ReadonlyMap<string, Decided>>();
  let left = mostTests;
  const read = (element: Element): ReadonlyMap<string, Decided> => {
    const before = known.get(element);
    if (before) return before;
    const candidates: Candidate[] = [];
    for (const key of left > 0 ? keysOf(element) : []) {
      const near = byKey.get(key) ?? [];
      left -= near.length;
      for (const candidate of near) if (matches(candidate.selector, element)) candidates.push(candidate);
    }
    candidates.sort((one, other) => one.selector.specificity - other.selector.specificity || one.order - other.order);
    const own = inline.get(element);
    const decided = candidates.length === 0 && !own ? nothing : decide([...candidates.map(({ block }) => block), ...(own ? [own] : [])]);
    known.set(element, decided);
    return decided;
  };
  return { own: (element, property) => read(element).get(property) };
}

const nothing: ReadonlyMap<string, Decided> = new Map();

/** Few places are asked for. */
class Winner implements Decided {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
  readonly #place: () => Place;

  constructor(property: string, value: string, important: boolean, place: () => Place) {
    this.property = property;
    this.value = value;
    this.important = important;
    this.#place = place;
  }

  get place(): Place {
    return this.#place();
  }
}

/** The last one wins, important ones before all. */
function decide(blocks: readonly Block[]): ReadonlyMap<string, Decided> {
  const decided = new Map<string, Winner>();
  for (const { declarations, place } of blocks) {
    for (const { property, value, important, start, end } of declarations) {
      if (!asked.has(property) || (decided.get(property)?.important && !important)) continue;
      decided.delete(property);
      decided.set(property, new Winner(property, value, important, () => place(start, end)));
    }
  }
  return decided;
}

export const cascadeOf = (mail: Mail): Cascade => readCascade(mail);
export const phoneCascadeOf = (mail: Mail): Cascade => readCascade(mail, 'phone');

/** A length in CSS pixels; undefined for what depends on something else. */
export function pixels(value: string | undefined): number | undefined {
  const match = /^(-?(?:\d+\.?\d*|\.\d+))(px|pt|in|cm|mm|pc)?$/iu.exec((value ?? '').trim());
  if (!match) return undefined;
  const [, amount = '', unit = ''] = match;
  const factor = { px: 1, pt: 4 / 3, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pc: 16, '': 1 }[unit.toLowerCase()];
  return factor === undefined || (unit === '' && Number(amount) !== 0) ? undefined : Number(amount) * factor;
}

/** Whether an element, or what it is in, is not shown: a preheader, or what only a phone shows. */
export function isHidden(mail: Mail, element: Element): boolean {
  const hidden = mail.once(hiddenElements);
  const known = hidden.get(element);
  if (known !== undefined) return known;
  const isOut = hidesItself(mail.once(cascadeOf), element) || (element.parent !== undefined && isHidden(mail, element.parent));
  hidden.set(element, isOut);
  return isOut;
}

const hiddenElements = (): Map<Element, boolean> => new Map();

function hidesItself({ own }: Cascade, element: Element): boolean {
  const value = (property: string): string => own(element, property)?.value.toLowerCase() ?? '';
  return (
    value('display') === 'none' ||
    value('visibility') === 'hidden' ||
    value('opacity') === '0' ||
    element.has('hidden') ||
    value('mso-hide') === 'all' ||
    (value('max-height') !== '' && pixels(value('max-height')) === 0) ||
    pixels(value('font-size')) === 0
  );
}
