import { readCondition } from './conditions.ts';
import { findSubscriber } from './languages.ts';
import type { Tag } from './model.ts';
import { createFix, createFixes, createProblem, findNearest } from './tagProblem.ts';
import type { RuleContext, TagProblem } from './tagProblem.ts';

export function* checkCondition(tag: Tag, context: RuleContext): Iterable<TagProblem> {
  const { language, where, isInLink } = context;
  if (!tag.isClosed) return;
  const condition = readCondition(tag.id);
  const operator = findForeignOperator(tag.id);
  if (operator)
    yield createProblem(
      'tag-condition-operator',
      'error',
      tag.idRange,
      `The service doesn't support "${operator.sign}". No recipient will see the content.`,
      ...createFixes(tag.idRange, operator.replacement),
    );
  else if (condition) yield* checkConditionField(tag, condition, context);
  else {
    const isEmpty = /[=<>~]\s*$/.test(tag.id);
    const message = `The condition has no ${isEmpty ? 'value' : 'operator (=, !=, <, >, ~, !~)'}. All recipients will see the content.`;
    yield createProblem(isEmpty ? 'tag-condition-value' : 'tag-condition-operator', 'error', tag, message);
  }
  const levels = language.conditions?.levels ?? 3;
  if (tag.partner !== undefined && (tag.level ?? 1) > levels) {
    const message = `Conditions can be nested ${levels} levels deep. Recipients will see the outer tags.`;
    yield createProblem('tag-condition-depth', 'error', tag, message);
  }
  if (where === 'body' && isInLink(tag.start)) {
    const message = 'The service encodes conditions in URLs before it reads them. Put the condition around the link.';
    yield createProblem('tag-condition-in-link', 'error', tag, message);
  }
}

/** Finds operators of other languages, which the service reads as part of the field name. */
function findForeignOperator(source: string): { sign: string; replacement?: string } | undefined {
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
function* checkConditionField(
  tag: Tag,
  { field, isText }: { readonly field: string; readonly isText: boolean },
  { language, fields }: RuleContext,
): Iterable<TagProblem> {
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
    ? `Conditions refer to custom fields by label. Use "${label}".`
    : `"${field}" is always empty. The field is "${similar}".`;
  const fixes = at >= 0 ? createFixes(range, similar) : [];
  yield createProblem(isCase ? 'tag-name-case' : 'tag-field', 'error', range, message, ...fixes);
}

/** Checks for an else mark inside a condition. The service has no such mark. */
export function* checkElse(tag: Tag, { enclosingConditions, text }: RuleContext): Iterable<TagProblem> {
  const condition = enclosingConditions.at(-1)?.id;
  if (condition === undefined) return;
  const isElse = text.slice(tag.start, tag.end).toLowerCase() === '{else}';
  const opposite = isElse ? negateCondition(condition) : undefined;
  const fixes = opposite ? [createFix('Split into two conditions', tag, `{/if}{if:${opposite}}`)] : [];
  const message = 'The service doesn\'t support "else". Recipients will see it and the content of both branches.';
  yield createProblem('tag-condition-else', 'error', tag, message, ...fixes);
}

function negateCondition(source: string): string | undefined {
  if (/!=|!~/.test(source)) return source.replace(/!(?=[=~])/, '');
  return /^[^=!<>~;]*[=~][^=!<>~;]*$/.test(source) ? source.replace(/[=~]/, '!$&') : undefined;
}
