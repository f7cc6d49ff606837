import type * as vscode from 'vscode';
import type { MailingClient } from '../../service/client/index.ts';
import type { RecordRef } from '../connections/record.ts';

/** A field the service can filter a collection by. */
export interface FilterField {
  /** Key in `FilterValues`, the API document's own name. */
  readonly key: string;
  readonly label: string;
  /** Offered values; free text where there are none. */
  readonly choices?: readonly { readonly label: string; readonly value: string }[];
}

export type FilterValues = Readonly<Record<string, string>>;

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

/** Records of a collection that stand together, where the user wants that. */
export interface RecordGroup {
  /** What `RecordItem.group` names. */
  readonly key: string;
  readonly label: string;
  readonly codicon: string;
  /** Id of a theme colour. */
  readonly color?: string;
}

/** How one record looks in the tree. All texts are hostile: the explorer cleans them before they are shown. */
export interface RecordItem {
  readonly label: string;
  readonly description?: string;
  /** A codicon id (`color`: id of a theme colour), or a `#rrggbb` colour drawn as a swatch. */
  readonly icon: { readonly codicon: string; readonly color?: string } | { readonly swatch: string };
  /** Rows of the tooltip: name and value. Shown as text, never as Markdown. */
  readonly tooltip: readonly (readonly [name: string, value: string])[];
  /** `mailing.<noun>.<state>`, for `when` clauses. */
  readonly contextValue: string;
  /** Key of the group it belongs to, where the collection has groups. */
  readonly group?: string;
  /** Read out by screen readers instead of label and description. */
  readonly accessibleName?: string;
  readonly command?: vscode.Command;
  /** Id of the command that the Delete key runs on the node. It must ask first. */
  readonly deleteCommand?: string;
  /** The document that a drag of the node into an editor opens: what its record is called, and what its name ends in. */
  readonly document?: { readonly name: string; readonly suffix: string };
}

/** A noun's branch under each connection. A room hands one to the explorer; the explorer knows no noun. */
export interface TreeCollection<R extends { readonly id: number }> {
  /** Name of the collection in URIs: `templates`, `lists`, `follow-ups`, `campaigns`. */
  readonly id: string;
  readonly label: string;
  readonly codicon: string;
  readonly pageSize: number;
  /** Said where the collection has no records, with what to do next. The command is given the collection's node. */
  readonly empty: { readonly message: string; readonly command?: vscode.Command };
  readonly filters: readonly FilterField[];
  /** How the records can be grouped, in order, and the setting (a boolean) that says whether they are. */
  readonly groups?: { readonly setting: string; readonly all: readonly RecordGroup[] };
  fetch(
    client: MailingClient,
    page: PageRequest,
    filter: FilterValues,
    options: { signal?: AbortSignal },
  ): Promise<readonly R[]>;
  /** Whether a record that was fetched passes the filter, for fields that the service can't filter by. */
  matchesFilter?(record: R, filter: FilterValues): boolean;
  item(record: R, ref: RecordRef): RecordItem;
}
