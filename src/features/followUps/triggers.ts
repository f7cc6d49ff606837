import type { FollowUpTrigger } from '../../service/client/index.ts';
import type { ProfileName } from '../../platform/connections/model.ts';

const sharedTriggers = {
  user_subscribe: 'when a user subscribes',
  birthday: "on the user's birthday",
  user_creation: 'on user creation',
};

/**
 * The triggers that can be sent, in the words of the API document. An AcyMailing installation has names of its own for the purchases (the
 * client translates them), and says which shop each means.
 */
export const triggerLabels: Readonly<Record<ProfileName, Readonly<Record<FollowUpTrigger, string>>>> = {
  documented: {
    ...sharedTriggers,
    ecommerce_a_purchase: 'when a user purchases a product (first e-commerce plugin)',
    ecommerce_b_purchase: 'when a user purchases a product (second e-commerce plugin)',
  },
  acymailing: {
    ...sharedTriggers,
    ecommerce_a_purchase: 'when a user purchases a product (WooCommerce)',
    ecommerce_b_purchase: 'when a user purchases a product (HikaShop)',
  },
};

/** Other names that installations have for triggers. */
const installationTriggers: Readonly<Record<string, string>> = {
  woocommerce_purchase: triggerLabels.acymailing.ecommerce_a_purchase,
  hikashop_purchase: triggerLabels.acymailing.ecommerce_b_purchase,
};

/** What a trigger means; the value itself where only the installation knows. Undefined where there is none. */
export function formatTrigger(
  trigger: string | null | undefined,
  profile: ProfileName = 'documented',
): string | undefined {
  if (!trigger) return undefined;
  const known: Readonly<Record<string, string>> = { ...installationTriggers, ...triggerLabels[profile] };
  return Object.hasOwn(known, trigger) ? known[trigger] : trigger;
}

/** Whether a trigger may be sent. */
export function isTrigger(value: unknown): value is FollowUpTrigger {
  return typeof value === 'string' && Object.hasOwn(triggerLabels.documented, value);
}
