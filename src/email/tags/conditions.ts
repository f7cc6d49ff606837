import { decodeEntities } from '../html/entities.ts';
import { phpTrim, stripTags } from '../html/stripTags.ts';
import { plural, t } from '../../l10n.ts';
import { findSubscriber } from './languages.ts';
import type { Person, TagLanguage } from './model.ts';
import { looselyCompare, looselyEquals, lowerAscii } from './php.ts';
import {
  createFix,
  createFixes,
  createProblem,
  findNearest,
  isInLink,
  type CheckedTag,
  type TagProblems,
} from './tagProblem.ts';
import { getColumn, findField, isStored } from './values.ts';

type Operator = '=' | '!=' | '<' | '>' | '~' | '!~';

interface TagCondition {
  /** The field name, or with `isText` the literal text to compare. */
  readonly field: string;
  readonly isText: boolean;
  readonly operator: Operator;
  /** Lowercase. */
  readonly value: string;
}

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
  const last = Math.max(...[...'=!<>~'].map((character) => text.lastIndexOf(character)));
  const end = text.slice(last + 1).toLowerCase();
  const entity = Math.max(end.lastIndexOf('&gt;'), end.lastIndexOf('&lt;'));
  const start = last + 1 + entity;
  if (entity >= 0 && start > 0 && start + 4 < text.length)
    return [text.slice(0, start), end[entity + 1] === 'g' ? '>' : '<', text.slice(start + 4)];
  const right = text.slice(last + 1);
  const sign = text[last];
  if (last < 1 || !right || !sign || sign === '!') return undefined;
  const isNegated = last > 1 && text[last - 1] === '!' && (sign === '=' || sign === '~');
  return [text.slice(0, isNegated ? last - 1 : last), (isNegated ? `!${sign}` : sign) as Operator, right];
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
export function evaluateCondition(source: string, person: Person, language: TagLanguage): boolean {
  if (!isStored(person)) return false;
  const condition = readCondition(source);
  if (!condition) return true;
  const { field, isText, operator, value } = condition;
  const subscriber = findSubscriber(language);
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
    (candidate) => evaluateCondition(condition, createPersonWith(parsed.field, candidate), language) === isShown,
  );
  return value === undefined ? undefined : { field: parsed.field, value };
}

const createPersonWith = (field: string, value: string): Person => ({
  id: 1,
  [field]: value,
  fields: [{ namekey: field, label: field, value }],
});

export function* checkCondition(context: CheckedTag): TagProblems {
  const { tag, language, where } = context;
  if (!tag.isClosed) return;
  const condition = readCondition(tag.id);
  const operator = findForeignOperator(tag.id);
  if (operator)
    yield createProblem(
      'tag-condition-operator',
      tag.idRange,
      t`The service doesn't support "${operator.sign}". No recipient will see the content.`,
      ...createFixes(tag.idRange, operator.replacement),
    );
  else if (condition) yield* checkConditionField(condition, context);
  else {
    const isEmpty = /[=<>~]\s*$/.test(tag.id);
    const message = isEmpty
      ? t('The condition has no value. All recipients will see the content.')
      : t('The condition has no operator (=, !=, <, >, ~, !~). All recipients will see the content.');
    yield createProblem(isEmpty ? 'tag-condition-value' : 'tag-condition-operator', tag, message);
  }
  const levels = language.conditions?.levels ?? 3;
  if (tag.partner !== undefined && (tag.level ?? 1) > levels) {
    const message = plural(
      levels,
      t('The service supports only {0} level of conditions. Recipients will see the outer tags.'),
      t('The service supports only {0} levels of conditions. Recipients will see the outer tags.'),
    );
    yield createProblem('tag-condition-depth', tag, message);
  }
  if (where === 'body' && isInLink(context)) {
    const message = t(
      "Conditions don't work in URLs, because the service encodes them. Put the condition around the link.",
    );
    yield createProblem('tag-condition-in-link', tag, message);
  }
}

/** Finds operators of other languages, which the service reads as part of the field name. */
function findForeignOperator(source: string) {
  const text = source.replace(/&gt;/gi, '>').replace(/&lt;/gi, '<');
  const match = /^([^=!<>~]*)(==+|!==|>=|<=|<>|=>|=<|\^=|\$=)([^=!<>~]*)$/.exec(text);
  if (!match) return undefined;
  const [, left = '', sign = '', right = ''] = match;
  if (sign.startsWith('==')) return { sign, replacement: `${left}=${right}` };
  if (sign === '!==' || sign === '<>') return { sign, replacement: `${left}!=${right}` };
  const number = Number(right.trim());
  if (right.trim() === '' || !Number.isInteger(number) || !/[<>]/.test(sign)) return { sign };
  return { sign, replacement: sign.includes('>') ? `${left}>${number - 1}` : `${left}<${number + 1}` };
}

/** Conditions refer to custom fields by label, and to other fields by column. */
function* checkConditionField({ field, isText }: TagCondition, { tag, language, fields }: CheckedTag) {
  const columns = findSubscriber(language)?.ids.map(({ id }) => id) ?? [];
  const labels = fields.map(({ label }) => label);
  if (isText || columns.includes(field) || labels.includes(field) || field.startsWith('{')) return;
  const label = fields.find(({ namekey }) => namekey === field)?.label;
  const similar = label ?? findNearest(field, [...labels, ...columns]);
  const isCase = similar?.toLowerCase() === field.toLowerCase();
  // The site may have more fields.
  if (!similar || (!label && !isCase)) return;
  const at = tag.id.indexOf(field);
  const start = tag.idRange.start + Math.max(0, at);
  const range = { start, end: start + field.length };
  const message = label
    ? t`Conditions refer to custom fields by label. Use "${label}".`
    : t`"${field}" is always empty. The field is "${similar}".`;
  const fixes = at >= 0 ? createFixes(range, similar) : [];
  yield createProblem(isCase ? 'tag-name-case' : 'tag-field', range, message, ...fixes);
}

/** Checks for an else mark inside a condition. The service has no such mark. */
export function* checkElse({ tag, enclosingConditions, text }: CheckedTag): TagProblems {
  const condition = enclosingConditions.at(-1)?.id;
  if (condition === undefined) return;
  const isElse = text.slice(tag.start, tag.end).toLowerCase() === '{else}';
  const opposite = isElse ? negateCondition(condition) : undefined;
  const fixes = opposite ? [createFix(t('Split into two conditions'), tag, `{/if}{if:${opposite}}`)] : [];
  const message = t('The service doesn\'t support "else". Recipients will see it and the content of both branches.');
  yield createProblem('tag-condition-else', tag, message, ...fixes);
}

function negateCondition(source: string) {
  const [, field = '', sign, operator = '', value = ''] = /^([^=!<>~;]*)(!?)([=~])([^=!<>~;]+)$/.exec(source) ?? [];
  return operator && `${field}${sign ? '' : '!'}${operator}${value}`;
}
