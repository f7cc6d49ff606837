import { encodeNamedCharacters } from '../../html/entities.ts';
import {
  findOverridden,
  getElementBlocks,
  getSentBlocks,
  getUseRange,
  isDynamicSelector,
  isInlined,
  isSentMedia,
  toDeclarationUses,
} from '../cascade.ts';
import type { StyleDeclaration } from '../css.ts';
import type { BodyElement } from '../document.ts';
import { memoize } from '../memoize.ts';
import type { PartEdit, PartRange } from '../model.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import { acyMailingRule } from '../rule.ts';
import type { Rule, RuleFinding } from '../rule.ts';
import { getBudget, matchesNothing, matchSelector } from '../selectors.ts';

function findUnmatchedRules(mail: ParsedEmail): readonly RuleFinding[] {
  const ranges: PartRange[] = [];
  const edits: PartEdit[] = [];
  for (const { rules, toRange } of mail.sheets) {
    for (const { atRule, selectors, ...rule } of rules) {
      if (atRule && !isSentMedia(atRule)) continue;
      const unmatched = new Set(selectors.filter(({ text }) => matchesNothing(mail, text)));
      const [first, last] = [selectors[0], selectors.at(-1)];
      if (unmatched.size === 0 || !first || !last) continue;
      for (const { start, end } of unmatched) ranges.push(toRange(start, end));
      const matched = selectors.filter((selector) => !unmatched.has(selector));
      edits.push({
        ...(matched.length === 0 ? toRange(rule.start, rule.end) : toRange(first.start, last.end)),
        text: matched.map(({ text }) => text).join(', '),
      });
    }
  }
  const message =
    'This selector matches no element, so AcyMailing drops it. Put hooks for single clients in the headers field.';
  return [{ ranges, message, fixes: [{ title: 'Remove dropped styles', edits }] }];
}

/** Returns `padding` for `padding-left`: properties of one family affect each other. */
const getPropertyFamily = (property: string): string => /^(?:-.*|[^-]+)/u.exec(property)?.[0] ?? '';

const getFamilies = memoize(
  (declarations: readonly StyleDeclaration[]) =>
    new Set(declarations.map(({ property }) => getPropertyFamily(property))),
);

/** Finds declarations that lose `!important` when AcyMailing inlines their rule. */
function findLostImportance(mail: ParsedEmail): RuleFinding {
  const uses = toDeclarationUses(getSentBlocks(mail).filter(isInlined));
  const lost = uses.filter(({ block: { rule }, declaration: { important } }) => rule && important);
  const families = new Set(lost.map(({ declaration: { property } }) => getPropertyFamily(property)));
  const related = uses.filter(({ declaration: { property } }) => families.has(getPropertyFamily(property)));
  const edits = lost.map(({ block, declaration: { valueStart, value, end } }) => ({
    ...block.toRange(valueStart + value.length, end),
    text: '',
  }));
  return {
    ranges: lost.map(getUseRange),
    message: 'AcyMailing inlines this rule and drops !important.',
    // If nothing else sets these properties, the rule wins without !important.
    fixes: related.length === families.size ? [{ title: 'Remove !important', edits }] : [],
  };
}

/** Finds media rules that lose against the elements' inlined styles. */
function findOverriddenMediaRules(mail: ParsedEmail): RuleFinding {
  const uses = getSentBlocks(mail).flatMap((block) => {
    const { rule, declarations } = block;
    const weak = declarations.filter(({ important }) => !important);
    if (!rule?.atRule || !isSentMedia(rule.atRule) || weak.length === 0) return [];
    const sets = rule.selectors.map(({ text }) => findInlinedFamilies(mail, text));
    return weak
      .filter(({ property }) => sets.some((families) => families.has(getPropertyFamily(property))))
      .map((declaration) => ({ block, declaration }));
  });
  const edits = uses.map(({ block, declaration: { end } }) => ({ ...block.toRange(end, end), text: ' !important' }));
  const message = 'AcyMailing inlines other styles of this property, which override this rule unless it is !important.';
  return { ranges: uses.map(getUseRange), message, fixes: [{ title: 'Add !important', edits }] };
}

const getFamilyCache = memoize((_mail: ParsedEmail) => new Map<string, ReadonlySet<string>>());

/** Returns the property families in the inlined styles of a selector's elements, as far as the budget allows. */
function findInlinedFamilies(mail: ParsedEmail, text: string): ReadonlySet<string> {
  const cache = getFamilyCache(mail);
  const families = cache.get(text) ?? new Set([...findInlinedSets(mail, text)].flatMap((set) => [...set]));
  cache.set(text, families);
  return families;
}

function findInlinedSets(mail: ParsedEmail, text: string): ReadonlySet<ReadonlySet<string>> {
  const budget = getBudget(mail);
  const sets = new Set<ReadonlySet<string>>();
  for (const element of matchSelector(mail, text).elements ?? []) {
    for (const { block, selectorText } of getInlinedBlocks(mail, element))
      if (!isDynamicSelector(selectorText) && (budget.remaining -= 1) >= 0) sets.add(getFamilies(block.declarations));
  }
  return sets;
}

const getInlinedBlocks = (mail: ParsedEmail, element: BodyElement) =>
  (getElementBlocks(mail).get(element) ?? []).filter(({ block: { rule } }) => !rule?.atRule);

/** Returns a CSS value with hexadecimal escapes decoded. */
const decodeHexEscapes = (value: string): string =>
  value.replace(/\\([\da-f]{1,6})\s?/giu, (escape, code: string) => {
    const point = Number.parseInt(code, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : escape;
  });

export const serviceStyleRules: readonly Rule[] = [
  {
    ...acyMailingRule,
    id: '37',
    name: 'unmatched-rule',
    title: 'Unmatched selector',
    severity: 'info',
    hasFix: true,
    unnecessary: true,
    impact: 'Hooks for single clients (#outlook, .ExternalClass, [data-ogsc]) are not sent.',
    find: findUnmatchedRules,
  },
  {
    ...acyMailingRule,
    id: '39',
    name: 'fallback',
    title: 'Lost fallback value',
    severity: 'warning',
    impact: 'Older clients get neither value.',
    find: (mail) => [
      {
        ranges: mail.blocks
          .filter(isInlined)
          .flatMap(({ declarations, toRange }) =>
            findOverridden(declarations).map(({ start, end }) => toRange(start, end)),
          ),
        message:
          "AcyMailing sends only the last declaration of a property. Clients that don't support its value get none.",
      },
    ],
  },
  {
    ...acyMailingRule,
    id: '40',
    name: 'importance',
    title: 'Lost or missing !important',
    severity: 'warning',
    hasFix: true,
    impact: "The email doesn't adapt to phones or dark mode.",
    find: (mail) => [findLostImportance(mail), findOverriddenMediaRules(mail)],
  },
  {
    ...acyMailingRule,
    id: '42',
    name: 'content-sign',
    title: 'Named character in content:',
    severity: 'warning',
    impact: 'Recipients see text such as "&eacute;".',
    find(mail) {
      const uses = toDeclarationUses(getSentBlocks(mail).filter(({ rule }) => rule)).filter(
        ({ declaration: { property, value } }) =>
          property === 'content' && encodeNamedCharacters(decodeHexEscapes(value)) !== decodeHexEscapes(value),
      );
      const message =
        "AcyMailing writes this character as an HTML entity, which CSS shows as text; escapes don't help. Use another character, or move it to the HTML.";
      return [{ ranges: uses.map(getUseRange), message }];
    },
  },
];
