import { parseCss } from '../html/cssTree.ts';
import type { Atrule, CssNode, Raw, Rule } from 'css-tree';
import { isNestedTooDeep } from '../html/nesting.ts';
import type { PartRange } from './model.ts';

/** `property: value`. Offsets count in the text that holds it. */
export interface StyleDeclaration {
  /** In lower case. */
  readonly property: string;
  /** As it is written, without `!important`. */
  readonly value: string;
  readonly important: boolean;
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
}

export interface Selector {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface AtRule {
  /** In lower case, without `@`. */
  readonly name: string;
  readonly prelude: string;
  readonly start: number;
  readonly end: number;
  readonly parent?: AtRule;
  readonly isBlock: boolean;
  readonly declarations: readonly StyleDeclaration[];
}

export interface SheetRule {
  readonly selectors: readonly Selector[];
  readonly declarations: readonly StyleDeclaration[];
  readonly start: number;
  readonly end: number;
  /** The innermost at-rule around it. */
  readonly atRule?: AtRule;
}

export interface ParsedStylesheet {
  readonly rules: readonly SheetRule[];
  readonly atRules: readonly AtRule[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

/** A text with declarations that stands somewhere in the email. */
export interface RangeMapper {
  readonly toRange: (start: number, end: number) => PartRange;
}

const loose = {
  positions: true,
  parseValue: false,
  parseRulePrelude: false,
  parseAtrulePrelude: false,
  parseCustomProperty: false,
};

/** More brackets within brackets than these are looked at before the parser, which reads them by recursion. */
const suspicious = 100;

/** Whether a text may be given to the parser: it nests no deeper than a stylesheet does. */
export function canParseCss(css: string): boolean {
  let opening = 0;
  for (let at = 0; at < css.length && opening <= suspicious; at += 1) {
    const code = css.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) opening += 1;
  }
  return opening <= suspicious || !isNestedTooDeep(css);
}

/** Reads a stylesheet as far as it can be read. Half-typed text makes no error. */
export function parseStylesheet(css: string): ParsedStylesheet {
  const rules: SheetRule[] = [];
  const atRules: AtRule[] = [];
  const comments: { start: number; end: number }[] = [];
  if (!canParseCss(css)) return { rules, atRules, comments };
  const root = parseCss(css, {
    ...loose,
    context: 'stylesheet',
    onComment: (_text, { start, end }) => comments.push({ start: start.offset, end: end.offset }),
  });
  const visit = (node: CssNode, parent: AtRule | undefined): void => {
    if (node.type === 'Rule') {
      rules.push(styleRule(css, node, parent));
      node.block.children.forEach((child) => visit(child, parent));
    } else if (node.type === 'Atrule') {
      const own = atRule(css, node, parent);
      atRules.push(own);
      node.block?.children.forEach((child) => visit(child, own));
    }
  };
  if (root.type === 'StyleSheet') root.children.forEach((child) => visit(child, undefined));
  return { rules, atRules, comments };
}

/** Characters of a style attribute that may be read without the parser. */
const longestPlain = 2000;
/** Signs of a value that mean nothing beside themselves: no comment, no escape, no bracket within brackets. */
const plainValue = String.raw`[\w#%.,+* \t\n-]|\/(?!\*)|"[^"\\\r\n\f]*"|'[^'\\\r\n\f]*'|\([\w#%.,+* -]*\)`;
/** `name: value;`, or nothing. Captured: the name, what stands before the value, and the value. */
const plain = new RegExp(
  String.raw`[ \t\n]*(?:(-?[a-z][a-z-]*)([ \t\n]*:[ \t\n]*)((?:${plainValue})+))?(?:;|$)`,
  'giy',
);

/** Most style attributes are plain: these need no parser. Undefined for one that does. */
function readPlain(css: string): readonly StyleDeclaration[] | undefined {
  if (css.length > longestPlain) return undefined;
  const found: StyleDeclaration[] = [];
  plain.lastIndex = 0;
  for (let start = 0; start < css.length; start = plain.lastIndex) {
    const match = plain.exec(css);
    if (!match) return undefined;
    const [whole, name, colon = '', text = ''] = match;
    if (name === undefined) continue;
    const value = text.trimEnd();
    if (value === '') return undefined;
    const valueStart = start + whole.indexOf(name) + name.length + colon.length;
    const range = { start: valueStart - colon.length - name.length, end: valueStart + value.length };
    found.push({ property: name.toLowerCase(), value, important: false, ...range, valueStart });
  }
  return found;
}

/** Reads the text of a style attribute. */
export function parseStyleAttribute(css: string): readonly StyleDeclaration[] {
  return readPlain(css) ?? parseDeclarations(css);
}

/** Addresses in a value. One that does not close ends where the next begins. */
export const cssUrls = /url\((?:(?!url\()[^)])*\)/giu;

/** Reads declarations with a parser, which takes some ten times as long, and understands them all. */
export function parseDeclarations(css: string): readonly StyleDeclaration[] {
  if (!canParseCss(css)) return [];
  const root = parseCss(css, { ...loose, context: 'declarationList' });
  return root.type === 'DeclarationList' ? declarationsOf(css, root.children) : [];
}

function declarationsOf(css: string, nodes: Iterable<CssNode>): StyleDeclaration[] {
  const found: StyleDeclaration[] = [];
  for (const node of nodes) {
    if (node.type !== 'Declaration' || !node.loc || !node.value.loc) continue;
    const { start, end } = trimRange(css, node.loc.start.offset, node.loc.end.offset);
    const value = trimRange(css, node.value.loc.start.offset, node.value.loc.end.offset);
    const text = css.slice(value.start, value.end);
    found.push({
      property: node.property.toLowerCase(),
      value: text,
      important: node.important !== false,
      start,
      end,
      valueStart: value.start,
    });
  }
  return found;
}

function styleRule(css: string, node: Rule, atRuleAround: AtRule | undefined): SheetRule {
  const declarations = declarationsOf(css, node.block.children);
  const range = { start: node.loc?.start.offset ?? 0, end: node.loc?.end.offset ?? 0 };
  return {
    selectors: selectorsOf(css, node.prelude as Raw),
    declarations,
    ...range,
    ...(atRuleAround && { atRule: atRuleAround }),
  };
}

function atRule(css: string, node: Atrule, parent: AtRule | undefined): AtRule {
  const prelude = node.prelude?.loc ? css.slice(node.prelude.loc.start.offset, node.prelude.loc.end.offset).trim() : '';
  const range = { start: node.loc?.start.offset ?? 0, end: node.loc?.end.offset ?? 0 };
  const declarations = node.block ? declarationsOf(css, node.block.children) : [];
  return {
    name: node.name.toLowerCase(),
    prelude,
    ...range,
    isBlock: node.block !== null,
    declarations,
    ...(parent && { parent }),
  };
}

/** The selectors of a list, cut at commas that stand in no bracket and no string. */
function selectorsOf(css: string, { loc }: Raw): Selector[] {
  if (!loc) return [];
  const [from, to] = [loc.start.offset, loc.end.offset];
  const cuts: number[] = [];
  let depth = 0;
  const token = /\/\*[^]*?(?:\*\/|$)|"[^"]*"|'[^']*'|\\[^]|[([]|[)\]]|,/gu;
  const text = css.slice(from, to);
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (/^[([]$/u.test(match[0])) depth += 1;
    else if (/^[)\]]$/u.test(match[0])) depth -= 1;
    else if (match[0] === ',' && depth <= 0) cuts.push(match.index);
  }
  return [...cuts, text.length].map((cut, index) => {
    const { start, end } = trimRange(css, from + (index === 0 ? 0 : (cuts[index - 1] ?? 0) + 1), from + cut);
    return { text: css.slice(start, end), start, end };
  });
}

/** A range without the white space at its ends. */
export function trimRange(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return { start: from, end: to };
}

/** Returns the offset behind white space. */
export function skipWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Whether a range holds nothing but white space. */
export const isBlankRange = (text: string, start: number, end: number): boolean =>
  trimRange(text, start, end).start === end;

/** Whether a code is that of white space; most are not, and cost no expression. */
const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code >= 160 && /\s/u.test(String.fromCharCode(code)));
