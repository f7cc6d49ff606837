import type { Row } from './tableRows.ts';

/** A column as it is known beforehand. */
export interface ColumnLook {
  readonly key: string;
  readonly label: string;
  /** The value as text. Default: the value itself. */
  readonly show?: (value: unknown, row: Row) => string;
  /** Whether numbers stand in it, which are set to the right. */
  readonly numeric?: boolean;
}

export interface Column extends ColumnLook {
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
const longestText = 300;
const [narrowest, widest] = [7, 42];

// Control characters, and such as hide text or turn its direction. The zero-width joiners stay: emoji and several scripts need them.
const unseen = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Text as it is shown: one line, without signs that can't be seen, and not longer than anybody reads. */
export function shownText(text: string): string {
  const clean = text.slice(0, longestText * 4).replace(unseen, ' ');
  return clean.length > longestText ? `${clean.slice(0, longestText)}…` : clean;
}

/** A value as text: nothing for none, JSON for what has parts. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const acronyms = /\b(?:id|ip|url|cms|api|sms|html|css|csv|utm|gdpr)\b/giu;

/** A field's name for people: "creation_date" and "creationDate" are "Creation date". */
export function readableName(field: string): string {
  const words = shownText(field).slice(0, 60).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_\s]+/gu, ' ').trim().toLowerCase();
  const named = words.replace(acronyms, (acronym) => acronym.toUpperCase());
  return named.charAt(0).toUpperCase() + named.slice(1) || '(no name)';
}

/** The columns of a table: those that are known, and every other field that came up. */
export class TableColumns {
  readonly #all: ColumnLook[];
  readonly #keys: Set<string>;
  readonly #known: number;
  readonly #widths = new Map<string, number>();
  #shown = new Set<string>();
  #hidden = new Set<string>();

  constructor(known: readonly ColumnLook[]) {
    this.#all = [...known];
    this.#known = known.length;
    this.#keys = new Set(known.map(({ key }) => key));
  }

  get all(): readonly ColumnLook[] {
    return this.#all;
  }

  get visible(): readonly Column[] {
    return this.#all.filter(({ key }) => this.isVisible(key)).map((column) => ({ ...column, width: this.#width(column) }));
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
    return this.#shown.has(key) || place < Math.max(this.#known, shownAtFirst);
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
        this.#all.push({ key, label: readableName(key) });
        changed = true;
      }
    }
    for (const column of this.#all) {
      const before = this.#width(column);
      let width = before;
      for (const row of rows) width = Math.max(width, Math.min(widest, this.text(column, row).length + 2));
      if (width === before) continue;
      this.#widths.set(column.key, width);
      changed = true;
    }
    return changed;
  }

  text({ key, show }: ColumnLook, row: Row): string {
    const value = row[key];
    return shownText(show ? show(value, row) : valueText(value));
  }

  #width({ key, label }: ColumnLook): number {
    return this.#widths.get(key) ?? Math.max(narrowest, Math.min(widest, label.length + 4));
  }
}
