import { replaceBefore } from '../html/text.ts';
import type { AtRule, SheetRule, StyleDeclaration } from './css.ts';
import type { BodyElement } from './document.ts';
import { inherit, memoize } from './memoize.ts';
import type { PartRange } from './model.ts';
import type { DeclarationBlock, ParsedEmail } from './parsedEmail.ts';
import { getBudget, matchesNothing, matchSelector, type ParsedSelector } from './selectors.ts';

/**
 * Returns whether the service keeps a rule in the email's head, because it depends on a media query or an element state. All other rules
 * are inlined into `style` attributes.
 */
export function staysInHead({ atRule, selectors }: SheetRule): boolean {
  return atRule !== undefined ? isSentAtRule(atRule) : selectors.every(({ text }) => isDynamicSelector(text));
}

/** Returns whether the service keeps the rules of a media query. */
export function isSentMedia({ name, prelude, parent }: AtRule): boolean {
  return (
    !parent &&
    name === 'media' &&
    /^(?:only\s+)?(?:all|screen|print)?(?![\w-])/iu.test(prelude) &&
    !/^(?:handheld|speech|not|yahoo)\b/iu.test(prelude)
  );
}

/** At-rules that AcyMailing drops with their content. It keeps all others unchanged, except `@media` (see `isSentMedia`). */
const droppedAtRules = new Set(['charset', 'import', 'layer', 'container', 'namespace']);

export function isSentAtRule(atRule: AtRule): boolean {
  let outer = atRule;
  while (outer.parent) outer = outer.parent;
  if (outer.name === 'media') return isSentMedia(atRule);
  return outer.name === 'font-face' ? isCompleteFontFace(outer.declarations) : !droppedAtRules.has(outer.name);
}

/** Returns whether `@font-face` has a font name and sources. */
const isCompleteFontFace = memoize((declarations: readonly StyleDeclaration[]) =>
  ['font-family', 'src'].every((name) => declarations.some(({ property }) => property === name)),
);

export function isDynamicSelector(selector: string): boolean {
  const plain = replaceBefore(selector, selector.lastIndexOf(']') + 1, /\[[^\]]*\]/gu, '');
  return /::?(?!not\()[a-z-]+|\\/iu.test(plain);
}

/** Returns whether the service inlines a block into `style` attributes. */
export const isInlined = ({ rule, element }: DeclarationBlock): boolean =>
  element !== undefined ||
  (rule !== undefined && rule.atRule === undefined && rule.selectors.some(({ text }) => !isDynamicSelector(text)));

/**
 * Returns the declarations that are sent: AcyMailing drops rules that match nothing and unsupported at-rules, and keeps only the last
 * value of a property in inlined blocks.
 */
export const getSentBlocks = memoize((mail: ParsedEmail): readonly DeclarationBlock[] => {
  if (!mail.isComposed) return mail.blocks;
  return mail.blocks.flatMap((block) => {
    const { rule, declarations } = block;
    if (rule?.atRule && !isSentAtRule(rule.atRule)) return [];
    const isMatched = !rule || (rule.atRule && rule.atRule.name !== 'media');
    if (!isMatched && rule.selectors.every(({ text }) => matchesNothing(mail, text))) return [];
    return [isInlined(block) ? { ...block, declarations: dropOverridden(declarations) } : block];
  });
});

/** Returns the declarations that a later one of the same property replaces. */
export const findOverridden = memoize((declarations: readonly StyleDeclaration[]) => {
  const last = new Map(declarations.map((declaration) => [declaration.property, declaration]));
  return declarations.filter((declaration) => last.get(declaration.property)?.value !== declaration.value);
});

/** Equal style attributes share their declarations. */
const dropOverridden = memoize((declarations: readonly StyleDeclaration[]) => {
  const overridden = new Set(findOverridden(declarations));
  return declarations.filter((declaration) => !overridden.has(declaration));
});

/** A declaration with the block that contains it. */
export interface DeclarationUse {
  readonly block: DeclarationBlock;
  readonly declaration: StyleDeclaration;
}

export const getUseRange = ({ block, declaration: { start, end } }: DeclarationUse): PartRange =>
  block.toRange(start, end);

export const toDeclarationUses = (blocks: readonly DeclarationBlock[]): readonly DeclarationUse[] =>
  blocks.flatMap((block) => block.declarations.map((declaration) => ({ block, declaration })));

/** A sent block that styles an element. Style attributes have no selector. */
export interface ElementBlock {
  readonly block: DeclarationBlock;
  readonly selector?: ParsedSelector;
  readonly selectorText: string;
}

/** Returns the sent blocks of each element in source order. If matching takes too many steps, only style attributes count. */
export const getElementBlocks = memoize((mail: ParsedEmail): ReadonlyMap<BodyElement, readonly ElementBlock[]> => {
  const budget = getBudget(mail);
  const blocks = new Map<BodyElement, ElementBlock[]>();
  const add = (element: BodyElement, elementBlock: ElementBlock): void => {
    const same = blocks.get(element);
    if (same) same.push(elementBlock);
    else blocks.set(element, [elementBlock]);
  };
  for (const block of getSentBlocks(mail)) {
    if (block.element) add(block.element, { block, selectorText: '' });
    for (const { text } of block.rule?.selectors ?? []) {
      const { selector, elements = [] } = matchSelector(mail, text);
      for (const element of elements)
        if ((budget.remaining -= 1) >= 0) add(element, { block, selector, selectorText: text });
    }
  }
  return blocks;
});

