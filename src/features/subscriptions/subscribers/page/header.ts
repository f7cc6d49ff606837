import { make } from '../../../../platform/webview/dom.ts';
import { makeButton } from '../../../../platform/webview/toolkit.ts';
import type { ListCard, ListsState } from '../protocol.ts';

const note =
  'The service has no way to change a list: its name, color and mails can be set when it is made, ' +
  'and changed on the service’s own pages.';

/** The header with the lists and their details. */
export class ListHeader {
  readonly element = make('header', { class: 'lists' });
  readonly #retry: () => void;

  constructor(retry: () => void) {
    this.#retry = retry;
  }

  show(lists: ListsState): void {
    if (lists.kind === 'loaded') this.element.replaceChildren(...this.#cards(lists.lists));
    else if (lists.kind === 'loading') {
      if (this.element.childElementCount === 0)
        this.element.replaceChildren(make('p', { class: 'quiet' }, 'Reading the list…'));
    } else this.element.replaceChildren(this.#failure(lists.message));
  }

  #cards(lists: readonly ListCard[]): HTMLElement[] {
    const titles = lists.map((list) => {
      const marks = list.marks.map((mark) => make('span', { class: 'mark' }, mark));
      return make('h1', {}, swatch(list), make('span', { class: 'name' }, list.name), ...marks);
    });
    const cards = lists.map((list) => this.#details(list, lists.length > 1));
    const details = make('details', {}, make('summary', {}, 'Details'), ...cards, make('p', { class: 'quiet' }, note));
    return [make('div', { class: 'titles' }, ...titles), details];
  }

  #details({ name, details }: ListCard, named: boolean): HTMLElement {
    const rows = details.flatMap(([label, value]) => [make('dt', {}, label), make('dd', {}, value)]);
    return make('div', { class: 'card' }, ...(named ? [make('h2', {}, name)] : []), make('dl', {}, ...rows));
  }

  #failure(message: string): HTMLElement {
    const text = make('span', {}, `The list can’t be read: ${message}`);
    return make('div', { class: 'failure', role: 'alert' }, text, makeButton('Retry', this.#retry));
  }
}

function swatch({ color }: ListCard): HTMLElement {
  const element = make('span', { class: 'swatch', 'aria-hidden': 'true' });
  if (color) element.style.background = color;
  return element;
}
