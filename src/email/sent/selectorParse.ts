/** Selectors as the service understands them: a part of CSS 3, turned into steps over the tree (Symfony's CssSelector, and XPath). */

import { phpTrim } from './stripTags.ts';

export type Combinator = ' ' | '>' | '+' | '~';

export type Condition =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'attribute'; readonly name: string; readonly operator: string; readonly value: string }
  | { readonly kind: 'not'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'position'; readonly step: number; readonly offset: number; readonly fromEnd: boolean }
  | { readonly kind: 'onlyChild' | 'root' | 'empty' | 'never' }
  | { readonly kind: 'onlyOfType'; readonly name: string | undefined };

/** A part of a selector between combinators. */
export interface Compound {
  readonly combinator: Combinator | undefined;
  /** Name of an element that positions are counted among; undefined for all. */
  name: string | undefined;
  conditions: Condition[];
  /** Elements above that a structural pseudo-class asks for. */
  parents: number;
}

/** Thrown where the service can't parse a selector. */
export class BadSelector extends Error {}
const bad = new BadSelector('Bad selector');

interface Token {
  readonly type: 'space' | 'word' | 'hash' | 'string' | 'number' | 'sign' | 'end';
  readonly text: string;
}

const escape = '\\\\(?:[0-9a-f]{1,6}(?:\\r\\n|[ \\n\\r\\t\\f])?|[^\\n\\r\\f0-9a-f])';
const nameSign = `(?:[_a-z0-9-]|${escape}|[^\\x00-\\x7f])`;
const tokens: readonly (readonly [type: Token['type'] | undefined, pattern: RegExp])[] = [
  ['space', /[ \t\r\n\f]+/y],
  ['word', new RegExp(`-?(?:[_a-z]|${escape}|[^\\x00-\\x7f])${nameSign}*`, 'iy')],
  ['hash', new RegExp(`#${nameSign}+`, 'iy')],
  ['string', /"(?:[^\n\r\f"\\]|\\[^])*"|'(?:[^\n\r\f'\\]|\\[^])*'/y],
  ['number', /[+-]?(?:[0-9]*\.[0-9]+|[0-9]+)/y],
  [undefined, /\/\*[^]*?(?:\*\/|$)/y],
];

