import type { FollowUpTrigger } from '../../service/client/index.ts';
import type { ProfileName } from '../../platform/connections/model.ts';

const sharedTriggers = {
  user_subscribe: 'when a user subscribes',
  birthday: "on the user's birthday",
  user_creation: 'on user creation',
};

/**
 * Labels of the triggers that requests accept, by profile. AcyMailing installations use other values for purchases, which the client
 * translates, and identify the shop.
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

/** Labels of installations' own trigger values. */
const installationTriggers: Readonly<Record<string, string>> = {
  woocommerce_purchase: triggerLabels.acymailing.ecommerce_a_purchase,
  hikashop_purchase: triggerLabels.acymailing.ecommerce_b_purchase,
};

/** Returns a trigger's label, or its value if it is undocumented. Undefined if there is no trigger. */
export function formatTrigger(
  trigger: string | null | undefined,
  profile: ProfileName = 'documented',
): string | undefined {
  if (!trigger) return undefined;
  const labels: Readonly<Record<string, string>> = { ...installationTriggers, ...triggerLabels[profile] };
  return Object.hasOwn(labels, trigger) ? labels[trigger] : trigger;
}

/** Returns whether requests accept a trigger. */
export function isTrigger(value: unknown): value is FollowUpTrigger {
  return typeof value === 'string' && Object.hasOwn(triggerLabels.documented, value);
}