type Media = 'desktop' | 'phone';

/** Returns whether a rule inside at-rules applies on a desktop, or on a narrow phone. */
function isAtRuleApplied(atRule: AtRule | undefined, media: Media): boolean {
  if (!atRule) return true;
  if (atRule.name !== 'media') return false;
  const query = atRule.prelude.toLowerCase();
  const isPlain = /^(?:only\s+)?(?:all|screen)?$/u.test(query);
  const isNarrow =
    media === 'phone' && /max-(?:device-)?width/u.test(query) && !/prefers-|min-(?:device-)?width/u.test(query);
  return (isPlain || isNarrow) && isAtRuleApplied(atRule.parent, media);
}

const isAppliedOn: Readonly<Record<Media, (rule: SheetRule) => boolean>> = {
  desktop: memoize(({ atRule }) => isAtRuleApplied(atRule, 'desktop')),
  phone: memoize(({ atRule }) => isAtRuleApplied(atRule, 'phone')),
};

/** Returns the last declaration of each property; important ones win. */
const indexDeclarations = memoize((declarations: readonly StyleDeclaration[]) => {
  const winners = new Map<string, StyleDeclaration>();
  for (const declaration of declarations)
    if (declaration.important || !winners.get(declaration.property)?.important)
      winners.set(declaration.property, declaration);
  return winners;
});

const getPrecedence = ({ selector }: ElementBlock): number => selector?.specificity ?? Infinity;

const getAppliedBlocks = memoize((_mail: ParsedEmail) => ({
  desktop: new Map<BodyElement, ReturnType<typeof findAppliedBlocks>>(),
  phone: new Map<BodyElement, ReturnType<typeof findAppliedBlocks>>(),
}));

/** Returns the blocks that apply to an element in cascade order. */
const findAppliedBlocks = (mail: ParsedEmail, element: BodyElement, media: Media) =>
  (getElementBlocks(mail).get(element) ?? [])
    .filter(({ block: { rule }, selector }) => !rule || (selector?.isDynamic === false && isAppliedOn[media](rule)))
    .sort((one, other) => getPrecedence(one) - getPrecedence(other))
    .map(({ block }) => ({ block, declarations: indexDeclarations(block.declarations) }));

/**
 * Returns the declaration that applies to a property of an element, in mail clients with full CSS support. Inherited values are ignored.
 */
export function getDeclaration(
  mail: ParsedEmail,
  element: BodyElement,
  property: string,
  media: Media = 'desktop',
): DeclarationUse | undefined {
  const cache = getAppliedBlocks(mail)[media];
  const blocks = cache.get(element) ?? findAppliedBlocks(mail, element, media);
  cache.set(element, blocks);
  let winner: DeclarationUse | undefined;
  let winnerRank = 0;
  for (const { block, declarations } of blocks) {
    const declaration = declarations.get(property);
    if (!declaration) continue;
    // AcyMailing inlined all rules outside at-rules: rules in at-rules win only if they are important.
    const isAfterInlining = mail.isComposed && block.rule?.atRule;
    const rank = isAfterInlining ? (declaration.important ? 3 : 0) : declaration.important ? 2 : 1;
    if (rank < winnerRank) continue;
    winner = { block, declaration };
    winnerRank = rank;
  }
  return winner;
}

/** Returns the value that applies to a property of an element; inherited values are ignored. */
export const getStyle = (...element: Parameters<typeof getDeclaration>): string | undefined =>
  getDeclaration(...element)?.declaration.value;

/** Returns a length in CSS pixels; undefined for relative units. */
export function toPixels(value: string | undefined): number | undefined {
  const match = /^(-?(?:\d+\.?\d*|\.\d+))(px|pt|in|cm|mm|pc)?$/iu.exec((value ?? '').trim());
  if (!match) return undefined;
  const [, amount = '', unit = ''] = match;
  const factor = { px: 1, pt: 4 / 3, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pc: 16, '': 1 }[unit.toLowerCase()];
  return factor === undefined || (unit === '' && Number(amount) !== 0) ? undefined : Number(amount) * factor;
}

/** Returns whether an element or one of its ancestors is hidden, such as a preheader or content for phones only. */
export const isElementHidden = inherit((mail, element): true | undefined => {
  const value = (property: string): string => getStyle(mail, element, property)?.toLowerCase() ?? '';
  const isHidden =
    mail.isSent(element) &&
    (value('display') === 'none' ||
      value('visibility') === 'hidden' ||
      value('opacity') === '0' ||
      element.has('hidden') ||
      value('mso-hide') === 'all' ||
      toPixels(value('max-height')) === 0);
  return isHidden || undefined;
});

/** The nearest declared font size is 0. Layouts use it to remove gaps between cells. */
const hasZeroFontSize = inherit((mail, element): boolean | undefined => {
  const size = getStyle(mail, element, 'font-size');
  return size === undefined ? undefined : toPixels(size) === 0;
});

/** Returns whether the text of an element is hidden, with the element or by a font size of 0. Descendants may set their own font size. */
export const isTextHidden = (mail: ParsedEmail, element: BodyElement): boolean =>
  isElementHidden(mail, element) === true || hasZeroFontSize(mail, element) === true;
