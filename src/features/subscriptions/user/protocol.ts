import * as v from 'valibot';
import { countSchema } from '../../../ui/protocol.ts';
import type { ListCard } from '../subscribers/protocol.ts';

/** A list that the user is or was subscribed to, with all fields of the subscription. */
export interface SubscriptionRow extends ListCard {
  readonly status: 'subscribed' | 'unsubscribed' | 'other';
  /** Localized dates; empty if there is none. */
  readonly subscribed: string;
  readonly unsubscribed: string;
}

export type ToPage = {
  readonly type: 'subscriptions';
  readonly userId: number;
  /** Absent until the address was found. */
  readonly email?: string;
  readonly service: string;
  readonly rows: readonly SubscriptionRow[];
  /** While busy, the page's buttons are disabled. */
  readonly busy: boolean;
  /** The last error. */
  readonly problem?: string;
};

/** `add` asks for lists and subscribes the user to them. */
export const fromPage = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'refresh', 'add']) }),
  v.object({ type: v.literal('change'), kind: v.picklist(['subscribe', 'unsubscribe']), listId: countSchema }),
]);
export type FromPage = v.InferOutput<typeof fromPage>;
