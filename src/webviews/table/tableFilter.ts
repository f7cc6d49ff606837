import { make } from '../dom.ts';
import type { Row } from './tableRows.ts';
import type { ChoiceElement } from '../toolkit.ts';

/** A part of the rows that can be shown alone. */
export interface RowFilter {
  readonly key: string;
  /** "Not opened" */
  readonly label: string;
  readonly test: (row: Row) => boolean;
}

/** Key of the choice that shows every row. */
const all = '';

/** A list of filters, of which one is chosen or none. */
export class TableFilter {
  readonly element: HTMLElement;
  readonly #dropdown: ChoiceElement;
  readonly #filters: readonly RowFilter[];
  #chosen: RowFilter | undefined;

  constructor(filters: readonly RowFilter[], choose: () => void) {
    this.#filters = filters;
    const options = [
      make('vscode-option', { value: all }, 'All'),
      ...filters.map(({ key, label }) => make('vscode-option', { value: key }, label)),
    ];
    this.#dropdown = make('vscode-dropdown', { 'aria-label': 'Show' }, ...options) as ChoiceElement;
    this.element = make('div', { class: 'table-filter' }, make('span', { 'aria-hidden': 'true' }, 'Show'), this.#dropdown);
    this.#dropdown.addEventListener('change', () => {
      const chosen = this.#find(this.#dropdown.value);
      if (chosen === this.#chosen) return;
      this.#chosen = chosen;
      choose();
    });
  }

  get chosen(): RowFilter | undefined {
    return this.#chosen;
  }

  /** An unknown key is none. */
  choose(key: string | undefined): void {
    this.#chosen = this.#find(key);
    const value = this.#chosen?.key ?? all;
    // The list takes a value only once it has its options.
    requestAnimationFrame(() => { this.#dropdown.value = value; });
  }

  #find(key: string | undefined): RowFilter | undefined {
    return this.#filters.find((filter) => filter.key === key);
  }
}
