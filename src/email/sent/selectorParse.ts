/** Parses the selectors that the service supports: a subset of CSS 3 that Symfony's CssSelector translates to XPath. */

import { phpTrim } from '../html/stripTags.ts';

export type Combinator = ' ' | '>' | '+' | '~';

export type SelectorCondition =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'attribute'; readonly name: string; readonly operator: string; readonly value: string }
  | { readonly kind: 'not'; readonly conditions: readonly SelectorCondition[] }
  | { readonly kind: 'position'; readonly step: number; readonly offset: number; readonly fromEnd: boolean }
  | { readonly kind: 'onlyChild' | 'root' | 'empty' | 'never' }
  | { readonly kind: 'onlyOfType'; readonly name: string | undefined };

/** A part of a selector between combinators. */
export interface CompoundSelector {
  readonly combinator: Combinator | undefined;
  /** Name of the elements that positions are counted among. Undefined: all elements. */
  name: string | undefined;
  conditions: SelectorCondition[];
  /** Number of child steps that structural pseudo-classes add. */
  childSteps: number;
}

/** The service can't parse the selector. */
export class InvalidSelector extends Error {}
const invalidSelector = new InvalidSelector('Bad selector');

interface Token {
  readonly type: 'space' | 'word' | 'hash' | 'string' | 'number' | 'delimiter' | 'end';
  readonly text: string;
}

const escapePattern = '\\\\(?:[0-9a-f]{1,6}(?:\\r\\n|[ \\n\\r\\t\\f])?|[^\\n\\r\\f0-9a-f])';
const nameCharacterPattern = `(?:[_a-z0-9-]|${escapePattern}|[^\\x00-\\x7f])`;
const selectorTokenPatterns: readonly (readonly [type: Token['type'] | undefined, pattern: RegExp])[] = [
  ['space', /[ \t\r\n\f]+/y],
  ['word', new RegExp(`-?(?:[_a-z]|${escapePattern}|[^\\x00-\\x7f])${nameCharacterPattern}*`, 'iy')],
  ['hash', new RegExp(`#${nameCharacterPattern}+`, 'iy')],
  ['string', /"(?:[^\n\r\f"\\]|\\[^])*"|'(?:[^\n\r\f'\\]|\\[^])*'/y],
  ['number', /[+-]?(?:[0-9]*\.[0-9]+|[0-9]+)/y],
  [undefined, /\/\*[^]*?(?:\*\/|$)/y],
];

