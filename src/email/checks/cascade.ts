import type { AtRule, StyleDeclaration } from './css.ts';
import type { BodyElement } from './document.ts';
import type { DeclarationBlock, ParsedEmail } from './mail.ts';
import type { PartRange } from './model.ts';
import {
  createMatchBudget,
  getSelectorKey,
  createElementKeyReader,
  matchesElement,
  createSelectorReader,
} from './selectors.ts';
import type { ParsedSelector } from './selectors.ts';
import { createSentBlocks } from './sentStyles.ts';

/** The declaration that decides a property of an element, with its place. */
export interface AppliedDeclaration {
  readonly property: string;
  readonly value: string;
  readonly range: PartRange;
}

export interface Cascade {
  /** What is said of an element itself, by attribute `style` or by a rule; nothing inherited. */
  readonly own: (element: BodyElement, property: string) => AppliedDeclaration | undefined;
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
  readonly selector: ParsedSelector;
  readonly block: DeclarationBlock;
  readonly order: number;
}

type Media = 'any' | 'phone';

/** Whether a rule in at-rules applies on a desktop, or on a phone that is narrow. */
function applies(atRule: AtRule | undefined, media: Media): boolean {
  if (!atRule) return true;
  if (atRule.name !== 'media') return false;
  const query = atRule.prelude.toLowerCase();
  const isPlain = /^(?:only\s+)?(?:all|screen)?$/u.test(query.trim());
  const isNarrow =
    media === 'phone' && /max-(?:device-)?width/u.test(query) && !/prefers-|min-(?:device-)?width/u.test(query);
  return (isPlain || isNarrow) && applies(atRule.parent, media);
}

/**
 * Reads what the styles say that are sent, as mail clients that keep them all do. Where the rules take too much effort, only style attributes
 * count.
 */
export function createCascade(mail: ParsedEmail, media: Media = 'any'): Cascade {
  const byKey = new Map<string, Candidate[]>();
  const inline = new Map<BodyElement, DeclarationBlock>();
  const [readSelector, keysOf, settled] = [
    mail.once(createSelectorReader),
    mail.once(createElementKeyReader),
    mail.once(settledReader),
  ];
  mail.once(createSentBlocks).forEach((block, order) => {
    if (block.element) inline.set(block.element, block);
    if (!block.rule || !applies(block.rule.atRule, media)) return;
    if (!block.declarations.some(({ property }) => asked.has(property))) return;
    for (const { text } of block.rule.selectors) {
      const selector = readSelector(text);
      if (!selector || selector.isDynamic) continue;
      const key = getSelectorKey(selector);
      const same = byKey.get(key);
      if (same) same.push({ selector, block, order });
      else byKey.set(key, [{ selector, block, order }]);
    }
  });
  const known = new Map<BodyElement, Decisions>();
  const effort = createMatchBudget(mail.email);
  const read = (element: BodyElement): Decisions => {
    const before = known.get(element);
    if (before) return before;
    const candidates: Candidate[] = [];
    for (const key of effort.left > 0 && mail.isSent(element) ? keysOf(element) : []) {
      for (const candidate of byKey.get(key) ?? [])
        if (matchesElement(candidate.selector, element, effort)) candidates.push(candidate);
    }
    candidates.sort((one, other) => one.selector.specificity - other.selector.specificity || one.order - other.order);
    const own = inline.get(element);
    const blocks = candidates.map(({ block }) => block);
    if (own) blocks.push(own);
    const decided = mail.isComposed && candidates.length > 0 ? decideInlined(blocks, settled) : decide(blocks, settled);
    known.set(element, decided);
    return decided;
  };
  return { own: (element, property) => read(element)(property) };
}

/** What is decided of an element, by property. */
type Decisions = (property: string) => AppliedDeclaration | undefined;

/** Decides where AcyMailing has inlined all rules but those in at-rules: these win only if they are important. */
function decideInlined(blocks: readonly DeclarationBlock[], settled: Settled): Decisions {
  const inlined = decide(
    blocks.filter(({ rule }) => !rule?.atRule),
    settled,
  );
  const others = decide(
    blocks.filter(({ rule }) => rule?.atRule),
    settled,
  );
  return (property) => {
    const [style, other] = [inlined(property), others(property)];
    return other && (other.declaration.important || !style) ? other : style;
  };
}

/** Few places are asked for. */
class Winner implements AppliedDeclaration {
  readonly declaration: StyleDeclaration;
  readonly #block: DeclarationBlock;

  constructor(declaration: StyleDeclaration, block: DeclarationBlock) {
    this.declaration = declaration;
    this.#block = block;
  }

