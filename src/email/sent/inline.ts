import { writeDeclaration } from './cssRules.ts';
import type { CssItem, CssStyleRule } from './cssRules.ts';
import type { EmailDocument } from './document.ts';
import { ElementIndex, SelectorMatcher } from './selectorMatcher.ts';
import { MAX_SELECTOR_CHARS, getMatchingBudget, getStylingBudget } from './limits.ts';
import { LimitExceeded } from './model.ts';
import { dependsOnClient, computePrecedence, removeDynamicParts } from './selectorText.ts';
import { phpTrim } from '../html/stripTags.ts';
import { collectElements, getText } from './tree.ts';
import type { ElementNode, TreeNode } from './tree.ts';

/** Reads and writes style attributes like the service. */

/** Values by property, including `!important`. A later value replaces an earlier one. */
export type Declarations = ReadonlyMap<string, string>;

/** Splits at every `;`, even in strings, except in `data:` URLs. */
function parseStyle(text: string): Declarations {
  const declarations = new Map<string, string>();
  for (const declaration of text.split(/;(?!base64|charset)/)) {
    const match = /^([A-Za-z-]+)[ \t\n\v\f\r]*:[ \t\n\v\f\r]*([^]+)$/.exec(phpTrim(declaration));
    if (match) declarations.set(toLowerCaseProperty(match[1] ?? ''), match[2] ?? '');
  }
  return declarations;
}

const toLowerCaseProperty = (property: string): string =>
  property.startsWith('--') ? property : property.toLowerCase();

/** Lowercases property names and any other word before a colon. */
function normalizeNames(style: string): string {
  return style.replace(/(?<![\w-])[\w-]+(?=:)/g, (word) => word.replace(/-{0,2}[_a-zA-Z][\w-]*$/, toLowerCaseProperty));
}

function writeStyle(declarations: Declarations): string {
  return [...declarations].map(([property, value]) => `${toLowerCaseProperty(property)}: ${phpTrim(value)};`).join(' ');
}

const isImportant = (value: string): boolean => /![ \t\n\v\f\r]*important$/i.test(value);

/** Appends newer declarations, unless they would override an important one. */
function mergeStyles(older: Declarations, newer: Declarations): Declarations {
  const merged = new Map(older);
  for (const [property, value] of newer) {
    const old = older.get(property);
    if (old !== undefined && isImportant(old) && !isImportant(value)) continue;
    merged.delete(property);
    merged.set(property, value);
  }
  return merged;
}

/** Moves important declarations to the end and removes `!important`. */
function resolveImportant(declarations: Declarations): Declarations {
  const entries = [...declarations];
  const important = entries.filter(([, value]) => isImportant(value));
  if (important.length === 0) return declarations;
  return new Map([
    ...entries.filter(([, value]) => !isImportant(value)),
    ...important.map(
      ([property, value]) => [property, value.replace(/[ \t\n\v\f\r]*![ \t\n\v\f\r]*important$/i, '')] as const,
    ),
  ]);
}

/** A rule with a single selector. */
export interface SingleRule {
  /** The surrounding `@media …`, or ''. */
  readonly media: string;
  readonly selector: string;
  /** Serialized declarations. */
  readonly declarations: string;
}

interface InlineResult {
  /** Rules that can't be inlined and may match an element. */
  readonly remainingRules: readonly SingleRule[];
  /** Classes that the remaining rules use. Others are removed from the email. */
  readonly usedClasses: ReadonlySet<string>;
}

/** Removes the `<style>` elements outside comments and returns their texts in document order. */
export function extractStyles({ roots }: EmailDocument): string {
  const styles = new Set<TreeNode>(collectElements(roots).filter(({ name }) => name === 'style'));
  const parents = new Set([...styles].map((style) => (style.kind === 'element' ? style.parent : undefined)));
  for (const parent of parents) if (parent) parent.children = parent.children.filter((child) => !styles.has(child));
  return [...styles].map((style) => `\n\n${getText(style)}`).join('');
}

/** Writes rules into style attributes, except rules that only a mail client can resolve. `length`: characters of the email, which limit the effort. */
export function inlineRules({ roots }: EmailDocument, rules: readonly CssItem[], length: number): InlineResult {
  // The service only searches the first root element. Content after `</html>` has its own root.
  const elements = new ElementIndex(roots.filter((node) => node.kind === 'element').slice(0, 1));
  const styling = new StyleAttributes(elements.all, getStylingBudget(length));
  const matcher = new SelectorMatcher(elements, (index) => styling.getText(index), getMatchingBudget(length));
  const singleRules = splitRules(rules);
  const inlinable = singleRules.filter(({ media, selector }) => media === '' && !dependsOnClient(selector));
  for (const { selector, declarations: block } of sortByPrecedence(inlinable)) {
    const matches = matcher.find(selector);
    if (matches !== 'invalid' && matches.length > 0) styling.add(matches, parseStyle(block));
  }
  styling.finish();
  const others = singleRules.filter(({ media, selector }) => media !== '' || dependsOnClient(selector));
  const remaining = others.filter(({ selector }) => canMatch(matcher, selector));
  return { remainingRules: remaining, usedClasses: collectClasses(remaining) };
}