/** Parses a selector. Returns undefined if the service can't run its own translation. Throws `InvalidSelector` if the service can't parse it. */
export function parseServiceSelector(selector: string): CompoundSelector[][] | undefined {
  if (selector === '') return [[newCompound(undefined, undefined)]];
  const simple = /^(?:([a-z]+)\|)?([\w-]+|\*)?(?:([.#])([\w-]+))?$/i.exec(phpTrim(selector));
  if (simple && (simple[2] ?? simple[3]) !== undefined) return simple[1] ? undefined : [[createSimpleCompound(simple)]];
  return new SelectorParser(tokenize(selector)).parseList();
}

/** `p`, `*`, `.c`, `p.c`, `#i` and `p#i`: a shortcut of the service that accepts names its parser rejects. */
function createSimpleCompound(match: RegExpExecArray): CompoundSelector {
  const result = newCompound(undefined, match[2]);
  if (match[3] === '.') addClass(result, match[4] ?? '');
  if (match[3] === '#') addAttribute(result, 'id', '=', match[4] ?? '');
  return result;
}

function newCompound(combinator: Combinator | undefined, name: string | undefined): CompoundSelector {
  const result: CompoundSelector = {
    combinator,
    name: name === '*' ? undefined : name?.toLowerCase(),
    conditions: [],
    childSteps: 0,
  };
  if (result.name !== undefined && !isSafeName(result.name)) moveNameToConditions(result);
  return result;
}

const isSafeName = (name: string): boolean => /^[a-zA-Z_][a-zA-Z0-9_.-]*$/.test(name);

/** From here on, positions are counted among all elements. */
function moveNameToConditions(target: CompoundSelector): void {
  if (target.name !== undefined) target.conditions.push({ kind: 'name', name: target.name });
  target.name = undefined;
}

const addAttribute = (target: CompoundSelector, name: string, operator: string, value: string): void => {
  target.conditions.push({ kind: 'attribute', name, operator, value });
};
const addClass = (target: CompoundSelector, name: string): void => addAttribute(target, 'class', '~=', name);

function tokenize(selector: string): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < selector.length;) {
    const start = at;
    for (const [type, pattern] of selectorTokenPatterns) {
      pattern.lastIndex = at;
      if (!pattern.test(selector)) continue;
      at = pattern.lastIndex;
      if (type) result.push({ type, text: getTokenValue(type, selector.slice(start, at)) });
      break;
    }
    if (at > start) continue;
    if (selector[at] === '"' || selector[at] === "'") throw invalidSelector;
    result.push({ type: 'delimiter', text: selector.charAt(at) });
    at += 1;
  }
  return [...result, { type: 'end', text: '' }];
}

/** The service only resolves an escape at the start. */
function getTokenValue(type: Token['type'], text: string): string {
  if (type === 'hash') return resolveEscape(text.slice(1));
  if (type === 'word') return resolveEscape(text);
  return type === 'string' ? resolveEscape(text.slice(1, -1).replace(/^\\(?:\n|\r\n|\r|\f)/, '')) : text;
}

function resolveEscape(text: string): string {
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

  parseList(): CompoundSelector[][] | undefined {
    const selectors: CompoundSelector[][] = [];
    do {
      this.skipSpace();
      selectors.push(this.parseSelector());
    } while (this.takeDelimiter(','));
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

  private isDelimiter(delimiters: string): boolean {
    return this.peek.type === 'delimiter' && delimiters.includes(this.peek.text);
  }

  private takeDelimiter(delimiters: string): string | undefined {
    return this.isDelimiter(delimiters) ? this.next().text : undefined;
  }

  private skipSpace(): void {
    while (this.peek.type === 'space') this.at += 1;
  }

  private parseWord(): string {
    const token = this.next();
    if (token.type !== 'word') throw invalidSelector;
    return token.text;
  }

  private parseWordOrStar(): string | undefined {
    return this.takeDelimiter('*') ? undefined : this.parseWord();
  }

  private parseSelector(): CompoundSelector[] {
    const compounds = [this.parseCompound(undefined, false)];
    for (;;) {
      this.skipSpace();
      if (this.peek.type === 'end' || this.isDelimiter(',')) return compounds;
      const combinator = (this.takeDelimiter('+>~') ?? ' ') as Combinator;
      this.skipSpace();
      const next = this.parseCompound(combinator, false);
      if (combinator === '+') moveNameToConditions(next);
      compounds.push(next);
    }
  }

  private parseCompound(combinator: Combinator | undefined, isNegated: boolean): CompoundSelector {
    this.skipSpace();
    const start = this.at;
    const result = this.parseElement(combinator);
    while (!(
      this.peek.type === 'space' ||
      this.peek.type === 'end' ||
      this.isDelimiter(isNegated ? ',+>~)' : ',+>~')
    )) {
      if (this.peek.type === 'hash') addAttribute(result, 'id', '=', this.next().text);
      else if (this.takeDelimiter('.')) addClass(result, this.parseWord());
      else if (this.takeDelimiter('[')) this.parseAttribute(result);
      else if (this.takeDelimiter(':')) this.parsePseudoClass(result, isNegated);
      else throw invalidSelector;
    }
    if (this.at === start) throw invalidSelector;
    return result;
  }

  private parseElement(combinator: Combinator | undefined): CompoundSelector {
    if (this.peek.type !== 'word' && !this.isDelimiter('*')) return newCompound(combinator, undefined);
    let name = this.parseWordOrStar();
    if (this.takeDelimiter('|')) {
      this.hasNamespace ||= name !== undefined;
      name = this.parseWordOrStar();
    }
    return newCompound(combinator, name);
  }

  private parseAttribute(target: CompoundSelector): void {
    this.skipSpace();
    let name = this.parseWordOrStar();
    let operator: string | undefined;
    if (name === undefined && !this.isDelimiter('|')) throw invalidSelector;
    if (this.takeDelimiter('|')) {
      if (this.takeDelimiter('=')) operator = '|=';
      else {
        this.hasNamespace ||= name !== undefined;
        name = this.parseWord();
      }
    }
    operator ??= this.operator();
    if (operator !== 'exists') {
      this.skipSpace();
      const value = this.next();
      if (value.type !== 'word' && value.type !== 'string' && value.type !== 'number') throw invalidSelector;
      this.skipSpace();
      if (!this.takeDelimiter(']')) throw invalidSelector;
      addAttribute(target, (name ?? '').toLowerCase(), operator, value.text);
    } else addAttribute(target, (name ?? '').toLowerCase(), operator, '');
  }

  private operator(): string {
    this.skipSpace();
    if (this.takeDelimiter(']')) return 'exists';
    if (this.takeDelimiter('=')) return '=';
    const delimiter = this.takeDelimiter('^$*~|!');
    if (delimiter === undefined || !this.takeDelimiter('=')) throw invalidSelector;
    return `${delimiter}=`;
  }

  private parsePseudoClass(target: CompoundSelector, isNegated: boolean): void {
    const name = this.parseWord().toLowerCase();
    if (!this.takeDelimiter('(')) {
      addPseudoClass(target, name);
      return;
    }
    this.skipSpace();
    if (name !== 'not') {
      addNthPosition(target, name, this.parseNthText());
      return;
    }
    if (isNegated) throw invalidSelector;
    const negated = this.parseCompound(undefined, true);
    if (!this.takeDelimiter(')')) throw invalidSelector;
    moveNameToConditions(negated);
    target.conditions.push(
      negated.conditions.length > 0 ? { kind: 'not', conditions: negated.conditions } : { kind: 'never' },
    );
  }

  /** The argument of `:nth-child(…)`. */
  private parseNthText(): string {
    let text = '';
    for (;;) {
      this.skipSpace();
      const token = this.next();
      if (token.type === 'delimiter' && token.text === ')') break;
      const isPart =
        token.type === 'word' || token.type === 'number' || (token.type === 'delimiter' && '+-'.includes(token.text));
      if (!isPart) throw invalidSelector;
      text += token.text;
    }
    return text;
  }
}

/** Whether positions are counted among elements of the same name, and whether from the end. */
const structuralPseudoClasses: Readonly<Record<string, readonly [amongName: boolean, fromEnd: boolean]>> = {
  'first-child': [false, false],
  'last-child': [false, true],
  'first-of-type': [true, false],
  'last-of-type': [true, true],
  'nth-child': [false, false],
  'nth-last-child': [false, true],
  'nth-of-type': [true, false],
  'nth-last-of-type': [true, true],
};

function addPseudoClass(target: CompoundSelector, name: string): void {
  if (name === 'root' || name === 'empty') target.conditions.push({ kind: name });
  else if (name === 'only-of-type') target.conditions.push({ kind: 'onlyOfType', name: target.name });
  else if (name === 'only-child') {
    target.childSteps += 1;
    moveNameToConditions(target);
    target.conditions.push({ kind: 'onlyChild' });
  } else if (name.startsWith('nth')) throw invalidSelector;
  else addPosition(target, name, 0, 1);
}

function addNthPosition(target: CompoundSelector, name: string, series: string): void {
  if (!name.startsWith('nth-')) throw invalidSelector;
  addPosition(target, name, ...parseNthArgument(series));
}

function addPosition(target: CompoundSelector, pseudo: string, step: number, offset: number): void {
  const position = Object.hasOwn(structuralPseudoClasses, pseudo) ? structuralPseudoClasses[pseudo] : undefined;
  if (!position) throw invalidSelector;
  const [amongName, fromEnd] = position;
  if (amongName && target.name === undefined && pseudo !== 'nth-of-type') throw invalidSelector;
  target.childSteps += 1;
  if (!amongName) moveNameToConditions(target);
  target.conditions.push({ kind: 'position', step, offset, fromEnd });
}

/** `2n+1` → [2, 1] */
function parseNthArgument(series: string): [step: number, offset: number] {
  if (series === 'odd') return [2, 1];
  if (series === 'even') return [2, 0];
  if (series === 'n') return [1, 0];
  const [step = '', offset] = series.split('n');
  if (offset === undefined) return [0, parseInteger(series)];
  const isOne = step === '' || step === '0';
  return [isOne ? 1 : parseInteger(/^[-+]$/.test(step) ? `${step}1` : step), offset === '' ? 0 : parseInteger(offset)];
}

function parseInteger(text: string): number {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) throw invalidSelector;
  return Math.trunc(Number(text));
}
