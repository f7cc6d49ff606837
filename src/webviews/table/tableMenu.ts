import { make } from '../dom.ts';
import type { ColumnLook } from './tableColumns.ts';
import type { CheckboxElement } from '../toolkit.ts';

/** A button that opens a list of all columns, to be shown or not. */
export class ColumnMenu {
  readonly button: HTMLElement = make(
    'vscode-button',
    { appearance: 'secondary', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    'Columns',
  );
  readonly panel = make('div', { class: 'table-menu', popover: 'auto', role: 'dialog', 'aria-label': 'Columns' });
  readonly #toggle: (key: string, visible: boolean) => void;

  constructor(columns: () => readonly (ColumnLook & { readonly visible: boolean })[], toggle: (key: string, visible: boolean) => void) {
    this.#toggle = toggle;
    this.button.addEventListener('click', () => {
      this.#fill(columns());
      const { left, bottom } = this.button.getBoundingClientRect();
      this.panel.style.left = `${Math.max(8, Math.min(left, innerWidth - 280))}px`;
      this.panel.style.top = `${bottom + 4}px`;
      this.panel.togglePopover();
      this.panel.querySelector<HTMLElement>('vscode-checkbox')?.focus();
    });
    this.panel.addEventListener('toggle', () => this.button.setAttribute('aria-expanded', String(this.panel.matches(':popover-open'))));
  }

  #fill(columns: readonly (ColumnLook & { readonly visible: boolean })[]): void {
    this.panel.replaceChildren(
      ...columns.map(({ key, label, visible }) => {
        const box = make(
          'vscode-checkbox',
          visible ? { checked: '' } : {},
          make('span', { title: key.slice(0, 200) }, label),
        ) as CheckboxElement;
        let known = visible;
        box.addEventListener('change', () => {
          if (box.checked === known) return;
          known = box.checked;
          this.#toggle(key, known);
        });
        return box;
      }),
    );
  }
}
