import type { AtRule, StyleDeclaration } from './css.ts';
import type { BodyElement } from './document.ts';
import type { DeclarationBlock, ParsedEmail } from './parsedEmail.ts';
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

/** The declaration that applies to a property of an element, with its source range. */
export interface AppliedDeclaration {
  readonly property: string;
  readonly value: string;
  readonly range: PartRange;
}

export interface Cascade {
  /** Returns the declaration from the element's `style` attribute or a matching rule; inherited values are ignored. */
  readonly getDeclaration: (element: BodyElement, property: string) => AppliedDeclaration | undefined;
}

/** Rules that set none of these properties are not matched. */
const resolvedProperties = new Set([
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

/** Returns whether a rule inside at-rules applies on a desktop, or on a narrow phone. */
function isAtRuleApplied(atRule: AtRule | undefined, media: Media): boolean {
  if (!atRule) return true;
  if (atRule.name !== 'media') return false;
  const query = atRule.prelude.toLowerCase();
  const isPlain = /^(?:only\s+)?(?:all|screen)?$/u.test(query.trim());
  const isNarrow =
    media === 'phone' && /max-(?:device-)?width/u.test(query) && !/prefers-|min-(?:device-)?width/u.test(query);
  return (isPlain || isNarrow) && isAtRuleApplied(atRule.parent, media);
}

/**
 * Resolves the styles of the sent email as mail clients with full CSS support do. If matching the rules takes too many steps, only style
 * attributes count.
 */
export function createCascade(mail: ParsedEmail, media: Media = 'any'): Cascade {
  const byKey = new Map<string, Candidate[]>();
  const inline = new Map<BodyElement, DeclarationBlock>();
  const [readSelector, getKeys, resolveBlock] = [
    mail.once(createSelectorReader),
    mail.once(createElementKeyReader),
    mail.once(createBlockResolver),
  ];
  mail.once(createSentBlocks).forEach((block, order) => {
    if (block.element) inline.set(block.element, block);
    if (!block.rule || !isAtRuleApplied(block.rule.atRule, media)) return;
    if (!block.declarations.some(({ property }) => resolvedProperties.has(property))) return;
    for (const { text } of block.rule.selectors) {
      const selector = readSelector(text);
      if (!selector || selector.isDynamic) continue;
      const key = getSelectorKey(selector);
      const same = byKey.get(key);
      if (same) same.push({ selector, block, order });
      else byKey.set(key, [{ selector, block, order }]);
    }
  });
  const cache = new Map<BodyElement, PropertyLookup>();
  const budget = createMatchBudget(mail.email);
  const read = (element: BodyElement): PropertyLookup => {
    const cached = cache.get(element);
    if (cached) return cached;
    const candidates: Candidate[] = [];
    for (const key of budget.remaining > 0 && mail.isSent(element) ? getKeys(element) : []) {
      for (const candidate of byKey.get(key) ?? [])
        if (matchesElement(candidate.selector, element, budget)) candidates.push(candidate);
    }
    candidates.sort((one, other) => one.selector.specificity - other.selector.specificity || one.order - other.order);
    const inlineBlock = inline.get(element);
    const blocks = candidates.map(({ block }) => block);
    if (inlineBlock) blocks.push(inlineBlock);
    const lookup =
      mail.isComposed && candidates.length > 0
        ? resolveInlined(blocks, resolveBlock)
        : resolveDeclarations(blocks, resolveBlock);
    cache.set(element, lookup);
    return lookup;
  };
  return { getDeclaration: (element, property) => read(element)(property) };
}

type PropertyLookup = (property: string) => AppliedDeclaration | undefined;

/** Resolves styles after AcyMailing inlined all rules outside at-rules: rules in at-rules win only if they are important. */
function resolveInlined(blocks: readonly DeclarationBlock[], resolveBlock: BlockResolver): PropertyLookup {
  const inlined = resolveDeclarations(
    blocks.filter(({ rule }) => !rule?.atRule),
    resolveBlock,
  );
  const others = resolveDeclarations(
    blocks.filter(({ rule }) => rule?.atRule),
    resolveBlock,
  );
  return (property) => {
    const [style, other] = [inlined(property), others(property)];
    return other && (other.declaration.important || !style) ? other : style;
  };
}

/** Computes its range lazily: few callers need it. */
class WinningDeclaration implements AppliedDeclaration {
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

/** The last declaration of a property wins, and important ones win over all others. */
const isOverriding = ({ property, important }: StyleDeclaration, previous: StyleDeclaration | undefined): boolean =>
  resolvedProperties.has(property) && (important || !previous?.important);

function resolveDeclarations(
  blocks: readonly DeclarationBlock[],
  resolveBlock: BlockResolver,
): (property: string) => WinningDeclaration | undefined {
  const [block] = blocks;
  if (!block) return () => undefined;
  if (blocks.length === 1) {
    const declarations = resolveBlock(block);
    return (property) => {
      const declaration = declarations.get(property);
      return declaration && new WinningDeclaration(declaration, block);
    };
  }
  const winners = new Map<string, WinningDeclaration>();
  for (const current of blocks) {
    for (const [property, declaration] of resolveBlock(current)) {
      if (isOverriding(declaration, winners.get(property)?.declaration))
        winners.set(property, new WinningDeclaration(declaration, current));
    }
  }
  return (property) => winners.get(property);
}

/** Returns the winning declaration of a block for each property. */
type BlockResolver = (block: DeclarationBlock) => ReadonlyMap<string, StyleDeclaration>;

/** Resolves each block once: equal style attributes share their declarations. */
function createBlockResolver(): BlockResolver {
  const cache = new Map<readonly StyleDeclaration[], ReadonlyMap<string, StyleDeclaration>>();
  return ({ declarations }) => {
    const cached = cache.get(declarations);
    if (cached) return cached;
    const winners = new Map<string, StyleDeclaration>();
    for (const declaration of declarations) {
      if (isOverriding(declaration, winners.get(declaration.property))) winners.set(declaration.property, declaration);
    }
    cache.set(declarations, winners);
    return winners;
  };
}

export const createDesktopCascade = (mail: ParsedEmail): Cascade => createCascade(mail);
export const createPhoneCascade = (mail: ParsedEmail): Cascade => createCascade(mail, 'phone');

/** Returns a length in CSS pixels; undefined for relative units. */
export function toPixels(value: string | undefined): number | undefined {
  const match = /^(-?(?:\d+\.?\d*|\.\d+))(px|pt|in|cm|mm|pc)?$/iu.exec((value ?? '').trim());
  if (!match) return undefined;
  const [, amount = '', unit = ''] = match;
  const factor = { px: 1, pt: 4 / 3, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pc: 16, '': 1 }[unit.toLowerCase()];
  return factor === undefined || (unit === '' && Number(amount) !== 0) ? undefined : Number(amount) * factor;
}

/** Returns whether an element or one of its ancestors is hidden, such as a preheader or content for phones only. */
export function isElementHidden(mail: ParsedEmail, element: BodyElement): boolean {
  const cache = mail.once(createHiddenCache);
  const cached = cache.get(element);
  if (cached !== undefined) return cached;
  const isHidden =
    mail.isSent(element) &&
    (isHiddenByOwnStyle(mail.once(createDesktopCascade), element) ||
      (element.parent !== undefined && isElementHidden(mail, element.parent)));
  cache.set(element, isHidden);
  return isHidden;
}

const createHiddenCache = (): Map<BodyElement, boolean> => new Map();

function isHiddenByOwnStyle({ getDeclaration }: Cascade, element: BodyElement): boolean {
  const value = (property: string): string => getDeclaration(element, property)?.value.toLowerCase() ?? '';
  return (
    value('display') === 'none' ||
    value('visibility') === 'hidden' ||
    value('opacity') === '0' ||
    element.has('hidden') ||
    value('mso-hide') === 'all' ||
    (value('max-height') !== '' && toPixels(value('max-height')) === 0)
  );
}

/** Returns whether the text of an element is hidden, with the element or by a font size of 0. Descendants may set their own font size. */
export const isTextHidden = (mail: ParsedEmail, element: BodyElement): boolean =>
  isElementHidden(mail, element) || mail.once(createZeroFontSizeLookup)(element);

/** Returns a function that checks if the nearest declared font size is 0. Layouts use it to remove gaps between cells. */
function createZeroFontSizeLookup(mail: ParsedEmail): (element: BodyElement) => boolean {
  const { getDeclaration } = mail.once(createDesktopCascade);
  const cache = new Map<BodyElement, boolean>();
  const read = (element: BodyElement): boolean => {
    const cached = cache.get(element);
    if (cached !== undefined) return cached;
    const size = getDeclaration(element, 'font-size');
    const isZero = size ? toPixels(size.value) === 0 : element.parent !== undefined && read(element.parent);
    cache.set(element, isZero);
    return isZero;
  };
  return read;
}
