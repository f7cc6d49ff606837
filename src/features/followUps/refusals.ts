import type { FollowUpCondition, FollowUpMail } from '../../service/client/index.ts';
import type { ProfileName } from '../../platform/connections/model.ts';
import { isSameValue } from '../../platform/documents/differences.ts';
import type { Fields } from '../../platform/documents/model.ts';
import { getMailFieldName, getMailPath, type FollowUpRecord } from './documents.ts';
import {
  isDelayUnit,
  normalizeCondition,
  getFollowUpDetails,
  conditionStatuses,
  followUpSuffixes,
  type MailDelay,
} from './model.ts';
import { isTrigger, triggerLabels } from './triggers.ts';

/** Fields that can't be changed with the documented profile. */
const readOnlyFields: readonly string[] = ['active', 'send_once'];
export const READ_ONLY_REASON =
  "The service's documentation shows it, but no operation that changes it. Change it on the service.";

/** Returns whether services with a profile can change a field. */
export function isEditable(field: string, profile: ProfileName): boolean {
  return profile === 'acymailing' || !readOnlyFields.includes(field);
}

const MISSING_TEXT_REASON =
  "The service takes a delay together with the mail's text, which it never returns, and this machine has not sent it.";

/** Returns whether this machine has a mail's text. */
export function hasMailText({ view }: FollowUpRecord, mailId: number): boolean {
  return getMailPath(mailId, followUpSuffixes.body) in view.texts;
}

const SET_DELAY_HINT = 'Give it one in the details of the follow-up first.';

/** Returns why changed fields can't be saved, as a sentence; undefined if they can. Unchanged values are always accepted. */
export function findFollowUpRefusal(record: FollowUpRecord, fields: Fields, profile: ProfileName): string | undefined {
  const readOnlyField = readOnlyFields.find((field) => field in fields && !isEditable(field, profile));
  if (readOnlyField !== undefined) return `"${readOnlyField}" can't be changed here. ${READ_ONLY_REASON}`;
  if ('trigger' in fields && !isTrigger(fields.trigger))
    return `"trigger" must be one of ${Object.keys(triggerLabels[profile]).join(', ')}.`;
  const status = findStatusRefusal(record, fields.condition as FollowUpCondition | undefined);
  if (status !== undefined) return status;
  const hasNoDelay = ({ delay, delay_unit }: FollowUpMail): boolean => delay === null || delay_unit === null;
  const mailWithoutDelay = record.mails.find(
    (mail) => hasNoDelay(mail) && sendsCurrentDelay(record, fields, mail.mail_id),
  );
  if (mailWithoutDelay !== undefined)
    return `The service doesn't report the delay of mail #${mailWithoutDelay.mail_id}, which is stored with its text. ${SET_DELAY_HINT}`;
  const ids = new Set(record.mails.map(({ mail_id }) => mail_id));
  const foreignId = filterNumbers(fields.loop_mail_skip).find(
    (id) => !ids.has(id) && !(record.loop_mail_skip ?? []).includes(id),
  );
  if (foreignId !== undefined) return `"loop_mail_skip": the follow-up has no mail #${foreignId}.`;
  return Array.isArray(fields.mails) ? findDelayRefusal(record, fields.mails as readonly MailDelay[]) : undefined;
}

/** Accepts an undocumented status only if it is unchanged. */
function findStatusRefusal({ condition }: FollowUpRecord, changed: FollowUpCondition | undefined): string | undefined {
  const before = normalizeCondition(condition);
  const allowed: readonly unknown[] = conditionStatuses;
  const isInvalid = (name: 'lists_status' | 'segments_status'): boolean =>
    changed?.[name] !== before[name] && !allowed.includes(changed?.[name]);
  const invalid = changed && (['lists_status', 'segments_status'] as const).find(isInvalid);
  return invalid && `"condition.${invalid}" must be "is" or "is_not".`;
}

/** Returns whether saving sends a mail's text with its current delay. */
function sendsCurrentDelay(record: FollowUpRecord, fields: Fields, mailId: number): boolean {
  const hasId = ({ mail_id }: MailDelay): boolean => mail_id === mailId;
  const changed = Array.isArray(fields.mails) ? (fields.mails as readonly MailDelay[]).find(hasId) : undefined;
  if (changed && !isSameValue(changed, getFollowUpDetails(record).mails.find(hasId))) return false;
  return Object.keys(fields).some((name) => name.startsWith(getMailFieldName(mailId, '')));
}

function findDelayRefusal(record: FollowUpRecord, mails: readonly MailDelay[]): string | undefined {
  const before = getFollowUpDetails(record).mails;
  const isSameSet =
    mails.length === before.length && new Set(mails.map(({ mail_id }) => mail_id)).size === before.length;
  if (!isSameSet || mails.some(({ mail_id }) => !before.some((mail) => mail.mail_id === mail_id))) {
    return '"mails" can only have other delays here. "Attach Mail" and "Delete Mail" add mails and take them away.';
  }
  for (const mail of mails) {
    if (
      isSameValue(
        mail,
        before.find(({ mail_id }) => mail_id === mail.mail_id),
      )
    )
      continue;
    if (!isDelayUnit(mail.delay_unit))
      return `"mails": the delay of mail #${mail.mail_id} needs a unit: minutes, hours, days, weeks or months.`;
    if (!hasMailText(record, mail.mail_id))
      return `"mails": the delay of mail #${mail.mail_id} can't be changed yet. ${MISSING_TEXT_REASON} "Edit Mail" lets you supply it.`;
  }
  return undefined;
}

function filterNumbers(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((each): each is number => typeof each === 'number') : [];
}
