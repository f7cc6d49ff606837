import type { FieldProblem } from '../protocol.ts';
import { readDateTime } from '../../../platform/webview/form/dateTime.ts';
import type { Problem } from '../../../platform/documents/fieldSchemas.ts';
import { getChosenListIds } from './dependentFields.ts';
import type { Values } from '../../../platform/documents/form/text.ts';

/** Subjects longer than this are cut in every inbox, and some servers take them for spam. Characters. */
const LONG_SUBJECT_CHARS = 150;

/** What the schema says, as the form shows it. */
export function toFieldErrors(problems: readonly Problem[]): FieldProblem[] {
  return problems.map(({ path, message }) => ({ path, message, kind: 'error' }));
}

/** What can be stored, and may not be meant. `today` is the user's day as `YYYY-MM-DD`. */
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

/** Words of the service's refusals, and the field they are about. The likelier comes first: a message can name several. */
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

/** Where a refusal of the service belongs: beside the field it names, else (empty) above all of them. */
export function findCampaignRefusalPath(message: string, details: Values): FieldProblem['path'] {
  const found = refusalPatterns.find(([words]) => words.test(message))?.[1];
  if (found !== undefined) return found;
  // "Missing required parameters 'subject' or 'name'" means the one that is empty.
  const mentionedFields = ['subject', 'name'].filter((field) => new RegExp(`\\b${field}\\b`, 'iu').test(message));
  const emptyField = mentionedFields.find(
    (field) => typeof details[field] !== 'string' || details[field].trim() === '',
  );
  const field = emptyField ?? mentionedFields[0];
  return field === undefined ? [] : [field];
}
