/** A declaration of a stylesheet or a style attribute. Offsets count in the text that holds it. */
export interface Declaration {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
  readonly start: number;
  /** Behind its semicolon. */
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

interface Block {
  /** What stands before the brace. */
  readonly prelude: string;
  readonly start: number;
  readonly end: number;
  readonly declarations: readonly Declaration[];
}

export interface StyleRule extends Block {
  readonly kind: 'rule';
}

export interface AtRule extends Block {
  readonly kind: 'at';
  /** In lower case, without `@`. */
  readonly name: string;
  readonly items: readonly CssItem[];
}

export type CssItem = StyleRule | AtRule;

/** At-rules that hold rules. */
const groups = new Set(['media', 'supports', 'layer', 'container', 'document', '-moz-document', 'scope']);
const MAX_DEPTH = 20;

/** Moves over strings, comments and brackets to the first of some signs, or to the end. */
function find(css: string, from: number, end: number, signs: string): number {
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    const sign = css.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === '"' || sign === "'") at = endOfString(css, at, end);
    else if (sign === '/' && css.charAt(at + 1) === '*') at = endOf(css, '*/', at + 2, end) - 1;
    else if (depth === 0 && signs.includes(sign)) return at;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
  }
  return end;
}

function endOf(css: string, sign: string, from: number, end: number): number {
  const at = css.indexOf(sign, from);
  return at < 0 || at + sign.length > end ? end : at + sign.length;
}

/** A string ends at its line's end, at the latest. */
function endOfString(css: string, from: number, end: number): number {
  const quote = css.charAt(from);
  for (let at = from + 1; at < end; at += 1) {
    const sign = css.charAt(at);
    if (sign === quote || sign === '\n') return at;
    if (sign === '\\') at += 1;
  }
  return end;
}

const space = /(?:\s|\/\*[^]*?\*\/|<!--|-->)*/y;

function skipSpace(css: string, from: number): number {
  space.lastIndex = from;
  return from + (space.exec(css)?.[0].length ?? 0);
}

/** The rules of a stylesheet, as far as they can be read: what is half typed makes no error. */
export function readSheet(css: string, from = 0, end = css.length, depth = 0): CssItem[] {
  const items: CssItem[] = [];
  for (let at = skipSpace(css, from); at < end; at = skipSpace(css, at)) {
    const brace = find(css, at, end, '{;}');
    if (css.charAt(brace) !== '{') {
      const statement = css.charAt(at) === '@' ? atRule(css, at, brace, brace, Math.min(brace + 1, end), depth) : undefined;
      if (statement) items.push(statement);
      at = brace + 1;
      continue;
    }
    const close = find(css, brace + 1, end, '}');
    const after = Math.min(close + 1, end);
    const isAt = css.charAt(at) === '@';
    items.push(isAt ? atRule(css, at, brace, close, after, depth) : styleRule(css, at, brace, close, after));
    at = after;
  }
  return items;
}

function styleRule(css: string, start: number, brace: number, close: number, end: number): StyleRule {
  return { kind: 'rule', prelude: css.slice(start, brace), start, end, declarations: readDeclarations(css, brace + 1, close) };
}

function atRule(css: string, start: number, brace: number, close: number, end: number, depth: number): AtRule {
  const [, name = '', prelude = ''] = /^@([\w-]*)\s*([^]*)$/.exec(css.slice(start, brace)) ?? [];
  const isGroup = groups.has(name.toLowerCase()) && close > brace && depth < MAX_DEPTH;
  const items = isGroup ? readSheet(css, brace + 1, close, depth + 1) : [];
  const declarations = isGroup || close <= brace ? [] : readDeclarations(css, brace + 1, close);
  return { kind: 'at', name: name.toLowerCase(), prelude: prelude.trim(), start, end, items, declarations };
}

/** Declarations, of a rule's block or of a whole style attribute. */
export function readDeclarations(css: string, from = 0, end = css.length): Declaration[] {
  const found: Declaration[] = [];
  for (let at = skipSpace(css, from); at < end; at = skipSpace(css, at)) {
    const stop = find(css, at, end, ';');
    const colon = find(css, at, stop, ':');
    const valueStart = skipSpace(css, colon + 1);
    const value = css.slice(valueStart, stop).trimEnd();
    const after = Math.min(stop + 1, end);
    if (colon < stop && value !== '') {
      const name = css.slice(at, colon).trim().toLowerCase();
      found.push({ name, value, start: at, end: after, valueStart, valueEnd: valueStart + value.length });
    }
    at = stop + 1;
  }
  return found;
}

/** The selectors of a list, or whatever is parted by commas. */
export function parted(list: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from <= list.length;) {
    const comma = find(list, from, list.length, ',');
    parts.push(list.slice(from, comma).trim());
    from = comma + 1;
  }
  return parts;
}
