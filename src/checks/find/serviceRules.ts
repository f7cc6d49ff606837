import type { Declaration, StyleRule } from '../css.ts';
import type { Element } from '../document.ts';
import type { Block, Mail } from '../mail.ts';
import type { Edit, Found, Place } from '../model.ts';
import { grouped } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { keyOf, keyReader, matches, selectorReader } from '../selectors.ts';
import { isDynamic, isKeptMedia } from './serviceStyles.ts';

const page = 'https://docs.acymailing.com/';

/** Elements that go out, by the words under which the selectors of the e-mail find them. */
function sentElements({ document: { elements }, sheets, once }: Mail): ReadonlyMap<string, readonly Element[]> {
  const [keysOf, readSelector] = [once(keyReader), once(selectorReader)];
  const byKey = new Map<string, Element[]>();
  for (const { text } of sheets.flatMap(({ rules }) => rules.flatMap(({ selectors }) => selectors))) {
    const selector = readSelector(text);
    if (selector) byKey.set(keyOf(selector), []);
  }
  const bodies = new Set(
    elements.flatMap((element) => (element.parent?.name === 'html' ? [] : [element.parent])).filter((one) => one?.name === 'body'),
  );
  for (const element of new Set([...elements, ...[...bodies].filter((body) => body !== undefined)])) {
    if (element.name === 'html' || element.name === 'head' || element.parent?.name === 'head') continue;
    for (const key of keysOf(element)) byKey.get(key)?.push(element);
  }
  return byKey;
}

/** Tries of a selector on an element that are made at most; beyond, what it speaks of can't be told. */
const mostTries = 2_000_000;

type Finder = (text: string) => readonly Element[] | undefined;

/** Finds the elements of a selector, once for each text, as long as that takes no unreasonable time. */
function elementFinder(mail: Mail): Finder {
  const byKey = mail.once(sentElements);
  const readSelector = mail.once(selectorReader);
  const known = new Map<string, readonly Element[] | undefined>();
  let left = mostTries;
  const find: Finder = (text) => {
    const selector = readSelector(text);
    const near = selector ? (byKey.get(keyOf(selector)) ?? []) : [];
    left -= near.length + 1;
    return !selector || left < 0 ? undefined : near.filter((element) => matches(selector, element));
  };
  return (text) => {
    if (!known.has(text)) known.set(text, find(text));
    return known.get(text);
  };
}

/** What a selector speaks of, without states; undefined where that can't be told. */
const elementsOf = (mail: Mail, text: string): ReturnType<Finder> => mail.once(elementFinder)(text);

const isRead = ({ atRule }: StyleRule): boolean => atRule === undefined || isKeptMedia(atRule);

function unmatched(mail: Mail): readonly Found[] {
  const places: Place[] = [];
  const edits: Edit[] = [];
  for (const { rules, place } of mail.sheets) {
    for (const rule of rules.filter(isRead)) {
      const without = rule.selectors.filter(({ text }) => elementsOf(mail, text)?.length === 0);
      if (without.length === 0) continue;
      for (const { start, end } of without) places.push(place(start, end));
      const lost = new Set(without);
      const kept = rule.selectors.filter((selector) => !lost.has(selector));
      const [first, last] = [rule.selectors[0], rule.selectors.at(-1)];
      const isAll = kept.length === 0 || !first || !last;
      edits.push({
        ...(isAll ? place(rule.start, rule.end) : place(first.start, last.end)),
        text: kept.map(({ text }) => text).join(', '),
      });
    }
  }
  const message =
    'No element of the e-mail is meant by this, and so the service drops it: hooks for single clients too. Those go to the headers field.';
  return grouped(places, message, { fixes: [{ title: 'Remove what is dropped', edits }] });
}

/** Whether the service writes a block into `style` attributes. */
const isInlined = ({ rule, element }: Block): boolean =>
  element !== undefined || (rule !== undefined && rule.atRule === undefined && rule.selectors.some(({ text }) => !isDynamic(text)));

const inlinedBlocks = ({ blocks }: Mail): readonly Block[] => blocks.filter(isInlined);

function lostFallbacks(mail: Mail): readonly Found[] {
  // Equal style attributes share their declarations.
  const known = new Map<readonly Declaration[], readonly Declaration[]>();
  const places = mail.once(inlinedBlocks).flatMap(({ declarations, place }) => {
    const lost = known.get(declarations) ?? overridden(declarations);
    known.set(declarations, lost);
    return lost.map(({ start, end }) => place(start, end));
  });
  return grouped(places, "The service keeps the last declaration of a property only: clients that don't know its value get nothing.");
}

/** Declarations that a later one of the same property takes the place of. */
function overridden(declarations: readonly Declaration[]): readonly Declaration[] {
  const last = new Map(declarations.map((declaration) => [declaration.property, declaration]));
  return declarations.filter((declaration) => last.get(declaration.property)?.value !== declaration.value);
}

interface Use {
  readonly block: Block;
  readonly declaration: Declaration;
}

