import type { StyleDeclaration, SheetRule } from '../css.ts';
import type { BodyElement } from '../document.ts';
import { encodeNamedCharacters } from '../../html/entities.ts';
import { createSharedBudget, findMatchingElements } from '../matchingElements.ts';
import type { DeclarationBlock, ParsedEmail } from '../parsedEmail.ts';
import type { PartEdit, RuleFinding, PartRange } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { isDynamicSelector, isInlined, isSentMedia, findOverridden, createSentBlocks } from '../sentStyles.ts';

const isSentRule = ({ atRule }: SheetRule): boolean => atRule === undefined || isSentMedia(atRule);

function findUnmatchedRules(mail: ParsedEmail): readonly RuleFinding[] {
  const ranges: PartRange[] = [];
  const edits: PartEdit[] = [];
  for (const { rules, toRange } of mail.sheets) {
    for (const rule of rules.filter(isSentRule)) {
      const unmatched = rule.selectors.filter(({ text }) => findMatchingElements(mail, text)?.length === 0);
      if (unmatched.length === 0) continue;
      for (const { start, end } of unmatched) ranges.push(toRange(start, end));
      const unmatchedSelectors = new Set(unmatched);
      const matchedSelectors = rule.selectors.filter((selector) => !unmatchedSelectors.has(selector));
      const [first, last] = [rule.selectors[0], rule.selectors.at(-1)];
      const isAll = matchedSelectors.length === 0 || !first || !last;
      edits.push({
        ...(isAll ? toRange(rule.start, rule.end) : toRange(first.start, last.end)),
        text: matchedSelectors.map(({ text }) => text).join(', '),
      });
    }
  }
  const message =
    'No element of the email is meant by this, and so the service drops it: hooks for single clients too. Those go to the headers field.';
  return groupFindings(ranges, message, { fixes: [{ title: 'Remove what is dropped', edits }] });
}

const getInlinedBlocks = (mail: ParsedEmail): readonly DeclarationBlock[] =>
  mail.once(createSentBlocks).filter(isInlined);

function findLostFallbacks(mail: ParsedEmail): readonly RuleFinding[] {
  // Equal style attributes share their declarations.
  const cache = new Map<readonly StyleDeclaration[], readonly StyleDeclaration[]>();
  const ranges = mail.blocks.filter(isInlined).flatMap(({ declarations, toRange }) => {
    const overridden = cache.get(declarations) ?? findOverridden(declarations);
    cache.set(declarations, overridden);
    return overridden.map(({ start, end }) => toRange(start, end));
  });
  return groupFindings(
    ranges,
    "The service keeps the last declaration of a property only: clients that don't know its value get nothing.",
  );
}

interface DeclarationUse {
  readonly block: DeclarationBlock;
  readonly declaration: StyleDeclaration;
}

const toDeclarationUses = (blocks: readonly DeclarationBlock[]): readonly DeclarationUse[] =>
  blocks.flatMap((block) => block.declarations.map((declaration) => ({ block, declaration })));

/** Returns `padding` for `padding-left`: properties of one family affect each other. */
function getPropertyFamily(property: string): string {
  const dash = property.indexOf('-');
  return dash > 0 ? property.slice(0, dash) : property;
}

function findImportanceProblems(mail: ParsedEmail): readonly RuleFinding[] {
  const inlined = mail.once(getInlinedBlocks);
  const lostUses = toDeclarationUses(inlined.filter(({ rule }) => rule)).filter(
    ({ declaration }) => declaration.important,
  );
  const families = new Set(lostUses.map(({ declaration }) => getPropertyFamily(declaration.property)));
  const isInFamilies = ({ property }: StyleDeclaration): boolean => families.has(getPropertyFamily(property));
  const relatedDeclarations =
    families.size === 0 ? [] : inlined.flatMap(({ declarations }) => declarations.filter(isInFamilies));
  // If nothing else sets these properties, the rule wins without !important.
  const isSafeToRemove = relatedDeclarations.length === families.size;
  const edits = lostUses.map(({ block, declaration: { valueStart, value, end } }) => ({
    ...block.toRange(valueStart + value.length, end),
    text: '',
  }));
  const message = 'The service writes this rule into the elements, and loses !important on the way.';
  return [
    ...groupFindings(
      lostUses.map(getDeclarationRange),
      message,
      isSafeToRemove ? { fixes: [{ title: 'Remove !important', edits }] } : {},
    ),
    ...findOverriddenMediaRules(mail),
  ];
}

const getDeclarationRange = ({ block, declaration: { start, end } }: DeclarationUse): PartRange =>
  block.toRange(start, end);

/** Finds media rules that lose against the elements' inlined styles. */
function findOverriddenMediaRules(mail: ParsedEmail): readonly RuleFinding[] {
  const blocks = mail
    .once(createSentBlocks)
    .filter(
      ({ rule, declarations }) =>
        rule?.atRule && isSentMedia(rule.atRule) && declarations.some(({ important }) => !important),
    );
  if (blocks.length === 0) return [];
  const uses = blocks.flatMap((block) => {
    const sets = block.rule?.selectors.map(({ text }) => mail.once(createFamilyFinder)(text)) ?? [];
    const isSetInline = (property: string): boolean =>
      sets.some((families) => families.has(getPropertyFamily(property)));
    return block.declarations
      .filter(({ important, property }) => !important && isSetInline(property))
      .map((declaration) => ({ block, declaration }));
  });
  const edits = uses.map(({ block, declaration: { end } }) => ({ ...block.toRange(end, end), text: ' !important' }));
  const message =
    'The elements have this property in their own style by then, which wins over a rule without !important.';
  return groupFindings(uses.map(getDeclarationRange), message, { fixes: [{ title: 'Add !important', edits }] });
}

