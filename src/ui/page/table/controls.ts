import { t } from '../../../l10n.ts';
import { formatPercent } from '../../../service/format.ts';
import { createPopover } from '../choices.ts';
import { make } from '../dom.ts';
import { makeButton } from '../toolkit.ts';
import type { TableColumns } from './columns.ts';
import { formatTableStatus, getAvailableActions, getActionLabels, type StatusAction } from './figures.ts';
import type { TableModel, TableTexts } from './model.ts';

/** Creates a button with a popover to show or hide columns. */
export function createColumnsButton(columns: TableColumns, onChange: () => void): readonly [HTMLElement, HTMLElement] {
  const button = makeButton(t('Columns'), () => undefined);
  const popover = createPopover(button, () => {
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

/**
 * Creates the parts around a table: failures and progress above it, a placeholder in place of an empty one, and status and
 * actions below it. `show` updates them, and returns whether the table has rows to show.
 */
export function createTableStatus(
  { empty }: TableTexts,
  actions: Readonly<Record<StatusAction | 'retry', () => void>>,
) {
  const failureText = make('span');
  const notice = make('div.table-notice', { hidden: '' }, failureText);
  const blank = make('div.table-blank', { role: 'status' });
  const progressBar = make('progress.table-progress', { hidden: '', 'aria-label': t('Loading all rows') });
  const text = make('span', { role: 'status' });
  /** Announces the start and each quarter of a long run. `text` announces its end. */
  const milestone = make('span.heard', { role: 'status' });
  const note = make('span');
  const retry = makeButton(t('Retry'), actions.retry);
  const buttons = (Object.entries(getActionLabels()) as [StatusAction, string][]).map(
    ([action, label]) => [action, makeButton(label, actions[action])] as const,
  );
  return {
    line: make('div.table-status', text, milestone, note, ...buttons.map(([, button]) => button)),
    above: [notice, blank, progressBar],
    show: (model: TableModel) => {
      const { rows, reloadFailure, isLoading, progress } = model.loader;
      const { total, atLeast, failure, loaded, capacity } = rows;
      const isFirst = total === undefined && atLeast === 0;
      const isShown = !isFirst && total !== 0;
      const firstText = failure === undefined ? t('Loading…') : t`Couldn't load the rows: ${failure}`;
      blank.hidden = isShown;
      blank.replaceChildren(make('p', isFirst ? firstText : empty));
      notice.hidden = reloadFailure === undefined && (failure === undefined || isFirst);
      failureText.textContent =
        reloadFailure === undefined
          ? t`Couldn't load some rows: ${failure ?? ''}`
          : t`Couldn't reload the rows, so the table may be out of date: ${reloadFailure}`;
      if (!notice.hidden) notice.append(retry);
      else if (isFirst && failure !== undefined) blank.append(retry);
      else retry.remove();
      // Screen readers should not announce text that changes several times a second.
      text.ariaLive = isLoading ? 'off' : 'polite';
      text.textContent = isShown ? formatTableStatus(model) : '';
      const isFull = isShown && model.arranged && loaded >= capacity && loaded !== total;
      note.textContent = isFull ? t('The table is full. Export it to get all rows.') : '';
      const available = isShown ? getAvailableActions(model) : [];
      const focused = buttons.find(([, button]) => button === document.activeElement)?.[1];
      for (const [action, button] of buttons) button.hidden = !available.includes(action);
      // If the focused button is hidden, the next button gets the focus.
      if (focused?.hidden) buttons.find(([, button]) => !button.hidden)?.[1].focus();
      const quarter = Math.floor((progress ?? 0) * 4) / 4;
      const reached = quarter > 0 ? t`${formatPercent(quarter)} of the rows loaded` : t('Loading all rows');
      const heard = isLoading ? reached : '';
      if (milestone.textContent !== heard) milestone.textContent = heard;
      progressBar.hidden = progress === undefined;
      progressBar.value = progress ?? 0;
      return isShown;
    },
  };
}
