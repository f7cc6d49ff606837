import { make } from '../dom.ts';
import { offered, statusText, type StatusActions, type TableFigures } from './tableFigures.ts';
import { makeButton } from '../toolkit.ts';

/** The line below a table: what it shows, how far the reading is, and what can be done about it. */
export class TableStatus {
  readonly element: HTMLElement;
  /** A bar for above the table while all of it is read. */
  readonly progress = make(
    'div',
    { class: 'table-progress', role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '100', hidden: '' },
    make('i', {}),
  );
  readonly #text = make('span', { role: 'status' });
  readonly #note = make('span', {});
  readonly #buttons: Readonly<Record<keyof StatusActions, HTMLElement>>;

  constructor(nouns: string, actions: StatusActions) {
    this.progress.setAttribute('aria-label', `Reading all ${nouns}`);
    this.#buttons = {
      loadMore: makeButton('Load More', () => actions.loadMore()),
      loadAll: makeButton('Load All', () => actions.loadAll()),
      stop: makeButton('Stop', () => actions.stop()),
      showAll: makeButton('Show All', () => actions.showAll()),
    };
    this.element = make('div', { class: 'table-status' }, this.#text, this.#note, ...Object.values(this.#buttons));
  }

  show(figures: TableFigures): void {
    const { nouns, loaded, total, capacity, isLoading, arranged } = figures;
    // What changes many times a second is nothing to be read out.
    this.#text.setAttribute('aria-live', isLoading ? 'off' : 'polite');
    this.#text.textContent = statusText(figures);
    this.#note.textContent =
      arranged && loaded >= capacity && loaded !== total ? `No more are kept at once: export all ${nouns} instead.` : '';
    this.#offer(offered(figures));
  }

  /** Says and offers nothing. */
  clear(): void {
    this.#text.textContent = '';
    this.#note.textContent = '';
    this.#offer([]);
  }

  /** @param done 0 to 1, or undefined where nothing is under way */
  showProgress(done: number | undefined): void {
    this.progress.hidden = done === undefined;
    if (done === undefined) return;
    const percent = String(Math.floor(done * 100));
    this.progress.setAttribute('aria-valuenow', percent);
    this.progress.style.setProperty('--done', `${percent}%`);
  }

  #offer(names: readonly (keyof StatusActions)[]): void {
    const focused = Object.values(this.#buttons).find((button) => button === document.activeElement);
    for (const [name, button] of Object.entries(this.#buttons)) button.hidden = !names.includes(name as keyof StatusActions);
    // The focus stays where the work is.
    if (focused?.hidden)
      Object.values(this.#buttons)
        .find((button) => !button.hidden)
        ?.focus();
  }
}
