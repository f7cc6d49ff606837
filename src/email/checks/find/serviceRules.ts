import type { StyleDeclaration, SheetRule } from '../css.ts';
import type { BodyElement } from '../document.ts';
import { encodeNamedCharacters } from '../../sent/entities.ts';
import { createSharedBudget, findMatchingElements } from '../matched.ts';
import type { DeclarationBlock, ParsedEmail } from '../mail.ts';
import type { PartEdit, RuleFinding, PartRange } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { isDynamicSelector, isInlined, isSentMedia, findOverridden, createSentBlocks } from '../sentStyles.ts';

const page = 'https://docs.acymailing.com/';

const isRead = ({ atRule }: SheetRule): boolean => atRule === undefined || isSentMedia(atRule);

function unmatched(mail: ParsedEmail): readonly RuleFinding[] {
  const ranges: PartRange[] = [];
  const edits: PartEdit[] = [];
  for (const { rules, toRange } of mail.sheets) {
    for (const rule of rules.filter(isRead)) {
      const without = rule.selectors.filter(({ text }) => findMatchingElements(mail, text)?.length === 0);
      if (without.length === 0) continue;
      for (const { start, end } of without) ranges.push(toRange(start, end));
      const lost = new Set(without);
      const kept = rule.selectors.filter((selector) => !lost.has(selector));
      const [first, last] = [rule.selectors[0], rule.selectors.at(-1)];
      const isAll = kept.length === 0 || !first || !last;
      edits.push({
        ...(isAll ? toRange(rule.start, rule.end) : toRange(first.start, last.end)),
        text: kept.map(({ text }) => text).join(', '),
      });
    }
  }
  const message =
    'No element of the email is meant by this, and so the service drops it: hooks for single clients too. Those go to the headers field.';
  return groupFindings(ranges, message, { fixes: [{ title: 'Remove what is dropped', edits }] });
}

const inlinedBlocks = (mail: ParsedEmail): readonly DeclarationBlock[] => mail.once(createSentBlocks).filter(isInlined);

function lostFallbacks(mail: ParsedEmail): readonly RuleFinding[] {
  // Equal style attributes share their declarations.
  const known = new Map<readonly StyleDeclaration[], readonly StyleDeclaration[]>();
  const ranges = mail.blocks.filter(isInlined).flatMap(({ declarations, toRange }) => {
    const lost = known.get(declarations) ?? findOverridden(declarations);
    known.set(declarations, lost);
    return lost.map(({ start, end }) => toRange(start, end));
  });
  return groupFindings(
    ranges,
    "The service keeps the last declaration of a property only: clients that don't know its value get nothing.",
  );
}

interface Use {
  readonly block: DeclarationBlock;
  readonly declaration: StyleDeclaration;
}

const usesOf = (blocks: readonly DeclarationBlock[]): readonly Use[] =>
  blocks.flatMap((block) => block.declarations.map((declaration) => ({ block, declaration })));

/** `padding` of `padding-left`: one decides the other. */
function family(property: string): string {
  const dash = property.indexOf('-');
  return dash > 0 ? property.slice(0, dash) : property;
}

function importance(mail: ParsedEmail): readonly RuleFinding[] {
  const inlined = mail.once(inlinedBlocks);
  const lost = usesOf(inlined.filter(({ rule }) => rule)).filter(({ declaration }) => declaration.important);
  const families = new Set(lost.map(({ declaration }) => family(declaration.property)));
  const isMeant = ({ property }: StyleDeclaration): boolean => families.has(family(property));
  const said = families.size === 0 ? [] : inlined.flatMap(({ declarations }) => declarations.filter(isMeant));
  // Where nothing else is said of the property it wins anyway.
  const isSafe = said.length === families.size;
  const cut = lost.map(({ block, declaration: { valueStart, value, end } }) => ({
    ...block.toRange(valueStart + value.length, end),
    text: '',
  }));
  const message = 'The service writes this rule into the elements, and loses !important on the way.';
  return [
    ...groupFindings(lost.map(placeOf), message, isSafe ? { fixes: [{ title: 'Remove !important', edits: cut }] } : {}),
    ...powerless(mail),
  ];
}

const placeOf = ({ block, declaration: { start, end } }: Use): PartRange => block.toRange(start, end);

