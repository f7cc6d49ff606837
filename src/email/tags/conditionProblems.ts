import { readCondition } from './conditions.ts';
import type { Tag } from './model.ts';
import { findNearest } from './nearest.ts';
import { createFix, createProblem } from './tagRule.ts';
import type { TagRuleContext, TagProblem } from './tagRule.ts';

export function checkCondition(tag: Tag, context: TagRuleContext): TagProblem[] {
  const { language, tags, where, isInLink } = context;
  if (!tag.isClosed) return [];
  const problems: TagProblem[] = [];
  const condition = readCondition(tag.id);
  const operator = findForeignOperator(tag.id);
  if (operator)
    problems.push(
      createProblem(
        'tag-condition-operator',
        'error',
        tag.idRange,
        operator.message,
        operator.sign ? [createFix(`Write “${operator.sign}”`, tag.idRange, operator.text)] : [],
      ),
    );
  else if (!condition) {
    const isEmpty = /[=<>~]\s*$/.test(tag.id);
    const message = isEmpty
      ? 'Without a value, everybody sees what stands here.'
      : 'Without an operator (=, !=, <, >, ~, !~), everybody sees what stands here.';
    problems.push(createProblem(isEmpty ? 'tag-condition-value' : 'tag-condition-operator', 'error', tag, message));
  } else if (!condition.isText) problems.push(...findConditionFieldProblems(tag, condition.field, context));
  const close = tag.partner === undefined ? undefined : tags[tag.partner];
  if (close && (tag.level ?? 1) > (language.conditions?.levels ?? 3)) {
    problems.push(
      createProblem(
        'tag-condition-depth',
        'error',
        tag,
        `Conditions go ${language.conditions?.levels ?? 3} levels deep: from the next on, the outer marks stay in the text.`,
      ),
    );
  }
  if (where === 'body' && isInLink(tag.start)) {
    problems.push(
      createProblem(
        'tag-condition-in-link',
        'error',
        tag,
        'In an address, a condition is encoded before it is read: it stays there as text. Put it around the whole link.',
      ),
    );
  }
  return problems;
}

/** Finds operators of other languages, which the service reads as part of the field name. */
function findForeignOperator(source: string): { message: string; sign?: string; text: string } | undefined {
  const match = /^([^=!<>~]*)(==+|!==|>=|<=|<>|=>|=<|\^=|\$=)([^=!<>~]*)$/.exec(
    source.replace(/&gt;/gi, '>').replace(/&lt;/gi, '<'),
  );
  if (!match) return undefined;
  const [, left = '', sign = '', right = ''] = match;
  const label = sign.startsWith('==') ? '=' : sign === '!==' || sign === '<>' ? '!=' : undefined;
  const message = `“${sign}” is no operator of the service: nobody would see what stands here.`;
  if (label) return { message, sign: label, text: `${left}${label}${right}` };
  const number = Number(right.trim());
  if (right.trim() === '' || !Number.isInteger(number) || !/[<>]/.test(sign)) return { message, text: source };
  const [strict, bound] = sign.includes('>') ? (['>', number - 1] as const) : (['<', number + 1] as const);
  return { message, sign: `${strict}${bound}`, text: `${left}${strict}${bound}` };
}

/** Conditions refer to custom fields by label, and to other fields by column. */
function findConditionFieldProblems(
  tag: Tag,
  field: string,
  { language, fields, candidateFields }: TagRuleContext,
): TagProblem[] {
  const columns = language.families.find(({ source }) => source === 'subscriber')?.ids.map(({ id }) => id) ?? [];
  const labels = candidateFields.map(({ label }) => label);
  if (columns.includes(field) || labels.includes(field) || field.startsWith('{')) return [];
  const label = candidateFields.find(({ namekey }) => namekey === field)?.label;
  const similar = label ?? findNearest(field, [...labels, ...columns]);
  if (!fields && !label && (!similar || similar.toLowerCase() !== field.toLowerCase())) return [];
  const at = tag.id.indexOf(field);
  const range = { start: tag.idRange.start + Math.max(0, at), end: tag.idRange.start + Math.max(0, at) + field.length };
  const fixes = similar && at >= 0 ? [createFix(`Write “${similar}”`, range, similar)] : [];
  const isCase = similar?.toLowerCase() === field.toLowerCase();
  const message = label
    ? `Conditions name a custom field by its label: “${label}”.`
    : isCase
      ? `“${field}” is empty: it is written “${similar}”.`
      : `There is no field “${field}”: it is empty for everybody.`;
  return [createProblem(isCase ? 'tag-name-case' : 'tag-unknown-field', 'error', range, message, fixes)];
}

/** Reports an else mark inside a condition. The service has no such mark. */
export function findElseProblem(tag: Tag, { enclosingConditions, text }: TagRuleContext): TagProblem[] {
  const innermost = enclosingConditions.at(-1);
  if (!innermost) return [];
  const opposite =
    text.slice(tag.start, tag.end).toLowerCase() === '{else}' ? negateCondition(innermost.id) : undefined;
  const fixes = opposite
    ? [createFix('End the condition here, and begin its opposite', tag, `{/if}{if:${opposite}}`)]
    : [];
  return [
    createProblem('tag-condition-else', 'error', tag, 'There is no else: people would read it, and both sides.', fixes),
  ];
}

function negateCondition(source: string): string | undefined {
  if (/!=|!~/.test(source)) return source.replace(/!(?=[=~])/, '');
  return /^[^=!<>~;]*[=~][^=!<>~;]*$/.test(source) ? source.replace(/[=~]/, '!$&') : undefined;
}
