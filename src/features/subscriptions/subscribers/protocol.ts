import * as v from 'valibot';
import { countSchema, recordSchema } from '../../../platform/webview/messages.ts';

/** View type of the panels. Used in `when` clauses: `activeWebviewPanelId == 'mailing.subscribers'`. */
export const SUBSCRIBERS_VIEW_TYPE = 'mailing.subscribers';

const tabSchema = v.picklist(['subscribed', 'unsubscribed']);
/** The page's tabs: current and former subscribers. */
export type SubscribersTab = v.InferOutput<typeof tabSchema>;

/** The lists of a panel. Stored by the page to restore the panel after a restart. */
export interface PanelRef {
  readonly connection: string;
  readonly listIds: readonly number[];
}

/** A record from the service, with any fields. All text is untrusted. */
type SubscriberRow = v.InferOutput<typeof recordSchema>;

/** A list as shown in the header. */
export interface ListCard {
  readonly id: number;
  readonly name: string;
  /** `#rrggbb` */
  readonly color?: string;
  /** Special states of the list: "inactive". */
  readonly marks: readonly string[];
  /** All fields that have a value. */
  readonly details: readonly (readonly [name: string, value: string])[];
}

export type ListsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'loaded'; readonly lists: readonly ListCard[] };

export type ToPage =
  /** First message to every loaded page. `service` is the name of the connection. */
  | { readonly type: 'show'; readonly panel: PanelRef; readonly service: string; readonly pageSize: number }
  | { readonly type: 'lists'; readonly lists: ListsState }
  /** Rows from `page * pageSize` on. `isLast`: no rows follow. `generation` is the one of the request. */
  | {
      readonly type: 'rows';
      readonly generation: number;
      readonly page: number;
      readonly rows: readonly SubscriberRow[];
      readonly isLast: boolean;
    }
  | { readonly type: 'failed'; readonly generation: number; readonly page: number; readonly message: string }
  /** Number of rows. If it can't be determined, `message` has the reason. */
  | { readonly type: 'count'; readonly generation: number; readonly count?: number; readonly message?: string };

/** More pages than fit on any screen. */
const MAX_SUBSCRIBER_PAGES = 200;

export const fromPage = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'readLists']) }),
  /**
   * Requests the missing pages that the table needs now, and cancels requests for all other pages. `generation` changes with the tab and each
   * reload.
   */
  v.object({
    type: v.literal('requestPages'),
    generation: countSchema,
    tab: tabSchema,
    pages: v.pipe(v.array(countSchema), v.maxLength(MAX_SUBSCRIBER_PAGES), v.readonly()),
  }),
  /** Copies rows as CSV. `missing`: number of selected rows that are not loaded. */
  v.object({
    type: v.literal('copy'),
    columns: v.pipe(v.array(v.string()), v.readonly()),
    rows: v.pipe(v.array(recordSchema), v.readonly()),
    missing: countSchema,
  }),
  v.object({ type: v.literal('export'), tab: tabSchema, expected: v.optional(countSchema) }),
]);
export type FromPage = v.InferOutput<typeof fromPage>;
