import * as v from 'valibot';
import { formatList, formatPair, quote, t } from '../../l10n.ts';
import {
  getDetailsMessage,
  textFields,
  idList,
  requiredText,
  textMessage,
  wholeNumber,
} from '../../sync/fields/fieldSchemas.ts';
import { getMailFieldName, hasMailText, mailTextFields, type FollowUpRecord } from './record.ts';
import {
  delayUnits,
  conditionStatuses,
  isDelayUnit,
  normalizeCondition,
  getFollowUpDetails,
  type MailDelay,
  readMailEntries,
  isTrigger,
  triggers,
} from './model.ts';
import type { FollowUpCondition, FollowUpMail } from '../../service/client/index.ts';
import type { ProfileName } from '../../platform/connections/model.ts';
import { isSameValue } from '../../platform/documents/differences.ts';
import type { Fields } from '../../platform/documents/model.ts';
import type { FieldProblem } from '../../ui/page/form/protocol.ts';
import { getValueAt, type Values } from '../../platform/documents/form/text.ts';

const optionalFlag = v.optional(
  v.picklist([0, 1], () => t('must be 0 or 1.')),
  0,
);
const documentedStatus = v.optional(
  v.picklist(conditionStatuses, () => t('must be "is" or "is_not".')),
  'is',
);
/** Conditions stored on the service can have undocumented statuses. */
const anyStatus = v.optional(v.string(textMessage), 'is');

const createConditionSchema = (status: typeof documentedStatus | typeof anyStatus) =>
  v.looseObject(
    {
      lists_status: status,
      lists: v.optional(idList('list'), []),
      segments_status: status,
      segments: v.optional(idList('segment'), []),
    },
    () => t('must be an object with "lists_status", "lists", "segments_status" and "segments".'),
  );

const mailDelaySchema = v.strictObject(
  {
    mail_id: wholeNumber(() => t('must be the ID of an email.'), 1),
    delay: wholeNumber(() => t('must be a whole number, 0 or more.'), 0),
    // A number is an installation's own unit in seconds. It must be preserved.
    delay_unit: v.union(
      [v.picklist(delayUnits), wholeNumber('', 1)],
      () => t`must be one of these units: ${formatList(delayUnits.map(quote))}.`,
    ),
  },
  (issue) =>
    issue.expected === 'never'
      ? t('is not a known field.')
      : issue.received === 'undefined'
        ? t('is missing.')
        : t('must be an object with "mail_id", "delay" and "delay_unit".'),
);

const details = (status: typeof documentedStatus | typeof anyStatus) =>
  v.strictObject(
    {
      name: requiredText(() => t('a follow-up needs a name.')),
      display_name: requiredText(() => t('a follow-up needs a display name for the unsubscribe page.')),
      trigger: requiredText(() => t('a follow-up needs a trigger.')),
      condition: v.optional(createConditionSchema(status), {}),
      active: optionalFlag,
      send_once: optionalFlag,
      loop: optionalFlag,
      loop_delay: v.optional(
        wholeNumber(() => t('must be a whole number of seconds, 0 or more.'), 0),
        0,
      ),
      loop_mail_skip: v.optional(idList('mail'), []),
      mails: v.optional(
        v.array(mailDelaySchema, () => t('must be a list of emails.')),
        [],
      ),
    },
    getDetailsMessage,
  );

/** Schema of `<name>.follow-up.json` by the API document. The fields required to create a follow-up are required. */
export const followUpDetailsSchema = details(documentedStatus);

/** Schema for saving an existing follow-up. Accepts undocumented statuses; `findFollowUpRefusal` checks the changed fields. */
export const followUpUpdateSchema = details(anyStatus);

/** Schema of `mails/<id>.json`: the documented fields of a follow-up's email except the body. */
export const mailSchema = v.strictObject(
  {
    ...textFields(mailTextFields, ''),
    name: requiredText(() => t('an email needs a name.')),
    subject: requiredText(() => t('an email needs a subject.')),
  },
  getDetailsMessage,
);

/** Fields that can't be changed with the documented profile. */
const readOnlyFields: readonly string[] = ['active', 'send_once'];

export function getReadOnlyReason(): string {
  return t("The service's API can't change this field. Change it on the service's website.");
}

/** Returns whether services with a profile can change a field. */
export function isEditable(field: string, profile: ProfileName): boolean {
  return profile === 'acymailing' || !readOnlyFields.includes(field);
}

