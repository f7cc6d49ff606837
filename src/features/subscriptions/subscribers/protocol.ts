import {
  isArrayOf,
  isObject,
  isOneOf,
  isOptional,
  isString,
  isCount,
  type MessageShapes,
} from '../../../platform/webview/messages.ts';

/** Type of the panels of subscribers. Also for `when` clauses: `activeWebviewPanelId == 'mailing.subscribers'`. */
export const SUBSCRIBERS_VIEW_TYPE = 'mailing.subscribers';

/** Who is shown. */
export type SubscribersTab = 'subscribed' | 'unsubscribed';

/** Which lists a panel is about: enough to open it again after a restart. */
export interface PanelRef {
  readonly connection: string;
  readonly listIds: readonly number[];
}

/** A record as the service gave it: any fields, all text hostile. */
type SubscriberRow = Readonly<Record<string, unknown>>;

/** A list as the header shows it. */
export interface ListCard {
  readonly id: number;
  readonly name: string;
  /** `#rrggbb` */
  readonly color?: string;
  /** What is special about it: "inactive". */
  readonly marks: readonly string[];
  /** All that is known of it: name and value. */
  readonly details: readonly (readonly [name: string, value: string])[];
}

export type ListsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'loaded'; readonly lists: readonly ListCard[] };

export type ToPage =
  /** Which panel it is; sent first, to each page anew. `service` is what the user calls it. */
  | { readonly type: 'show'; readonly panel: PanelRef; readonly service: string; readonly pageSize: number }
  | { readonly type: 'lists'; readonly lists: ListsState }
  /** Rows from `page * pageSize` on. `ended`: there are none after them. `generation` is that of the page's wish. */
  | {
      readonly type: 'rows';
      readonly generation: number;
      readonly page: number;
      readonly rows: readonly SubscriberRow[];
      readonly isLast: boolean;
    }
  | { readonly type: 'failed'; readonly generation: number; readonly page: number; readonly message: string }
  /** How many rows there are. Absent: it could not be found out, and `message` says why. */
  | { readonly type: 'count'; readonly generation: number; readonly count?: number; readonly message?: string };

export type FromPage =
  | { readonly type: 'ready' }
  /**
   * The pages that are wanted now and not there: all others that are under way are given up. `generation` is another one whenever what is
   * shown becomes another: a tab, a fresh reading.
   */
  | {
      readonly type: 'requestPages';
      readonly generation: number;
      readonly tab: SubscribersTab;
      readonly pages: readonly number[];
    }
  | { readonly type: 'readLists' }
  /** Rows to be put into the clipboard as CSV. `missing`: chosen ones that are not loaded. */
  | {
      readonly type: 'copy';
      readonly columns: readonly string[];
      readonly rows: readonly SubscriberRow[];
      readonly missing: number;
    }
  | { readonly type: 'export'; readonly tab: SubscribersTab; readonly expected?: number };

/** Pages that are asked for at once, at most: more than fit on any screen. */
const MAX_SUBSCRIBER_PAGES = 200;
const isTab = isOneOf('subscribed', 'unsubscribed');

export const fromPage: MessageShapes<FromPage> = {
  ready: {},
  requestPages: { generation: isCount, tab: isTab, pages: isArrayOf(isCount, { maxLength: MAX_SUBSCRIBER_PAGES }) },
  readLists: {},
  copy: { columns: isArrayOf(isString), rows: isArrayOf(isObject), missing: isCount },
  export: { tab: isTab, expected: isOptional(isCount) },
};
