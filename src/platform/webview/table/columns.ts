import { humanizeFieldName, toDisplayText, stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { Row } from './pages.ts';

/** A column as it is known beforehand. */
export interface ColumnDefinition {
  readonly key: string;
  readonly label: string;
  /** The value as text. Default: the value itself. */
  readonly show?: (value: unknown, row: Row) => string;
  /** Whether numbers stand in it, which are set to the right. */
  readonly numeric?: boolean;
  /** Whether it is shown only where it was chosen. */
  readonly rare?: boolean;
  /** How much of the cell a bar behind the text fills, 0 to 1; undefined for none. */
  readonly share?: (row: Row) => number | undefined;
}

export interface Column extends ColumnDefinition {
  /** In characters. */
  readonly width: number;
}

/** Which columns the user wants to see: a difference to what is shown by itself, so that new ones are not lost. */
export interface ColumnChoice {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** More fields than these are not looked at: no installation has them. */
const most = 100;
/** Columns that are shown by themselves. The others can be chosen. */
const shownAtFirst = 12;
const [narrowest, widest] = [7, 42];

/** The columns of a table: those that are known, and every other field that came up. */
export class TableColumns {
  readonly #all: ColumnDefinition[];
  readonly #keys: Set<string>;
  readonly #known: number;
  readonly #widths = new Map<string, number>();
  readonly #searched = new WeakMap<Row, string>();
  #shown = new Set<string>();
  #hidden = new Set<string>();

  constructor(known: readonly ColumnDefinition[]) {
    this.#all = [...known];
    this.#known = known.length;
    this.#keys = new Set(known.map(({ key }) => key));
  }

  get all(): readonly ColumnDefinition[] {
    return this.#all;
  }

  get visible(): readonly Column[] {
    return this.#all
      .filter(({ key }) => this.isVisible(key))
      .map((column) => ({ ...column, width: this.#width(column) }));
  }

  get choice(): ColumnChoice {
    return { shown: [...this.#shown], hidden: [...this.#hidden] };
  }

  set choice({ shown, hidden }: ColumnChoice) {
    this.#shown = new Set(shown);
    this.#hidden = new Set(hidden);
  }

  isVisible(key: string): boolean {
    if (this.#hidden.has(key)) return false;
    const place = this.#all.findIndex((column) => column.key === key);
    return this.#shown.has(key) || (place < Math.max(this.#known, shownAtFirst) && this.#all[place]?.rare !== true);
  }

  /** The last column that is shown stays: a table without columns shows nothing. */
  setVisible(key: string, visible: boolean): void {
    if (!visible && this.visible.length === 1) return;
    (visible ? this.#hidden : this.#shown).delete(key);
    (visible ? this.#shown : this.#hidden).add(key);
  }

  /** Learns from rows which fields there are and how wide they are. True where columns are other ones now. */
  learn(rows: readonly Row[]): boolean {
    let changed = false;
    for (const row of rows) {
      for (const key of Object.keys(row)) {
        if (this.#keys.has(key) || this.#all.length >= most) continue;
        this.#keys.add(key);
        this.#all.push({ key, label: humanizeFieldName(key) });
        changed = true;
      }
    }
    for (const column of this.#all) {
      const before = this.#width(column);
      if (before >= widest) continue;
      let width = before;
      for (const row of rows) width = Math.max(width, Math.min(widest, this.text(column, row).length + 2));
      if (width === before) continue;
      this.#widths.set(column.key, width);
      changed = true;
    }
    return changed;
  }

  text({ key, show }: ColumnDefinition, row: Row): string {
    const value = row[key];
    return toDisplayText(show ? show(value, row) : stringifyFieldValue(value));
  }

  /** All texts of a row, to be searched: made once, since there can be many rows and many searches. */
  searchText(row: Row): string {
    const known = this.#searched.get(row);
    if (known !== undefined) return known;
    const text = this.#all
      .map((column) => this.text(column, row))
      .join('\n')
      .toLowerCase();
    this.#searched.set(row, text);
    return text;
  }

  #width({ key, label }: ColumnDefinition): number {
    return this.#widths.get(key) ?? Math.max(narrowest, Math.min(widest, label.length + 5));
  }
}
