import type * as vscode from 'vscode';
import type { MailingClient, Page } from '../../service/client/index.ts';
import type { Connection, RecordKey } from '../connections/model.ts';

/** A field by which the service can filter a collection. */
export interface FilterField {
  /** Key in `FilterValues`: the field's name in the API. */
  readonly key: string;
  readonly label: string;
  /** Possible values; without them, any text. */
  readonly choices?: readonly { readonly label: string; readonly value: string }[];
}

export type FilterValues = Readonly<Record<string, string>>;

/** An optional group of records in a collection. */
export interface RecordGroup {
  /** Value of `RecordItem.group`. */
  readonly key: string;
  readonly label: string;
  readonly codicon: string;
  /** Id of a theme color. */
  readonly color?: string;
}

/** A row of a tooltip. Shown as text, never as Markdown. */
export type TooltipRow = readonly [name: string, value: string];

/** The display of a record. All texts are untrusted: the explorer sanitizes them. */
export interface RecordItem {
  readonly label: string;
  readonly description?: string;
  /** A codicon with the id of a theme color, or a `#rrggbb` color shown as a swatch. */
  readonly icon: { readonly codicon: string; readonly color?: string } | { readonly swatch: string };
  readonly tooltip: readonly TooltipRow[];
  readonly contextValue: string;
  /** Key of its group, if the collection has groups. */
  readonly group?: string;
  /** Replaces label and description for screen readers. */
  readonly accessibleName?: string;
  /** The document that opens when the node is dropped on an editor: its record's name, and its file name suffix. */
  readonly document?: { readonly name: string; readonly suffix: string };
}

/** A collection in the tree under each connection, registered by a feature. */
export interface TreeCollection<R extends { readonly id: number }> {
  readonly id: string;
  readonly label: string;
  readonly codicon: string;
  readonly pageSize: number;
  /**
   * Shown if the collection has no records, with the next step. The command gets the collection's node as its
   * argument.
   */
  readonly empty: { readonly message: string; readonly command?: vscode.Command };
  readonly filters: readonly FilterField[];
  /** The groups in order, and the boolean setting that enables grouping, if users can turn it off. */
  readonly groups?: { readonly setting?: string; readonly all: readonly RecordGroup[] };
  /** Default: every connection has the collection. */
  isAvailable?(connection: Connection): boolean;
  fetch(
    client: MailingClient,
    page: Page,
    filter: FilterValues,
    options: { signal?: AbortSignal },
  ): Promise<readonly R[]>;
  /** Returns whether a fetched record passes the filter, for fields that the service can't filter by. */
  matchesFilter?(record: R, filter: FilterValues): boolean;
  item(record: R, ref: RecordKey): RecordItem;
}
