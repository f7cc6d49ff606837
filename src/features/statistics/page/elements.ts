import { icon, make, createSpokenComma } from '../../../platform/webview/dom.ts';
import { icons } from '../../../platform/webview/icons.ts';
import { makeButton } from '../../../platform/webview/toolkit.ts';
import type { Figure } from '../model.ts';

/** Creates tiles with large numbers, their labels and rates. */
export function createTiles(figures: readonly Figure[]): HTMLElement {
  return make('dl', { class: 'tiles' }, ...figures.map(createTile));
}

/** In characters. Longer values get a smaller font to fit into a narrow tile. */
const MAX_SHORT_VALUE_LENGTH = 8;

function createTile({ key, label, value, rate, change, meaning }: Figure): HTMLElement {
  const number = make(
    'dd',
    { class: 'value' },
    make('span', { class: value.length > MAX_SHORT_VALUE_LENGTH ? 'number long' : 'number' }, value),
  );
  if (change !== undefined)
    number.append(createSpokenComma(), make('span', { class: 'change', title: 'Since the reading before' }, change));
  return make(
    'div',
    {
      class: `tile${change === undefined ? '' : ' changed'}`,
      'data-key': key,
      ...(meaning === undefined ? {} : { title: meaning }),
    },
    make('dt', {}, label),
    number,
    ...(rate === undefined ? [] : [make('dd', { class: 'rate' }, make('strong', {}, rate.value), ` ${rate.of}`)]),
  );
}

/** Creates lines with labels and values. */
export function createLines(figures: readonly Figure[]): HTMLElement {
  return make(
    'dl',
    { class: 'lines' },
    ...figures.flatMap(({ label, value, rate, change, meaning }) => [
      make('dt', meaning === undefined ? {} : { title: meaning }, label),
      make(
        'dd',
        {},
        value,
        ...(rate === undefined ? [] : [make('span', { class: 'quiet' }, ` · ${rate.value} ${rate.of}`)]),
        ...(change === undefined ? [] : [createSpokenComma(), make('span', { class: 'change' }, change)]),
      ),
    ]),
  );
}

/** Describes the changed figures for screen readers. */
export function describeChanges(figures: readonly Figure[]): string {
  return figures
    .filter(({ change }) => change !== undefined)
    .map(({ label, value, change }) => `${label} ${value}, ${change}`)
    .join('; ');
}

type ComparisonCell = { readonly value: string; readonly rate?: string; readonly change?: string };

/** Creates a cell of a comparison table. */
export function createCell({ value, rate, change }: ComparisonCell): HTMLElement {
  return make(
    'div',
    { class: 'side' },
    make('span', { class: 'number' }, value),
    ...(rate === undefined ? [] : [createSpokenComma(), make('span', { class: 'quiet' }, rate)]),
    ...(change === undefined ? [] : [createSpokenComma(), make('span', { class: 'change' }, change)]),
  );
}

export interface NoticeAction {
  readonly label: string;
  run(): void;
}

/** Creates a placeholder with a title, an explanation and actions. The first action is the primary one. */
export function createEmptyState(
  name: keyof typeof icons,
  title: string,
  text: string,
  actions: readonly NoticeAction[] = [],
): HTMLElement {
  const buttons = actions.map(({ label, run }, index) =>
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
export function createNotice(
  kind: 'info' | 'warning',
  text: string,
  actions: readonly NoticeAction[] = [],
): HTMLElement {
  return make(
    'div',
    { class: `notice ${kind}`, role: kind === 'warning' ? 'alert' : 'note' },
    icon(kind === 'warning' ? icons.warning : icons.info),
    make('span', {}, text),
    ...actions.map(({ label, run }) => makeButton(label, run)),
  );
}

/** Creates placeholders for figures that are loading. */
export function createSkeleton(label: string, cancel: () => void): HTMLElement {
  const tiles = Array.from({ length: 6 }, () =>
    make(
      'div',
      { class: 'tile' },
      make('i', { class: 'bone' }),
      make('i', { class: 'bone large' }),
      make('i', { class: 'bone' }),
    ),
  );
  return make(
    'div',
    { class: 'skeleton', 'aria-busy': 'true' },
    make('div', { class: 'reading' }, make('span', { role: 'status' }, label), makeButton('Cancel', cancel)),
    make('div', { class: 'tiles', 'aria-hidden': 'true' }, ...tiles),
    make('i', { class: 'bone chart-bone', 'aria-hidden': 'true' }),
  );
}
