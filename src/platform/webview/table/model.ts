import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { TableColumns } from './columns.ts';
import type { TableRow } from './protocol.ts';
import type { RowLoader } from './rows.ts';

export interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

export interface RowFilter {
  readonly key: string;
  /** "Not opened" */
  readonly label: string;
  readonly test: (row: TableRow) => boolean;
}

/** How the loaded rows are narrowed and sorted. */
export interface Arrangement {
  readonly find: string;
  readonly sorting?: Sorting | undefined;
  readonly filter?: RowFilter | undefined;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** A value with its sort keys. Values without text come last. */
interface SortEntry {
  readonly index: number;
  readonly text: string;
  readonly value: unknown;
}

/** Compares numbers by size and texts by locale. Empty values come last in both directions. */
function compareEntries(one: SortEntry, other: SortEntry, direction: number): number {
  if (one.text === '' || other.text === '') return Number(one.text === '') - Number(other.text === '');
  return (
    direction *
    (typeof one.value === 'number' && typeof other.value === 'number'
      ? one.value - other.value
      : collator.compare(one.text, other.text))
  );
}

/** Returns the sorting after a click on a column's header: ascending, descending, then the service's order. */
export function getNextSorting(now: Sorting | undefined, key: string): Sorting | undefined {
  if (now?.key !== key) return { key, descending: false };
  return now.descending ? undefined : { key, descending: true };
}

/**
 * Returns the indices of the rows that pass the filter and contain the text, in the requested order.
 * @param indices the indices of the loaded rows
 * @param getText returns the text of a row in lower case
 */
export function arrangeRows(
  indices: readonly number[],
  at: (index: number) => TableRow | undefined,
  { find, sorting, filter }: Arrangement,
  getText: (row: TableRow) => string,
): number[] {
  const needle = find.trim().toLowerCase();
  const shown = indices.filter((index) => {
    const row = at(index);
    return row && (!filter || filter.test(row)) && (needle === '' || getText(row).includes(needle));
  });
  if (!sorting) return shown;
  // Sort keys are created once per row, not per comparison.
  return shown
    .map((index) => {
      const value = at(index)?.[sorting.key];
      return { index, value, text: stringifyFieldValue(value) };
    })
    .sort((one, other) => compareEntries(one, other, sorting.descending ? -1 : 1) || one.index - other.index)
    .map(({ index }) => index);
}

/** The selected rows, by index in the collection. */
export class TableSelection {
  readonly indices = new Set<number>();
  /** The start of a range, by position on the screen. */
  anchor = 0;

  /** Selects one row, adds or removes it, or extends the selection from the anchor. `indexOf` returns the index at a position. */
  select(position: number, how: 'only' | 'toggle' | 'extend', indexOf: (position: number) => number): void {
    const index = indexOf(position);
    const wasSelected = this.indices.has(index);
    if (how !== 'toggle') this.indices.clear();
    if (how === 'extend') {
      const [first, last] = [Math.min(this.anchor, position), Math.max(this.anchor, position)];
      for (let at = first; at <= last; at += 1) this.indices.add(indexOf(at));
      return;
    }
    this.anchor = position;
    if (how === 'toggle' && wasSelected) this.indices.delete(index);
    else this.indices.add(index);
  }
}

/** What a table shows. Positions are 0-based rows on the screen, indices those in the collection. */
export class TableModel {
  readonly columns: TableColumns;
  readonly loader: RowLoader;
  readonly selection = new TableSelection();
  /** See `arrange`. */
  arrangement: Arrangement = { find: '' };
  /** The shown indices, or undefined if all rows are shown in the service's order. */
  arranged: readonly number[] | undefined;

  constructor(columns: TableColumns, loader: RowLoader) {
    this.columns = columns;
    this.loader = loader;
  }

  get length(): number {
    return this.arranged?.length ?? this.loader.rows.length;
  }

  /** The selected rows that are loaded. */
  get selectedRows(): readonly TableRow[] {
    return this.#rowsAt([...this.selection.indices]);
  }

  /** Changes how the rows are narrowed and sorted. Filtering needs all rows, so the others are loaded. */
  arrange(changed: Partial<Arrangement>): void {
    this.arrangement = { ...this.arrangement, ...changed };
    const { find, sorting, filter } = this.arrangement;
    this.loader.scope = filter ? 'all' : sorting || find.trim() !== '' ? 'loaded' : 'range';
  }

  /** Arranges the rows that are loaded now. */
  update(): void {
    const { rows, scope } = this.loader;
    this.arranged =
      scope === 'range'
        ? undefined
        : arrangeRows(
            rows.indices(),
            (index) => rows.at(index),
            this.arrangement,
            (row) => this.columns.searchText(row),
          );
  }

  row(position: number): TableRow | undefined {
    return this.loader.rows.at(this.#indexAt(position));
  }

  isSelected(position: number): boolean {
    return this.selection.indices.has(this.#indexAt(position));
  }

  select(position: number, how: 'only' | 'toggle' | 'extend'): void {
    this.selection.select(position, how, (at) => this.#indexAt(at));
  }

  selectAll(): void {
    this.selection.indices.clear();
    for (const index of this.#shownIndices) this.selection.indices.add(index);
  }

  /** Returns the selected rows in the shown order, or all loaded rows if none is selected. */
  getRowsToCopy(): readonly TableRow[] {
    const shown = this.#shownIndices;
    const { indices } = this.selection;
    if (indices.size === 0) return this.#rowsAt(shown);
    return this.#rowsAt([...new Set([...shown.filter((index) => indices.has(index)), ...indices])]);
  }

  get #shownIndices(): readonly number[] {
    return this.arranged ?? this.loader.rows.indices();
  }

  #indexAt(position: number): number {
    return this.arranged ? (this.arranged[position] ?? -1) : position;
  }

  #rowsAt(indices: readonly number[]): readonly TableRow[] {
    return indices.map((index) => this.loader.rows.at(index)).filter((row) => row !== undefined);
  }
}
