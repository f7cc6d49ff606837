import { make } from '../../webview/dom.ts';
import { getLevelClass } from './heatLayer.ts';

/** A link in the panel, as display texts. */
export interface HeatRow {
  /** The address. Untrusted text from the service. */
  readonly address: string;
  readonly clicks: string;
  readonly people: string;
  readonly share: string;
  /** Share of clicks relative to the most clicked link, 0 to 1. */
  readonly heat: number;
}

/** A note about a link's occurrences in the email: "3 places". Empty for exactly one. `why` is a full sentence. */
export interface RowNote {
  readonly text: string;
  readonly why: string;
  readonly isAbsent: boolean;
}

export interface HeatPanelEvents {
  /** The user selected a row. */
  onSelect(row: number): void;
  /** The user asks for the next occurrence of the selected link. */
  onNextPlace(row: number): void;
}

/** Target rows of the navigation keys. */
const keySteps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Lists the clicks of all links, including links that are no longer in the email. */
export class HeatPanel {
  readonly element = make('details', { class: 'heatPanel', open: '', hidden: '' });
  readonly #summary = make('summary', {});
  readonly #list = make('div', { class: 'rows', role: 'listbox', 'aria-label': 'Clicks by link' });
  readonly #notice = make('p', { class: 'none', hidden: '' }, 'The service counted no clicks on links.');
  readonly #events: HeatPanelEvents;
  #rows: HTMLElement[] = [];
  #rowData: readonly HeatRow[] = [];
  #selected: number | undefined;
  /** The row that the current pointer press selected. Its click must not go to the next occurrence. */
  #justSelected: number | undefined;

  constructor(events: HeatPanelEvents) {
    this.#events = events;
    this.element.append(this.#summary, this.#list, this.#notice);
    this.#list.addEventListener('focusin', ({ target }) => this.#select(this.#rows.indexOf(target as HTMLElement)));
    this.#list.addEventListener('click', ({ target }) =>
      this.#handleClick(this.#rows.indexOf((target as Element).closest<HTMLElement>('.row') ?? this.#list)),
    );
    this.#list.addEventListener('keydown', (event) => this.#handleKey(event));
    // The link bar is placed above the panel.
    new ResizeObserver(() => document.body.style.setProperty('--under', `${this.element.offsetHeight}px`)).observe(
      this.element,
    );
  }

  /** Shows these rows. `summary` is the number of clicks and links. */
  show(rows: readonly HeatRow[], summary: string): void {
    this.#summary.replaceChildren('Clicks by link', make('span', { class: 'sum' }, summary));
    this.#rowData = rows;
    this.#rows = rows.map(createRow);
    this.#list.replaceChildren(...this.#rows);
    this.#list.hidden = rows.length === 0;
    this.#notice.hidden = rows.length > 0;
    this.#selected = undefined;
    this.#rows[0]?.setAttribute('tabindex', '0');
  }

  /** Updates the note of a row. */
  setNote(at: number, note: RowNote): void {
    const [element, row] = [this.#rows[at], this.#rowData[at]];
    if (element && row) describeRow(element, row, note);
  }

  /** Selects a row without an event. */
  setSelected(row: number | undefined): void {
    const old = this.#rows[this.#selected ?? -1];
    old?.setAttribute('aria-selected', 'false');
    this.#selected = row;
    const selected = this.#rows[row ?? -1];
    if (!selected) return;
    for (const each of this.#list.querySelectorAll('[tabindex="0"]')) each.setAttribute('tabindex', '-1');
    selected.setAttribute('tabindex', '0');
    selected.setAttribute('aria-selected', 'true');
    // `scrollIntoView` would also scroll the page.
    const { offsetTop, offsetHeight } = selected;
    if (offsetTop < this.#list.scrollTop) this.#list.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > this.#list.scrollTop + this.#list.clientHeight)
      this.#list.scrollTop = offsetTop + offsetHeight - this.#list.clientHeight;
  }

  #select(row: number): void {
    if (row < 0 || row === this.#selected) return;
    this.#justSelected = row;
    this.#events.onSelect(row);
  }

  #handleClick(row: number): void {
    if (row < 0) return;
    if (this.#justSelected !== row) this.#events.onNextPlace(row);
    this.#justSelected = undefined;
  }

  #handleKey(event: KeyboardEvent): void {
    const at = this.#rows.indexOf(event.target as HTMLElement);
    if (at < 0) return;
    const step = keySteps[event.key];
    if (step) this.#rows[step(at, this.#rows.length - 1)]?.focus({ preventScroll: true });
    else if (event.key === 'Enter' || event.key === ' ') this.#events.onNextPlace(at);
    else return;
    event.preventDefault();
    this.#justSelected = undefined;
  }
}

function describeRow(
  element: HTMLElement,
  { address, clicks, people, share }: HeatRow,
  { text, why, isAbsent }: RowNote,
): void {
  element.setAttribute('aria-label', [address, clicks, people, share, why].filter((part) => part !== '').join(', '));
  element.title = why === '' ? address : `${address}\n${why}`;
  element.classList.toggle('absent', isAbsent);
  const note = element.querySelector('.note');
  if (note) note.textContent = text;
}

function createRow(row: HeatRow): HTMLElement {
  const bar = make('span', { class: `fill ${getLevelClass(row.heat)}` });
  bar.style.width = `${row.heat * 100}%`;
  const element = make(
    'div',
    { class: 'row', role: 'option', tabindex: '-1', 'aria-selected': 'false' },
    // The text has the order of the accessible label. CSS changes the visual order.
    ...[
      make('span', { class: 'address' }, row.address),
      make('span', { class: 'clicks' }, row.clicks),
      make('span', { class: 'people' }, row.people),
      make('span', { class: 'share' }, row.share),
    ].flatMap((part) => [part, ' ']),
    make('span', { class: 'note' }),
    make('span', { class: 'bar' }, bar),
  );
  describeRow(element, row, { text: '', why: '', isAbsent: false });
  return element;
}
