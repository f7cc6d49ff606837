import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { Row } from './pages.ts';

export interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** A value as it is ordered: what has no text comes last. */
interface Ordered {
  readonly index: number;
  readonly text: string;
  readonly number: number | undefined;
}

function orderedOf(index: number, value: unknown): Ordered {
  return { index, text: stringifyFieldValue(value), number: typeof value === 'number' ? value : undefined };
}

/** Orders values: numbers by size, texts as a reader would, what is empty last in both directions. */
function compare(one: Ordered, other: Ordered, sign: number): number {
  if (one.text === '' || other.text === '') return one.text === other.text ? 0 : one.text === '' ? 1 : -1;
  const order =
    one.number !== undefined && other.number !== undefined
      ? one.number - other.number
      : collator.compare(one.text, other.text);
  return sign * order;
}

/** What a click on a column's header makes of the order: up, down, and back to the service's. */
export function nextSorting(now: Sorting | undefined, key: string): Sorting | undefined {
  if (now?.key !== key) return { key, descending: false };
  return now.descending ? undefined : { key, descending: true };
}

interface Arrangement {
  readonly find: string;
  readonly sorting?: Sorting | undefined;
  /** Which rows are shown. Default: all. */
  readonly test?: ((row: Row) => boolean) | undefined;
  readonly textsOf: (row: Row) => readonly string[];
}

/**
 * The rows that pass the test and hold a text in any of the texts of `textsOf`, in the order that is asked for.
 * @param indices where the rows stand
 */
export function arrange(
  indices: readonly number[],
  at: (index: number) => Row | undefined,
  { find, sorting, test, textsOf }: Arrangement,
): number[] {
  const needle = find.trim().toLowerCase();
  const isShown = (index: number): boolean => {
    const row = at(index);
    if (row === undefined || (test && !test(row))) return false;
    return needle === '' || textsOf(row).some((text) => text.toLowerCase().includes(needle));
  };
  const shown = needle === '' && !test ? [...indices] : indices.filter(isShown);
  if (!sorting) return shown;
  const { key, descending } = sorting;
  // The texts are made once for each row, and not once for each comparison.
  return shown
    .map((index) => orderedOf(index, at(index)?.[key]))
    .sort((one, other) => compare(one, other, descending ? -1 : 1) || one.index - other.index)
    .map(({ index }) => index);
}

/** Which rows are selected, by where they stand in the collection; and from where a range is drawn, by where that is on the screen. */
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

  only(position: number, index: number): void {
    this.#selected.clear();
    this.#selected.add(index);
    this.#anchor = position;
  }

  toggle(position: number, index: number): void {
    if (!this.#selected.delete(index)) this.#selected.add(index);
    this.#anchor = position;
  }

  /** Everything from where the range began up to here. */
  extend(position: number, indexOf: (position: number) => number): void {
    this.#selected.clear();
    for (let at = Math.min(this.#anchor, position); at <= Math.max(this.#anchor, position); at += 1)
      this.#selected.add(indexOf(at));
  }

  /** Where the next range begins. */
  startAt(position: number): void {
    this.#anchor = position;
  }

  all(indices: readonly number[]): void {
    this.#selected.clear();
    for (const index of indices) this.#selected.add(index);
  }
}
