import * as l10n from '@vscode/l10n';
import { createPopover } from '../choices.ts';
import { make } from '../dom.ts';
import { makeButton } from '../toolkit.ts';
import type { TableColumns } from './columns.ts';
import { formatTableStatus, getAvailableActions, getActionLabels, type StatusAction } from './figures.ts';
import type { TableModel, TableTexts } from './model.ts';

/** Creates a button with a popover to show or hide columns. */
export function createColumnsButton(columns: TableColumns, onChange: () => void): readonly [HTMLElement, HTMLElement] {
  const button = makeButton(l10n.t('Columns'), () => undefined);
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

/** Shows failures above a table, a placeholder in place of an empty one, and status and actions below it. */
export class TableStatus {
  /** Below the table. */
  readonly line: HTMLElement;
  /** In this order, above the table or replacing it. */
  readonly above: readonly HTMLElement[];
  readonly #empty: string;
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

  constructor({ empty }: TableTexts, actions: Readonly<Record<StatusAction | 'retry', () => void>>) {
    this.#empty = empty;
    this.#progress.ariaLabel = l10n.t('Loading all rows');
    this.#retry = makeButton(l10n.t('Retry'), actions.retry);
    const labels = getActionLabels();
    this.#buttons = (Object.keys(labels) as StatusAction[]).map((action) => [
      action,
      makeButton(labels[action], actions[action]),
    ]);
    const buttons = this.#buttons.map(([, button]) => button);
    this.line = make('div', { class: 'table-status' }, this.#text, this.#note, ...buttons);
    this.above = [this.#notice, this.#blank, this.#progress];
  }

  /** Shows the state of a table. Returns whether it has rows to show. */
  show(model: TableModel): boolean {
    const { rows, reloadFailure, progress, isLoading } = model.loader;
    const { total, atLeast, failure, loaded, capacity } = rows;
    const isFirst = total === undefined && atLeast === 0;
    const isShown = !isFirst && total !== 0;
    const firstText = failure === undefined ? l10n.t('Loading…') : l10n.t`Couldn't load the rows: ${failure}`;
    this.#blank.hidden = isShown;
    this.#blank.replaceChildren(make('p', {}, isFirst ? firstText : this.#empty));
    this.#notice.hidden = reloadFailure === undefined && (failure === undefined || isFirst);
    this.#failure.textContent =
      reloadFailure === undefined
        ? l10n.t`Couldn't load some rows: ${failure ?? ''}`
        : l10n.t`Couldn't reload the rows, so the table may be out of date: ${reloadFailure}`;
    if (!this.#notice.hidden) this.#notice.append(this.#retry);
    else if (isFirst && failure !== undefined) this.#blank.append(this.#retry);
    else this.#retry.remove();
    // Screen readers should not announce text that changes several times a second.
    this.#text.ariaLive = isLoading ? 'off' : 'polite';
    this.#text.textContent = isShown ? formatTableStatus(model) : '';
    const isFull = isShown && model.arranged && loaded >= capacity && loaded !== total;
    this.#note.textContent = isFull ? l10n.t('The table is full. Export it to get all rows.') : '';
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
