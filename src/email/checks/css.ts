import { isNestedTooDeep } from '../html/nesting.ts';
import parseCss from 'css-tree/parser';
import type { CssLocation, CssNode } from 'css-tree';
import type { Range } from '../html/text.ts';

// For each syntax error, css-tree builds an excerpt of the whole source, which takes quadratic time. The parser recovers without it.
const syntaxError = new SyntaxError('Unexpected input');

/** css-tree clears its whole buffer for each text, and grows it to the length of the longest one. */
const MAX_BUFFER_LENGTH = 16 * 1024;

for (const [name, start] of Object.entries(parseCss.config.context))
  parseCss.config.context[name] = function startFast() {
    this.error = () => {
      throw syntaxError;
    };
    try {
      return start.call(this);
    } finally {
      if (this.balance && this.balance.length > MAX_BUFFER_LENGTH) this.balance = null;
    }
  };

export { parseCss };

/** A `property: value` pair. Offsets are relative to the containing text. */
export interface StyleDeclaration extends Range {
  /** Lowercase. */
  readonly property: string;
  /** As written, without `!important`. */
  readonly value: string;
  readonly important: boolean;
  readonly valueStart: number;
}

export interface Selector extends Range {
  readonly text: string;
}

export interface AtRule extends Range {
  /** Lowercase, without `@`. */
  readonly name: string;
  readonly prelude: string;
  readonly parent?: AtRule;
  readonly declarations: readonly StyleDeclaration[];
}

export interface SheetRule extends Range {
  readonly selectors: readonly Selector[];
  readonly declarations: readonly StyleDeclaration[];
  /** The innermost enclosing at-rule. */
  readonly atRule?: AtRule;
}

export interface ParsedStylesheet {
  readonly rules: readonly SheetRule[];
  readonly atRules: readonly AtRule[];
  readonly comments: readonly Range[];
}

const looseParseOptions = {
  positions: true,
  parseValue: false,
  parseRulePrelude: false,
  parseAtrulePrelude: false,
  parseCustomProperty: false,
};

const toRange = (loc: CssLocation | null | undefined) => ({
  start: loc?.start.offset ?? 0,
  end: loc?.end.offset ?? 0,
});

/** Parses a stylesheet. Ignores syntax errors, which half-typed text always has. */
export function parseStylesheet(css: string): ParsedStylesheet {
  const rules: SheetRule[] = [];
  const atRules: AtRule[] = [];
  const comments: Range[] = [];
  // The parser is recursive.
  if (isNestedTooDeep(css)) return { rules, atRules, comments };
  const root = parseCss(css, {
    ...looseParseOptions,
    context: 'stylesheet',
    onComment: (_text, loc) => comments.push(toRange(loc)),
  });
  const visit = (node: CssNode, parent: AtRule | undefined) => {
    if (node.type !== 'Rule' && node.type !== 'Atrule') return;
    const { start, end } = toRange(node.loc);
    const { start: preludeStart, end: preludeEnd } = toRange(node.prelude?.loc);
    const declarations = node.block ? toDeclarations(css, node.block.children) : [];
    let inner = parent;
    if (node.type === 'Rule') {
      const selectors = node.prelude.loc ? splitSelectors(css, preludeStart, preludeEnd) : [];
      rules.push({ selectors, declarations, start, end, ...(parent && { atRule: parent }) });
    } else {
      const prelude = css.slice(preludeStart, preludeEnd).trim();
      const name = node.name.toLowerCase();
      inner = { name, prelude, start, end, declarations, ...(parent && { parent }) };
      atRules.push(inner);
    }
    node.block?.children.forEach((child) => visit(child, inner));
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
function parsePlain(css: string) {
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
  if (isNestedTooDeep(css)) return [];
  const root = parseCss(css, { ...looseParseOptions, context: 'declarationList' });
  return root.type === 'DeclarationList' ? toDeclarations(css, root.children) : [];
}

function toDeclarations(css: string, nodes: Iterable<CssNode>) {
  const declarations: StyleDeclaration[] = [];
  for (const node of nodes) {
    if (node.type !== 'Declaration') continue;
    const trim = ({ loc }: CssNode) => trimRange(css, toRange(loc).start, toRange(loc).end);
    const { start, end } = trim(node.value);
    const [property, important] = [node.property.toLowerCase(), node.important !== false];
    declarations.push({ property, value: css.slice(start, end), important, ...trim(node), valueStart: start });
  }
  return declarations;
}

/** Splits a selector list at commas outside of brackets and strings. */
function splitSelectors(css: string, from: number, to: number) {
  const selectors: Selector[] = [];
  let start = from;
  let depth = 0;
  const add = (end: number) => {
    const range = trimRange(css, start, end);
    selectors.push({ text: css.slice(range.start, range.end), ...range });
    start = end + 1;
  };
  for (const { 0: token, index } of css.slice(from, to).matchAll(selectorToken)) {
    if (token === '(' || token === '[') depth += 1;
    else if (token === ')' || token === ']') depth -= 1;
    else if (token === ',' && depth <= 0) add(from + index);
  }
  add(to);
  return selectors;
}

const selectorToken = /\/\*[^]*?(?:\*\/|$)|"[^"]*"|'[^']*'|\\[^]|[([]|[)\]]|,/gu;

/** Returns a range without leading and trailing whitespace. */
export function trimRange(text: string, start: number, end: number): Range {
  const part = text.slice(start, end);
  const from = start + part.length - part.trimStart().length;
  return { start: from, end: Math.max(from, start + part.trimEnd().length) };
}