/** Returns a function that finds the property families in the inlined styles of a selector's elements. */
function createFamilyFinder(mail: ParsedEmail): (text: string) => ReadonlySet<string> {
  const inlinedFor = mail.once(indexInlinedFamilies);
  const budget = mail.once(createSharedBudget);
  const cache = new Map<string, ReadonlySet<string>>();
  const find = (text: string): ReadonlySet<string> => {
    const familySets = new Set<ReadonlySet<string>>();
    for (const element of findMatchingElements(mail, text) ?? []) {
      const ownFamilies = inlinedFor.get(element) ?? [];
      for (const families of (budget.remaining -= ownFamilies.length) < 0 ? [] : ownFamilies) familySets.add(families);
    }
    const allFamilies = new Set<string>();
    for (const families of familySets)
      for (const name of (budget.remaining -= families.size) < 0 ? [] : families) allFamilies.add(name);
    return allFamilies;
  };
  return (text) => {
    const families = cache.get(text) ?? find(text);
    cache.set(text, families);
    return families;
  };
}

/** Returns the property families of each element's style attribute and matching selectors. */
function indexInlinedFamilies(mail: ParsedEmail): ReadonlyMap<BodyElement, readonly ReadonlySet<string>[]> {
  const budget = mail.once(createSharedBudget);
  const cache = new Map<readonly StyleDeclaration[], ReadonlySet<string>>();
  const bySelector = new Map<string, Set<string>>();
  const familiesByElement = new Map<BodyElement, ReadonlySet<string>[]>();
  const add = (element: BodyElement, families: ReadonlySet<string>): void => {
    const familySets = familiesByElement.get(element);
    if (familySets) familySets.push(families);
    else familiesByElement.set(element, [families]);
  };
  for (const { element, rule, declarations } of mail.once(getInlinedBlocks)) {
    const ownFamilies =
      cache.get(declarations) ?? new Set(declarations.map(({ property }) => getPropertyFamily(property)));
    cache.set(declarations, ownFamilies);
    if (element) add(element, ownFamilies);
    for (const { text } of rule?.selectors ?? []) {
      if (isDynamicSelector(text) || (budget.remaining -= ownFamilies.size) < 0) continue;
      const families = bySelector.get(text) ?? new Set();
      for (const name of ownFamilies) families.add(name);
      bySelector.set(text, families);
    }
  }
  for (const [text, families] of bySelector)
    for (const element of findMatchingElements(mail, text) ?? []) add(element, families);
  return familiesByElement;
}

function findNamedCharacters(mail: ParsedEmail): readonly RuleFinding[] {
  const uses = toDeclarationUses(mail.once(createSentBlocks).filter(({ rule }) => rule)).filter(
    ({ declaration: { property, value } }) =>
      property === 'content' && encodeNamedCharacters(decodeHexEscapes(value)) !== decodeHexEscapes(value),
  );
  const message =
    'AcyMailing writes this character as an HTML entity, which CSS shows letter by letter; escapes do not help.';
  return groupFindings(uses.map(getDeclarationRange), `${message} Use another character, or put it into the HTML.`);
}

/** Returns a CSS value with hexadecimal escapes decoded. */
const decodeHexEscapes = (value: string): string =>
  value.replace(/\\([\da-f]{1,6})\s?/giu, (escape, code: string) => {
    const point = Number.parseInt(code, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : escape;
  });

const serviceStyleRuleDefaults = { profile: 'acymailing', url: 'https://docs.acymailing.com/' } as const;

export const serviceStyleRules: readonly Rule[] = [
  {
    ...serviceStyleRuleDefaults,
    id: '37',
    name: 'unmatched-rule',
    title: 'Style that matches nothing and is dropped',
    severity: 'info',
    hasFix: true,
    unnecessary: true,
    impact: 'Hooks for single clients (#outlook, .ExternalClass, [data-ogsc]) never arrive.',
    find: findUnmatchedRules,
  },
  {
    ...serviceStyleRuleDefaults,
    id: '39',
    name: 'fallback',
    title: 'Fallback before a newer value',
    severity: 'warning',
    impact: 'Older clients get neither.',
    find: findLostFallbacks,
  },
  {
    ...serviceStyleRuleDefaults,
    id: '40',
    name: 'importance',
    title: '!important where it is lost, or missing where it is needed',
    severity: 'warning',
    hasFix: true,
    impact: 'The email does not change on phones or in the dark.',
    find: findImportanceProblems,
  },
  {
    ...serviceStyleRuleDefaults,
    id: '42',
    name: 'content-sign',
    title: 'Character with an HTML name in content:',
    severity: 'warning',
    impact: 'Readers see "&eacute;".',
    find: findNamedCharacters,
  },
];
