import { icon, make } from '../../webviews/dom.ts';
import { icons } from '../../webviews/icons.ts';
import { makeButton } from '../../webviews/toolkit.ts';

export interface Offer {
  readonly label: string;
  act(): void;
}

/**
 * What stands in the place of figures where there are none: what it is, what it means, and what to do next. The first offer is the one to
 * take.
 */
export function blank(name: keyof typeof icons, title: string, text: string, offers: readonly Offer[] = []): HTMLElement {
  const buttons = offers.map(({ label, act }, index) => makeButton(label, act, index === 0 ? 'primary' : 'secondary'));
  return make(
    'div',
    { class: 'blank' },
    icon(icons[name]),
    make('h2', {}, title),
    make('p', { class: 'quiet' }, text),
    make('div', { class: 'offers' }, ...buttons),
  );
}

/** A line above what it is about. `warning` is read out at once. */
export function notice(kind: 'info' | 'warning', text: string, offers: readonly Offer[] = []): HTMLElement {
  return make(
    'div',
    { class: `notice ${kind}`, role: kind === 'warning' ? 'alert' : 'note' },
    icon(kind === 'warning' ? icons.warning : icons.info),
    make('span', {}, text),
    ...offers.map(({ label, act }) => makeButton(label, act)),
  );
}

/** Where figures will be while they are read. */
export function skeleton(what: string, cancel: () => void): HTMLElement {
  const tiles = Array.from({ length: 6 }, () =>
    make('div', { class: 'tile' }, make('i', { class: 'bone' }), make('i', { class: 'bone large' }), make('i', { class: 'bone' })),
  );
  return make('div', { class: 'skeleton', 'aria-busy': 'true' },
    make('div', { class: 'reading' }, make('span', { role: 'status' }, what), makeButton('Cancel', cancel)),
    make('div', { class: 'tiles', 'aria-hidden': 'true' }, ...tiles), make('i', { class: 'bone chart-bone', 'aria-hidden': 'true' }));
}
