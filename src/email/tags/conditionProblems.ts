import { readCondition } from './conditions.ts';
import type { Tag } from './model.ts';
import { nearest } from './nearest.ts';
import { change, problem } from './problem.ts';
import type { Look, TagProblem } from './problem.ts';

/** What is wrong with a condition itself. */
export function condition(tag: Tag, look: Look): TagProblem[] {
  const { language, tags, where, links } = look;
  if (!tag.isClosed) return [];
  const found: TagProblem[] = [];
  const read = readCondition(tag.id);
  const operator = misread(tag.id);
  if (operator)
    found.push(
      problem(
        'tag-condition-operator',
        'error',
        tag.idAt,
        operator.message,
        operator.sign ? [change(`Write “${operator.sign}”`, tag.idAt, operator.text)] : [],
      ),
    );
  else if (!read) {
    const isEmpty = /[=<>~]\s*$/.test(tag.id);
    const message = isEmpty
      ? 'Without a value, everybody sees what stands here.'
      : 'Without an operator (=, !=, <, >, ~, !~), everybody sees what stands here.';
    found.push(problem(isEmpty ? 'tag-condition-value' : 'tag-condition-operator', 'error', tag, message));
  } else if (!read.isText) found.push(...conditionField(tag, read.field, look));
  const close = tag.partner === undefined ? undefined : tags[tag.partner];
  if (close && (tag.level ?? 1) > (language.conditions?.levels ?? 3)) {
    found.push(
      problem(
        'tag-condition-depth',
        'error',
        tag,
        `Conditions go ${language.conditions?.levels ?? 3} levels deep: from the next on, the outer marks stay in the text.`,
      ),
    );
  }
  if (where === 'body' && links(tag.start)) {
    found.push(
      problem(
        'tag-condition-in-link',
        'error',
        tag,
        'In an address, a condition is encoded before it is read: it stays there as text. Put it around the whole link.',
      ),
    );
  }
  return found;
}

/** Operators of other languages, which the service reads as part of the field's name. */
function misread(written: string): { message: string; sign?: string; text: string } | undefined {
  const match = /^([^=!<>~]*)(==+|!==|>=|<=|<>|=>|=<|\^=|\$=)([^=!<>~]*)$/.exec(
    written.replace(/&gt;/gi, '>').replace(/&lt;/gi, '<'),
  );
  if (!match) return undefined;
  const [, left = '', sign = '', right = ''] = match;
  const own = sign.startsWith('==') ? '=' : sign === '!==' || sign === '<>' ? '!=' : undefined;
  const message = `“${sign}” is no operator of the service: nobody would see what stands here.`;
  if (own) return { message, sign: own, text: `${left}${own}${right}` };
  const number = Number(right.trim());
  if (right.trim() === '' || !Number.isInteger(number) || !/[<>]/.test(sign)) return { message, text: written };
  const [strict, bound] = sign.includes('>') ? (['>', number - 1] as const) : (['<', number + 1] as const);
  return { message, sign: `${strict}${bound}`, text: `${left}${strict}${bound}` };
}

/** Conditions name custom fields by their label, others by their column. */
function conditionField(tag: Tag, field: string, { language, fields, seen }: Look): TagProblem[] {
  const columns = language.families.find(({ source }) => source === 'subscriber')?.ids.map(({ id }) => id) ?? [];
  const labels = seen.map(({ label }) => label);
  if (columns.includes(field) || labels.includes(field) || field.startsWith('{')) return [];
  const own = seen.find(({ namekey }) => namekey === field)?.label;
  const like = own ?? nearest(field, [...labels, ...columns]);
  if (!fields && !own && (!like || like.toLowerCase() !== field.toLowerCase())) return [];
  const at = tag.id.indexOf(field);
  const stretch = { start: tag.idAt.start + Math.max(0, at), end: tag.idAt.start + Math.max(0, at) + field.length };
  const fixes = like && at >= 0 ? [change(`Write “${like}”`, stretch, like)] : [];
  const isCase = like?.toLowerCase() === field.toLowerCase();
  const message = own
    ? `Conditions name a custom field by its label: “${own}”.`
    : isCase
      ? `“${field}” is empty: it is written “${like}”.`
      : `There is no field “${field}”: it is empty for everybody.`;
  return [problem(isCase ? 'tag-name-case' : 'tag-unknown-field', 'error', stretch, message, fixes)];
}

/** A mark that other services divide a condition with: told where it stands in one. */
export function elseMark(tag: Tag, { around, text }: Look): TagProblem[] {
  const innermost = around.at(-1);
  if (!innermost) return [];
  const opposite = text.slice(tag.start, tag.end).toLowerCase() === '{else}' ? negated(innermost.id) : undefined;
  const fixes = opposite
    ? [change('End the condition here, and begin its opposite', tag, `{/if}{if:${opposite}}`)]
    : [];
  return [
    problem('tag-condition-else', 'error', tag, 'There is no else: people would read it, and both sides.', fixes),
  ];
}

function negated(written: string): string | undefined {
  if (/!=|!~/.test(written)) return written.replace(/!(?=[=~])/, '');
  return /^[^=!<>~;]*[=~][^=!<>~;]*$/.test(written) ? written.replace(/[=~]/, '!$&') : undefined;
}
