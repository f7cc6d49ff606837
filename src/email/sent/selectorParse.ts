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

const escapePattern = '\\\\(?:[0-9a-f]{1,6}(?:\\r\\n|[ \\n\\r\\t\\f])?|[^\\n\\r\\f0-9a-f])';
const nameCharacterPattern = `(?:[_a-z0-9-]|${escapePattern}|[^\\x00-\\x7f])`;
const tokenPatterns = {
  space: '[ \\t\\r\\n\\f]+',
  word: `-?(?:[_a-z]|${escapePattern}|[^\\x00-\\x7f])${nameCharacterPattern}*`,
  hash: `#${nameCharacterPattern}+`,
  string: '"(?:[^\\n\\r\\f"\\\\]|\\\\[^])*"|\'(?:[^\\n\\r\\f\'\\\\]|\\\\[^])*\'',
  number: '[+-]?(?:[0-9]*\\.[0-9]+|[0-9]+)',
  comment: '/\\*[^]*?(?:\\*/|$)',
  delimiter: '[^]',
};
const tokenPattern = new RegExp(
  Object.entries(tokenPatterns)
    .map(([type, pattern]) => `(?<${type}>${pattern})`)
    .join('|'),
  'gi',
);

interface Token {
  readonly type: keyof typeof tokenPatterns | 'end';
  readonly text: string;
}

