import { writeDeclaration } from './cssWrite.ts';
import type { CssItem, CssStyleRule } from './cssRules.ts';
import type { EmailDocument } from './document.ts';
import { ElementIndex } from './elementIndex.ts';
import { MAX_SELECTOR_CHARS, getMatchingBudget, getStylingBudget } from './limits.ts';
import { SelectorMatcher } from './selectorMatcher.ts';
import { isSentMediaQuery } from './media.ts';
import { LimitExceeded } from './model.ts';
import { dependsOnClient, computePrecedence, removeDynamicParts } from './selectorText.ts';
import { mergeStyles, normalizeNames, parseStyle, resolveImportant, writeStyle } from './styles.ts';
import type { Declarations } from './styles.ts';
import type { ElementNode, TreeNode } from './tree.ts';
import { collectElements, getText } from './tree.ts';

/** A rule with a single selector. */
export interface SingleRule {
  /** The surrounding `@media …`, or ''. */
  readonly media: string;
  readonly selector: string;
  /** Serialized declarations. */
  readonly declarations: string;
}

export interface InlineResult {
  /** Rules that can't be inlined and may match an element. */
  readonly remainingRules: readonly SingleRule[];
  /** Classes that the remaining rules use. Others are removed from the email. */
  readonly usedClasses: ReadonlySet<string>;
  /** Selectors that match nothing. Their rules are dropped. */
  readonly unmatchedSelectors: ReadonlySet<string>;
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
  const unmatched = new Set<string>();
  const inlinable = singleRules.filter(({ media, selector }) => media === '' && !dependsOnClient(selector));
  for (const { selector, declarations: block } of sortByPrecedence(inlinable)) {
    const matches = matcher.find(selector);
    if (matches === 'invalid' || matches.length === 0) unmatched.add(selector);
    else styling.add(matches, parseStyle(block));
  }
  styling.finish();
  const others = singleRules.filter(({ media, selector }) => media !== '' || dependsOnClient(selector));
  const remaining = others.filter(({ selector }) => canMatch(matcher, selector));
  for (const { selector } of others) if (!canMatch(matcher, selector)) unmatched.add(selector);
  return { remainingRules: remaining, usedClasses: collectClasses(remaining), unmatchedSelectors: unmatched };
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
    throw new LimitExceeded(
      `A selector has ${tooLong.length} characters: more than ${MAX_SELECTOR_CHARS} are not composed.`,
    );
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
