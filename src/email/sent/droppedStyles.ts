import { parseCss } from '../html/cssTree.ts';
import type { Atrule, CssNode, Rule } from 'css-tree';
import type { InlineResult } from './inline.ts';
import { isSentMediaQuery } from './media.ts';
import type { Dropped, DroppedKind } from './model.ts';

export interface SourceStylesheet {
  readonly part: 'body' | 'stylesheet';
  readonly css: string;
  /** Where the CSS starts in its part. */
  readonly offset: number;
}

const MAX_CSS_BRACKET_DEPTH = 100;

/** The service parses the content of these at-rules as declarations. */
const unsupportedAtRules = new Set(['container', 'layer', 'scope', 'starting-style', 'property']);

/** Finds the parts of a stylesheet that are not sent or changed. */
export function findDroppedStyles({ part, css, offset }: SourceStylesheet, inlined: InlineResult): Dropped[] {
  if (css.trim() === '' || exceedsBracketDepth(css)) return [];
  const dropped: Dropped[] = [];
  const add = (kind: DroppedKind, name: string, { loc }: CssNode): void => {
    if (loc) dropped.push({ kind, name, part, start: offset + loc.start.offset, end: offset + loc.end.offset });
  };
  const ast = parseCss(css, {
    positions: true,
    parseValue: false,
    parseAtrulePrelude: false,
    parseCustomProperty: false,
  });
  const visit = (node: CssNode, parent: Atrule | null): void => {
    if (node.type === 'Atrule') addDroppedAtRule(node, parent, css, add);
    if (node.type === 'Rule') addDroppedRule(node, isInMedia(parent), css, inlined, add);
    const inner =
      node.type === 'StyleSheet' ? node : node.type === 'Atrule' || node.type === 'Rule' ? node.block : null;
    inner?.children.forEach((child) => visit(child, node.type === 'Atrule' ? node : parent));
  };
  visit(ast, null);
  return dropped;
}

/** Returns whether brackets nest too deep for a recursive parser. */
function exceedsBracketDepth(css: string): boolean {
  let depth = 0;
  for (const [bracket] of css.matchAll(/[{([\])}]/g)) {
    depth = '{(['.includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_CSS_BRACKET_DEPTH) return true;
  }
  return false;
}

type AddDropped = (kind: DroppedKind, name: string, node: CssNode) => void;

const isInMedia = (rule: Atrule | null): boolean => rule?.name.toLowerCase() === 'media';
const getSource = ({ loc }: CssNode, css: string): string => (loc ? css.slice(loc.start.offset, loc.end.offset) : '');

function addDroppedAtRule(rule: Atrule, parent: Atrule | null, css: string, add: AddDropped): void {
  const name = rule.name.toLowerCase();
  const condition = rule.prelude ? getSource(rule.prelude, css).trim() : '';
  if (name === 'import') add('import', condition, rule);
  else if (name === 'media' && (isInMedia(parent) || !isSentMediaQuery(condition))) add('media', condition, rule);
  else if (unsupportedAtRules.has(name)) add('atRule', name, rule);
  else if (name === 'font-face') {
    const children = rule.block?.children.toArray() ?? [];
    const properties = new Set(
      children.map((child) => (child.type === 'Declaration' ? child.property.toLowerCase() : '')),
    );
    if (!properties.has('font-family') || !properties.has('src')) add('fontFace', condition, rule);
  }
}

function addDroppedRule(
  rule: Rule,
  isConditional: boolean,
  css: string,
  { unmatchedSelectors: unmatched }: InlineResult,
  add: AddDropped,
): void {
  const selectors = rule.prelude.type === 'SelectorList' ? rule.prelude.children.toArray() : [];
  for (const selector of selectors) {
    const text = getSource(selector, css).trim();
    if (!isConditional && /^(?:html|:root)$/i.test(text)) add('root', text, selector);
    else if (unmatched.has(text)) add('selector', text, selector);
  }
  if (isConditional) return;
  const last = new Map<string, CssNode>();
  rule.block.children.forEach((declaration) => {
    if (declaration.type !== 'Declaration') return;
    if (declaration.important) add('important', declaration.property, declaration);
    const earlier = last.get(declaration.property.toLowerCase());
    if (earlier) add('fallback', declaration.property, earlier);
    last.set(declaration.property.toLowerCase(), declaration);
  });
}