function collectClasses(rules: readonly SingleRule[]): Set<string> {
  const names = rules.flatMap(({ selector }) =>
    [...selector.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map((match) => match[1] ?? ''),
  );
  return new Set(['hideonline', ...names]);
}

function sortByPrecedence(rules: readonly SingleRule[]): SingleRule[] {
  const weighed = rules.map((rule) => ({ rule, weight: computePrecedence(rule.selector) }));
  return weighed.sort((one, other) => one.weight - other.weight).map(({ rule }) => rule);
}

function canMatch(matcher: SelectorMatcher, selector: string): boolean {
  const matches = matcher.find(dependsOnClient(selector) ? removeDynamicParts(selector) : selector);
  return matches === 'invalid' || matches.length > 0;
}

/** Returns whether the service sends rules of an `@media`: those without a media type, or whose type starts with all, screen or print. */
function isSentMediaQuery(condition: string): boolean {
  const [type = ''] = condition.split('(', 1);
  return type.trim() === '' || /^\s*(?:only\s+)?(?:all|screen|print)/i.test(type);
}

/** Returns each selector with its declarations. The only groups are `@media` rules for screen, print or all. */
function splitRules(items: readonly CssItem[]): SingleRule[] {
  return items.flatMap((item) => {
    if (item.kind === 'style') return splitRule(item, '');
    if (item.kind !== 'group' || item.name !== 'media' || !isSentMediaQuery(item.condition)) return [];
    const media = `@media ${item.condition}`.trimEnd();
    return item.items.flatMap((inner) => (inner.kind === 'style' ? splitRule(inner, media) : []));
  });
}

function splitRule({ selectors, declarations }: CssStyleRule, media: string): SingleRule[] {
  if (declarations.length === 0) return [];
  const tooLong = selectors.find(({ length }) => length > MAX_SELECTOR_CHARS);
  if (tooLong !== undefined)
    throw new LimitExceeded(`A selector has ${tooLong.length} characters. The maximum is ${MAX_SELECTOR_CHARS}.`);
  const block = declarations.map(writeDeclaration).join(' ');
  return selectors.map((selector) => ({ media, selector, declarations: block }));
}

/** Most elements share their styles with others. */
function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, Value>();
  return (key) => {
    const value = cache.get(key) ?? make(key);
    cache.set(key, value);
    return value;
  };
}

/** The style attributes while rules are added. The author's own styles are merged last and win. */
class StyleAttributes {
  private readonly elements: readonly ElementNode[];
  private readonly authorStyles = new Map<number, Declarations>();
  private readonly ruleStyles = new Map<number, Declarations>();
  private budget: number;
  private isFinished = false;

  constructor(elements: readonly ElementNode[], budget: number) {
    this.elements = elements;
    this.budget = budget;
    const read = memoize((style: string) => parseStyle(normalizeNames(style)));
    elements.forEach((element, index) => {
      const style = element.attributes.get('style');
      if (style !== undefined) this.authorStyles.set(index, read(style ?? ''));
      element.attributes.delete('style');
    });
  }

  /** Returns the styles from rules, and after `finish` also the author's own. Undefined if there are none. */
  getText(index: number): string | undefined {
    if (this.isFinished) return this.elements[index]?.attributes.get('style') ?? undefined;
    const declarations = this.ruleStyles.get(index);
    return declarations && writeStyle(declarations);
  }

  add(indexes: readonly number[], declarations: Declarations): void {
    if (declarations.size === 0) return;
    const merge = memoize((before: Declarations) => {
      this.spend(before.size + declarations.size);
      return mergeStyles(before, declarations);
    });
    this.spend(indexes.length);
    for (const index of indexes) {
      const before = this.ruleStyles.get(index);
      this.ruleStyles.set(index, before ? merge(before) : declarations);
    }
  }

  private spend(budget: number): void {
    if ((this.budget -= budget) < 0)
      throw new LimitExceeded('The styles have too many declarations for so many elements.');
  }

  finish(): void {
    this.isFinished = true;
    const write = memoize((declarations: Declarations) => writeStyle(resolveImportant(declarations)));
    this.elements.forEach((element, index) => {
      const own = this.authorStyles.get(index);
      const added = this.ruleStyles.get(index);
      if (!own && !added) return;
      this.spend((own?.size ?? 0) + (added?.size ?? 0));
      element.attributes.set('style', write(own && added ? mergeStyles(added, own) : (own ?? added ?? new Map())));
    });
  }
}