/** Rules for phones and the dark that the elements' own styles beat. */
function powerless(mail: ParsedEmail): readonly RuleFinding[] {
  const blocks = mail
    .once(createSentBlocks)
    .filter(
      ({ rule, declarations }) =>
        rule?.atRule && isSentMedia(rule.atRule) && declarations.some(({ important }) => !important),
    );
  if (blocks.length === 0) return [];
  const uses = blocks.flatMap((block) => {
    const sets = block.rule?.selectors.map(({ text }) => mail.once(familiesFinder)(text)) ?? [];
    const isSaid = (property: string): boolean => sets.some((families) => families.has(family(property)));
    return block.declarations
      .filter(({ important, property }) => !important && isSaid(property))
      .map((declaration) => ({ block, declaration }));
  });
  const edits = uses.map(({ block, declaration: { end } }) => ({ ...block.toRange(end, end), text: ' !important' }));
  const message =
    'The elements have this property in their own style by then, which wins over a rule without !important.';
  return groupFindings(uses.map(placeOf), message, { fixes: [{ title: 'Add !important', edits }] });
}

/** Finds the families of properties that the elements of a selector have in their own style by then. */
function familiesFinder(mail: ParsedEmail): (text: string) => ReadonlySet<string> {
  const inlinedFor = mail.once(inlinedFamilies);
  const effort = mail.once(createSharedBudget);
  const known = new Map<string, ReadonlySet<string>>();
  const find = (text: string): ReadonlySet<string> => {
    const sets = new Set<ReadonlySet<string>>();
    for (const element of findMatchingElements(mail, text) ?? []) {
      const own = inlinedFor.get(element) ?? [];
      for (const families of (effort.left -= own.length) < 0 ? [] : own) sets.add(families);
    }
    const all = new Set<string>();
    for (const families of sets) for (const name of (effort.left -= families.size) < 0 ? [] : families) all.add(name);
    return all;
  };
  return (text) => {
    const families = known.get(text) ?? find(text);
    known.set(text, families);
    return families;
  };
}

/** For each element, the families of properties that its style attribute and each of its selectors have. */
function inlinedFamilies(mail: ParsedEmail): ReadonlyMap<BodyElement, readonly ReadonlySet<string>[]> {
  const effort = mail.once(createSharedBudget);
  const known = new Map<readonly StyleDeclaration[], ReadonlySet<string>>();
  const bySelector = new Map<string, Set<string>>();
  const found = new Map<BodyElement, ReadonlySet<string>[]>();
  const add = (element: BodyElement, families: ReadonlySet<string>): void => {
    const sets = found.get(element);
    if (sets) sets.push(families);
    else found.set(element, [families]);
  };
  for (const { element, rule, declarations } of mail.once(inlinedBlocks)) {
    const own = known.get(declarations) ?? new Set(declarations.map(({ property }) => family(property)));
    known.set(declarations, own);
    if (element) add(element, own);
    for (const { text } of rule?.selectors ?? []) {
      if (isDynamicSelector(text) || (effort.left -= own.size) < 0) continue;
      const families = bySelector.get(text) ?? new Set();
      for (const name of own) families.add(name);
      bySelector.set(text, families);
    }
  }
  for (const [text, families] of bySelector)
    for (const element of findMatchingElements(mail, text) ?? []) add(element, families);
  return found;
}

function namedInContent(mail: ParsedEmail): readonly RuleFinding[] {
  const uses = usesOf(mail.once(createSentBlocks).filter(({ rule }) => rule)).filter(
    ({ declaration: { property, value } }) =>
      property === 'content' && encodeNamedCharacters(unescaped(value)) !== unescaped(value),
  );
  const message =
    'AcyMailing writes this character as an HTML entity, which CSS shows letter by letter; escapes do not help.';
  return groupFindings(uses.map(placeOf), `${message} Use another character, or put it into the HTML.`);
}

/** A CSS value whose escapes are the characters they stand for. */
const unescaped = (value: string): string =>
  value.replace(/\\([\da-f]{1,6})\s?/giu, (escape, code: string) => {
    const point = Number.parseInt(code, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : escape;
  });

const acymailing = { profile: 'acymailing', url: page } as const;

export const serviceStyleRules: readonly Rule[] = [
  {
    ...acymailing,
    id: '37',
    name: 'unmatched-rule',
    title: 'Style that matches nothing and is dropped',
    severity: 'info',
    hasFix: true,
    unnecessary: true,
    impact: 'Hooks for single clients (#outlook, .ExternalClass, [data-ogsc]) never arrive.',
    find: unmatched,
  },
  {
    ...acymailing,
    id: '39',
    name: 'fallback',
    title: 'Fallback before a newer value',
    severity: 'warning',
    impact: 'Older clients get neither.',
    find: lostFallbacks,
  },
  {
    ...acymailing,
    id: '40',
    name: 'importance',
    title: '!important where it is lost, or missing where it is needed',
    severity: 'warning',
    hasFix: true,
    impact: 'The email does not change on phones or in the dark.',
    find: importance,
  },
  {
    ...acymailing,
    id: '42',
    name: 'content-sign',
    title: 'Character with an HTML name in content:',
    severity: 'warning',
    impact: 'Readers see "&eacute;".',
    find: namedInContent,
  },
];
