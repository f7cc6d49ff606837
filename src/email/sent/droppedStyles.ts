import { parseCss } from '../html/cssTree.ts';
import type { Atrule, CssNode, Rule } from 'css-tree';
import type { Inlined } from './inline.ts';
import { isKeptMedia } from './media.ts';
import type { Dropped, DroppedKind } from './model.ts';

export interface Sheet {
  readonly part: 'body' | 'stylesheet';
  readonly css: string;
  /** Where the CSS begins in its part. */
  readonly offset: number;
}

/** Brackets within brackets of a stylesheet. */
const MAX_DEPTH = 100;

/** At-rules that the service reads as if they held declarations. */
const unknownAtRules = new Set(['container', 'layer', 'scope', 'starting-style', 'property']);

/** What of a stylesheet is not sent, or changed. */
export function droppedInStyles({ part, css, offset }: Sheet, inlined: Inlined): Dropped[] {
  if (css.trim() === '' || isDeep(css)) return [];
  const found: Dropped[] = [];
  const add = (kind: DroppedKind, what: string, { loc }: CssNode): void => {
    if (loc) found.push({ kind, what, part, start: offset + loc.start.offset, end: offset + loc.end.offset });
  };
  const ast = parseCss(css, {
    positions: true,
    parseValue: false,
    parseAtrulePrelude: false,
    parseCustomProperty: false,
  });
  const visit = (node: CssNode, around: Atrule | null): void => {
    if (node.type === 'Atrule') findAtRule(node, around, css, add);
    if (node.type === 'Rule') findRule(node, isInMedia(around), css, inlined, add);
    const inner =
      node.type === 'StyleSheet' ? node : node.type === 'Atrule' || node.type === 'Rule' ? node.block : null;
    inner?.children.forEach((child) => visit(child, node.type === 'Atrule' ? node : around));
  };
  visit(ast, null);
  return found;
}

/** Whether brackets nest deeper than a parser that works by recursion can take. */
function isDeep(css: string): boolean {
  let depth = 0;
  for (const [bracket] of css.matchAll(/[{([\])}]/g)) {
    depth = '{(['.includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

type Add = (kind: DroppedKind, what: string, node: CssNode) => void;

const isInMedia = (rule: Atrule | null): boolean => rule?.name.toLowerCase() === 'media';
const textOf = ({ loc }: CssNode, css: string): string => (loc ? css.slice(loc.start.offset, loc.end.offset) : '');

function findAtRule(rule: Atrule, around: Atrule | null, css: string, add: Add): void {
  const name = rule.name.toLowerCase();
  const condition = rule.prelude ? textOf(rule.prelude, css).trim() : '';
  if (name === 'import') add('import', condition, rule);
  else if (name === 'media' && (isInMedia(around) || !isKeptMedia(condition))) add('media', condition, rule);
  else if (unknownAtRules.has(name)) add('atRule', name, rule);
  else if (name === 'font-face') {
    const children = rule.block?.children.toArray() ?? [];
    const properties = new Set(
      children.map((child) => (child.type === 'Declaration' ? child.property.toLowerCase() : '')),
    );
    if (!properties.has('font-family') || !properties.has('src')) add('fontFace', condition, rule);
  }
}

function findRule(rule: Rule, isConditional: boolean, css: string, { unmatched }: Inlined, add: Add): void {
  const selectors = rule.prelude.type === 'SelectorList' ? rule.prelude.children.toArray() : [];
  for (const selector of selectors) {
    const text = textOf(selector, css).trim();
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
