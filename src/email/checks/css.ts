import { isNestedTooDeep } from '../html/nesting.ts';
import parseCss from 'css-tree/parser';
import type { Atrule, CssNode, Raw, Rule } from 'css-tree';
import type { PartRange } from './model.ts';

// For each syntax error, css-tree builds an excerpt of the whole source, which takes quadratic time. The parser recovers without it.
const syntaxError = new SyntaxError('Unexpected input');

for (const [name, start] of Object.entries(parseCss.config.context)) {
  parseCss.config.context[name] = function startFast() {
    this.error = () => {
      throw syntaxError;
    };
    return start.call(this);
  };
}

export { parseCss };

/** A `property: value` pair. Offsets are relative to the containing text. */
export interface StyleDeclaration {
  /** Lowercase. */
  readonly property: string;
  /** As written, without `!important`. */
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
  /** Lowercase, without `@`. */
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
  /** The innermost enclosing at-rule. */
  readonly atRule?: AtRule;
}

export interface ParsedStylesheet {
  readonly rules: readonly SheetRule[];
  readonly atRules: readonly AtRule[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

/** Maps offsets in a CSS text to ranges of the email. */
export interface RangeMapper {
  readonly toRange: (start: number, end: number) => PartRange;
}

const looseParseOptions = {
  positions: true,
  parseValue: false,
  parseRulePrelude: false,
  parseAtrulePrelude: false,
  parseCustomProperty: false,
};

/** The parser is recursive. Text with more brackets than this gets a nesting check first. */
const MAX_UNCHECKED_BRACKETS = 100;

/** Returns whether CSS is safe to parse, because its nesting is not excessive. */
export function canParseCss(css: string): boolean {
  let opening = 0;
  for (let at = 0; at < css.length && opening <= MAX_UNCHECKED_BRACKETS; at += 1) {
    const code = css.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) opening += 1;
  }
  return opening <= MAX_UNCHECKED_BRACKETS || !isNestedTooDeep(css);
}

/** Parses a stylesheet. Ignores syntax errors, which half-typed text always has. */
export function parseStylesheet(css: string): ParsedStylesheet {
  const rules: SheetRule[] = [];
  const atRules: AtRule[] = [];
  const comments: { start: number; end: number }[] = [];
  if (!canParseCss(css)) return { rules, atRules, comments };
  const root = parseCss(css, {
    ...looseParseOptions,
    context: 'stylesheet',
    onComment: (_text, { start, end }) => comments.push({ start: start.offset, end: end.offset }),
  });
  const visit = (node: CssNode, parent: AtRule | undefined): void => {
    if (node.type === 'Rule') {
      rules.push(toSheetRule(css, node, parent));
      node.block.children.forEach((child) => visit(child, parent));
    } else if (node.type === 'Atrule') {
      const own = toAtRule(css, node, parent);
      atRules.push(own);
      node.block?.children.forEach((child) => visit(child, own));
    }
  };
  if (root.type === 'StyleSheet') root.children.forEach((child) => visit(child, undefined));
  return { rules, atRules, comments };
}

/** Longest style attribute that is read without the parser. */
const MAX_PLAIN_CHARS = 2000;
/** Values without comments, escapes and nested brackets. */
const plainValuePattern = String.raw`[\w#%.,+* \t\n-]|\/(?!\*)|"[^"\\\r\n\f]*"|'[^'\\\r\n\f]*'|\([\w#%.,+* -]*\)`;
/** Matches `name: value;` or nothing. Captures the name, the separator and the value. */
const plainDeclaration = new RegExp(
  String.raw`[ \t\n]*(?:(-?[a-z][a-z-]*)([ \t\n]*:[ \t\n]*)((?:${plainValuePattern})+))?(?:;|$)`,
  'giy',
);

/** Reads the declarations of a style attribute without the parser; undefined if it needs the parser. Most style attributes don't. */
function parsePlain(css: string): readonly StyleDeclaration[] | undefined {
  if (css.length > MAX_PLAIN_CHARS) return undefined;
  const declarations: StyleDeclaration[] = [];
  plainDeclaration.lastIndex = 0;
  for (let start = 0; start < css.length; start = plainDeclaration.lastIndex) {
    const match = plainDeclaration.exec(css);
    if (!match) return undefined;
    const [whole, name, colon = '', text = ''] = match;
    if (name === undefined) continue;
    const value = text.trimEnd();
    if (value === '') return undefined;
    const valueStart = start + whole.indexOf(name) + name.length + colon.length;
    const range = { start: valueStart - colon.length - name.length, end: valueStart + value.length };
    declarations.push({ property: name.toLowerCase(), value, important: false, ...range, valueStart });
  }
  return declarations;
}

/** Returns the declarations in a style attribute. */
export function parseStyleAttribute(css: string): readonly StyleDeclaration[] {
  return parsePlain(css) ?? parseDeclarations(css);
}

/** Matches `url()` in a value. An unclosed one ends where the next begins. */
export const cssUrls = /url\((?:(?!url\()[^)])*\)/giu;

/** Parses declarations of any syntax, about ten times slower than reading plain ones. */
export function parseDeclarations(css: string): readonly StyleDeclaration[] {
  if (!canParseCss(css)) return [];
  const root = parseCss(css, { ...looseParseOptions, context: 'declarationList' });
  return root.type === 'DeclarationList' ? toDeclarations(css, root.children) : [];
}

function toDeclarations(css: string, nodes: Iterable<CssNode>): StyleDeclaration[] {
  const declarations: StyleDeclaration[] = [];
  for (const node of nodes) {
    if (node.type !== 'Declaration' || !node.loc || !node.value.loc) continue;
    const { start, end } = trimRange(css, node.loc.start.offset, node.loc.end.offset);
    const value = trimRange(css, node.value.loc.start.offset, node.value.loc.end.offset);
    const text = css.slice(value.start, value.end);
    declarations.push({
      property: node.property.toLowerCase(),
      value: text,
      important: node.important !== false,
      start,
      end,
      valueStart: value.start,
    });
  }
  return declarations;
}

function toSheetRule(css: string, node: Rule, atRuleAround: AtRule | undefined): SheetRule {
  const declarations = toDeclarations(css, node.block.children);
  const range = { start: node.loc?.start.offset ?? 0, end: node.loc?.end.offset ?? 0 };
  return {
    selectors: splitSelectors(css, node.prelude as Raw),
    declarations,
    ...range,
    ...(atRuleAround && { atRule: atRuleAround }),
  };
}

function toAtRule(css: string, node: Atrule, parent: AtRule | undefined): AtRule {
  const prelude = node.prelude?.loc ? css.slice(node.prelude.loc.start.offset, node.prelude.loc.end.offset).trim() : '';
  const range = { start: node.loc?.start.offset ?? 0, end: node.loc?.end.offset ?? 0 };
  const declarations = node.block ? toDeclarations(css, node.block.children) : [];
  return {
    name: node.name.toLowerCase(),
    prelude,
    ...range,
    isBlock: node.block !== null,
    declarations,
    ...(parent && { parent }),
  };
}

/** Splits a selector list at commas outside of brackets and strings. */
function splitSelectors(css: string, { loc }: Raw): Selector[] {
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

/** Returns a range without leading and trailing whitespace. */
export function trimRange(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  let from = start;
  let to = end;
  while (from < to && isWhitespaceCode(text.charCodeAt(from))) from += 1;
  while (to > from && isWhitespaceCode(text.charCodeAt(to - 1))) to -= 1;
  return { start: from, end: to };
}

/** Returns the offset of the next non-whitespace character. */
export function skipWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhitespaceCode(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns whether a range contains only whitespace. */
export const isBlankRange = (text: string, start: number, end: number): boolean =>
  trimRange(text, start, end).start === end;

/** Avoids the regular expression for ASCII characters. */
const isWhitespaceCode = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code >= 160 && /\s/u.test(String.fromCharCode(code)));
