import { localized, plural, t } from '../../l10n.ts';
import type {
  DelayUnit,
  FollowUp,
  FollowUpCondition,
  FollowUpMail,
  MailingClient,
  FollowUpTrigger,
} from '../../service/client/index.ts';
import type { Row } from '../../service/client/shapes.ts';
import { escapeMessage, toSingleLine } from '../../service/text.ts';
import type { ProfileName } from '../../platform/connections/model.ts';
import { collection } from './kind.ts';

/** The fields of `<name>.follow-up.json`, in order. */
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

export interface MailDelay extends Delay {
  readonly mail_id: number;
}

/** A mail in a details document that may be invalid, with its index there. */
export interface MailEntry extends Readonly<Record<'delay' | 'delay_unit', Row[string]>> {
  readonly index: number;
  readonly id: number;
}

/** Returns the mails of a details document that have an id. */
export function readMailEntries({ mails }: Row): readonly MailEntry[] {
  if (!Array.isArray(mails)) return [];
  return mails.flatMap((mail: Row | null, index) => {
    const { mail_id: id, delay, delay_unit } = mail ?? {};
    return typeof id === 'number' ? [{ index, id, delay, delay_unit }] : [];
  });
}

/** Values of a condition's `lists_status` and `segments_status`. */
export const conditionStatuses = ['is', 'is_not'] as const;

/** Adds missing fields in a fixed order, as responses may omit empty ones. Keeps undocumented fields at the end. */
export function normalizeCondition(condition: FollowUpCondition | null | undefined): FollowUpCondition {
  const { lists_status = 'is', lists = [], segments_status = 'is', segments = [], ...others } = condition ?? {};
  return { lists_status, lists: [...lists], segments_status, segments: [...segments], ...others };
}

/** Returns the content of a follow-up's JSON document. Missing fields get defaults. */
export function getFollowUpDetails(followUp: FollowUp) {
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
    /** Seconds. */
    loop_delay: loop_delay ?? 0,
    loop_mail_skip: [...(loop_mail_skip ?? [])],
    mails: Array.isArray(mails)
      ? (mails as readonly FollowUpMail[]).map((mail): MailDelay => ({ mail_id: mail.mail_id, ...toDelay(mail) }))
      : [],
  };
}

/** Returns a follow-up's name as plain text, or its id if it has no name. */
export function getFollowUpName({
  id,
  name,
  display_name,
}: Pick<FollowUp, 'id'> & Partial<Pick<FollowUp, 'name' | 'display_name'>>): string {
  return toSingleLine(name || display_name || '') || t`Follow-up ${id}`;
}

export const followUpPicking = {
  collection,
  get placeholder() {
    return t('Select a follow-up. Type to search names on the service');
  },
  search: async (client: MailingClient, name: string, signal: AbortSignal) => {
    const followUps = await client.getFollowUps({ limit: 100, filters: { name: name || undefined } }, { signal });
    return followUps.map((followUp) => ({
      id: followUp.id,
      name: followUp.name,
      label: escapeMessage(getFollowUpName(followUp)),
      description: `#${followUp.id}`,
      detail: escapeMessage(formatTrigger(followUp.trigger) ?? '') || undefined,
    }));
  },
};

/** Seconds per delay unit, as in the service's responses. */
export const SECONDS_PER_UNIT: Readonly<Record<DelayUnit, number>> = {
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
  months: 2_628_000,
};

export const delayUnits = Object.keys(SECONDS_PER_UNIT) as readonly DelayUnit[];

/** The delay before a mail is sent. An undocumented unit is its number of seconds. */
export interface Delay {
  readonly delay: number;
  readonly delay_unit: DelayUnit | number;
}

/** Converts a response's delay (`delay_unit` in seconds) to the unit names that requests use. */
export function toDelay(mail: { readonly delay: number | null; readonly delay_unit: number | null }): Delay {
  const seconds = mail.delay_unit ?? SECONDS_PER_UNIT.minutes;
  return {
    delay: mail.delay ?? 0,
    delay_unit: delayUnits.find((unit) => SECONDS_PER_UNIT[unit] === seconds) ?? seconds,
  };
}

