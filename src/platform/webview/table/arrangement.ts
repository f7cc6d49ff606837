import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { TableRow } from './pages.ts';

export interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** A value with its sort keys. Values without text come last. */
interface SortEntry {
  readonly index: number;
  readonly text: string;
  readonly number: number | undefined;
}

function createSortEntry(index: number, value: unknown): SortEntry {
  return { index, text: stringifyFieldValue(value), number: typeof value === 'number' ? value : undefined };
}

/** Compares numbers by size and texts by locale. Empty values come last in both directions. */
function compareEntries(one: SortEntry, other: SortEntry, direction: number): number {
  if (one.text === '' || other.text === '') return one.text === other.text ? 0 : one.text === '' ? 1 : -1;
  const order =
    one.number !== undefined && other.number !== undefined
      ? one.number - other.number
      : collator.compare(one.text, other.text);
  return direction * order;
}

/** Returns the sorting after a click on a column's header: ascending, descending, then the service's order. */
export function getNextSorting(now: Sorting | undefined, key: string): Sorting | undefined {
  if (now?.key !== key) return { key, descending: false };
  return now.descending ? undefined : { key, descending: true };
}

interface Arrangement {
  readonly find: string;
  readonly sorting?: Sorting | undefined;
  /** Filters rows. Default: all. */
  readonly test?: ((row: TableRow) => boolean) | undefined;
  readonly getTexts: (row: TableRow) => readonly string[];
}

/**
 * Returns the indices of the rows that pass the test and contain a text in any of `getTexts`, in the requested order.
 * @param indices the indices of the loaded rows
 */
export function arrangeRows(
  indices: readonly number[],
  at: (index: number) => TableRow | undefined,
  { find, sorting, test, getTexts }: Arrangement,
): number[] {
  const needle = find.trim().toLowerCase();
  const isShown = (index: number): boolean => {
    const row = at(index);
    if (row === undefined || (test && !test(row))) return false;
    return needle === '' || getTexts(row).some((text) => text.toLowerCase().includes(needle));
  };
  const shown = needle === '' && !test ? [...indices] : indices.filter(isShown);
  if (!sorting) return shown;
  const { key, descending } = sorting;
  // Sort keys are created once per row, not per comparison.
  return shown
    .map((index) => createSortEntry(index, at(index)?.[key]))
    .sort((one, other) => compareEntries(one, other, descending ? -1 : 1) || one.index - other.index)
    .map(({ index }) => index);
}

/** The selected rows, by index in the collection, and the anchor of a range, by position on the screen. */
export class TableSelection {
  readonly #selected = new Set<number>();
  #anchor = 0;

  get size(): number {
    return this.#selected.size;
  }

  get indices(): readonly number[] {
    return [...this.#selected];
  }

  has(index: number): boolean {
    return this.#selected.has(index);
  }

  clear(): void {
    this.#selected.clear();
  }

  selectOnly(position: number, index: number): void {
    this.#selected.clear();
    this.#selected.add(index);
    this.#anchor = position;
  }

  toggle(position: number, index: number): void {
    if (!this.#selected.delete(index)) this.#selected.add(index);
    this.#anchor = position;
  }

  /** Selects the range from the anchor to this position. */
  extend(position: number, indexOf: (position: number) => number): void {
    this.#selected.clear();
    for (let at = Math.min(this.#anchor, position); at <= Math.max(this.#anchor, position); at += 1)
      this.#selected.add(indexOf(at));
  }

  /** Sets the anchor of the next range. */
  setAnchor(position: number): void {
    this.#anchor = position;
  }

  selectAll(indices: readonly number[]): void {
    this.#selected.clear();
    for (const index of indices) this.#selected.add(index);
  }
}
