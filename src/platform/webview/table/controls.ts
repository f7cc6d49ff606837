import { make } from '../dom.ts';
import { makeButton, type CheckboxElement, type ChoiceElement } from '../toolkit.ts';
import type { ColumnDefinition } from './columns.ts';
import type { TableRow } from './pages.ts';

export interface RowFilter {
  readonly key: string;
  /** "Not opened" */
  readonly label: string;
  readonly test: (row: TableRow) => boolean;
}

const ALL_ROWS_KEY = '';

/** A dropdown of filters. */
export class TableFilter {
  readonly element: HTMLElement;
  readonly #dropdown: ChoiceElement;
  readonly #filters: readonly RowFilter[];
  #selected: RowFilter | undefined;

  constructor(filters: readonly RowFilter[], choose: () => void) {
    this.#filters = filters;
    const options = [
      make('vscode-option', { value: ALL_ROWS_KEY }, 'All'),
      ...filters.map(({ key, label }) => make('vscode-option', { value: key }, label)),
    ];
    this.#dropdown = make('vscode-dropdown', { 'aria-label': 'Show' }, ...options) as ChoiceElement;
    this.element = make(
      'div',
      { class: 'table-filter' },
      make('span', { 'aria-hidden': 'true' }, 'Show'),
      this.#dropdown,
    );
    this.#dropdown.addEventListener('change', () => {
      const chosen = this.#find(this.#dropdown.value);
      if (chosen === this.#selected) return;
      this.#selected = chosen;
      choose();
    });
  }

  get selected(): RowFilter | undefined {
    return this.#selected;
  }

  /** Selects a filter. An unknown key selects none. */
  select(key: string | undefined): void {
    this.#selected = this.#find(key);
    const value = this.#selected?.key ?? ALL_ROWS_KEY;
    // The dropdown accepts a value only once it has its options.
    requestAnimationFrame(() => {
      this.#dropdown.value = value;
    });
  }

  #find(key: string | undefined): RowFilter | undefined {
    return this.#filters.find((filter) => filter.key === key);
  }
}

type ListedColumn = ColumnDefinition & { readonly visible: boolean };

/** A button with a menu to show or hide columns. */
export class ColumnMenu {
  readonly button: HTMLElement;
  readonly panel = make('div', { class: 'table-menu', popover: 'auto', role: 'dialog', 'aria-label': 'Columns' });
  readonly #toggle: (key: string, visible: boolean) => void;

  constructor(columns: () => readonly ListedColumn[], toggle: (key: string, visible: boolean) => void) {
    this.#toggle = toggle;
    this.button = makeButton(
      'Columns',
      () => {
        this.#fill(columns());
        const { left, bottom } = this.button.getBoundingClientRect();
        this.panel.style.left = `${Math.max(8, Math.min(left, innerWidth - 280))}px`;
        this.panel.style.top = `${bottom + 4}px`;
        this.panel.togglePopover();
        this.panel.querySelector<HTMLElement>('vscode-checkbox')?.focus();
      },
      { 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    );
    this.panel.addEventListener('toggle', () =>
      this.button.setAttribute('aria-expanded', String(this.panel.matches(':popover-open'))),
    );
  }

  #fill(columns: readonly ListedColumn[]): void {
    this.panel.replaceChildren(
      ...columns.map(({ key, label, visible }) => {
        const box = make(
          'vscode-checkbox',
          visible ? { checked: '' } : {},
          make('span', { title: key.slice(0, 200) }, label),
        ) as CheckboxElement;
        let isShown = visible;
        box.addEventListener('change', () => {
          if (box.checked === isShown) return;
          isShown = box.checked;
          this.#toggle(key, isShown);
        });
        return box;
      }),
    );
  }
}
