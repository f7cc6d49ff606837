import { localized } from '../../../l10n.ts';
import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { TableColumns } from './columns.ts';
import type { TableRow } from './protocol.ts';
import type { RowLoader } from './rowLoader.ts';

interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

export interface RowFilter {
  readonly key: string;
  /** "Not opened" */
  readonly label: string;
  readonly test: (row: TableRow) => boolean;
}

export interface TableTexts {
  /** "Recipients". The accessible name. */
  readonly label: string;
  /** Shown for a table without rows. */
  readonly empty: string;
  /** Returns the context of a row's context menu, for `when` clauses and the arguments of its commands. */
  readonly getContext?: (row: TableRow) => object;
}

/** How the loaded rows are narrowed and sorted. */
export interface Arrangement {
  readonly find: string;
  readonly sorting?: Sorting | undefined;
  readonly filter?: RowFilter | undefined;
}

const collator = localized((language) => new Intl.Collator(language, { numeric: true, sensitivity: 'base' }));

/** The sort keys of a value. Values without text come last. */
interface SortEntry {
  readonly index: number;
  readonly text: string;
  /** NaN if the text isn't a number. */
  readonly number: number;
}

/** Compares numbers by size and texts by locale. Empty values come last in both directions. */
function compareEntries(one: SortEntry, other: SortEntry, direction: number) {
  if (one.text === '' || other.text === '') return Number(one.text === '') - Number(other.text === '');
  const difference = one.number - other.number;
  return direction * (Number.isNaN(difference) ? collator().compare(one.text, other.text) : difference);
}

/** Returns the sorting after a click on a column's header: ascending, descending, then the service's order. */
export function getNextSorting(now: Sorting | undefined, key: string): Sorting | undefined {
  if (now?.key !== key) return { key, descending: false };
  return now.descending ? undefined : { key, descending: true };
}

/** What a table shows. Positions are 0-based rows on the screen, indices those in the collection. */
export class TableModel {
  readonly columns: TableColumns;
  readonly loader: RowLoader;
  /** See `arrange`. */
  arrangement: Arrangement = { find: '' };
  /** The shown indices, or undefined if all rows are shown in the service's order. */
  arranged: readonly number[] | undefined;
  /** The indices of the selected rows. */
  readonly selected = new Set<number>();
  /** The position from which the selection is extended. */
  anchor = 0;

  constructor(columns: TableColumns, loader: RowLoader) {
    this.columns = columns;
    this.loader = loader;
  }

  get length(): number {
    return this.arranged?.length ?? this.loader.rows.length;
  }

  /** Changes how the rows are narrowed and sorted. Filtering needs all rows, so the others are loaded. */
  arrange(changed: Partial<Arrangement>): void {
    this.arrangement = { ...this.arrangement, ...changed };
    const { find, sorting, filter } = this.arrangement;
    this.loader.scope = filter ? 'all' : sorting || find.trim() !== '' ? 'loaded' : 'range';
  }

  /** Arranges the rows that are loaded now. */
  update(): void {
    this.arranged = this.loader.scope === 'range' ? undefined : this.#arrangeRows();
  }

  row(position: number): TableRow | undefined {
    return this.loader.rows.at(this.#indexAt(position));
  }

  isSelected(position: number): boolean {
    return this.selected.has(this.#indexAt(position));
  }

  /** Selects one row, adds or removes it, or extends the selection from the anchor. */
  select(position: number, how: 'only' | 'toggle' | 'extend'): void {
    const index = this.#indexAt(position);
    if (how !== 'extend') this.anchor = position;
    if (how === 'toggle' && this.selected.delete(index)) return;
    if (how !== 'toggle') this.selected.clear();
    const [first, last] = [Math.min(this.anchor, position), Math.max(this.anchor, position)];
    for (let at = first; at <= last; at += 1) this.selected.add(this.#indexAt(at));
  }

  /** Deselects the rows that differ from those in `replaced`. Fields may be added. */
  deselectChanged(replaced: RowLoader['rows']): void {
    for (const index of this.selected) {
      const [row, before] = [this.loader.rows.at(index), replaced.at(index)];
      if (!row || !before || Object.entries(before).some(([key, value]) => row[key] !== value))
        this.selected.delete(index);
    }
  }

  selectAll(): void {
    this.selected.clear();
    for (const index of this.#shownIndices) this.selected.add(index);
  }

  /** Returns the selected rows that are loaded, in the order of the selection. */
  getSelectedRows(): readonly TableRow[] {
    return this.#getRows([...this.selected]);
  }

  /** Returns the selected rows in the shown order, or all loaded rows if none is selected. */
  getRowsToCopy(): readonly TableRow[] {
    const shown = this.#shownIndices;
    const isAll = this.selected.size === 0;
    return this.#getRows([
      ...new Set([...shown.filter((index) => isAll || this.selected.has(index)), ...this.selected]),
    ]);
  }

  /** Returns the indices of the rows that pass the filter and contain the text, in the requested order. */
  #arrangeRows() {
    const { rows } = this.loader;
    const { find, sorting, filter } = this.arrangement;
    const needle = find.trim().toLowerCase();
    const shown = rows.indices().filter((index) => {
      const row = rows.at(index);
      return row && (!filter || filter.test(row)) && (needle === '' || this.columns.searchText(row).includes(needle));
    });
    if (!sorting) return shown;
    // Sort keys are created once per row, not per comparison.
    return shown
      .map((index) => {
        const text = stringifyFieldValue(rows.at(index)?.[sorting.key]);
        return { index, text, number: Number(text) };
      })
      .sort((one, other) => compareEntries(one, other, sorting.descending ? -1 : 1) || one.index - other.index)
      .map(({ index }) => index);
  }

  get #shownIndices() {
    return this.arranged ?? this.loader.rows.indices();
  }

  #indexAt(position: number) {
    return this.arranged ? (this.arranged[position] ?? -1) : position;
  }

  #getRows(indices: readonly number[]): readonly TableRow[] {
    return indices.map((index) => this.loader.rows.at(index)).filter((row) => row !== undefined);
  }
}
