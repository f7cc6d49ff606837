import { replaceBefore } from '../html/text.ts';
import type { AtRule, SheetRule, StyleDeclaration } from './css.ts';
import { inherit, memoize, unrenderedElements, type BodyElement, type DeclarationBlock } from './document.ts';
import type { PartRange } from './model.ts';
import type { BodyMatcher } from './selectors.ts';

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
const droppedAtRules = new Set('charset import layer container namespace'.split(' '));

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

/**
 * Returns whether the service keeps a rule in the email's head, because it depends on a media query or an element state. All other rules
 * are inlined into `style` attributes.
 */
export const staysInHead = ({ atRule, selectors }: SheetRule): boolean =>
  atRule ? isSentAtRule(atRule) : selectors.every(({ text }) => isDynamicSelector(text));

/** Returns whether the service inlines a block into `style` attributes. */
export const isInlined = ({ rule }: DeclarationBlock): boolean => !rule || (!rule.atRule && !staysInHead(rule));

const indexDeclarations = memoize((declarations: readonly StyleDeclaration[]) => {
  const winners = new Map<string, StyleDeclaration>();
  for (const declaration of declarations)
    if (declaration.important || !winners.get(declaration.property)?.important)
      winners.set(declaration.property, declaration);
  return winners;
});

/** Separates the declarations that a later one of the same property replaces. Equal style attributes share their declarations. */
export const splitOverridden = memoize((declarations: readonly StyleDeclaration[]) => {
  if (indexDeclarations(declarations).size === declarations.length) return { effective: declarations, overridden: [] };
  const last = new Map(declarations.map(({ property, value }) => [property, value]));
  const isEffective = ({ property, value }: StyleDeclaration) => last.get(property) === value;
  return {
    effective: declarations.filter(isEffective),
    overridden: declarations.filter((declaration) => !isEffective(declaration)),
  };
});

/**
 * Returns the blocks that AcyMailing sends: it drops rules that match nothing and unsupported at-rules, and keeps only the last value of a
 * property in inlined blocks.
 */
export function findSentBlocks(blocks: readonly DeclarationBlock[], selectors: BodyMatcher) {
  const isSent = ({ rule }: DeclarationBlock) =>
    !rule ||
    ((!rule.atRule || isSentAtRule(rule.atRule)) &&
      ((rule.atRule && rule.atRule.name !== 'media') ||
        !rule.selectors.every(({ text }) => selectors.matchesNothing(text))));
  return blocks.filter(isSent).map((block) => {
    const declarations = isInlined(block) ? splitOverridden(block.declarations).effective : block.declarations;
    return declarations === block.declarations ? block : { ...block, declarations };
  });
}

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

/** Adds the sent blocks to the elements that they style. If matching takes too many steps, only style attributes count. */
export function applyBlocks(blocks: readonly DeclarationBlock[], selectors: BodyMatcher, isComposed: boolean): void {
  const rules = blocks.filter(({ rule }) => rule);
  const matches = rules.flatMap((block) =>
    (block.rule?.selectors ?? []).map(({ text }) => ({ block, text, ...selectors.match(text) })),
  );
  matches.sort((one, other) => one.specificity - other.specificity);
  for (const { block, text, isDynamic, elements = [] } of matches) {
    const atRule = block.rule?.atRule;
    const applied = {
      block,
      declarations: indexDeclarations(block.declarations),
      isInlined: !atRule && !isDynamicSelector(text),
      isLate: isComposed && atRule !== undefined,
      desktop: !isDynamic && isAtRuleApplied(atRule, 'desktop'),
      phone: !isDynamic && isAtRuleApplied(atRule, 'phone'),
    };
    for (const matched of elements) if ((selectors.budget -= 1) >= 0) matched.blocks.push(applied);
  }
  for (const block of blocks) {
    const declarations = indexDeclarations(block.declarations);
    block.element?.blocks.push({ block, declarations, isInlined: true, isLate: false, desktop: true, phone: true });
  }
}

/** A declaration with the block that contains it. */
export interface DeclarationUse {
  readonly block: DeclarationBlock;
  readonly declaration: StyleDeclaration;
}

export const getUseRange = ({ block, declaration: { start, end } }: DeclarationUse): PartRange =>
  block.toRange(start, end);

/**
 * Returns the declaration that applies to a property of an element, in mail clients with full CSS support. Inherited values are ignored.
 */
export function getDeclaration(
  element: BodyElement,
  property: string,
  media: Media = 'desktop',
): DeclarationUse | undefined {
  let winner: DeclarationUse | undefined;
  let winnerRank = 0;
  for (const applied of element.blocks) {
    const declaration = applied[media] ? applied.declarations.get(property) : undefined;
    if (!declaration) continue;
    const { isLate } = applied;
    const rank = declaration.important ? (isLate ? 3 : 2) : isLate ? 0 : 1;
    if (rank < winnerRank) continue;
    winner = { block: applied.block, declaration };
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
export const isElementHidden = inherit(
  (element) =>
    (element.isSent &&
      (element.has('hidden') ||
        hidingStyles.some(([property, value]) => getStyle(element, property)?.toLowerCase() === value) ||
        toPixels(getStyle(element, 'max-height')) === 0)) ||
    undefined,
);

const hidingStyles = [
  ['display', 'none'],
  ['visibility', 'hidden'],
  ['opacity', '0'],
  ['mso-hide', 'all'],
] as const;

/** The nearest declared font size is 0. Layouts use it to remove gaps between cells. */
const hasZeroFontSize = inherit((element) => {
  const size = getStyle(element, 'font-size');
  return size === undefined ? undefined : toPixels(size) === 0;
});

/** Returns whether the text of an element is hidden, with the element or by a font size of 0. Descendants may set their own font size. */
export const isTextHidden = (element: BodyElement): boolean =>
  isElementHidden(element) ?? hasZeroFontSize(element) ?? false;

/** Returns whether the text of an element is shown. */
export const isTextShown = (element: BodyElement): boolean =>
  !unrenderedElements.has(element.name) && !isTextHidden(element);
