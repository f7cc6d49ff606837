import { t } from '@vscode/l10n';
import type { JsonObject } from '../../../service/client/shapes.ts';
import { createCustomFields, findTagProblems, readTagLanguage } from '../../../email/tags/index.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import type { FieldChange, Values } from '../../../platform/documents/form/text.ts';
import { readDateTime } from '../../../ui/page/form/dateTime.ts';
import { dependentFields, fieldsBySendingType, isSendingType, type CampaignDetails } from '../details.ts';
import type { FieldProblem, TagsToPage } from './protocol.ts';

/** Initial values of an automatic campaign, so that the form has a frequency to edit. */
const initialValues: Values = { frequency: 'every', frequency_options: { unit: 'week', value: 1 }, need_confirm: 1 };

/** Returns the dependent fields that apply to a sending type and a frequency. */
function getRelevantFields({
  sending_type: type,
  frequency,
}: Readonly<JsonObject>): ReadonlySet<keyof CampaignDetails> {
  const fields = new Set(isSendingType(type) ? fieldsBySendingType[type] : []);
  if (frequency !== 'every') fields.delete('frequency_options');
  return fields;
}

/**
 * Adds the dependent changes to an edit of the sending type or the frequency: removes fields that no longer apply, and restores those
 * that apply again with their last value.
 */
export class DependentFields {
  /** The last value of each field that was removed or not added yet. */
  #lastValues: Values = initialValues;

  expandChange(details: Values, change: FieldChange): readonly FieldChange[] {
    const { path, value } = change;
    const [field] = path;
    if (path.length !== 1 || (field !== 'sending_type' && field !== 'frequency')) return [change];

    const { frequency = this.#lastValues['frequency'] } = details;
    const relevant = getRelevantFields({ ...details, frequency, [field]: value });
    const changes: FieldChange[] = [change];
    for (const name of dependentFields.filter((each) => each !== field)) {
      const isPresent = Object.hasOwn(details, name);
      if (isPresent && !relevant.has(name)) {
        this.#lastValues = { ...this.#lastValues, [name]: details[name] };
        changes.push({ path: [name] });
      } else if (!isPresent && relevant.has(name)) {
        const last = this.#lastValues[name];
        if (last !== undefined) changes.push({ path: [name], value: last });
      }
    }
    return changes;
  }
}

/** Returns the valid ids in `listIds`, without duplicates. Undefined if `listIds` is not an array. */
export function getChosenListIds(details: Values): readonly number[] | undefined {
  const { listIds } = details;
  return Array.isArray(listIds)
    ? [...new Set(listIds.filter((id): id is number => Number.isInteger(id) && id > 0))]
    : undefined;
}

/** Every inbox cuts longer subjects, and some servers classify them as spam. */
const LONG_SUBJECT_CHARS = 150;

/** Returns warnings about valid values that may be mistakes. `today` is the user's local date as `YYYY-MM-DD`. */
export function findCampaignWarnings(details: Values, today: string): FieldProblem[] {
  const { sending_type: type, subject } = details;
  const warnings: readonly (readonly [isShown: boolean, field: string, message: string])[] = [
    [
      type === 'scheduled' && isPast(details, 'sending_date', today),
      'sending_date',
      t('This date is in the past: the campaign may be sent immediately.'),
    ],
    [
      type === 'auto' && isPast(details, 'start_date', today),
      'start_date',
      t('This date is in the past: the campaign may start immediately.'),
    ],
    [getChosenListIds(details)?.length === 0, 'listIds', t('No list is selected: the campaign has no recipients.')],
    [
      typeof subject === 'string' && subject.length > LONG_SUBJECT_CHARS,
      'subject',
      t('The subject is too long: inboxes cut it off.'),
    ],
  ];
  return warnings.flatMap(([isShown, field, message]) =>
    isShown ? [{ path: [field], message, kind: 'warning' }] : [],
  );
}

function isPast(details: Values, field: keyof CampaignDetails, today: string) {
  return (readDateTime(details[field])?.day ?? today) < today;
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

/** Returns the tag settings of a connection. Without one, the AcyMailing tags. */
export function readFormTags(connections: Connections, connection: string | undefined): TagsToPage {
  if (connection === undefined) return { type: 'tags', setting: 'acymailing', fields: [] };
  const setting = connections.get(connection)?.tags ?? 'acymailing';
  return { type: 'tags', setting, fields: createCustomFields(connections.getCustomFieldNames(connection)) };
}

export function findSubjectProblems(subject: unknown, { setting, fields }: TagsToPage): FieldProblem[] {
  if (typeof subject !== 'string') return [];
  const problems = findTagProblems(subject, readTagLanguage(setting), 'subject', { fields });
  return problems.map(({ message }) => ({ path: ['subject'], message, kind: 'warning' }));
}
