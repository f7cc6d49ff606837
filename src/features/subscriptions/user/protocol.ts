import { isOneOf, isCount, type MessageShapes } from '../../../platform/webview/messages.ts';

/** A list that the user is or was subscribed to. */
export interface SubscriptionRow {
  /** Id of the list. */
  readonly id: number;
  readonly name: string;
  /** `#rrggbb` */
  readonly color?: string;
  /** Special states of the list: "inactive". */
  readonly notes: readonly string[];
  readonly status: 'subscribed' | 'unsubscribed' | 'unknown';
  /** Localized dates; empty if there is none. */
  readonly subscribed: string;
  readonly unsubscribed: string;
  /** All fields of the record. */
  readonly fields: readonly (readonly [name: string, value: string])[];
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

export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'refresh' }
  | { readonly type: 'change'; readonly kind: 'subscribe' | 'unsubscribe'; readonly listId: number }
  /** Asks for lists and subscribes the user to them. */
  | { readonly type: 'add' };

export const fromPage: MessageShapes<FromPage> = {
  ready: {},
  refresh: {},
  change: { kind: isOneOf('subscribe', 'unsubscribe'), listId: isCount },
  add: {},
};
