import { decodeEntities } from '../html/entities.ts';
import { phpTrim, stripTags } from '../html/stripTags.ts';
import { findSubscriber } from './languages.ts';
import type { Person, TagFamily, TagLanguage } from './model.ts';
import { looselyCompare, looselyEquals, lowerAscii } from './php.ts';
import { getColumn, findField, isStored } from './values.ts';

export type Operator = '=' | '!=' | '<' | '>' | '~' | '!~';

export interface TagCondition {
  /** The field name, or with `isText` the literal text to compare. */
  readonly field: string;
  readonly isText: boolean;
  readonly operator: Operator;
  /** Lowercase. */
  readonly value: string;
}

const operatorCharacters = /[=!<>~]/;

/** Parses `field=value`. Returns undefined without an operator: the content is then shown to everyone. */
export function readCondition(source: string): TagCondition | undefined {
  const text = decodeEntities(source);
  const split = splitAtOperator(text);
  if (!split) return undefined;
  const [left, operator, right] = split;
  const [kind = '', ...rest] = left.split('.');
  const isTyped = rest.length > 0 && (kind === 'acym' || kind === 'joomla' || kind === 'var');
  return {
    field: isTyped ? (kind === 'joomla' ? '' : rest.join('.')) : phpTrim(left),
    isText: isTyped && kind === 'var',
    operator,
    value: lowerAscii(phpTrim(right)),
  };
}

/** The service splits at the last operator. Earlier operator characters belong to the field name. */
function splitAtOperator(text: string): [left: string, operator: Operator, right: string] | undefined {
  let last = text.length - 1;
  while (last >= 0 && !operatorCharacters.test(text[last] ?? '')) last -= 1;
  const end = text.slice(last + 1).toLowerCase();
  const entity = Math.max(end.lastIndexOf('&gt;'), end.lastIndexOf('&lt;'));
  const start = last + 1 + entity;
  if (entity >= 0 && start > 0 && start + 4 < text.length)
    return [text.slice(0, start), end[entity + 1] === 'g' ? '>' : '<', text.slice(start + 4)];
  const right = text.slice(last + 1);
  if (last < 1 || !right) return undefined;
  const character = text[last];
  const isNegated = last > 1 && text[last - 1] === '!';
  if (character === '<' || character === '>') return [text.slice(0, last), character, right];
  if (character !== '=' && character !== '~') return undefined;
  return isNegated ? [text.slice(0, last - 1), `!${character}`, right] : [text.slice(0, last), character, right];
}

const comparisonsByOperator: Readonly<Record<Operator, (value: string, target: string) => boolean>> = {
  '=': (value, target) =>
    looselyEquals(value, target) ||
    target.split(';').some((one) => looselyEquals(value, one)) ||
    value.split(';').some((one) => looselyEquals(target, one)),
  '!=': (value, target) => !looselyEquals(value, target),
  '>': (value, target) => looselyCompare(value, target) > 0,
  '<': (value, target) => looselyCompare(value, target) < 0,
  '~': (value, target) => value.includes(target),
  '!~': (value, target) => !value.includes(target),
};

/** Returns whether a person sees the content of a condition. People who are not stored see none. */
export function evaluateCondition(source: string, person: Person, subscriber: TagFamily | undefined): boolean {
  if (!isStored(person)) return false;
  const condition = readCondition(source);
  if (!condition) return true;
  const { field, isText, operator, value } = condition;
  const actual = isText
    ? field
    : (findField(person, 'label', field)?.value ??
      (subscriber ? getColumn(person, subscriber, field) : undefined) ??
      '');
  return comparisonsByOperator[operator](stripTags(lowerAscii(String(actual))), value);
}

/** A field value that makes a condition true or false. */
export interface BranchExample {
  readonly field: string;
  /** Empty: the field is empty. */
  readonly value: string;
}

/** Longer conditions are not parsed as tags. */
const MAX_BRANCH_CONDITION_CHARS = 2000;

/** Finds a field value for which a condition's content is shown or hidden, by trying likely values. Undefined: none found. */
export function findBranchExample(
  condition: string,
  isShown: boolean,
  language: TagLanguage,
): BranchExample | undefined {
  const parsed = condition.length > MAX_BRANCH_CONDITION_CHARS ? undefined : readCondition(condition);
  if (!parsed || parsed.isText || parsed.field === '') return undefined;
  const offset = condition.toLowerCase().lastIndexOf(parsed.value);
  const target = offset < 0 ? parsed.value : condition.slice(offset, offset + parsed.value.length);
  const number = Number(target);
  const neighbors = Number.isFinite(number) ? [number + 1, number - 1].map(String) : [`${target}a`, 'a'];
  const values = [...target.split(';').map((one) => one.trim()), '', ...neighbors];
  const value = values.find(
    (candidate) =>
      evaluateCondition(condition, createPersonWith(parsed.field, candidate), findSubscriber(language)) === isShown,
  );
  return value === undefined ? undefined : { field: parsed.field, value };
}

const createPersonWith = (field: string, value: string): Person => ({
  id: 1,
  [field]: value,
  fields: [{ namekey: field, label: field, value }],
});
