import { t } from '@vscode/l10n';
import { dataTable } from '../../../ui/page/charts/chart.ts';
import { icon, make, createSpokenComma } from '../../../ui/page/dom.ts';
import { icons } from '../../../ui/page/icons.ts';
import { makeButton } from '../../../ui/page/toolkit.ts';
import type { ComparisonCell, ComparisonTable, Figure } from '../../../service/statistics/model.ts';

/** In characters. Longer values get a smaller font to fit into a narrow tile. */
const MAX_SHORT_VALUE_LENGTH = 8;

/** Creates a change, which screen readers separate from the value before it. */
function createChange(change: string | undefined, title?: string) {
  return change === undefined ? undefined : make('span.change', { title }, createSpokenComma(), change);
}

/** Creates tiles with large numbers, their labels and rates. */
export function createTiles(figures: readonly Figure[]): HTMLElement {
  const tiles = figures.map(({ key, label, value, rate, change, meaning }) =>
    make(
      change === undefined ? 'div.tile' : 'div.tile.changed',
      { 'data-key': key, title: meaning },
      make('dt', label),
      make(
        'dd.value',
        make(value.length > MAX_SHORT_VALUE_LENGTH ? 'span.number.long' : 'span.number', value),
        createChange(change, t('Change since the last refresh')),
      ),
      rate && make('dd.rate', make('strong', rate.value), ` ${rate.of}`),
    ),
  );
  return make('dl.tiles', ...tiles);
}

/** Creates lines with labels and values. */
export function createLines(figures: readonly Figure[]): HTMLElement {
  const lines = figures.flatMap(({ label, value, rate, change, meaning }) => [
    make('dt', { title: meaning }, label),
    make('dd', value, rate && make('span.quiet', ` · ${rate.value} ${rate.of}`), createChange(change)),
  ]);
  return make('dl.lines', ...lines);
}

/** Creates a table that compares columns of figures. */
export function createComparisonElement(
  caption: string,
  headings: readonly (HTMLElement | string)[],
  rows: ComparisonTable['rows'],
): HTMLElement {
  const createCell = ({ value, rate, change }: ComparisonCell) =>
    make(
      'div.side',
      make('span.number', value),
      rate && make('span.quiet', createSpokenComma(), rate),
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
  const section = make('section', make('div.title', make('h2', title), ...tools), content);
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
  return make('div.blank', icon(icons[name]), make('h2', title), make('p.quiet', text), make('div.offers', ...buttons));
}

/** Creates a notice. Screen readers announce a `warning` immediately. */
export function createNotice(kind: 'info' | 'warning', text: string, ...actions: readonly NoticeAction[]): HTMLElement {
  return make(
    `div.notice.${kind}`,
    { role: kind === 'warning' ? 'alert' : 'note' },
    icon(icons[kind]),
    make('span', text),
    ...actions.map(([label, run]) => makeButton(label, run)),
  );
}

/** Creates a progress message with a Cancel button. */
export function createProgress(text: string, cancel: () => void): HTMLElement {
  return make('div.reading', make('span', { role: 'status' }, text), makeButton(t('Cancel'), cancel));
}

/** Creates placeholders for figures that are loading. */
export function createSkeleton(label: string, cancel: () => void): HTMLElement {
  const tiles = Array.from({ length: 6 }, () => make('i.bone'));
  return make(
    'div.skeleton',
    { 'aria-busy': 'true' },
    createProgress(label, cancel),
    make('div.tiles', { 'aria-hidden': 'true' }, ...tiles),
    make('i.bone.chart-bone', { 'aria-hidden': 'true' }),
  );
}
