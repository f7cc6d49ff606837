import { make } from '../dom.ts';

/** Stands above a form: how its record stands, and what can be done with it. */
export class FormBar {
  readonly element: HTMLElement;
  /** There for a record of a service alone. */
  readonly actions: HTMLElement;
  readonly #dot = make('i', { class: 'dot', 'aria-hidden': 'true' });
  readonly #text = make('span', { class: 'words' });

  /** `label`: what the actions are done with. */
  constructor(label: string, ...actions: readonly HTMLElement[]) {
    this.actions = make('div', { class: 'actions', role: 'group', 'aria-label': label }, ...actions);
    const standing = make('div', { class: 'standing', role: 'status' }, this.#dot, this.#text);
    this.element = make('header', { class: 'bar' }, standing, this.actions);
  }

  show(state: string, text: string): void {
    this.#dot.className = `dot ${state}`;
    // Who hears it is told only what is new.
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }
}
