import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { make } from '../../webview/dom.ts';
import type { HeatLink } from '../protocol.ts';
import { getLevelClass } from './heatLayer.ts';

const numberFormat = new Intl.NumberFormat();
export const formatCount = (count: number): string => numberFormat.format(count);

export function formatPercent(share: number): string {
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
}

const formatNoun = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Where the links of an address are in the email. */
export interface LinkPlaces {
  readonly count: number;
  /** Whether any of them is visible. */
  readonly isVisible: boolean;
}

/** Returns a note about a link's places in the email, and a sentence that explains it. Empty for exactly one. */
function describePlaces({ count, isVisible }: LinkPlaces): readonly [note: string, why: string] {
  if (count === 0) return ['not in the email', 'No link of the email as it is now leads there.'];
  if (!isVisible) return ['hidden', 'The link is in the email, and can’t be seen at this width.'];
  if (count === 1) return ['', ''];
  const times = formatCount(count);
  return [`${times} places`, `It stands ${times} times in the email: their clicks can’t be told apart.`];
}

interface HeatPanelEvents {
  /** The user selected a row. */
  onSelect(row: number): void;
  /** The user asks for the next occurrence of the selected link. */
  onNextPlace(row: number): void;
}

/** Lists the clicks of all links, including links that are no longer in the email. */
export class HeatPanel {
  readonly #summary = make('summary', {});
  readonly #list = make('div', { class: 'rows', role: 'listbox', 'aria-label': 'Clicks by link' });
  readonly #notice = make('p', { class: 'none', hidden: '' }, 'The service counted no clicks on links.');
  readonly element = make(
    'details',
    { class: 'heatPanel', open: '', hidden: '' },
    this.#summary,
    this.#list,
    this.#notice,
  );
  readonly #events: HeatPanelEvents;
  #rows: readonly { readonly element: HTMLElement; showPlaces(places: LinkPlaces): void }[] = [];
  #selected = -1;
  /** The row that the current pointer press selected. Its click must not go to the next occurrence. */
  #justSelected = -1;

  constructor(events: HeatPanelEvents) {
    this.#events = events;
    this.#list.addEventListener('focusin', ({ target }) => {
      const row = this.#findRow(target);
      if (row < 0 || row === this.#selected) return;
      this.#justSelected = row;
      this.#events.onSelect(row);
    });
    this.#list.addEventListener('click', ({ target }) => {
      const row = this.#findRow(target);
      if (row < 0) return;
      if (this.#justSelected !== row) this.#events.onNextPlace(row);
      this.#justSelected = -1;
    });
    this.#list.addEventListener('keydown', (event) => this.#handleKey(event));
    // The link bar is placed above the panel.
    new ResizeObserver(() => document.body.style.setProperty('--under', `${this.element.offsetHeight}px`)).observe(
      this.element,
    );
  }

  /** Shows these links. `maxShare` is the share of the most clicked one. */
  show(links: readonly HeatLink[], maxShare: number): void {
    const clicks = links.reduce((sum, { total }) => sum + total, 0);
    const summary = `${formatNoun(clicks, 'click', 'clicks')} on ${formatNoun(links.length, 'link', 'links')}`;
    this.#summary.replaceChildren('Clicks by link', make('span', { class: 'sum' }, summary));
    this.#rows = links.map((link) => createRow(link, maxShare > 0 ? link.share / maxShare : 0));
    this.#list.replaceChildren(...this.#rows.map(({ element }) => element));
    // Rows are laid out separately, so their columns need the width of the longest text.
    for (const column of ['clicks', 'people']) {
      const cells = [...this.#list.querySelectorAll(`.${column}`)];
      const length = Math.max(0, ...cells.map(({ textContent }) => textContent?.length ?? 0));
      this.#list.style.setProperty(`--${column}-width`, `${length}ch`);
    }
    this.#list.hidden = links.length === 0;
    this.#notice.hidden = links.length > 0;
    this.#selected = -1;
    this.#rows[0]?.element.setAttribute('tabindex', '0');
  }

  /** Updates the note of a row. */
  showPlaces(row: number, places: LinkPlaces): void {
    this.#rows[row]?.showPlaces(places);
  }

  /** Selects a row, or none for -1, without an event. */
  setSelected(row: number): void {
    this.#rows[this.#selected]?.element.setAttribute('aria-selected', 'false');
    this.#selected = row;
    const selected = this.#rows[row]?.element;
    if (!selected) return;
    for (const { element } of this.#rows) element.tabIndex = element === selected ? 0 : -1;
    selected.setAttribute('aria-selected', 'true');
    // `scrollIntoView` would also scroll the page.
    const { offsetTop, offsetHeight } = selected;
    const { scrollTop, clientHeight } = this.#list;
    this.#list.scrollTop = Math.min(offsetTop, Math.max(scrollTop, offsetTop + offsetHeight - clientHeight));
  }

  #findRow(target: EventTarget | null): number {
    return this.#rows.findIndex(({ element }) => element.contains(target as Node));
  }

  #handleKey(event: KeyboardEvent): void {
    const at = this.#findRow(event.target);
    const last = this.#rows.length - 1;
    const next = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
    if (next !== undefined) this.#rows[next]?.element.focus({ preventScroll: true });
    else if (event.key === 'Enter' || event.key === ' ') this.#events.onNextPlace(at);
    else return;
    event.preventDefault();
    this.#justSelected = -1;
  }
}

/** `heat` is the share relative to the most clicked link, 0 to 1. */
function createRow(link: HeatLink, heat: number): { element: HTMLElement; showPlaces(places: LinkPlaces): void } {
  const address = toDisplayText(link.address).trim() || '(empty address)';
  const cells = [
    ['address', address],
    ['clicks', formatNoun(link.total, 'click', 'clicks')],
    ['people', formatNoun(link.unique, 'person', 'people')],
    ['share', formatPercent(link.share)],
  ] as const;
  const note = make('span', { class: 'note' });
  const element = make(
    'div',
    { class: 'row', role: 'option', tabindex: -1, 'aria-selected': 'false' },
    // The text has the order of the accessible label. CSS changes the visual order.
    ...cells.flatMap(([name, text]) => [make('span', { class: name }, text), ' ']),
    note,
    make(
      'span',
      { class: 'bar' },
      make('span', { class: `fill ${getLevelClass(heat)}`, style: `width: ${heat * 100}%` }),
    ),
  );
  const showPlaces = (places: LinkPlaces): void => {
    const [text, why] = describePlaces(places);
    element.setAttribute('aria-label', [...cells.map(([, cell]) => cell), why].filter(Boolean).join(', '));
    element.title = why === '' ? address : `${address}\n${why}`;
    element.classList.toggle('absent', !places.isVisible);
    note.textContent = text;
  };
  showPlaces({ count: 1, isVisible: true });
  return { element, showPlaces };
}
