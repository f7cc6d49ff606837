import { t } from '@vscode/l10n';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { formatNumber, localized, plural } from '../../../l10n.ts';
import { getTargetIndex } from '../../../ui/page/choices.ts';
import { createSpokenComma, make } from '../../../ui/page/dom.ts';
import { iconButton } from '../../../ui/page/toolkit.ts';
import type { LinkClicks } from '../protocol.ts';
import { getLevelClass } from './heatLayer.ts';

const percentFormat = localized((language) => new Intl.NumberFormat(language, { style: 'percent' }));

export function formatPercent(share: number): string {
  return share > 0 && share < 0.005 ? `<${percentFormat().format(0.01)}` : percentFormat().format(share);
}

/** The clicks on all links with an address. */
export interface ClickedLink extends LinkClicks {
  /** Share of clicks relative to the most clicked address, 0 to 1. */
  readonly heat: number;
}

/** Returns a note about a link's places in the email, and a sentence that explains it. Empty for exactly one. */
function describePlaces(count: number, isVisible: boolean): readonly [note: string, why: string] {
  if (count === 0) return [t('not in the email'), t('The email no longer contains this link.')];
  if (!isVisible)
    return [
      t({ message: 'hidden', args: [], comment: 'Note beside a link that is not visible in the email' }),
      t("The email contains this link, but it isn't visible at this width."),
    ];
  if (count === 1) return ['', ''];
  return [
    plural(count, t('{0} link'), t('{0} links')),
    t`The email has ${formatNumber(count)} links to this URL. The service counts their clicks together.`,
  ];
}

/** Lists the clicks of all links, including links that are no longer in the email. At most one row is selected. */
export class HeatPanel {
  readonly #onNextPlace: () => void;
  readonly #summary = make('summary');
  readonly #list = make('div.rows', { role: 'listbox', 'aria-label': t('Clicks by link') });
  readonly #notice = make('p.none', { hidden: '' }, t('The service counted no clicks on links.'));
  readonly #countedAt = make('span', { role: 'status' });
  readonly element: HTMLElement;
  #rows: readonly Row[] = [];
  #selected = -1;

  /**
   * `onSelect`: the user selected a row. `onNextPlace`: the user asks for the next occurrence of the selected link. `onClose`: the user hides the
   * clicks.
   */
  constructor(onSelect: (row: number) => void, onNextPlace: () => void, onClose: () => void) {
    const list = this.#list;
    const close = iconButton('cancel', t('Hide Clicks'), onClose);
    close.title = t('Hide Clicks (Escape)');
    this.#onNextPlace = onNextPlace;
    this.element = make(
      'div.heatPanel',
      { hidden: '' },
      make('details', { open: '' }, this.#summary, list, this.#notice),
      make('span.chip', this.#countedAt, close),
    );
    list.addEventListener('focusin', ({ target }) => {
      const row = this.#findRow(target);
      if (row >= 0 && row !== this.#selected) onSelect(row);
    });
    // A press must not select the row, because its click would go to the next occurrence.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    list.addEventListener('click', ({ target }) => this.#activate(this.#findRow(target)));
    list.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** Shows links with their sum of clicks, and when they were counted. */
  show(links: readonly ClickedLink[], clicks: number, time = ''): void {
    const list = this.#list;
    this.#countedAt.textContent = t`Clicks as of ${time}`;
    const text = `${formatClicks(clicks)} · ${plural(links.length, t('{0} link'), t('{0} links'))}`;
    this.#summary.replaceChildren(t('Clicks by link'), make('span.sum', text));
    this.#rows = links.map((link) => new Row(link));
    list.replaceChildren(...this.#rows.map((row) => row.element));
    // Rows are laid out separately, so their columns need the width of the longest text.
    for (const column of ['clicks', 'people']) {
      const cells = [...list.querySelectorAll(`.${column}`)];
      const length = Math.max(0, ...cells.map(({ textContent }) => textContent?.length ?? 0));
      list.style.setProperty(`--${column}-width`, `${length}ch`);
    }
    list.hidden = links.length === 0;
    this.#notice.hidden = links.length > 0;
    this.#selected = -1;
    this.#rows[0]?.element.setAttribute('tabindex', '0');
  }

  /** Selects a row, or none for -1, without an event. */
  setSelected(row: number): void {
    this.#rows[this.#selected]?.element.setAttribute('aria-selected', 'false');
    this.#selected = row;
    const option = this.#rows[row]?.element;
    if (!option) return;
    for (const each of this.#rows) each.element.tabIndex = each.element === option ? 0 : -1;
    option.setAttribute('aria-selected', 'true');
    // `scrollIntoView` would also scroll the page.
    const { offsetTop, offsetHeight } = option;
    const { scrollTop, clientHeight } = this.#list;
    this.#list.scrollTop = Math.min(offsetTop, Math.max(scrollTop, offsetTop + offsetHeight - clientHeight));
  }

  /** Shows how often a row's address is in the email, and whether any of its links is visible. */
  showPlaces(row: number, count: number, isVisible: boolean): void {
    this.#rows[row]?.showPlaces(count, isVisible);
  }

  #findRow(target: EventTarget | null) {
    return this.#rows.findIndex((row) => row.element.contains(target as Node));
  }

  /** Goes to the next occurrence of the selected row, or selects another row by its focus. */
  #activate(row: number) {
    if (row >= 0 && row === this.#selected) this.#onNextPlace();
    else this.#rows[row]?.element.focus({ preventScroll: true });
  }

  #handleKey(event: KeyboardEvent) {
    const at = this.#findRow(event.target);
    const next = getTargetIndex(event.key, at, this.#rows.length);
    if (next !== undefined) this.#rows[next]?.element.focus({ preventScroll: true });
    else if (event.key === 'Enter' || event.key === ' ') this.#activate(at);
    else return;
    event.preventDefault();
  }
}

const formatClicks = (count: number) => plural(count, t('{0} click'), t('{0} clicks'));

class Row {
  readonly #address: string;
  readonly #note = make('span.note');
  readonly element: HTMLElement;
  #shownWhy: string | undefined;

  constructor({ address, total, unique, share, heat }: ClickedLink) {
    this.#address = toDisplayText(address).trim() || t('(empty link)');
    const cells = [
      ['address', this.#address],
      ['clicks', formatClicks(total)],
      ['people', plural(unique, t('{0} person'), t('{0} people'))],
      ['share', formatPercent(share)],
    ] as const;
    const fill = make(`span.fill.${getLevelClass(heat)}`, { style: `width: ${heat * 100}%` });
    this.element = make(
      'div.row',
      { role: 'option', tabindex: -1, 'aria-selected': 'false' },
      // The text has the order in which screen readers read it. CSS changes the visual order.
      ...cells.flatMap(([name, text]) => [make('span', { class: name }, text), createSpokenComma()]),
      this.#note,
      make('span.bar', fill),
    );
    this.showPlaces(1, true);
  }

  showPlaces(count: number, isVisible: boolean) {
    const [text, why] = describePlaces(count, isVisible);
    if (why === this.#shownWhy) return;
    this.#shownWhy = why;
    this.element.title = why === '' ? this.#address : `${this.#address}\n${why}`;
    this.element.classList.toggle('absent', !isVisible);
    this.#note.textContent = text;
  }
}
