import { humanizeFieldName, toDisplayText, stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { TableRow } from './pages.ts';

/** A predefined column. */
export interface ColumnDefinition {
  readonly key: string;
  readonly label: string;
  /** Formats the value. Default: the value itself. */
  readonly show?: (value: unknown, row: TableRow) => string;
  /** Whether the values are numbers, which are aligned right. */
  readonly numeric?: boolean;
  /** Whether the column is hidden by default. */
  readonly rare?: boolean;
  /** Share of the cell that a bar behind the text fills, 0 to 1. Undefined for no bar. */
  readonly share?: (row: TableRow) => number | undefined;
}

export interface Column extends ColumnDefinition {
  /** In characters. */
  readonly width: number;
}

/** The user's changes to the default columns, so that new columns still appear. */
export interface ColumnChoice {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** Further fields are ignored: no installation has as many. */
const MAX_TABLE_COLUMNS = 100;
/** Further columns are hidden by default. */
const MAX_DEFAULT_COLUMNS = 12;
const [MIN_WIDTH_CHARS, MAX_WIDTH_CHARS] = [7, 42];

/** The columns of a table: the predefined ones, and one for every other field in the rows. */
export class TableColumns {
  readonly #all: ColumnDefinition[];
  readonly #keys: Set<string>;
  readonly #definedCount: number;
  readonly #widths = new Map<string, number>();
  readonly #searchTexts = new WeakMap<TableRow, string>();
  #shown = new Set<string>();
  #hidden = new Set<string>();

  constructor(definitions: readonly ColumnDefinition[]) {
    this.#all = [...definitions];
    this.#definedCount = definitions.length;
    this.#keys = new Set(definitions.map(({ key }) => key));
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
    const position = this.#all.findIndex((column) => column.key === key);
    return (
      this.#shown.has(key) ||
      (position < Math.max(this.#definedCount, MAX_DEFAULT_COLUMNS) && this.#all[position]?.rare !== true)
    );
  }

  /** The last visible column can't be hidden. */
  setVisible(key: string, visible: boolean): void {
    if (!visible && this.visible.length === 1) return;
    (visible ? this.#hidden : this.#shown).delete(key);
    (visible ? this.#shown : this.#hidden).add(key);
  }

  /** Adds columns for new fields and widens columns. Returns whether any column changed. */
  addRows(rows: readonly TableRow[]): boolean {
    let changed = false;
    for (const row of rows) {
      for (const key of Object.keys(row)) {
        if (this.#keys.has(key) || this.#all.length >= MAX_TABLE_COLUMNS) continue;
        this.#keys.add(key);
        this.#all.push({ key, label: humanizeFieldName(key) });
        changed = true;
      }
    }
    for (const column of this.#all) {
      const before = this.#width(column);
      if (before >= MAX_WIDTH_CHARS) continue;
      let width = before;
      for (const row of rows) width = Math.max(width, Math.min(MAX_WIDTH_CHARS, this.text(column, row).length + 2));
      if (width === before) continue;
      this.#widths.set(column.key, width);
      changed = true;
    }
    return changed;
  }

  text({ key, show }: ColumnDefinition, row: TableRow): string {
    const value = row[key];
    return toDisplayText(show ? show(value, row) : stringifyFieldValue(value));
  }

  /** Returns all texts of a row in lower case, cached for repeated searches. */
  searchText(row: TableRow): string {
    const cached = this.#searchTexts.get(row);
    if (cached !== undefined) return cached;
    const text = this.#all
      .map((column) => this.text(column, row))
      .join('\n')
      .toLowerCase();
    this.#searchTexts.set(row, text);
    return text;
  }

  #width({ key, label }: ColumnDefinition): number {
    return this.#widths.get(key) ?? Math.max(MIN_WIDTH_CHARS, Math.min(MAX_WIDTH_CHARS, label.length + 5));
  }
}