/** Returns why changed fields can't be saved, as a sentence; undefined if they can. Unchanged values are always accepted. */
export function findFollowUpRefusal(record: FollowUpRecord, fields: Fields, profile: ProfileName): string | undefined {
  const readOnlyField = readOnlyFields.find((field) => field in fields && !isEditable(field, profile));
  if (readOnlyField !== undefined) return formatPair(quote(readOnlyField), getReadOnlyReason());
  if ('trigger' in fields && !isTrigger(fields.trigger)) return t`"trigger" must be one of ${triggers.join(', ')}.`;
  const status = findStatusRefusal(record, fields.condition as FollowUpCondition | undefined);
  if (status !== undefined) return status;
  const hasNoDelay = ({ delay, delay_unit }: FollowUpMail) => delay === null || delay_unit === null;
  const mailWithoutDelay = record.mails.find(
    (mail) => hasNoDelay(mail) && sendsCurrentDelay(record, fields, mail.mail_id),
  );
  if (mailWithoutDelay !== undefined)
    return t`The service doesn't report the delay of email #${mailWithoutDelay.mail_id}, which is saved together with its text. Set the delay in the details of the follow-up first.`;
  const ids = new Set(record.mails.map(({ mail_id }) => mail_id));
  const foreignId = filterNumbers(fields.loop_mail_skip).find(
    (id) => !ids.has(id) && !(record.loop_mail_skip ?? []).includes(id),
  );
  if (foreignId !== undefined) return t`"loop_mail_skip": The follow-up has no email #${foreignId}.`;
  return Array.isArray(fields.mails) ? findDelayRefusal(record, fields.mails as readonly MailDelay[]) : undefined;
}

/** Accepts an undocumented status only if it is unchanged. */
function findStatusRefusal({ condition }: FollowUpRecord, changed: FollowUpCondition | undefined) {
  const before = normalizeCondition(condition);
  const allowed: readonly unknown[] = conditionStatuses;
  const isInvalid = (name: 'lists_status' | 'segments_status') =>
    changed?.[name] !== before[name] && !allowed.includes(changed?.[name]);
  const invalid = changed && (['lists_status', 'segments_status'] as const).find(isInvalid);
  return invalid && t`"condition.${invalid}" must be "is" or "is_not".`;
}

/** Returns whether saving sends a mail's text with its current delay. */
function sendsCurrentDelay(record: FollowUpRecord, fields: Fields, mailId: number) {
  const hasId = ({ mail_id }: MailDelay) => mail_id === mailId;
  const changed = Array.isArray(fields.mails) ? (fields.mails as readonly MailDelay[]).find(hasId) : undefined;
  if (changed && !isSameValue(changed, getFollowUpDetails(record).mails.find(hasId))) return false;
  return Object.keys(fields).some((name) => name.startsWith(getMailFieldName(mailId, '')));
}

function findDelayRefusal(record: FollowUpRecord, mails: readonly MailDelay[]) {
  const before = getFollowUpDetails(record).mails;
  const isSameSet =
    mails.length === before.length && new Set(mails.map(({ mail_id }) => mail_id)).size === before.length;
  if (!isSameSet || mails.some(({ mail_id }) => !before.some((mail) => mail.mail_id === mail_id)))
    return t(
      '"mails": Only delays can be changed here. To add or remove emails, use "Add Email to Follow-up" and "Delete Follow-up Email".',
    );

  for (const mail of mails) {
    const previous = before.find(({ mail_id }) => mail_id === mail.mail_id);
    if (isSameValue(mail, previous)) continue;
    if (!isDelayUnit(mail.delay_unit))
      return t`"mails": The delay of email #${mail.mail_id} needs a unit: "minutes", "hours", "days", "weeks" or "months".`;
    if (!hasMailText(record, mail.mail_id))
      return t`"mails": The delay of email #${mail.mail_id} is saved together with its text, which isn't on this computer. Supply the text with "Edit Follow-up Email" first.`;
  }
  return undefined;
}

function filterNumbers(value: unknown) {
  return Array.isArray(value) ? value.filter((each): each is number => typeof each === 'number') : [];
}

/** Returns warnings about values that are valid but may be mistakes. */
export function findFollowUpWarnings(details: Values): readonly FieldProblem[] {
  const { loop, loop_mail_skip: skipped } = details;
  const ids = readMailEntries(details).map(({ id }) => id);
  const skipsAll = loop === 1 && ids.length > 0 && Array.isArray(skipped) && ids.every((id) => skipped.includes(id));
  const lists = getValueAt(details, ['condition', 'lists']);
  const hasEmptyExclusion =
    getValueAt(details, ['condition', 'lists_status']) === 'is_not' && Array.isArray(lists) && lists.length === 0;
  const warnings: (readonly [FieldProblem['path'], string] | false)[] = [
    skipsAll && [['loop_mail_skip'], t('Later rounds skip every email, so they send nothing.')],
    hasEmptyExclusion && [['condition', 'lists'], t('No list is selected, so no users are excluded.')],
  ];
  return warnings.flatMap((each) => (each === false ? [] : [{ path: each[0], message: each[1], kind: 'warning' }]));
}

/** Patterns of the service's error messages, with the path of the field. The first match wins. */
const followUpRefusalPatterns: readonly (readonly [RegExp, FieldProblem['path']])[] = [
  [/display[ _]name/iu, ['display_name']],
  [/trigger/iu, ['trigger']],
  [/delay/iu, ['mails']],
  [/\bloop/iu, ['loop']],
  [/condition|segment|\blists?\b/iu, ['condition', 'lists']],
  [/\bname\b/iu, ['name']],
];

/** Returns the path of the field that a service's error message names; empty if there is none. */
export function findFollowUpRefusalPath(message: string): FieldProblem['path'] {
  return followUpRefusalPatterns.find(([pattern]) => pattern.test(message))?.[1] ?? [];
}
