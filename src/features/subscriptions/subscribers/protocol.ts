import * as v from 'valibot';
import { createTableSchemas } from '../../../ui/page/table/protocol.ts';
import { membershipNames } from '../model.ts';

/** The lists of a panel. Stored by the page to restore the panel after a restart. */
export interface PanelRef {
  readonly connection: string;
  readonly listIds: readonly number[];
}

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
  | { readonly type: 'lists'; readonly lists: ListsState };

export const fromPage = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'readLists']) }),
  ...createTableSchemas(membershipNames),
]);
export type FromPage = v.InferOutput<typeof fromPage>;
