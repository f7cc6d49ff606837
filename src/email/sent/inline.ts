import { writeDeclaration } from './cssWrite.ts';
import type { CssItem, StyleRule } from './cssRules.ts';
import type { EmailDocument } from './document.ts';
import { Elements } from './elements.ts';
import { MAX_SELECTOR, matchingEffort, stylingEffort } from './limits.ts';
import { Matcher } from './match.ts';
import { isKeptMedia } from './media.ts';
import { TooMuch } from './model.ts';
import { isDynamic, precedenceOf, withoutDynamic } from './selectorText.ts';
import { mergeStyles, normaliseNames, parseStyle, settleImportant, writeStyle } from './styles.ts';
import type { Declarations } from './styles.ts';
import type { ElementNode, TreeNode } from './tree.ts';
import { elementsOf, textOf } from './tree.ts';

/** A rule with one of its selectors. */
export interface SingleRule {
  /** `@media …` around it, or ''. */
  readonly media: string;
  readonly selector: string;
  /** Its declarations as text. */
  readonly block: string;
}

export interface Inlined {
  /** Rules that can't be inlined, with a selector that may match something. */
  readonly remaining: readonly SingleRule[];
  /** Names of classes that the remaining rules speak of: others are cut. */
  readonly classes: ReadonlySet<string>;
  /** Selectors that match nothing, and so are dropped. */
  readonly unmatched: ReadonlySet<string>;
}

/** Takes the `<style>` elements out of a document, in comments not; their texts in document order. */
export function takeStyles({ top }: EmailDocument): string {
  const styles = new Set<TreeNode>(elementsOf(top).filter(({ name }) => name === 'style'));
  const parents = new Set([...styles].map((style) => (style.kind === 'element' ? style.parent : undefined)));
  for (const parent of parents) if (parent) parent.children = parent.children.filter((child) => !styles.has(child));
  return [...styles].map((style) => `\n\n${textOf(style)}`).join('');
}

/**
 * Writes the rules of a stylesheet into the style attributes of a document, but for those that only a client can resolve.
 * `length`: characters of the email, which the effort is in proportion to.
 */
export function inlineRules({ top }: EmailDocument, rules: readonly CssItem[], length: number): Inlined {
  // Only the first element at the top is searched: what stands behind `</html>` has another.
  const elements = new Elements(top.filter((node) => node.kind === 'element').slice(0, 1));
  const styling = new Styling(elements.all, stylingEffort(length));
  const matcher = new Matcher(elements, (place) => styling.textOf(place), matchingEffort(length));
  const single = splitRules(rules);
  const unmatched = new Set<string>();
  const inlinable = single.filter(({ media, selector }) => media === '' && !isDynamic(selector));
  for (const { selector, block } of sorted(inlinable)) {
    const found = matcher.find(selector);
    if (found === 'bad' || found.length === 0) unmatched.add(selector);
    else styling.add(found, parseStyle(block));
  }
  styling.finish();
  const others = single.filter(({ media, selector }) => media !== '' || isDynamic(selector));
  const remaining = others.filter(({ selector }) => mayMatch(matcher, selector));
  for (const { selector } of others) if (!mayMatch(matcher, selector)) unmatched.add(selector);
  return { remaining, classes: classesOf(remaining), unmatched };
}

function classesOf(rules: readonly SingleRule[]): Set<string> {
  const names = rules.flatMap(({ selector }) =>
    [...selector.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map((match) => match[1] ?? ''),
  );
  return new Set(['hideonline', ...names]);
}

function sorted(rules: readonly SingleRule[]): SingleRule[] {
  const weighed = rules.map((rule) => ({ rule, weight: precedenceOf(rule.selector) }));
  return weighed.sort((one, other) => one.weight - other.weight).map(({ rule }) => rule);
}

function mayMatch(matcher: Matcher, selector: string): boolean {
  const found = matcher.find(isDynamic(selector) ? withoutDynamic(selector) : selector);
  return found === 'bad' || found.length > 0;
}

/** Each selector with its declarations; of groups only `@media` for a screen, for print or for all. */
function splitRules(items: readonly CssItem[]): SingleRule[] {
  return items.flatMap((item) => {
    if (item.kind === 'style') return splitRule(item, '');
    if (item.kind !== 'group' || item.name !== 'media' || !isKeptMedia(item.condition)) return [];
    const media = `@media ${item.condition}`.trimEnd();
    return item.items.flatMap((inner) => (inner.kind === 'style' ? splitRule(inner, media) : []));
  });
}

function splitRule({ selectors, declarations }: StyleRule, media: string): SingleRule[] {
  if (declarations.length === 0) return [];
  const longest = selectors.find(({ length }) => length > MAX_SELECTOR);
  if (longest !== undefined)
    throw new TooMuch(`A selector has ${longest.length} characters: more than ${MAX_SELECTOR} are not composed.`);
  const block = declarations.map(writeDeclaration).join(' ');
  return selectors.map((selector) => ({ media, selector, block }));
}

/** Asks once for what is asked for again and again: most elements have the styles of others. */
function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

/** The style attributes while rules are added. The authors' own ones come back last, and so win. */
class Styling {
  private readonly elements: readonly ElementNode[];
  private readonly own = new Map<number, Declarations>();
  private readonly added = new Map<number, Declarations>();
  private effort: number;
  private isFinished = false;

  constructor(elements: readonly ElementNode[], effort: number) {
    this.elements = elements;
    this.effort = effort;
    const read = remembered((style: string) => parseStyle(normaliseNames(style)));
    elements.forEach((element, place) => {
      const style = element.attributes.get('style');
      if (style !== undefined) this.own.set(place, read(style ?? ''));
      element.attributes.delete('style');
    });
  }

  /** What rules have given an element up to now, in the end with what it had itself; undefined where there is nothing. */
  textOf(place: number): string | undefined {
    if (this.isFinished) return this.elements[place]?.attributes.get('style') ?? undefined;
    const declarations = this.added.get(place);
    return declarations && writeStyle(declarations);
  }

  add(places: readonly number[], declarations: Declarations): void {
    if (declarations.size === 0) return;
    const merge = remembered((before: Declarations) => {
      this.spend(before.size + declarations.size);
      return mergeStyles(before, declarations);
    });
    this.spend(places.length);
    for (const place of places) {
      const before = this.added.get(place);
      this.added.set(place, before ? merge(before) : declarations);
    }
  }

  private spend(effort: number): void {
    if ((this.effort -= effort) < 0) throw new TooMuch('The styles have too many declarations for so many elements.');
  }

  finish(): void {
    this.isFinished = true;
    const write = remembered((declarations: Declarations) => writeStyle(settleImportant(declarations)));
    this.elements.forEach((element, place) => {
      const own = this.own.get(place);
      const added = this.added.get(place);
      if (!own && !added) return;
      this.spend((own?.size ?? 0) + (added?.size ?? 0));
      element.attributes.set('style', write(own && added ? mergeStyles(added, own) : (own ?? added ?? new Map())));
    });
  }
}
