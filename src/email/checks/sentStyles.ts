import { replaceBefore } from '../html/text.ts';
import type { AtRule, StyleDeclaration, SheetRule } from './css.ts';
import type { DeclarationBlock, ParsedEmail } from './parsedEmail.ts';
import { findMatchingElements } from './matchingElements.ts';

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
    /^(?:only\s+)?(?:all|screen|print)?(?![\w-])/iu.test(prelude.trim()) &&
    !/^(?:handheld|speech|not|yahoo)\b/iu.test(prelude.trim())
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

const completeFontFaces = new WeakMap<readonly StyleDeclaration[], boolean>();

/** Returns whether `@font-face` has a font name and sources. */
function isCompleteFontFace(declarations: readonly StyleDeclaration[]): boolean {
  const isComplete =
    completeFontFaces.get(declarations) ??
    ['font-family', 'src'].every((name) => declarations.some(({ property }) => property === name));
  completeFontFaces.set(declarations, isComplete);
  return isComplete;
}

export function isDynamicSelector(selector: string): boolean {
  const plain = replaceBefore(selector, selector.lastIndexOf(']') + 1, /\[[^\]]*\]/gu, '');
  return /::?(?!not\()[a-z-]+|\\/iu.test(plain);
}

/** Returns whether the service inlines a block into `style` attributes. */
export const isInlined = ({ rule, element }: DeclarationBlock): boolean =>
  element !== undefined ||
  (rule !== undefined && rule.atRule === undefined && rule.selectors.some(({ text }) => !isDynamicSelector(text)));

/** Returns the rules that are sent. */
export const createSentRules = (mail: ParsedEmail): ReadonlySet<SheetRule> =>
  new Set(mail.once(createSentBlocks).flatMap(({ rule }) => rule ?? []));

/** Returns whether a rule may match a sent element; true if undetermined. */
const mayMatchSentElement = (mail: ParsedEmail, { selectors }: SheetRule): boolean =>
  selectors.some(({ text }) => findMatchingElements(mail, text)?.length !== 0);

/**
 * Returns the declarations that are sent: AcyMailing drops rules that match nothing and unsupported at-rules, and keeps only the last
 * value of a property in inlined blocks.
 */
export function createSentBlocks(mail: ParsedEmail): readonly DeclarationBlock[] {
  if (!mail.isComposed) return mail.blocks;
  // Equal style attributes share their declarations.
  const sentDeclarations = new Map<readonly StyleDeclaration[], readonly StyleDeclaration[]>();
  const keepLastDeclarations = (declarations: readonly StyleDeclaration[]): readonly StyleDeclaration[] => {
    const overriddenDeclarations = new Set(findOverridden(declarations));
    return overriddenDeclarations.size === 0
      ? declarations
      : declarations.filter((declaration) => !overriddenDeclarations.has(declaration));
  };
  return mail.blocks.flatMap((block) => {
    const { rule, declarations } = block;
    if (rule?.atRule && rule.atRule.name !== 'media') return isSentAtRule(rule.atRule) ? [block] : [];
    if (rule && ((rule.atRule && !isSentAtRule(rule.atRule)) || !mayMatchSentElement(mail, rule))) return [];
    if (!isInlined(block)) return [block];
    const sent = sentDeclarations.get(declarations) ?? keepLastDeclarations(declarations);
    sentDeclarations.set(declarations, sent);
    return [sent === declarations ? block : { ...block, declarations: sent }];
  });
}

/** Returns the declarations that a later one of the same property replaces. */
export function findOverridden(declarations: readonly StyleDeclaration[]): readonly StyleDeclaration[] {
  const last = new Map(declarations.map((declaration) => [declaration.property, declaration]));
  return declarations.filter((declaration) => last.get(declaration.property)?.value !== declaration.value);
}