  get property(): string {
    return this.declaration.property;
  }

  get value(): string {
    return this.declaration.value;
  }

  get range(): PartRange {
    return this.#block.toRange(this.declaration.start, this.declaration.end);
  }
}

/** Whether a declaration takes the place of one before it: the last one wins, important ones before all. */
const wins = ({ property, important }: StyleDeclaration, before: StyleDeclaration | undefined): boolean =>
  asked.has(property) && (important || !before?.important);

function decide(blocks: readonly DeclarationBlock[], settled: Settled): (property: string) => Winner | undefined {
  const [block] = blocks;
  if (!block) return () => undefined;
  if (blocks.length === 1) {
    const declarations = settled(block);
    return (property) => {
      const declaration = declarations.get(property);
      return declaration && new Winner(declaration, block);
    };
  }
  const decided = new Map<string, Winner>();
  for (const one of blocks) {
    for (const [property, declaration] of settled(one)) {
      if (wins(declaration, decided.get(property)?.declaration)) decided.set(property, new Winner(declaration, one));
    }
  }
  return (property) => decided.get(property);
}

/** For each property that is asked for, the declaration of a block that decides it. */
type Settled = (block: DeclarationBlock) => ReadonlyMap<string, StyleDeclaration>;

/** Settles the declarations of each block once: equal style attributes share theirs. */
function settledReader(): Settled {
  const known = new Map<readonly StyleDeclaration[], ReadonlyMap<string, StyleDeclaration>>();
  return ({ declarations }) => {
    const before = known.get(declarations);
    if (before) return before;
    const settled = new Map<string, StyleDeclaration>();
    for (const declaration of declarations) {
      if (wins(declaration, settled.get(declaration.property))) settled.set(declaration.property, declaration);
    }
    known.set(declarations, settled);
    return settled;
  };
}

export const createDesktopCascade = (mail: ParsedEmail): Cascade => createCascade(mail);
export const createPhoneCascade = (mail: ParsedEmail): Cascade => createCascade(mail, 'phone');

/** A length in CSS pixels; undefined for what depends on something else. */
export function toPixels(value: string | undefined): number | undefined {
  const match = /^(-?(?:\d+\.?\d*|\.\d+))(px|pt|in|cm|mm|pc)?$/iu.exec((value ?? '').trim());
  if (!match) return undefined;
  const [, amount = '', unit = ''] = match;
  const factor = { px: 1, pt: 4 / 3, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pc: 16, '': 1 }[unit.toLowerCase()];
  return factor === undefined || (unit === '' && Number(amount) !== 0) ? undefined : Number(amount) * factor;
}

/** Whether an element, or what it is in, is not shown: a preheader, or what only a phone shows. */
export function isElementHidden(mail: ParsedEmail, element: BodyElement): boolean {
  const hidden = mail.once(hiddenElements);
  const known = hidden.get(element);
  if (known !== undefined) return known;
  const isOut =
    mail.isSent(element) &&
    (hidesItself(mail.once(createDesktopCascade), element) ||
      (element.parent !== undefined && isElementHidden(mail, element.parent)));
  hidden.set(element, isOut);
  return isOut;
}

const hiddenElements = (): Map<BodyElement, boolean> => new Map();

function hidesItself({ own }: Cascade, element: BodyElement): boolean {
  const value = (property: string): string => own(element, property)?.value.toLowerCase() ?? '';
  return (
    value('display') === 'none' ||
    value('visibility') === 'hidden' ||
    value('opacity') === '0' ||
    element.has('hidden') ||
    value('mso-hide') === 'all' ||
    (value('max-height') !== '' && toPixels(value('max-height')) === 0)
  );
}

/** Whether the text of an element is not shown: with it, or by its font size. Elements in it may have a size of their own. */
export const isTextHidden = (mail: ParsedEmail, element: BodyElement): boolean =>
  isElementHidden(mail, element) || mail.once(sizeless)(element);

/** Finds out whether the nearest font size that is said for an element is 0: what is laid out so has no gaps between its cells. */
function sizeless(mail: ParsedEmail): (element: BodyElement) => boolean {
  const { own } = mail.once(createDesktopCascade);
  const known = new Map<BodyElement, boolean>();
  const read = (element: BodyElement): boolean => {
    const before = known.get(element);
    if (before !== undefined) return before;
    const size = own(element, 'font-size');
    const isZero = size ? toPixels(size.value) === 0 : element.parent !== undefined && read(element.parent);
    known.set(element, isZero);
    return isZero;
  };
  return read;
}
