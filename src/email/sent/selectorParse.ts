/** Parses the selectors that the service supports: a subset of CSS 3 that Symfony's CssSelector translates to XPath. */

import { phpTrim } from '../html/stripTags.ts';
import { attempt, CssReader, fail } from './cssReader.ts';
import { matchesValue, type CompoundSelector, type Condition } from './selectorMatcher.ts';
import type { StyledElement } from './styledElements.ts';

type ServiceCompound = CompoundSelector<StyledElement>;

const escapePattern = '\\\\(?:[0-9a-f]{1,6}(?:\\r\\n|[ \\n\\r\\t\\f])?|[^\\n\\r\\f0-9a-f])';
const nameCharacterPattern = `(?:[_a-z0-9-]|${escapePattern}|[^\\x00-\\x7f])`;
const wordSource = `-?(?:[_a-z]|${escapePattern}|[^\\x00-\\x7f])${nameCharacterPattern}*`;
const word = new RegExp(wordSource, 'iy');
const wordOrStar = new RegExp(`${wordSource}|\\*`, 'iy');
const hash = new RegExp(`#${nameCharacterPattern}+`, 'iy');
const string = /"(?:[^\n\r\f"\\]|\\[^])*"|'(?:[^\n\r\f'\\]|\\[^])*'/y;
const number = /[+-]?(?:[0-9]*\.[0-9]+|[0-9]+)/y;
const space = /[ \t\r\n\f]+/y;

class SelectorReader extends CssReader {
  /** The service can't run its translation of a selector with a namespace. */
  hasNamespace = false;
}

