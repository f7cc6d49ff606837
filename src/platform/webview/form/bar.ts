import { make } from '../dom.ts';

/** The bar above a form: the record's state and its actions. */
export class FormBar {
  readonly element: HTMLElement;
  /** Shown only for records of a service. */
  readonly actions: HTMLElement;
  readonly #dot = make('i', { class: 'dot', 'aria-hidden': 'true' });
  readonly #text = make('span', { class: 'words' });

  /** `label` is the accessible name of the actions. */
  constructor(label: string, ...actions: readonly HTMLElement[]) {
    this.actions = make('div', { class: 'actions', role: 'group', 'aria-label': label }, ...actions);
    const standing = make('div', { class: 'standing', role: 'status' }, this.#dot, this.#text);
    this.element = make('header', { class: 'bar' }, standing, this.actions);
  }

  show(state: string, text: string): void {
    this.#dot.className = `dot ${state}`;
    // Screen readers announce every write, so unchanged text is not written again.
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }
}
