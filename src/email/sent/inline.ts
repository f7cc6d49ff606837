import { formatNumber, t } from '../../l10n.ts';
import { writeDeclaration, writeItems, type CssItem, type CssStyleRule } from './cssRules.ts';
import type { EmailDocument } from './document.ts';
import { getMatchingBudget, getStylingBudget, LimitExceeded, MAX_SELECTOR_CHARS } from './model.ts';
import { SelectorMatcher } from './selectorMatcher.ts';
import { computePrecedence, dependsOnClient, parseServiceSelector, removeDynamicParts } from './selectorParse.ts';
import { listStyledElements, parseStyle, Styling, type StyledElement } from './styledElements.ts';
import { collectElements, getText } from './tree.ts';

/** A rule with a single selector. */
interface SingleRule {
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
  const elements = collectElements(roots);
  const styles = elements.filter(({ name }) => name === 'style');
  for (const parent of new Set(styles.map((style) => style.parent)))
    if (parent) parent.children = parent.children.filter((child) => child.kind !== 'element' || child.name !== 'style');
  return styles.map((style) => `\n\n${getText(style)}`).join('');
}

/** Writes rules into style attributes, except rules that only a mail client can resolve. `length`: characters of the email, which limit the effort. */
export function inlineRules({ roots }: EmailDocument, rules: readonly CssItem[], length: number): InlineResult {
  // The service only searches the first root element. Content after `</html>` has its own root.
  const root = roots.find((node) => node.kind === 'element');
  const elements = root ? listStyledElements(root) : [];
  const styling = new Styling(elements, getStylingBudget(length));
  const matcher = new SelectorMatcher(elements, getMatchingBudget(length));
  const results = new Map<string, readonly StyledElement[]>();
  /** Returns the matching elements, or undefined if the service can't parse the selector. */
  const find = (selector: string) => {
    const cached = results.get(selector);
    if (cached) return cached;
    const selectors = parseServiceSelector(selector);
    const matches = selectors && matcher.find(selectors);
    // Styles change while rules are added.
    if (matches && !/style/i.test(selector)) results.set(selector, matches);
    return matches;
  };
  const groups = Map.groupBy(splitRules(rules), ({ media, selector }) => media === '' && !dependsOnClient(selector));
  const weighed = (groups.get(true) ?? []).map((rule) => ({ ...rule, weight: computePrecedence(rule.selector) }));
  for (const { selector, declarations } of weighed.sort((one, other) => one.weight - other.weight)) {
    const matches = find(selector);
    if (matches) styling.add(matches, parseStyle(declarations));
  }
  styling.finish();
  const remainingRules = (groups.get(false) ?? []).filter(({ selector }) => {
    const matches = find(dependsOnClient(selector) ? removeDynamicParts(selector) : selector);
    return matches?.length !== 0;
  });
  const classes = remainingRules.flatMap(({ selector }) =>
    [...selector.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map(([, name = '']) => name),
  );
  return { remainingRules, usedClasses: new Set(['hideonline', ...classes]) };
}

/** Returns whether the service sends rules of an `@media`: those without a media type, or whose type starts with all, screen or print. */
function isSentMediaQuery(condition: string) {
  const [type = ''] = condition.split('(', 1);
  return type.trim() === '' || /^\s*(?:only\s+)?(?:all|screen|print)/i.test(type);
}

/** Returns each selector with its declarations. The only groups are `@media` rules for screen, print or all. */
function splitRules(items: readonly CssItem[]) {
  return items.flatMap((item) => {
    if (item.kind === 'style') return splitRule(item, '');
    if (item.kind !== 'atRule' || item.name !== 'media' || !isSentMediaQuery(item.condition)) return [];
    const media = `@media ${item.condition}`.trimEnd();
    return item.items.flatMap((inner) => (inner.kind === 'style' ? splitRule(inner, media) : []));
  });
}

function splitRule({ selectors, declarations }: CssStyleRule, media: string) {
  if (declarations.length === 0) return [];
  const tooLong = selectors.find(({ length }) => length > MAX_SELECTOR_CHARS);
  if (tooLong !== undefined)
    throw new LimitExceeded(
      t`A selector has ${formatNumber(tooLong.length)} characters. The maximum is ${formatNumber(MAX_SELECTOR_CHARS)}.`,
    );
  const block = declarations.map(writeDeclaration).join(' ');
  return selectors.map((selector) => ({ media, selector, declarations: block }));
}

/** Writes the `<style>` of the head: whole at-rules, then the rules that can't be inlined. Similar adjacent rules are merged. */
export function writeHeadStyle(items: readonly CssItem[], remaining: readonly SingleRule[]): string {
  return writeItems(items.filter(isSentWhole)) + writeRules(remaining);
}

function isSentWhole(item: CssItem) {
  if (item.kind !== 'atRule') return item.kind === 'statement';
  if (item.name !== 'font-face') return item.name !== 'media';
  const properties = item.declarations.map(({ property }) => property);
  return properties.includes('font-family') && properties.includes('src');
}

function writeRules(rules: readonly SingleRule[]) {
  /** Only the last part of a block ends with a semicolon. */
  const groups: { readonly media: string; readonly blocks: { selectors: string[]; parts: string[] }[] }[] = [];
  for (const { media, selector, declarations } of rules) {
    if (groups.at(-1)?.media !== media) groups.push({ media, blocks: [] });
    const blocks = groups.at(-1)?.blocks ?? [];
    const { selectors = [], parts = [] } = blocks.at(-1) ?? {};
    if (parts.length === 1 && parts[0] === declarations) selectors.push(selector);
    else if (selectors.every((other) => other === selector) && selectors.length > 0)
      parts.push((parts.pop() ?? '').trimEnd().replace(/(?<!;);+$/, ''), declarations);
    else blocks.push({ selectors: [selector], parts: [declarations] });
  }
  return groups
    .map(({ media, blocks }) => {
      const css = blocks
        .map(({ selectors, parts }) => `${[...new Set(selectors)].join(',')}{${parts.join(';')}}`)
        .join('');
      return media === '' ? css : `${media}{${css}}`;
    })
    .join('');
}

/** Removes the classes that no rule in the head uses. The service ignores the `headers` field here. */
export function pruneClasses({ roots }: EmailDocument, usedClasses: ReadonlySet<string>): void {
  for (const element of collectElements(roots)) {
    const names = element.attributes.get('class');
    if (names === undefined) continue;
    const remaining = [...new Set((names ?? '').split(/[ \t\n\v\f\r]+/))].filter((name) => usedClasses.has(name));
    if (remaining.length > 0) element.attributes.set('class', remaining.join(' '));
    else element.attributes.delete('class');
  }
}