/** Returns whether a value is a unit that requests accept. */
export function isDelayUnit(value: unknown): value is DelayUnit {
  return typeof value === 'string' && Object.hasOwn(SECONDS_PER_UNIT, value);
}

export function toSeconds({ delay, delay_unit }: Delay): number {
  return delay * (typeof delay_unit === 'number' ? delay_unit : SECONDS_PER_UNIT[delay_unit]);
}

export const delayUnitLabels = localized(() => ({
  minutes: t('minutes'),
  hours: t('hours'),
  days: t('days'),
  weeks: t('weeks'),
  months: t('months'),
}));

const delayTexts = localized(() => ({
  seconds: [t('after {0} second'), t('after {0} seconds')] as const,
  minutes: [t('after {0} minute'), t('after {0} minutes')] as const,
  hours: [t('after {0} hour'), t('after {0} hours')] as const,
  days: [t('after {0} day'), t('after {0} days')] as const,
  weeks: [t('after {0} week'), t('after {0} weeks')] as const,
  months: [t('after {0} month'), t('after {0} months')] as const,
}));

/** "immediately", "after 1 day", "after 10 minutes". */
export function formatDelay({ delay, delay_unit }: Delay): string {
  if (delay === 0) return t('immediately');
  return typeof delay_unit === 'number'
    ? plural(delay * delay_unit, ...delayTexts().seconds)
    : plural(delay, ...delayTexts()[delay_unit]);
}

/**
 * Labels of the triggers that requests accept, by profile, in lower case. AcyMailing installations use other values for purchases, which the client
 * translates, and identify the shop.
 */
export const triggerLabels = localized(() => {
  const shared = {
    user_subscribe: t('when a user subscribes'),
    birthday: t("on the user's birthday"),
    user_creation: t('when a user is created'),
  };
  return {
    documented: {
      ...shared,
      ecommerce_a_purchase: t('when a user buys a product (first e-commerce plugin)'),
      ecommerce_b_purchase: t('when a user buys a product (second e-commerce plugin)'),
    },
    acymailing: {
      ...shared,
      ecommerce_a_purchase: t('when a user buys a product (WooCommerce)'),
      ecommerce_b_purchase: t('when a user buys a product (HikaShop)'),
    },
  };
});

const isTriggerValue: Readonly<Record<FollowUpTrigger, true>> = {
  user_subscribe: true,
  birthday: true,
  user_creation: true,
  ecommerce_a_purchase: true,
  ecommerce_b_purchase: true,
};

/** Values of triggers that requests accept. */
export const triggers = Object.keys(isTriggerValue) as readonly FollowUpTrigger[];

/** Installations' own trigger values, and the ones that requests accept in AcyMailing's profile. */
const installationTriggers: ReadonlyMap<string, FollowUpTrigger> = new Map([
  ['woocommerce_purchase', 'ecommerce_a_purchase'],
  ['hikashop_purchase', 'ecommerce_b_purchase'],
]);

/** Returns a trigger's label, or its value if it is undocumented. Undefined if there is no trigger. */
export function formatTrigger(trigger: string | null | undefined): string | undefined {
  if (!trigger) return undefined;
  const installationTrigger = installationTriggers.get(trigger);
  if (installationTrigger !== undefined) return triggerLabels().acymailing[installationTrigger];
  return isTrigger(trigger) ? triggerLabels().documented[trigger] : trigger;
}

/** Returns the triggers that a profile accepts, with capitalized labels. */
export function createTriggerChoices(
  profile: ProfileName,
): readonly { readonly value: string; readonly label: string }[] {
  return Object.entries(triggerLabels()[profile]).map(([value, label]) => ({
    value,
    label: label.charAt(0).toUpperCase() + label.slice(1),
  }));
}

/** Returns whether requests accept a trigger. */
export function isTrigger(value: unknown): value is FollowUpTrigger {
  return typeof value === 'string' && Object.hasOwn(isTriggerValue, value);
}
