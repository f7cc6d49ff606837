import { humanizeFieldName, toDisplayText, stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import { t } from '../../../l10n.ts';
import type { TableRow } from './protocol.ts';

/** A predefined column. */
export interface ColumnDefinition {
  readonly key: string;
  readonly label: string;
  /** Formats the value. Default: the value itself. */
  readonly show?: (value: unknown) => string;
  /** Whether the values are numbers, which are aligned right. */
  readonly numeric?: boolean;
  /** Whether the column is hidden by default. */
  readonly rare?: boolean;
  /** Whether a bar behind the text shows the value relative to the column's highest one. */
  readonly bar?: boolean;
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

/** Parses the count in a field; 0 if there is none. */
export function parseCount(row: TableRow, key: string): number {
  const number = Number(stringifyFieldValue(row[key]));
  return Number.isFinite(number) ? Math.max(0, number) : 0;
}

/** Returns a function that shows the name of a value, or else the value itself. */
export function createValueFormatter(getNames: () => Readonly<Record<string, string>>): (value: unknown) => string {
  return (value) => {
    const text = stringifyFieldValue(value);
    const names = getNames();
    return (Object.hasOwn(names, text) ? names[text] : undefined) ?? text;
  };
}

/** Shows a flag, 1 or 0. */
export const formatYesNo = createValueFormatter(() => ({ 1: t('Yes'), 0: t('No') }));

/** The columns of a table: the predefined ones, and one for every other field in the rows. */
export class TableColumns {
  readonly all: ColumnDefinition[];
  readonly #definedCount: number;
  readonly #widths = new Map<string, number>();
  /** The highest values of columns with bars. */
  readonly #highest = new Map<string, number>();
  readonly #searchTexts = new WeakMap<TableRow, string>();
  readonly #shown: Set<string>;
  readonly #hidden: Set<string>;

  constructor(definitions: readonly ColumnDefinition[], { shown, hidden }: ColumnChoice = { shown: [], hidden: [] }) {
    this.all = [...definitions];
    this.#definedCount = definitions.length;
    this.#shown = new Set(shown);
    this.#hidden = new Set(hidden);
  }

  get visible(): readonly Column[] {
    return this.all
      .filter(({ key }) => this.isVisible(key))
      .map((column) => ({ ...column, width: this.#width(column) }));
  }

  get choice(): ColumnChoice {
    return { shown: [...this.#shown], hidden: [...this.#hidden] };
  }

  isVisible(key: string): boolean {
    if (this.#hidden.has(key)) return false;
    const position = this.all.findIndex((column) => column.key === key);
    return (
      this.#shown.has(key) ||
      (position < Math.max(this.#definedCount, MAX_DEFAULT_COLUMNS) && this.all[position]?.rare !== true)
    );
  }

  /** The last visible column can't be hidden. */
  setVisible(key: string, visible: boolean): void {
    if (!visible && this.visible.length === 1) return;
    (visible ? this.#hidden : this.#shown).delete(key);
    (visible ? this.#shown : this.#hidden).add(key);
  }

  /** Adds columns for new fields, and widens columns. */
  addRows(rows: readonly TableRow[]): void {
    const keys = new Set(this.all.map(({ key }) => key));
    for (const key of new Set(rows.flatMap((row) => Object.keys(row))))
      if (!keys.has(key) && this.all.length < MAX_TABLE_COLUMNS) this.all.push({ key, label: humanizeFieldName(key) });
    for (const column of this.all) {
      let width = this.#width(column);
      for (const row of width < MAX_WIDTH_CHARS ? rows : [])
        width = Math.max(width, Math.min(MAX_WIDTH_CHARS, this.text(column, row).length + 2));
      this.#widths.set(column.key, width);
      if (column.bar)
        for (const row of rows)
          this.#highest.set(column.key, Math.max(this.#highest.get(column.key) ?? 0, parseCount(row, column.key)));
    }
  }

  text({ key, show }: ColumnDefinition, row: TableRow): string {
    const value = row[key];
    return toDisplayText(show ? show(value) : stringifyFieldValue(value));
  }

  /** Returns the length of a cell's bar, 0 to 1; undefined for none. */
  barLength({ key, bar }: ColumnDefinition, row: TableRow): number | undefined {
    return bar && this.#highest.get(key) ? parseCount(row, key) / (this.#highest.get(key) ?? 1) : undefined;
  }

  /** Returns all texts of a row in lower case, cached for repeated searches. */
  searchText(row: TableRow): string {
    const getText = () => this.all.map((column) => this.text(column, row)).join('\n');
    const text = this.#searchTexts.get(row) ?? getText().toLowerCase();
    this.#searchTexts.set(row, text);
    return text;
  }

  #width({ key, label }: ColumnDefinition) {
    return this.#widths.get(key) ?? Math.max(MIN_WIDTH_CHARS, Math.min(MAX_WIDTH_CHARS, label.length + 4));
  }
}
