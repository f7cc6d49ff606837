import type { FollowUpCondition, FollowUpMail } from '../../service/client/index.ts';
import type { ProfileName } from '../../platform/connections/model.ts';
import { isSameValue, type Fields } from '../../platform/documents/model.ts';
import { mailField, mailFile, type FollowUpRecord } from './documents.ts';
import { isDelayUnit, conditionOf, detailsOf, statuses, suffixes, type MailDelay } from './model.ts';
import { isTrigger, triggersOf } from './triggers.ts';

/** Fields that only some installations take, and why they can't be changed elsewhere. */
const shownOnly: readonly string[] = ['active', 'send_once'];
export const shownOnlyReason =
  "The service's documentation shows it, but no operation that changes it. Change it on the service.";

/** Whether a field can be changed on services of a profile. */
export function isEditable(field: string, profile: ProfileName): boolean {
  return profile === 'acymailing' || !shownOnly.includes(field);
}

/** Why a mail's delay can't be changed: the service takes it with the mail's text alone. */
const unknownTextReason =
  "The service takes a delay together with the mail's text, which it never returns, and this machine has not sent it.";

/** Whether this machine has the text of a mail. */
export function isTextKnown({ view }: FollowUpRecord, mailId: number): boolean {
  return mailFile(mailId, suffixes.body) in view.texts;
}

const giveDelay = 'Give it one in the details of the follow-up first.';

/** Why changed fields can't be stored, as a sentence; undefined where they can. What is unchanged is never refused. */
export function refuse(record: FollowUpRecord, fields: Fields, profile: ProfileName): string | undefined {
  const fixed = shownOnly.find((field) => field in fields && !isEditable(field, profile));
  if (fixed !== undefined) return `"${fixed}" can't be changed here. ${shownOnlyReason}`;
  if ('trigger' in fields && !isTrigger(fields.trigger))
    return `"trigger" must be one of ${Object.keys(triggersOf[profile]).join(', ')}.`;
  const status = refuseStatus(record, fields.condition as FollowUpCondition | undefined);
  if (status !== undefined) return status;
  const isUntold = ({ delay, delay_unit }: FollowUpMail): boolean => delay === null || delay_unit === null;
  const untold = record.mails.find((mail) => isUntold(mail) && isStoredWithItsDelay(record, fields, mail.mail_id));
  if (untold !== undefined)
    return `The service does not tell the delay of mail #${untold.mail_id}, which is stored with its text. ${giveDelay}`;
  const ids = new Set(record.mails.map(({ mail_id }) => mail_id));
  const stranger = numbers(fields.loop_mail_skip).find(
    (id) => !ids.has(id) && !(record.loop_mail_skip ?? []).includes(id),
  );
  if (stranger !== undefined) return `"loop_mail_skip": the follow-up has no mail #${stranger}.`;
  return Array.isArray(fields.mails) ? refuseDelays(record, fields.mails as readonly MailDelay[]) : undefined;
}

/** A status that the record holds may stay; another one must be documented. */
function refuseStatus({ condition }: FollowUpRecord, changed: FollowUpCondition | undefined): string | undefined {
  const before = conditionOf(condition);
  const known: readonly unknown[] = statuses;
  const isWrong = (name: 'lists_status' | 'segments_status'): boolean =>
    changed?.[name] !== before[name] && !known.includes(changed?.[name]);
  const wrong = changed && (['lists_status', 'segments_status'] as const).find(isWrong);
  return wrong && `"condition.${wrong}" must be "is" or "is_not".`;
}

/** Whether a mail's text is stored, with the delay that it has. A delay that was changed is known. */
function isStoredWithItsDelay(record: FollowUpRecord, fields: Fields, mailId: number): boolean {
  const isIt = ({ mail_id }: MailDelay): boolean => mail_id === mailId;
  const changed = Array.isArray(fields.mails) ? (fields.mails as readonly MailDelay[]).find(isIt) : undefined;
  if (changed && !isSameValue(changed, detailsOf(record).mails.find(isIt))) return false;
  return Object.keys(fields).some((name) => name.startsWith(mailField(mailId, '')));
}

function refuseDelays(record: FollowUpRecord, mails: readonly MailDelay[]): string | undefined {
  const before = detailsOf(record).mails;
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
    if (!isTextKnown(record, mail.mail_id))
      return `"mails": the delay of mail #${mail.mail_id} can't be changed yet. ${unknownTextReason} "Edit Mail" lets you supply it.`;
  }
  return undefined;
}

function numbers(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((each): each is number => typeof each === 'number') : [];
}
