import { t } from '@vscode/l10n';
import { dataTable } from '../../../platform/webview/charts/chart.ts';
import { icon, make, createSpokenComma } from '../../../platform/webview/dom.ts';
import { icons } from '../../../platform/webview/icons.ts';
import { makeButton } from '../../../platform/webview/toolkit.ts';
import type { ComparisonCell, ComparisonTable, Figure } from '../../../service/statistics/model.ts';

/** In characters. Longer values get a smaller font to fit into a narrow tile. */
const MAX_SHORT_VALUE_LENGTH = 8;

/** Creates a change, which screen readers separate from the value before it. */
function createChange(change: string | undefined, title?: string) {
  return change === undefined ? undefined : make('span', { class: 'change', title }, createSpokenComma(), change);
}

/** Creates tiles with large numbers, their labels and rates. */
export function createTiles(figures: readonly Figure[]): HTMLElement {
  const tiles = figures.map(({ key, label, value, rate, change, meaning }) =>
    make(
      'div',
      { class: `tile${change === undefined ? '' : ' changed'}`, 'data-key': key, title: meaning },
      make('dt', {}, label),
      make(
        'dd',
        { class: 'value' },
        make('span', { class: value.length > MAX_SHORT_VALUE_LENGTH ? 'number long' : 'number' }, value),
        createChange(change, t('Change since the last refresh')),
      ),
      rate && make('dd', { class: 'rate' }, make('strong', {}, rate.value), ` ${rate.of}`),
    ),
  );
  return make('dl', { class: 'tiles' }, ...tiles);
}

/** Creates lines with labels and values. */
export function createLines(figures: readonly Figure[]): HTMLElement {
  const lines = figures.flatMap(({ label, value, rate, change, meaning }) => [
    make('dt', { title: meaning }, label),
    make(
      'dd',
      {},
      value,
      rate && make('span', { class: 'quiet' }, ` · ${rate.value} ${rate.of}`),
      createChange(change),
    ),
  ]);
  return make('dl', { class: 'lines' }, ...lines);
}

/** Creates a table that compares columns of figures. */
export function createComparisonElement(
  caption: string,
  headings: readonly (HTMLElement | string)[],
  rows: ComparisonTable['rows'],
): HTMLElement {
  const createCell = ({ value, rate, change }: ComparisonCell) =>
    make(
      'div',
      { class: 'side' },
      make('span', { class: 'number' }, value),
      rate && make('span', { class: 'quiet' }, createSpokenComma(), rate),
      createChange(change),
    );
  return dataTable(
    caption,
    ['', ...headings],
    rows.map(({ label, cells }) => ({ label, cells: cells.map(createCell) })),
  );
}

/** Creates a section; nothing without content. */
export function createSection(title: string, content: HTMLElement, ...tools: readonly HTMLElement[]): HTMLElement[] {
  if (content.childElementCount === 0) return [];
  const section = make('section', {}, make('div', { class: 'title' }, make('h2', {}, title), ...tools), content);
  return [section];
}

/** A button with its label. The first one of an empty state is the primary one. */
export type NoticeAction = readonly [label: string, run: () => void];

/** Creates a placeholder with a title, an explanation and actions. */
export function createEmptyState(
  name: keyof typeof icons,
  title: string,
  text: string,
  ...actions: readonly NoticeAction[]
): HTMLElement {
  const buttons = actions.map(([label, run], index) =>
    makeButton(label, run, { appearance: index === 0 ? 'primary' : 'secondary' }),
  );
  return make(
    'div',
    { class: 'blank' },
    icon(icons[name]),
    make('h2', {}, title),
    make('p', { class: 'quiet' }, text),
    make('div', { class: 'offers' }, ...buttons),
  );
}

/** Creates a notice. Screen readers announce a `warning` immediately. */
export function createNotice(kind: 'info' | 'warning', text: string, ...actions: readonly NoticeAction[]): HTMLElement {
  return make(
    'div',
    { class: `notice ${kind}`, role: kind === 'warning' ? 'alert' : 'note' },
    icon(icons[kind]),
    make('span', {}, text),
    ...actions.map(([label, run]) => makeButton(label, run)),
  );
}

/** Creates a progress message with a Cancel button. */
export function createProgress(text: string, cancel: () => void): HTMLElement {
  return make('div', { class: 'reading' }, make('span', { role: 'status' }, text), makeButton(t('Cancel'), cancel));
}

/** Creates placeholders for figures that are loading. */
export function createSkeleton(label: string, cancel: () => void): HTMLElement {
  const tiles = Array.from({ length: 6 }, () => make('i', { class: 'bone' }));
  return make(
    'div',
    { class: 'skeleton', 'aria-busy': 'true' },
    createProgress(label, cancel),
    make('div', { class: 'tiles', 'aria-hidden': 'true' }, ...tiles),
    make('i', { class: 'bone chart-bone', 'aria-hidden': 'true' }),
  );
}