/** Parses a selector. Returns undefined if the service can't run its own translation. Throws `InvalidSelector` if the service can't parse it. */
export function parseServiceSelector(selector: string): CompoundSelector[][] | undefined {
  if (selector === '') return [[newCompound(undefined, undefined)]];
  const simple = /^(?:([a-z]+)\|)?([\w-]+|\*)?(?:([.#])([\w-]+))?$/i.exec(phpTrim(selector));
  if (simple && (simple[2] ?? simple[3]) !== undefined) return simple[1] ? undefined : [[createSimpleCompound(simple)]];
  const reader = new TokenReader(selector);
  const selectors: CompoundSelector[][] = [];
  do {
    reader.skipSpace();
    selectors.push(parseSelector(reader));
  } while (reader.takeDelimiter(','));
  return reader.hasNamespace ? undefined : selectors;
}

/** `p`, `*`, `.c`, `p.c`, `#i` and `p#i`: a shortcut of the service that accepts names its parser rejects. */
function createSimpleCompound(match: RegExpExecArray): CompoundSelector {
  const result = newCompound(undefined, match[2] === '*' ? undefined : match[2]);
  if (match[3] === '.') addClass(result, match[4] ?? '');
  if (match[3] === '#') addAttribute(result, 'id', '=', match[4] ?? '');
  return result;
}

function newCompound(combinator: Combinator | undefined, name: string | undefined): CompoundSelector {
  const result: CompoundSelector = { combinator, name: name?.toLowerCase(), conditions: [], childSteps: 0 };
  // XPath can't contain other names.
  if (!/^[a-zA-Z_][a-zA-Z0-9_.-]*$/.test(result.name ?? 'a')) moveNameToConditions(result);
  return result;
}

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
  return [...selector.matchAll(tokenPattern)].flatMap(({ 0: text, groups = {} }): Token[] => {
    const has = (type: Token['type']): boolean => groups[type] !== undefined;
    if (has('comment')) return [];
    if (text === '"' || text === "'") throw invalidSelector;
    // The service only resolves an escape at the start.
    if (has('word')) return [{ type: 'word', text: resolveEscape(text) }];
    if (has('hash')) return [{ type: 'hash', text: resolveEscape(text.slice(1)) }];
    if (has('string'))
      return [{ type: 'string', text: resolveEscape(text.slice(1, -1).replace(/^\\(?:\n|\r\n|\r|\f)/, '')) }];
    return [{ type: has('space') ? 'space' : has('number') ? 'number' : 'delimiter', text }];
  });
}

function resolveEscape(text: string): string {
  const resolved = text.replace(/^\\([0-9a-f]{1,6})(?:\r\n|[ \n\r\t\f])?/i, (_, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code < 0x10000 ? String.fromCharCode(code) : '';
  });
  return resolved.replace(/^\\(.)/, '$1');
}

class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  /** The service can't run its translation of a selector with a namespace. */
  hasNamespace = false;

  constructor(selector: string) {
    this.#tokens = tokenize(selector);
  }

  get at(): number {
    return this.#at;
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? { type: 'end', text: '' };
  }

  take(...types: readonly Token['type'][]): string {
    const { type, text } = this.next;
    if (!types.includes(type)) throw invalidSelector;
    this.#at += 1;
    return text;
  }

  isDelimiter(delimiters: string): boolean {
    return this.next.type === 'delimiter' && delimiters.includes(this.next.text);
  }

  takeDelimiter(delimiters: string): string | undefined {
    return this.isDelimiter(delimiters) ? this.take('delimiter') : undefined;
  }

  expectDelimiter(delimiters: string): string {
    if (!this.isDelimiter(delimiters)) throw invalidSelector;
    return this.take('delimiter');
  }

  skipSpace(): void {
    while (this.next.type === 'space') this.#at += 1;
  }

  takeWordOrStar(): string | undefined {
    return this.takeDelimiter('*') ? undefined : this.take('word');
  }
}

function parseSelector(reader: TokenReader): CompoundSelector[] {
  const compounds = [parseCompound(reader)];
  for (;;) {
    reader.skipSpace();
    if (reader.next.type === 'end' || reader.isDelimiter(',')) return compounds;
    const combinator = (reader.takeDelimiter('+>~') ?? ' ') as Combinator;
    const next = parseCompound(reader, combinator);
    if (combinator === '+') moveNameToConditions(next);
    compounds.push(next);
  }
}

function parseCompound(reader: TokenReader, combinator?: Combinator, isNegated = false): CompoundSelector {
  reader.skipSpace();
  const start = reader.at;
  const result = newCompound(combinator, parseElementName(reader));
  const ends = isNegated ? ',+>~)' : ',+>~';
  while (reader.next.type !== 'space' && reader.next.type !== 'end' && !reader.isDelimiter(ends)) {
    if (reader.next.type === 'hash') addAttribute(result, 'id', '=', reader.take('hash'));
    else if (reader.takeDelimiter('.')) addClass(result, reader.take('word'));
    else if (reader.takeDelimiter('[')) parseAttribute(reader, result);
    else if (reader.expectDelimiter(':')) parsePseudoClass(reader, result, isNegated);
  }
  if (reader.at === start) throw invalidSelector;
  return result;
}

function parseElementName(reader: TokenReader): string | undefined {
  if (reader.next.type !== 'word' && !reader.isDelimiter('*')) return undefined;
  const name = reader.takeWordOrStar();
  if (!reader.takeDelimiter('|')) return name;
  reader.hasNamespace ||= name !== undefined;
  return reader.takeWordOrStar();
}

function parseAttribute(reader: TokenReader, target: CompoundSelector): void {
  reader.skipSpace();
  let name = reader.takeWordOrStar();
  let operator = '';
  if (name === undefined && !reader.isDelimiter('|')) throw invalidSelector;
  if (reader.takeDelimiter('|')) {
    operator = reader.takeDelimiter('=') ? '|=' : '';
    if (operator === '') {
      reader.hasNamespace ||= name !== undefined;
      name = reader.take('word');
    }
  }
  reader.skipSpace();
  let value = '';
  if (operator === '' && reader.takeDelimiter(']')) operator = 'exists';
  else {
    if (operator === '')
      operator = reader.takeDelimiter('=') ?? reader.expectDelimiter('^$*~|!') + reader.expectDelimiter('=');
    reader.skipSpace();
    value = reader.take('word', 'string', 'number');
    reader.skipSpace();
    reader.expectDelimiter(']');
  }
  addAttribute(target, (name ?? '').toLowerCase(), operator, value);
}

function parsePseudoClass(reader: TokenReader, target: CompoundSelector, isNegated: boolean): void {
  const name = reader.take('word').toLowerCase();
  if (!reader.takeDelimiter('(')) return addPseudoClass(target, name);
  reader.skipSpace();
  if (name !== 'not') {
    if (!name.startsWith('nth-')) throw invalidSelector;
    return addPosition(target, name, ...parseNthArgument(takeNthText(reader)));
  }
  if (isNegated) throw invalidSelector;
  const negated = parseCompound(reader, undefined, true);
  reader.expectDelimiter(')');
  moveNameToConditions(negated);
  const { conditions } = negated;
  target.conditions.push(conditions.length > 0 ? { kind: 'not', conditions } : { kind: 'never' });
}

/** Takes the argument of `:nth-child(…)`. */
function takeNthText(reader: TokenReader): string {
  for (let text = ''; ;) {
    reader.skipSpace();
    if (reader.takeDelimiter(')')) return text;
    text += reader.isDelimiter('+-') ? reader.take('delimiter') : reader.take('word', 'number');
  }
}

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

function addPosition(target: CompoundSelector, pseudo: string, step: number, offset: number): void {
  const [, fromEnd, type] = /^(?:first|nth|((?:nth-)?last))-(child|of-type)$/.exec(pseudo) ?? [];
  const isAmongName = type === 'of-type';
  const lacksName = isAmongName && target.name === undefined && pseudo !== 'nth-of-type';
  if (type === undefined || lacksName) throw invalidSelector;
  target.childSteps += 1;
  if (!isAmongName) moveNameToConditions(target);
  target.conditions.push({ kind: 'position', step, offset, fromEnd: fromEnd !== undefined });
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

// Below: the service's text replacements on selectors before parsing.

/** Pseudo-classes that the service resolves. The text after them isn't checked. */
const resolvablePseudo =
  'empty|(?:first|last|nth(?:-last)?|only)-(?:child|of-type)|not\\([\\x00-\\x28\\x2a-\\x7f]*\\)|root';
const ofType = '(?:first|last|nth(?:-last)?|only)-of-type';
const combinatorSource = '(?:[ \\t\\n\\v\\f\\r]+|[ \\t\\n\\v\\f\\r]*[>+~][ \\t\\n\\v\\f\\r]*)(?=[A-Za-z_\\-.#*:[])';

const unresolvablePattern = new RegExp(`:(?!${resolvablePseudo})[\\w-]`, 'i');
const ofTypePattern = new RegExp(`:(?:${ofType})`, 'i');
const combinatorPattern = new RegExp(combinatorSource);
const combinatorCapturePattern = new RegExp(`(${combinatorSource})`);

const precedences: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/#\w+/g, 10000],
  [/(?:\.|\[|(?<!:):(?!not\())\w+/g, 100],
  [/(?:(?<![="':\w-])|::)\w+/g, 1],
];

/** Returns the service's weight of a selector: 10000 per id, 100 per class, attribute or pseudo-class, 1 per element or pseudo-element. */
export function computePrecedence(selector: string): number {
  let rest = selector;
  let precedence = 0;
  for (const [pattern, weight] of precedences) {
    rest = rest.replace(pattern, () => {
      precedence += weight;
      return '';
    });
  }
  return precedence;
}

const lacksTypeSelector = (part: string): boolean => !/^[\w-]/.test(part) && ofTypePattern.test(part);

/** Returns whether a selector depends on the mail client (`:hover`, `::before`) or is unsupported by the service. */
export function dependsOnClient(selector: string): boolean {
  return selector.includes('::') || hasUnresolvablePseudo(selector);
}

function hasUnresolvablePseudo(selector: string): boolean {
  if (unresolvablePattern.test(selector)) return true;
  return ofTypePattern.test(selector) && selector.split(combinatorPattern).some(lacksTypeSelector);
}

/** Removes the dynamic parts of a selector. The rest matches every element that the selector could match. */
export function removeDynamicParts(selector: string): string {
  const negationless = removeDynamicNegations(` ${selector}`).replace(/^[ \t\n\r\0\v]+/, '');
  const plain = removeParts(negationless, `:(?!${resolvablePseudo}):?[\\w-]+(?:\\([^)]*\\))?`);
  if (!ofTypePattern.test(plain)) return plain;
  const removeUntypedParts = (part: string): string =>
    lacksTypeSelector(part) ? removeParts(part, `:(?:${ofType})(?:\\([^)]*\\))?`) : part;
  return plain
    .split(combinatorCapturePattern)
    .filter((part) => part !== '')
    .map(removeUntypedParts)
    .join('');
}

function removeParts(selector: string, pattern: string): string {
  return selector
    .replace(new RegExp(`([ \\t\\n\\v\\f\\r>+~]|^)${pattern}`, 'gi'), '$1*')
    .replace(new RegExp(pattern, 'gi'), '');
}

/** Removes each `:not(…)` with dynamic content. A `*` replaces it after a combinator. */
function removeDynamicNegations(selector: string): string {
  let result = '';
  let from = 0;
  for (const { index } of selector.matchAll(/:not\(/gi)) {
    const end = findClosingParenthesis(selector, index + ':not'.length);
    if (index < from || end < 0) continue;
    if (!hasUnresolvablePseudo(selector.slice(index + ':not'.length, end + 1))) continue;
    const before = selector.slice(from, index);
    result += before + (/[ \t\n\v\f\r>+~]$/.test(before) ? '*' : '');
    from = end + 1;
  }
  return result + selector.slice(from);
}

/** Returns the offset of the matching `)`, or -1. */
function findClosingParenthesis(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && (depth -= 1) === 0) return at;
  }
  return -1;
}