/** Parses a list of selectors. Returns an empty list if the service can't run its own translation, and undefined if it can't parse it. */
export function parseServiceSelector(selector: string): ServiceCompound[][] | undefined {
  if (selector === '') return [[newCompound('', '')]];
  const simple = /^(?:([a-z]+)\|)?([\w-]+|\*)?(?:([.#])([\w-]+))?$/i.exec(phpTrim(selector));
  if (simple && (simple[2] ?? simple[3]) !== undefined) return simple[1] ? [] : [[createSimpleCompound(simple)]];
  const reader = new SelectorReader(selector);
  return attempt(() => {
    const selectors: ServiceCompound[][] = [];
    do selectors.push(parseSelector(reader));
    while (reader.takeMatch(/,/y));
    return reader.hasNamespace ? [] : selectors;
  });
}

/** `p`, `*`, `.c`, `p.c`, `#i` and `p#i`: a shortcut of the service that accepts names its parser rejects. */
function createSimpleCompound([, , name = '', sign, value = '']: RegExpExecArray) {
  const result = newCompound('', name);
  if (sign === '.') addAttribute(result, 'class', '~=', value);
  if (sign === '#') addAttribute(result, 'id', '=', value);
  return result;
}

/** `name`: a name, `*` or nothing. */
function newCompound(combinator: string, name: string) {
  const elementName = name === '' || name === '*' ? undefined : resolveEscape(name).toLowerCase();
  const result: ServiceCompound = { combinator, name: elementName, conditions: [], childSteps: 0 };
  // XPath can't contain other names.
  if (!/^[a-zA-Z_][a-zA-Z0-9_.-]*$/.test(elementName ?? 'a')) moveNameToConditions(result);
  return result;
}

/** From here on, positions are counted among all elements. */
function moveNameToConditions(target: ServiceCompound) {
  const { name } = target;
  if (name !== undefined) target.conditions.push({ key: name, test: (element) => element.name === name });
  target.name = undefined;
}

function addAttribute({ conditions }: ServiceCompound, name: string, operator: string, value: string) {
  let key = `[${name}`;
  let test: Condition<StyledElement>['test'] = (element, _position, _last, spend) =>
    matchesValue(element.get(name), operator, value, spend);
  if (name === 'id' && operator === '=') key = `#${value}`;
  // PHP treats '' and '0' as false, so the service never matches such a value.
  if (/^[~^$*]/.test(operator) && /^0?$/.test(value)) test = () => false;
  else if (name === 'class' && operator === '~=' && !/[ \t\r\n]/.test(value)) {
    key = `.${value}`;
    test = ({ classes }) => classes.has(value);
  }
  // Styles change while rules are added.
  conditions.push(name === 'style' ? { test } : { key, test });
}

/** The service only resolves an escape at the start. */
function resolveEscape(text: string) {
  const resolved = text.replace(/^\\([0-9a-f]{1,6})(?:\r\n|[ \n\r\t\f])?/i, (_, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code < 0x10000 ? String.fromCharCode(code) : '';
  });
  return resolved.replace(/^\\(.)/, '$1');
}

const takeWord = (reader: CssReader) => resolveEscape(reader.takeMatch(word) || fail());

function parseSelector(reader: SelectorReader) {
  const compounds = [parseCompound(reader, '')];
  for (;;) {
    reader.takeMatch(space);
    if (reader.isAtEnd || reader.next === ',') return compounds;
    compounds.push(parseCompound(reader, reader.takeMatch(/[+>~]/y) || ' '));
  }
}

function parseCompound(reader: SelectorReader, combinator: string, isNegated = false) {
  reader.takeMatch(space);
  const start = reader.position;
  const result = newCompound(combinator, takeQualifiedName(reader));
  const ends = ` \t\r\n\f,+>~${isNegated ? ')' : ''}`;
  while (!ends.includes(reader.next)) {
    const id = reader.takeMatch(hash);
    if (id) addAttribute(result, 'id', '=', resolveEscape(id.slice(1)));
    else if (reader.takeMatch(/\./y)) addAttribute(result, 'class', '~=', takeWord(reader));
    else if (reader.takeMatch(/\[/y)) parseAttribute(reader, result);
    else {
      reader.expect(':');
      parsePseudoClass(reader, result, isNegated);
    }
  }
  if (reader.position === start) fail();
  if (combinator === '+') moveNameToConditions(result);
  return result;
}

/** Takes a name or `*` after an optional namespace. Returns '' if there is none. */
function takeQualifiedName(reader: SelectorReader) {
  const name = reader.takeMatch(wordOrStar);
  if (!name || !reader.takeMatch(/\|(?!=)/y)) return name;
  reader.hasNamespace ||= name !== '*';
  return reader.takeMatch(wordOrStar) || fail();
}

function parseAttribute(reader: SelectorReader, target: ServiceCompound) {
  reader.takeMatch(space);
  const name = takeQualifiedName(reader);
  if (name === '' || (name === '*' && reader.next !== '|')) fail();
  reader.takeMatch(space);
  const operator = reader.takeMatch(/\]|[\^$*~|]?=/y) || fail();
  let value = '';
  if (operator !== ']') {
    reader.takeMatch(space);
    value = takeValue(reader);
    reader.takeMatch(space);
    reader.expect(']');
  }
  addAttribute(target, resolveEscape(name).toLowerCase(), operator === ']' ? '' : operator, value);
}

function takeValue(reader: CssReader) {
  const quoted = reader.takeMatch(string);
  if (quoted) return resolveEscape(quoted.slice(1, -1).replace(/^\\(?:\n|\r\n|\r|\f)/, ''));
  return reader.takeMatch(number) || takeWord(reader);
}

function parsePseudoClass(reader: SelectorReader, target: ServiceCompound, isNegated: boolean) {
  const name = takeWord(reader).toLowerCase();
  if (!reader.takeMatch(/\([ \t\r\n\f]*/y)) return addPseudoClass(target, name);
  if (name.startsWith('nth-')) return addPosition(target, name, ...parseNthArgument(takeNthText(reader)));
  if (isNegated || name !== 'not') fail();
  const negated = parseCompound(reader, '', true);
  reader.expect(')');
  moveNameToConditions(negated);
  const { conditions } = negated;
  target.conditions.push({
    isPositional: conditions.some(({ isPositional }) => isPositional),
    test: (...element) => !conditions.every(({ test }) => test(...element)),
  });
}

/** Takes the argument of `:nth-child(…)` without spaces. */
function takeNthText(reader: CssReader) {
  for (let text = ''; ;) {
    reader.takeMatch(space);
    if (reader.takeMatch(/\)/y)) return text;
    text += resolveEscape(reader.takeMatch(word)) || reader.takeMatch(number) || reader.takeMatch(/[+-]/y) || fail();
  }
}

function addPseudoClass(target: ServiceCompound, pseudo: string) {
  const { name, conditions } = target;
  if (pseudo === 'root') conditions.push({ test: ({ parent }) => !parent });
  else if (pseudo === 'empty') conditions.push({ test: ({ isEmpty }) => isEmpty });
  else if (pseudo === 'only-of-type')
    conditions.push({
      test: (element) => {
        const { parent } = element;
        if (!parent) return true;
        if (name === undefined) return parent.children.length === 1;
        return (parent.childCounts.get(name) ?? 0) === (element.name === name ? 1 : 0);
      },
    });
  else if (pseudo === 'only-child') {
    target.childSteps += 1;
    moveNameToConditions(target);
    conditions.push({ isPositional: true, test: (_, _position, last) => last === 1 });
  } else if (pseudo.startsWith('nth')) fail();
  else addPosition(target, pseudo, 0, 1);
}

function addPosition(target: ServiceCompound, pseudo: string, step: number, offset: number) {
  const [, fromEnd, type] = /^(?:first|nth|((?:nth-)?last))-(child|of-type)$/.exec(pseudo) ?? [];
  const isAmongName = type === 'of-type';
  const lacksName = isAmongName && target.name === undefined && pseudo !== 'nth-of-type';
  if (type === undefined || lacksName) fail();
  target.childSteps += 1;
  if (!isAmongName) moveNameToConditions(target);
  target.conditions.push({
    isPositional: true,
    test(_, position, last) {
      if (step === 0) return position === (fromEnd ? last - (offset - 1) : offset);
      if (step < 0 && offset < 1) return false;
      const rest = fromEnd ? last - position - (offset - 1) : position - offset;
      return (step < 0 ? rest <= 0 : rest >= 0) && (Math.abs(step) === 1 || rest % step === 0);
    },
  });
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

function parseInteger(text: string) {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) fail();
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

const precedences = [
  [/#\w+/g, 10000],
  [/(?:\.|\[|(?<!:):(?!not\())\w+/g, 100],
  [/(?:(?<![="':\w-])|::)\w+/g, 1],
] as const;

/** Returns the service's weight of a selector: 10000 per id, 100 per class, attribute or pseudo-class, 1 per element or pseudo-element. */
export function computePrecedence(selector: string): number {
  let rest = selector;
  let precedence = 0;
  for (const [pattern, weight] of precedences)
    rest = rest.replace(pattern, () => {
      precedence += weight;
      return '';
    });

  return precedence;
}

const lacksTypeSelector = (part: string) => !/^[\w-]/.test(part) && ofTypePattern.test(part);

/** Returns whether a selector depends on the mail client (`:hover`, `::before`) or is unsupported by the service. */
export function dependsOnClient(selector: string): boolean {
  return selector.includes('::') || hasUnresolvablePseudo(selector);
}

function hasUnresolvablePseudo(selector: string) {
  if (unresolvablePattern.test(selector)) return true;
  return ofTypePattern.test(selector) && selector.split(combinatorPattern).some(lacksTypeSelector);
}

/** Removes the dynamic parts of a selector. The rest matches every element that the selector could match. */
export function removeDynamicParts(selector: string): string {
  const negationless = removeDynamicNegations(` ${selector}`).replace(/^[ \t\n\r\0\v]+/, '');
  const plain = removeParts(negationless, `:(?!${resolvablePseudo}):?[\\w-]+(?:\\([^)]*\\))?`);
  if (!ofTypePattern.test(plain)) return plain;
  const removeUntypedParts = (part: string) =>
    lacksTypeSelector(part) ? removeParts(part, `:(?:${ofType})(?:\\([^)]*\\))?`) : part;
  return plain
    .split(combinatorCapturePattern)
    .filter((part) => part !== '')
    .map(removeUntypedParts)
    .join('');
}

function removeParts(selector: string, pattern: string) {
  return selector
    .replace(new RegExp(`([ \\t\\n\\v\\f\\r>+~]|^)${pattern}`, 'gi'), '$1*')
    .replace(new RegExp(pattern, 'gi'), '');
}

/** Removes each `:not(…)` with dynamic content. A `*` replaces it after a combinator. */
function removeDynamicNegations(selector: string) {
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
function findClosingParenthesis(text: string, start: number) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && (depth -= 1) === 0) return at;
  }
  return -1;
}
