import type { FollowUp, FollowUpCondition, FollowUpMail, MailingClient } from '../api/index.ts';
import { inMessage, plain } from '../ui/text.ts';
import { delayOf, type Delay } from './delays.ts';
import { triggerWords } from './triggers.ts';

export const collection = 'follow-ups';

/** The documents of a follow-up, and of each of its mails, by what they end in. */
export const suffixes = { details: '.follow-up.json', body: '.html', mail: '.json' } as const;

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

/** How a follow-up is called, as plain text. */
export function nameOf({ id, name, display_name }: Pick<FollowUp, 'id' | 'name' | 'display_name'>): string {
  return plain(name || display_name || '') || `Follow-up ${id}`;
}

/** How follow-ups are picked. */
export const picking = {
  collection,
  placeholder: 'Which follow-up? Type to search names on the service',
  search: async (client: MailingClient, name: string, signal: AbortSignal) => {
    const followUps = await client.getFollowUps({ limit: 100, ...(name !== '' && { filters: { name } }) }, { signal });
    return followUps.map((followUp) => ({
      id: followUp.id,
      name: followUp.name,
      label: inMessage(nameOf(followUp)),
      description: `#${followUp.id}`,
      detail: inMessage(triggerWords(followUp.trigger) ?? '') || undefined,
    }));
  },
};
