import { createPopover } from '../choices.ts';
import { make } from '../dom.ts';
import { makeButton } from '../toolkit.ts';
import type { TableColumns } from './columns.ts';
import { formatTableStatus, getAvailableActions, statusActions, type StatusAction, type RowNouns } from './figures.ts';
import type { TableModel } from './model.ts';

/** Creates a button with a popover to show or hide columns. */
export function createColumnsButton(columns: TableColumns, onChange: () => void): readonly [HTMLElement, HTMLElement] {
  const button = makeButton('Columns', () => undefined);
  const popover = createPopover(button, 'dialog', () => {
    const boxes = columns.all.map(({ key, label }) => {
      const name = make('span', { title: key.slice(0, 200) }, label);
      const box = make('vscode-checkbox', { checked: columns.isVisible(key) ? '' : undefined }, name);
      box.addEventListener('change', () => {
        if (box.checked === columns.isVisible(key)) return;
        columns.setVisible(key, box.checked);
        onChange();
      });
      return box;
    });
    popover.replaceChildren(...boxes);
    boxes[0]?.focus();
  });
  return [button, popover];
}

export interface TableWords extends RowNouns {
  /** Text for a table without rows. */
  readonly empty: string;
}

/** Shows failures above a table, a placeholder in place of an empty one, and status and actions below it. */
export class TableStatus {
  /** Below the table. */
  readonly line: HTMLElement;
  /** In this order, above the table or in place of it. */
  readonly above: readonly HTMLElement[];
  readonly #words: TableWords;
  readonly #failure = make('span', {});
  readonly #notice = make('div', { class: 'table-notice', hidden: '' }, this.#failure);
  readonly #blank = make('div', { class: 'table-blank', role: 'status' });
  /** Shown while all rows are loaded. */
  readonly #progress = make('progress', { class: 'table-progress', hidden: '' });
  readonly #text = make('span', { role: 'status' });
  readonly #note = make('span', {});
  readonly #buttons: readonly (readonly [StatusAction, HTMLElement])[];
  /** Placed beside the failure. */
  readonly #retry: HTMLElement;

  constructor(words: TableWords, actions: Readonly<Record<StatusAction | 'retry', () => void>>) {
    this.#words = words;
    this.#progress.ariaLabel = `Reading all ${words.nouns}`;
    this.#retry = makeButton('Retry', actions.retry);
    this.#buttons = (Object.keys(statusActions) as StatusAction[]).map((action) => [
      action,
      makeButton(statusActions[action], actions[action]),
    ]);
    const buttons = this.#buttons.map(([, button]) => button);
    this.line = make('div', { class: 'table-status' }, this.#text, this.#note, ...buttons);
    this.above = [this.#notice, this.#blank, this.#progress];
  }

  /** Shows the state of a table. Returns whether it has rows to show. */
  show(model: TableModel): boolean {
    const { nouns, empty } = this.#words;
    const { rows, reloadFailure, progress, isLoading } = model.loader;
    const { total, atLeast, failure, loaded, capacity } = rows;
    const isFirst = total === undefined && atLeast === 0;
    const isShown = !isFirst && total !== 0;
    const reading = failure === undefined ? `Loading the ${nouns}…` : `The ${nouns} can’t be read: ${failure}`;
    this.#blank.hidden = isShown;
    this.#blank.replaceChildren(make('p', {}, isFirst ? reading : empty));
    this.#notice.hidden = reloadFailure === undefined && (failure === undefined || isFirst);
    this.#failure.textContent =
      reloadFailure === undefined
        ? `Some ${nouns} could not be read: ${failure ?? ''}`
        : `The ${nouns} could not be read again, and are those of before: ${reloadFailure}`;
    if (!this.#notice.hidden) this.#notice.append(this.#retry);
    else if (isFirst && failure !== undefined) this.#blank.append(this.#retry);
    else this.#retry.remove();
    // Screen readers should not announce text that changes several times a second.
    this.#text.ariaLive = isLoading ? 'off' : 'polite';
    this.#text.textContent = isShown ? formatTableStatus(model, this.#words) : '';
    const isFull = isShown && model.arranged && loaded >= capacity && loaded !== total;
    this.#note.textContent = isFull ? `No more are kept at once: export all ${nouns} instead.` : '';
    this.#offer(isShown ? getAvailableActions(model) : []);
    this.#progress.hidden = progress === undefined;
    this.#progress.value = progress ?? 0;
    return isShown;
  }

  #offer(actions: readonly StatusAction[]): void {
    const focused = this.#buttons.find(([, button]) => button === document.activeElement)?.[1];
    for (const [action, button] of this.#buttons) button.hidden = !actions.includes(action);
    // If the focused button is hidden, the next button gets the focus.
    if (focused?.hidden) this.#buttons.find(([, button]) => !button.hidden)?.[1].focus();
  }
}
