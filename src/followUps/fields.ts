import type { FollowUp, FollowUpCondition, FollowUpMail } from '../api/index.ts';
import { delayOf, type Delay } from './delays.ts';

/** The fields of `<name>.follow-up.json`, in their order there. */
export const detailFields = [
  'name',
  'display_name',
  'trigger',
  'condition',
  'active',
  'send_once',
  'loop',
  'loop_delay',
  'loop_mail_skip',
  'mails',
] as const;

/** A mail of the sequence, with the delay that it goes out after. */
export interface MailDelay extends Delay {
  readonly mail_id: number;
}

/** A follow-up as its JSON document has it. */
export interface FollowUpDetails {
  readonly name: string;
  readonly display_name: string;
  readonly trigger: string;
  readonly condition: FollowUpCondition;
  readonly active: number;
  readonly send_once: number;
  readonly loop: number;
  /** Seconds. */
  readonly loop_delay: number;
  readonly loop_mail_skip: readonly number[];
  readonly mails: readonly MailDelay[];
}

/** How a condition is about its lists or segments. */
export const statuses = ['is', 'is_not'] as const;

/** Conditions in one form, because an answer may leave out what is empty: statuses, then ids, then what no document names. */
export function conditionOf(condition: FollowUpCondition | null | undefined): FollowUpCondition {
  const { lists_status = 'is', lists = [], segments_status = 'is', segments = [], ...others } = condition ?? {};
  return { lists_status, lists: [...lists], segments_status, segments: [...segments], ...others };
}

/** Reads the details from a record. */
export function detailsOf(followUp: FollowUp & { readonly mails?: readonly FollowUpMail[] | unknown }): FollowUpDetails {
  const { name, display_name, trigger, condition, active, send_once, loop, loop_delay, loop_mail_skip, mails } = followUp;
  return {
    name: name ?? '',
    display_name: display_name ?? '',
    trigger: trigger ?? '',
    condition: conditionOf(condition),
    active: active ?? 0,
    send_once: send_once ?? 0,
    loop: loop ?? 0,
    loop_delay: loop_delay ?? 0,
    loop_mail_skip: [...(loop_mail_skip ?? [])],
    mails: Array.isArray(mails) ? (mails as readonly FollowUpMail[]).map((mail) => ({ mail_id: mail.mail_id, ...delayOf(mail) })) : [],
  };
}
