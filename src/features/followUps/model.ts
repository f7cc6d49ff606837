import type {
  DelayUnit,
  FollowUp,
  FollowUpCondition,
  FollowUpMail,
  MailingClient,
} from '../../service/client/index.ts';
import { escapeMessage, toSingleLine } from '../../platform/ui/text.ts';
import { formatTrigger } from './triggers.ts';

export const collection = 'follow-ups';

/** The documents of a follow-up, and of each of its mails, by what they end in. */
export const followUpSuffixes = { details: '.follow-up.json', body: '.html', mail: '.json' } as const;

/** The fields of `<name>.follow-up.json`, in their order there. */
export const followUpDetailFields = [
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
interface FollowUpDetails {
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
export const conditionStatuses = ['is', 'is_not'] as const;

/** Conditions in one form, because an answer may leave out what is empty: statuses, then ids, then what no document names. */
export function normalizeCondition(condition: FollowUpCondition | null | undefined): FollowUpCondition {
  const { lists_status = 'is', lists = [], segments_status = 'is', segments = [], ...others } = condition ?? {};
  return { lists_status, lists: [...lists], segments_status, segments: [...segments], ...others };
}

/** Reads the details from a record. */
export function getFollowUpDetails(
  followUp: FollowUp & { readonly mails?: readonly FollowUpMail[] | unknown },
): FollowUpDetails {
  const { name, display_name, trigger, condition, active, send_once, loop, loop_delay, loop_mail_skip, mails } =
    followUp;
  return {
    name: name ?? '',
    display_name: display_name ?? '',
    trigger: trigger ?? '',
    condition: normalizeCondition(condition),
    active: active ?? 0,
    send_once: send_once ?? 0,
    loop: loop ?? 0,
    loop_delay: loop_delay ?? 0,
    loop_mail_skip: [...(loop_mail_skip ?? [])],
    mails: Array.isArray(mails)
      ? (mails as readonly FollowUpMail[]).map((mail) => ({ mail_id: mail.mail_id, ...toDelay(mail) }))
      : [],
  };
}

/** How a follow-up is called, as plain text. */
export function getFollowUpName({ id, name, display_name }: Pick<FollowUp, 'id' | 'name' | 'display_name'>): string {
  return toSingleLine(name || display_name || '') || `Follow-up ${id}`;
}

/** How follow-ups are picked. */
export const followUpPicking = {
  collection,
  placeholder: 'Which follow-up? Type to search names on the service',
  search: async (client: MailingClient, name: string, signal: AbortSignal) => {
    const followUps = await client.getFollowUps({ limit: 100, ...(name !== '' && { filters: { name } }) }, { signal });
    return followUps.map((followUp) => ({
      id: followUp.id,
      name: followUp.name,
      label: escapeMessage(getFollowUpName(followUp)),
      description: `#${followUp.id}`,
      detail: escapeMessage(formatTrigger(followUp.trigger) ?? '') || undefined,
    }));
  },
};

/** The units of a delay, with their length in seconds as the service's answers give them. */
export const SECONDS_PER_UNIT: Readonly<Record<DelayUnit, number>> = {
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
  months: 2_628_000,
};

export const delayUnits = Object.keys(SECONDS_PER_UNIT) as readonly DelayUnit[];

/** The delay that a mail goes out after. A unit that the API document doesn't know is its number of seconds. */
export interface Delay {
  readonly delay: number;
  readonly delay_unit: DelayUnit | number;
}

/** The delay of a mail as an answer has it (`delay_unit` in seconds), in the words in which it is sent. */
export function toDelay(mail: { readonly delay: number | null; readonly delay_unit: number | null }): Delay {
  const seconds = mail.delay_unit ?? SECONDS_PER_UNIT.minutes;
  return {
    delay: mail.delay ?? 0,
    delay_unit: delayUnits.find((unit) => SECONDS_PER_UNIT[unit] === seconds) ?? seconds,
  };
}

/** Whether a value names a unit that can be sent. */
export function isDelayUnit(value: unknown): value is DelayUnit {
  return typeof value === 'string' && Object.hasOwn(SECONDS_PER_UNIT, value);
}

/** A delay in seconds. */
export function toSeconds({ delay, delay_unit }: Delay): number {
  return delay * (typeof delay_unit === 'number' ? delay_unit : SECONDS_PER_UNIT[delay_unit]);
}

/** "at once", "after 1 day", "after 10 minutes". */
export function formatDelay({ delay, delay_unit }: Delay): string {
  if (delay === 0) return 'at once';
  if (typeof delay_unit === 'number') return `after ${delay * delay_unit} seconds`;
  return `after ${delay} ${delay === 1 ? delay_unit.slice(0, -1) : delay_unit}`;
}
