import { isOneOf, isCount, type MessageShapes } from '../../../platform/webview/messages.ts';

/** One list in the subscriptions of a user. */
export interface SubscriptionRow {
  /** Id of the list. */
  readonly id: number;
  readonly name: string;
  /** `#rrggbb` */
  readonly color?: string;
  /** What is special about the list: "inactive". */
  readonly notes: readonly string[];
  readonly status: 'subscribed' | 'unsubscribed' | 'unknown';
  /** Dates in the user's words; empty where there is none. */
  readonly subscribed: string;
  readonly unsubscribed: string;
  /** Everything the service gave, as name and value. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export type ToPage = {
  readonly type: 'subscriptions';
  readonly userId: number;
  /** Missing as long as it is not known. */
  readonly email?: string;
  readonly service: string;
  readonly rows: readonly SubscriptionRow[];
  /** Something is under way: nothing can be begun. */
  readonly busy: boolean;
  /** What went wrong last. */
  readonly problem?: string;
};

export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'refresh' }
  | { readonly type: 'change'; readonly kind: 'subscribe' | 'unsubscribe'; readonly listId: number }
  /** The user is to be subscribed to a list that is asked for. */
  | { readonly type: 'add' };

export const fromPage: MessageShapes<FromPage> = {
  ready: {},
  refresh: {},
  change: { kind: isOneOf('subscribe', 'unsubscribe'), listId: isCount },
  add: {},
};
