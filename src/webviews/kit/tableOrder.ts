import { valueText } from './tableColumns.ts';
import type { Row } from './tableRows.ts';

export interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Orders values: numbers by size, texts as a reader would, what is empty last in both directions. */
export function compareValues(one: unknown, other: unknown, descending: boolean): number {
  const [a, b] = [valueText(one), valueText(other)];
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1;
  const order = typeof one === 'number' && typeof other === 'number' ? one - other : collator.compare(a, b);
  return descending ? -order : order;
}

/** What a click on a column's header makes of the order: up, down, and back to the service's. */
export function nextSorting(now: Sorting | undefined, key: string): Sorting | undefined {
  if (now?.key !== key) return { key, descending: false };
  return now.descending ? undefined : { key, descending: true };
}

/**
 * The rows that hold a text in any of the texts of `textsOf`, in the order that is asked for.
 * @param indices where the rows stand
 */
export function arrange(indices: readonly number[], at: (index: number) => Row | undefined, { find, sorting, textsOf }: { readonly find: string; readonly sorting?: Sorting | undefined; readonly textsOf: (row: Row) => readonly string[] }): number[] {
  const needle = find.trim().toLowerCase();
  const holds = (index: number): boolean => {
    const row = at(index);
    return row !== undefined && textsOf(row).some((text) => text.toLowerCase().includes(needle));
  };
  const found = needle === '' ? [...indices] : indices.filter(holds);
  if (!sorting) return found;
  const { key, descending } = sorting;
  return found.sort((one, other) => compareValues(at(one)?.[key], at(other)?.[key], descending) || one - other);
}