const usesOf = (blocks: readonly Block[]): readonly Use[] =>
  blocks.flatMap((block) => block.declarations.map((declaration) => ({ block, declaration })));

/** `padding` of `padding-left`: one decides the other. */
function family(property: string): string {
  const dash = property.indexOf('-');
  return dash > 0 ? property.slice(0, dash) : property;
}

function importance(mail: Mail): readonly Found[] {
  const inlined = mail.once(inlinedBlocks);
  const lost = usesOf(inlined.filter(({ rule }) => rule)).filter(({ declaration }) => declaration.important);
  const families = new Set(lost.map(({ declaration }) => family(declaration.property)));
  const isMeant = ({ property }: Declaration): boolean => families.has(family(property));
  const said = families.size === 0 ? [] : inlined.flatMap(({ declarations }) => declarations.filter(isMeant));
  // Where nothing else is said of the property it wins anyway.
  const isSafe = said.length === families.size;
  const cut = lost.map(({ block, declaration: { valueStart, value, end } }) => ({
    ...block.place(valueStart + value.length, end),
    text: '',
  }));
  const message = 'The service writes this rule into the elements, and loses !important on the way.';
  return [
    ...grouped(lost.map(placeOf), message, isSafe ? { fixes: [{ title: 'Remove !important', edits: cut }] } : {}),
    ...powerless(mail),
  ];
}

const placeOf = ({ block, declaration: { start, end } }: Use): Place => block.place(start, end);

/** Rules for phones and the dark that the elements' own styles beat. */
function powerless(mail: Mail): readonly Found[] {
  const blocks = mail.blocks.filter(
    ({ rule, declarations }) => rule?.atRule && isKeptMedia(rule.atRule) && declarations.some(({ important }) => !important),
  );
  if (blocks.length === 0) return [];
  const inlinedFor = mail.once(inlinedFamilies);
  const uses = blocks.flatMap((block) => {
    const elements = block.rule?.selectors.flatMap(({ text }) => elementsOf(mail, text) ?? []) ?? [];
    const sets = [...new Set(elements.flatMap((element) => inlinedFor.get(element) ?? []))];
    const isSaid = (property: string): boolean => sets.some((families) => families.has(family(property)));
    return block.declarations
      .filter(({ important, property }) => !important && isSaid(property))
      .map((declaration) => ({ block, declaration }));
  });
  const edits = uses.map(({ block, declaration: { end } }) => ({ ...block.place(end, end), text: ' !important' }));
  const message = 'The elements have this property in their own style by then, which wins over a rule without !important.';
  return grouped(uses.map(placeOf), message, { fixes: [{ title: 'Add !important', edits }] });
}

/** For each element, the families of properties that each of the blocks has which the service writes into its style. */
function inlinedFamilies(mail: Mail): ReadonlyMap<Element, readonly ReadonlySet<string>[]> {
  const known = new Map<readonly Declaration[], ReadonlySet<string>>();
  const found = new Map<Element, ReadonlySet<string>[]>();
  for (const { element, rule, declarations } of mail.once(inlinedBlocks)) {
    const families = known.get(declarations) ?? new Set(declarations.map(({ property }) => family(property)));
    known.set(declarations, families);
    const inlinable = (rule?.selectors ?? []).filter(({ text }) => !isDynamic(text));
    const elements = element ? [element] : inlinable.flatMap(({ text }) => elementsOf(mail, text) ?? []);
    for (const one of elements) {
      const sets = found.get(one);
      if (sets) sets.push(families);
      else found.set(one, [families]);
    }
  }
  return found;
}

function brokenContent(mail: Mail): readonly Found[] {
  const uses = usesOf(mail.blocks.filter(({ rule }) => rule)).filter(
    ({ declaration: { property, value } }) => property === 'content' && /[^\0-\x7f]/u.test(value),
  );
  const edits = uses.map(({ block, declaration: { valueStart, value } }) => ({
    ...block.place(valueStart, valueStart + value.length),
    text: value.replace(/[^\0-\x7f]/gu, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()} `),
  }));
  const message = 'The service writes this sign as HTML would, which CSS shows letter by letter.';
  return grouped(uses.map(placeOf), message, { fixes: [{ title: 'Escape it', edits }] });
}

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
    cost: 'Hooks for single clients (#outlook, .ExternalClass, [data-ogsc]) never arrive.',
    find: unmatched,
  },
  {
    ...acymailing,
    id: '39',
    name: 'fallback',
    title: 'Fallback before a newer value',
    severity: 'warning',
    cost: 'Older clients get neither.',
    find: lostFallbacks,
  },
  {
    ...acymailing,
    id: '40',
    name: 'importance',
    title: '!important where it is lost, or missing where it is needed',
    severity: 'warning',
    hasFix: true,
    cost: 'The e-mail does not change on phones or in the dark.',
    find: importance,
  },
  {
    ...acymailing,
    id: '42',
    name: 'content-sign',
    title: 'Sign beyond ASCII in content:',
    severity: 'warning',
    hasFix: true,
    isMechanical: true,
    cost: 'Readers see "&eacute;".',
    find: brokenContent,
  },
];
