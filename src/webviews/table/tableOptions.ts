import type { ColumnChoice, ColumnLook } from './tableColumns.ts';
import type { RowFilter } from './tableFilter.ts';
import type { Row } from './tableRows.ts';

/** What a table needs of the page it is in. */
export interface TableOptions {
  /** What the rows are: "subscriber", "subscribers". */
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly ColumnLook[];
  readonly pageSize: number;
  /** Pages kept at most. */
  readonly kept?: number;
  /** What rows can be narrowed to. The control `dropdown` is needed then. */
  readonly filters?: readonly RowFilter[];
  /** Said where there is no row. */
  readonly empty: string;
  /** Pages that are to be read now; those that were asked for before and are not among them are no longer wanted. */
  want(pages: readonly number[]): void;
  /** Rows to be copied, and how many of those that were chosen are not here. */
  copy(columns: readonly string[], rows: readonly Row[], missing: number): void;
  /** Something changed that is to be kept: see `TableState`. */
  changed(): void;
  /** Other rows are selected. */
  selected?(): void;
}

/** What outlives a table: how it was looked at. */
export interface TableState {
  readonly columns?: ColumnChoice;
  readonly first?: number;
  /** Key of the filter. */
  readonly filter?: string;
}