/** The compounds of a selector; undefined where the service can't run what it makes of it. Throws `BadSelector` where it can't parse it. */
export function parseSelector(selector: string): Compound[][] | undefined {
  if (selector === '') return [[compound(undefined, undefined)]];
  const simple = /^(?:([a-z]+)\|)?([\w-]+|\*)?(?:([.#])([\w-]+))?$/i.exec(phpTrim(selector));
  if (simple && (simple[2] ?? simple[3]) !== undefined) return simple[1] ? undefined : [[simpleCompound(simple)]];
  return new SelectorParser(tokensOf(selector)).list();
}

/** `p`, `*`, `.c`, `p.c`, `#i`, `p#i`: read by a short cut that takes names which the parser doesn't. */
function simpleCompound(match: RegExpExecArray): Compound {
  const result = compound(undefined, match[2]);
  if (match[3] === '.') addClass(result, match[4] ?? '');
  if (match[3] === '#') addAttribute(result, 'id', '=', match[4] ?? '');
  return result;
}

function compound(combinator: Combinator | undefined, name: string | undefined): Compound {
  const result: Compound = {
    combinator,
    name: name === '*' ? undefined : name?.toLowerCase(),
    conditions: [],
    parents: 0,
  };
  if (result.name !== undefined && !isSafeName(result.name)) moveName(result);
  return result;
}

const isSafeName = (name: string): boolean => /^[a-zA-Z_][a-zA-Z0-9_.-]*$/.test(name);

/** From here on positions are counted among all elements. */
function moveName(target: Compound): void {
  if (target.name !== undefined) target.conditions.push({ kind: 'name', name: target.name });
  target.name = undefined;
}

const addAttribute = (target: Compound, name: string, operator: string, value: string): void => {
  target.conditions.push({ kind: 'attribute', name, operator, value });
};
const addClass = (target: Compound, name: string): void => addAttribute(target, 'class', '~=', name);

function tokensOf(selector: string): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < selector.length;) {
    const start = at;
    for (const [type, pattern] of tokens) {
      pattern.lastIndex = at;
      if (!pattern.test(selector)) continue;
      at = pattern.lastIndex;
      if (type) result.push({ type, text: valueOf(type, selector.slice(start, at)) });
      break;
    }
    if (at > start) continue;
    if (selector[at] === '"' || selector[at] === "'") throw bad;
    result.push({ type: 'sign', text: selector.charAt(at) });
    at += 1;
  }
  return [...result, { type: 'end', text: '' }];
}

/** Only an escape at the very beginning is resolved. */
function valueOf(type: Token['type'], text: string): string {
  if (type === 'hash') return unescape(text.slice(1));
  if (type === 'word') return unescape(text);
  return type === 'string' ? unescape(text.slice(1, -1).replace(/^\\(?:\n|\r\n|\r|\f)/, '')) : text;
}

function unescape(text: string): string {
  const resolved = text.replace(/^\\([0-9a-f]{1,6})(?:\r\n|[ \n\r\t\f])?/i, (_, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code < 0x10000 ? String.fromCharCode(code) : '';
  });
  return resolved.replace(/^\\(.)/, '$1');
}

class SelectorParser {
  private readonly tokens: readonly Token[];
  private at = 0;
  private hasNamespace = false;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  list(): Compound[][] | undefined {
    const selectors: Compound[][] = [];
    do {
      this.skipSpace();
      selectors.push(this.selector());
    } while (this.takeSign(','));
    return this.hasNamespace ? undefined : selectors;
  }

  private get peek(): Token {
    return this.tokens[this.at] ?? { type: 'end', text: '' };
  }

  private next(): Token {
    const token = this.peek;
    this.at += 1;
    return token;
  }

  private isSign(signs: string): boolean {
    return this.peek.type === 'sign' && signs.includes(this.peek.text);
  }

  private takeSign(signs: string): string | undefined {
    return this.isSign(signs) ? this.next().text : undefined;
  }

  private skipSpace(): void {
    while (this.peek.type === 'space') this.at += 1;
  }

  private word(): string {
    const token = this.next();
    if (token.type !== 'word') throw bad;
    return token.text;
  }

  private wordOrStar(): string | undefined {
    return this.takeSign('*') ? undefined : this.word();
  }

  private selector(): Compound[] {
    const compounds = [this.compound(undefined, false)];
    for (;;) {
      this.skipSpace();
      if (this.peek.type === 'end' || this.isSign(',')) return compounds;
      const combinator = (this.takeSign('+>~') ?? ' ') as Combinator;
      this.skipSpace();
      const next = this.compound(combinator, false);
      if (combinator === '+') moveName(next);
      compounds.push(next);
    }
  }

  private compound(combinator: Combinator | undefined, isNegated: boolean): Compound {
    this.skipSpace();
    const start = this.at;
    const result = this.element(combinator);
    while (!(this.peek.type === 'space' || this.peek.type === 'end' || this.isSign(isNegated ? ',+>~)' : ',+>~'))) {
      if (this.peek.type === 'hash') addAttribute(result, 'id', '=', this.next().text);
      else if (this.takeSign('.')) addClass(result, this.word());
      else if (this.takeSign('[')) this.attribute(result);
      else if (this.takeSign(':')) this.pseudo(result, isNegated);
      else throw bad;
    }
    if (this.at === start) throw bad;
    return result;
  }

  private element(combinator: Combinator | undefined): Compound {
    if (this.peek.type !== 'word' && !this.isSign('*')) return compound(combinator, undefined);
    let name = this.wordOrStar();
    if (this.takeSign('|')) {
      this.hasNamespace ||= name !== undefined;
      name = this.wordOrStar();
    }
    return compound(combinator, name);
  }

  private attribute(target: Compound): void {
    this.skipSpace();
    let name = this.wordOrStar();
    let operator: string | undefined;
    if (name === undefined && !this.isSign('|')) throw bad;
    if (this.takeSign('|')) {
      if (this.takeSign('=')) operator = '|=';
      else {
        this.hasNamespace ||= name !== undefined;
        name = this.word();
      }
    }
    operator ??= this.operator();
    if (operator !== 'exists') {
      this.skipSpace();
      const value = this.next();
      if (value.type !== 'word' && value.type !== 'string' && value.type !== 'number') throw bad;
      this.skipSpace();
      if (!this.takeSign(']')) throw bad;
      addAttribute(target, (name ?? '').toLowerCase(), operator, value.text);
    } else addAttribute(target, (name ?? '').toLowerCase(), operator, '');
  }

  private operator(): string {
    this.skipSpace();
    if (this.takeSign(']')) return 'exists';
    if (this.takeSign('=')) return '=';
    const sign = this.takeSign('^$*~|!');
    if (sign === undefined || !this.takeSign('=')) throw bad;
    return `${sign}=`;
  }

  private pseudo(target: Compound, isNegated: boolean): void {
    const name = this.word().toLowerCase();
    if (!this.takeSign('(')) {
      addPseudoClass(target, name);
      return;
    }
    this.skipSpace();
    if (name !== 'not') {
      addSeries(target, name, this.series());
      return;
    }
    if (isNegated) throw bad;
    const negated = this.compound(undefined, true);
    if (!this.takeSign(')')) throw bad;
    moveName(negated);
    target.conditions.push(
      negated.conditions.length > 0 ? { kind: 'not', conditions: negated.conditions } : { kind: 'never' },
    );
  }

  /** The argument of `:nth-child(…)`. */
  private series(): string {
    let text = '';
    for (;;) {
      this.skipSpace();
      const token = this.next();
      if (token.type === 'sign' && token.text === ')') break;
      const isPart =
        token.type === 'word' || token.type === 'number' || (token.type === 'sign' && '+-'.includes(token.text));
      if (!isPart) throw bad;
      text += token.text;
    }
    return text;
  }
}

/** What a structural pseudo-class asks for: whether among elements of its name, and where. */
const structural: Readonly<Record<string, readonly [amongName: boolean, fromEnd: boolean]>> = {
  'first-child': [false, false],
  'last-child': [false, true],
  'first-of-type': [true, false],
  'last-of-type': [true, true],
  'nth-child': [false, false],
  'nth-last-child': [false, true],
  'nth-of-type': [true, false],
  'nth-last-of-type': [true, true],
};

function addPseudoClass(target: Compound, name: string): void {
  if (name === 'root' || name === 'empty') target.conditions.push({ kind: name });
  else if (name === 'only-of-type') target.conditions.push({ kind: 'onlyOfType', name: target.name });
  else if (name === 'only-child') {
    target.parents += 1;
    moveName(target);
    target.conditions.push({ kind: 'onlyChild' });
  } else if (name.startsWith('nth')) throw bad;
  else addPosition(target, name, 0, 1);
}

function addSeries(target: Compound, name: string, series: string): void {
  if (!name.startsWith('nth-')) throw bad;
  addPosition(target, name, ...parseSeries(series));
}

function addPosition(target: Compound, pseudo: string, step: number, offset: number): void {
  const place = Object.hasOwn(structural, pseudo) ? structural[pseudo] : undefined;
  if (!place) throw bad;
  const [amongName, fromEnd] = place;
  if (amongName && target.name === undefined && pseudo !== 'nth-of-type') throw bad;
  target.parents += 1;
  if (!amongName) moveName(target);
  target.conditions.push({ kind: 'position', step, offset, fromEnd });
}

/** `2n+1` → [2, 1] */
function parseSeries(series: string): [step: number, offset: number] {
  if (series === 'odd') return [2, 1];
  if (series === 'even') return [2, 0];
  if (series === 'n') return [1, 0];
  const [step = '', offset] = series.split('n');
  if (offset === undefined) return [0, integer(series)];
  const isOne = step === '' || step === '0';
  return [isOne ? 1 : integer(/^[-+]$/.test(step) ? `${step}1` : step), offset === '' ? 0 : integer(offset)];
}

function integer(text: string): number {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) throw bad;
  return Math.trunc(Number(text));
}
