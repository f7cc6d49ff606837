import type { FieldProblem } from '../protocol.ts';
import { readDateTime } from '../../../platform/webview/form/dateTime.ts';
import type { Problem } from '../../../platform/documents/fieldSchemas.ts';
import { getChosenListIds } from './dependentFields.ts';
import type { Values } from '../../../platform/documents/form/text.ts';

/** Every inbox cuts longer subjects, and some servers classify them as spam. */
const LONG_SUBJECT_CHARS = 150;

export function toFieldErrors(problems: readonly Problem[]): FieldProblem[] {
  return problems.map(({ path, message }) => ({ path, message, kind: 'error' }));
}

/** Returns warnings about valid values that may be mistakes. `today` is the user's local date as `YYYY-MM-DD`. */
export function findCampaignWarnings(details: Values, today: string): FieldProblem[] {
  const { sending_type: type, subject } = details;
  const warnings: (FieldProblem | false)[] = [
    isPast(details['sending_date'], today) &&
      type === 'scheduled' &&
      createFieldWarning('sending_date', 'This day is over: the campaign may go out at once.'),
    isPast(details['start_date'], today) &&
      type === 'auto' &&
      createFieldWarning('start_date', 'This day is over: the campaign may start at once.'),
    getChosenListIds(details)?.length === 0 && createFieldWarning('listIds', 'No list is chosen: nobody would get it.'),
    typeof subject === 'string' &&
      subject.length > LONG_SUBJECT_CHARS &&
      createFieldWarning('subject', 'Very long: no inbox shows all of it.'),
  ];
  return warnings.filter((each) => each !== false);
}

function createFieldWarning(field: string, message: string): FieldProblem {
  return { path: [field], message, kind: 'warning' };
}

function isPast(date: unknown, today: string): boolean {
  return (readDateTime(date)?.day ?? today) < today;
}

/** Patterns in error messages of the service, and the field they refer to. The likeliest comes first: a message can match several. */
const refusalPatterns: readonly (readonly [RegExp, FieldProblem['path']])[] = [
  [/sending_?\s?date/iu, ['sending_date']],
  [/start_?\s?date/iu, ['start_date']],
  [/frequency unit/iu, ['frequency_options', 'unit']],
  [/frequency (option )?value/iu, ['frequency_options', 'value']],
  [/frequency option/iu, ['frequency_options']],
  [/frequency/iu, ['frequency']],
  [/sending_?\s?type/iu, ['sending_type']],
  [/bounce/iu, ['bounce_email']],
  [/\bbcc\b/iu, ['bcc']],
  [/reply_?\s?to_?\s?name/iu, ['reply_to_name']],
  [/reply_?\s?to/iu, ['reply_to_email']],
  [/from_?\s?name/iu, ['from_name']],
  [/from_?\s?email|sender/iu, ['from_email']],
  [/\blist(?:ids?)?\b/iu, ['listIds']],
];

/** Returns the path of the field that an error message of the service refers to. Empty if it names none. */
export function findCampaignRefusalPath(message: string, details: Values): FieldProblem['path'] {
  const found = refusalPatterns.find(([pattern]) => pattern.test(message))?.[1];
  if (found !== undefined) return found;
  // "Missing required parameters 'subject' or 'name'" refers to the empty one.
  const mentionedFields = ['subject', 'name'].filter((field) => new RegExp(`\\b${field}\\b`, 'iu').test(message));
  const emptyField = mentionedFields.find(
    (field) => typeof details[field] !== 'string' || details[field].trim() === '',
  );
  const field = emptyField ?? mentionedFields[0];
  return field === undefined ? [] : [field];
}
