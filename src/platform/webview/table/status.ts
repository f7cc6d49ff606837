import { make } from '../dom.ts';
import { makeButton } from '../toolkit.ts';
import { getAvailableActions, formatTableStatus, type StatusActions, type TableFigures } from './figures.ts';

/** The table's status. `empty` is the text for a table without rows. */
type TableReport = TableFigures & { readonly empty: string };

/** Shows failures above a table, a placeholder in place of an empty one, and status and actions below it. */
export class TableStatus {
  /** Below the table. */
  readonly line: HTMLElement;
  /** Above the table. */
  readonly notice: HTMLElement;
  /** In place of the table. */
  readonly blank = make('div', { class: 'table-blank', role: 'status' });
  /** A progress bar above the table while all rows are loaded. */
  readonly progress = make(
    'div',
    { class: 'table-progress', role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '100', hidden: '' },
    make('i', {}),
  );
  readonly #failure = make('span', {});
  readonly #text = make('span', { role: 'status' });
  readonly #note = make('span', {});
  readonly #buttons: Readonly<Record<keyof StatusActions, HTMLElement>>;
  /** Placed beside the failure. */
  readonly #retry: HTMLElement;

  constructor(nouns: string, actions: StatusActions & { retry(): void }) {
    this.#retry = makeButton('Retry', () => actions.retry());
    this.progress.setAttribute('aria-label', `Reading all ${nouns}`);
    this.#buttons = {
      loadMore: makeButton('Load More', () => actions.loadMore()),
      loadAll: makeButton('Load All', () => actions.loadAll()),
      stop: makeButton('Stop', () => actions.stop()),
      showAll: makeButton('Show All', () => actions.showAll()),
    };
    this.line = make('div', { class: 'table-status' }, this.#text, this.#note, ...Object.values(this.#buttons));
    this.notice = make('div', { class: 'table-notice', hidden: '' }, this.#failure);
  }

  /** Shows a status. Returns whether the table has rows to show. */
  show(report: TableReport): boolean {
    const { total, atLeast, isLoading } = report;
    const isFirst = total === undefined && atLeast === 0;
    const isShown = !isFirst && total !== 0;
    this.blank.hidden = isShown;
    if (!isShown) this.blank.replaceChildren(make('p', {}, blankText(report, isFirst)));
    this.notice.hidden = report.reloadFailure === undefined && (report.failure === undefined || isFirst);
    this.#failure.textContent = failureText(report);
    const failed = this.notice.hidden ? isFirst && report.failure !== undefined && this.blank : this.notice;
    if (!failed) this.#retry.remove();
    else if (this.#retry.parentElement !== failed) failed.append(this.#retry);
    // Screen readers should not announce text that changes several times a second.
    this.#text.setAttribute('aria-live', isLoading ? 'off' : 'polite');
    this.#text.textContent = isShown ? formatTableStatus(report) : '';
    this.#note.textContent = isShown ? formatCapacityNote(report) : '';
    this.#offer(isShown ? getAvailableActions(report) : []);
    this.#showProgress(report.progress);
    return isShown;
  }

  #showProgress(done: number | undefined): void {
    this.progress.hidden = done === undefined;
    if (done === undefined) return;
    const percent = String(Math.floor(done * 100));
    this.progress.setAttribute('aria-valuenow', percent);
    this.progress.style.setProperty('--done', `${percent}%`);
  }

  #offer(names: readonly (keyof StatusActions)[]): void {
    const focused = Object.values(this.#buttons).find((button) => button === document.activeElement);
    for (const [name, button] of Object.entries(this.#buttons))
      button.hidden = !names.includes(name as keyof StatusActions);
    // If the focused button is hidden, the next button gets the focus.
    if (focused?.hidden)
      Object.values(this.#buttons)
        .find((button) => !button.hidden)
        ?.focus();
  }
}

function blankText({ nouns, empty, failure }: TableReport, isFirst: boolean): string {
  if (!isFirst) return empty;
  return failure === undefined ? `Loading the ${nouns}…` : `The ${nouns} can’t be read: ${failure}`;
}

function failureText({ nouns, failure, reloadFailure }: TableReport): string {
  return reloadFailure === undefined
    ? `Some ${nouns} could not be read: ${failure ?? ''}`
    : `The ${nouns} could not be read again, and are those of before: ${reloadFailure}`;
}

function formatCapacityNote({ nouns, arranged, loaded, capacity, total }: TableReport): string {
  return arranged && loaded >= capacity && loaded !== total
    ? `No more are kept at once: export all ${nouns} instead.`
    : '';
}
