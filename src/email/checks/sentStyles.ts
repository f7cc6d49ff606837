import { replaceBefore } from '../html/textSearch.ts';
import type { AtRule, StyleDeclaration, SheetRule } from './css.ts';
import type { DeclarationBlock, ParsedEmail } from './mail.ts';
import { findMatchingElements } from './matched.ts';

/**
 * Whether the service leaves a rule in the email's head, because it can't be written into elements: it acts on a window, or on a state of
 * an element. All others go to `style` attributes.
 */
export function staysInHead({ atRule, selectors }: SheetRule): boolean {
  return atRule !== undefined ? isSentAtRule(atRule) : selectors.every(({ text }) => isDynamicSelector(text));
}

/** Media of which the service keeps rules. */
export function isSentMedia({ name, prelude, parent }: AtRule): boolean {
  return (
    !parent &&
    name === 'media' &&
    /^(?:only\s+)?(?:all|screen|print)?(?![\w-])/iu.test(prelude.trim()) &&
    !/^(?:handheld|speech|not|yahoo)\b/iu.test(prelude.trim())
  );
}

/** At-rules that AcyMailing never sends, with what is in them. It keeps all others whole, `@media` as far as `isKeptMedia` says. */
const dropped = new Set(['charset', 'import', 'layer', 'container', 'namespace']);

/** Whether AcyMailing sends an at-rule. */
export function isSentAtRule(atRule: AtRule): boolean {
  let outer = atRule;
  while (outer.parent) outer = outer.parent;
  if (outer.name === 'media') return isSentMedia(atRule);
  return outer.name === 'font-face' ? isWholeFont(outer.declarations) : !dropped.has(outer.name);
}

const wholeFonts = new WeakMap<readonly StyleDeclaration[], boolean>();

/** Whether `@font-face` names a font and its files. */
function isWholeFont(declarations: readonly StyleDeclaration[]): boolean {
  const known =
    wholeFonts.get(declarations) ??
    ['font-family', 'src'].every((name) => declarations.some(({ property }) => property === name));
  wholeFonts.set(declarations, known);
  return known;
}

export function isDynamicSelector(selector: string): boolean {
  const plain = replaceBefore(selector, selector.lastIndexOf(']') + 1, /\[[^\]]*\]/gu, '');
  return /::?(?!not\()[a-z-]+|\\/iu.test(plain);
}

/** Whether the service writes a block into `style` attributes. */
export const isInlined = ({ rule, element }: DeclarationBlock): boolean =>
  element !== undefined ||
  (rule !== undefined && rule.atRule === undefined && rule.selectors.some(({ text }) => !isDynamicSelector(text)));

/** The rules that are sent. */
export const createSentRules = (mail: ParsedEmail): ReadonlySet<SheetRule> =>
  new Set(mail.once(createSentBlocks).flatMap(({ rule }) => rule ?? []));

/** Whether a rule can match anything that is sent; true if that is unknown. */
const mayMatch = (mail: ParsedEmail, { selectors }: SheetRule): boolean =>
  selectors.some(({ text }) => findMatchingElements(mail, text)?.length !== 0);

/**
 * The declarations that are sent: AcyMailing drops rules that match nothing and at-rules it doesn't know, and keeps only the last value of
 * a property where it inlines a block.
 */
export function createSentBlocks(mail: ParsedEmail): readonly DeclarationBlock[] {
  if (!mail.isComposed) return mail.blocks;
  // Equal style attributes share their declarations.
  const known = new Map<readonly StyleDeclaration[], readonly StyleDeclaration[]>();
  const lastOnes = (declarations: readonly StyleDeclaration[]): readonly StyleDeclaration[] => {
    const lost = new Set(findOverridden(declarations));
    return lost.size === 0 ? declarations : declarations.filter((declaration) => !lost.has(declaration));
  };
  return mail.blocks.flatMap((block) => {
    const { rule, declarations } = block;
    if (rule?.atRule && rule.atRule.name !== 'media') return isSentAtRule(rule.atRule) ? [block] : [];
    if (rule && ((rule.atRule && !isSentAtRule(rule.atRule)) || !mayMatch(mail, rule))) return [];
    if (!isInlined(block)) return [block];
    const sent = known.get(declarations) ?? lastOnes(declarations);
    known.set(declarations, sent);
    return [sent === declarations ? block : { ...block, declarations: sent }];
  });
}

/** Declarations that a later one of the same property takes the place of. */
export function findOverridden(declarations: readonly StyleDeclaration[]): readonly StyleDeclaration[] {
  const last = new Map(declarations.map((declaration) => [declaration.property, declaration]));
  return declarations.filter((declaration) => last.get(declaration.property)?.value !== declaration.value);
}
