import { t } from '@vscode/l10n';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { formatNumber, localized, plural } from '../../../l10n.ts';
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

interface Row {
  readonly element: HTMLElement;
  showPlaces(count: number, isVisible: boolean): void;
}

/**
 * Lists the clicks of all links, including links that are no longer in the email. `onSelect`: the user selected a row. `onNextPlace`: the user asks
 * for the next occurrence of the selected link. `onClose`: the user hides the clicks.
 */
export function createHeatPanel(onSelect: (row: number) => void, onNextPlace: () => void, onClose: () => void) {
  const summary = make('summary');
  const list = make('div.rows', { role: 'listbox', 'aria-label': t('Clicks by link') });
  const notice = make('p.none', { hidden: '' }, t('The service counted no clicks on links.'));
  const countedAt = make('span', { role: 'status' });
  const closeButton = iconButton('cancel', t('Hide Clicks'), onClose);
  const element = make(
    'div.heatPanel',
    { hidden: '' },
    make('details', { open: '' }, summary, list, notice),
    make('span.chip', countedAt, closeButton),
  );
  let rows: readonly Row[] = [];
  let selected = -1;

  closeButton.title = t('Hide Clicks (Escape)');
  list.addEventListener('focusin', ({ target }) => {
    const row = findRow(target);
    if (row >= 0 && row !== selected) onSelect(row);
  });
  // A press must not select the row, because its click would go to the next occurrence.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => activate(findRow(target)));
  list.addEventListener('keydown', handleKey);

  /** Shows links with their sum of clicks, and when they were counted. */
  function show(links: readonly ClickedLink[], clicks: number, time = '') {
    countedAt.textContent = t`Clicks as of ${time}`;
    const text = `${formatClicks(clicks)} · ${plural(links.length, t('{0} link'), t('{0} links'))}`;
    summary.replaceChildren(t('Clicks by link'), make('span.sum', text));
    rows = links.map(createRow);
    list.replaceChildren(...rows.map((row) => row.element));
    // Rows are laid out separately, so their columns need the width of the longest text.
    for (const column of ['clicks', 'people']) {
      const cells = [...list.querySelectorAll(`.${column}`)];
      const length = Math.max(0, ...cells.map(({ textContent }) => textContent?.length ?? 0));
      list.style.setProperty(`--${column}-width`, `${length}ch`);
    }
    list.hidden = links.length === 0;
    notice.hidden = links.length > 0;
    selected = -1;
    rows[0]?.element.setAttribute('tabindex', '0');
  }

  /** Selects a row, or none for -1, without an event. */
  function setSelected(row: number) {
    rows[selected]?.element.setAttribute('aria-selected', 'false');
    selected = row;
    const option = rows[row]?.element;
    if (!option) return;
    for (const each of rows) each.element.tabIndex = each.element === option ? 0 : -1;
    option.setAttribute('aria-selected', 'true');
    // `scrollIntoView` would also scroll the page.
    const { offsetTop, offsetHeight } = option;
    const { scrollTop, clientHeight } = list;
    list.scrollTop = Math.min(offsetTop, Math.max(scrollTop, offsetTop + offsetHeight - clientHeight));
  }

  function findRow(target: EventTarget | null) {
    return rows.findIndex((row) => row.element.contains(target as Node));
  }

  /** Goes to the next occurrence of the selected row, or selects another row by its focus. */
  function activate(row: number) {
    if (row >= 0 && row === selected) onNextPlace();
    else rows[row]?.element.focus({ preventScroll: true });
  }

  function handleKey(event: KeyboardEvent) {
    const at = findRow(event.target);
    const last = rows.length - 1;
    const next = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
    if (next !== undefined) rows[next]?.element.focus({ preventScroll: true });
    else if (event.key === 'Enter' || event.key === ' ') activate(at);
    else return;
    event.preventDefault();
  }

  return {
    element,
    show,
    setSelected,
    /** Shows how often a row's address is in the email, and whether any of its links is visible. */
    showPlaces: (row: number, count: number, isVisible: boolean) => rows[row]?.showPlaces(count, isVisible),
  };
}

const formatClicks = (count: number) => plural(count, t('{0} click'), t('{0} clicks'));

function createRow({ address: stored, total, unique, share, heat }: ClickedLink): Row {
  const address = toDisplayText(stored).trim() || t('(empty link)');
  const cells = [
    ['address', address],
    ['clicks', formatClicks(total)],
    ['people', plural(unique, t('{0} person'), t('{0} people'))],
    ['share', formatPercent(share)],
  ] as const;
  const note = make('span.note');
  const fill = make(`span.fill.${getLevelClass(heat)}`, { style: `width: ${heat * 100}%` });
  const element = make(
    'div.row',
    { role: 'option', tabindex: -1, 'aria-selected': 'false' },
    // The text has the order in which screen readers read it. CSS changes the visual order.
    ...cells.flatMap(([name, text]) => [make('span', { class: name }, text), createSpokenComma()]),
    note,
    make('span.bar', fill),
  );
  let shownWhy: string | undefined;
  const showPlaces = (count: number, isVisible: boolean) => {
    const [text, why] = describePlaces(count, isVisible);
    if (why === shownWhy) return;
    shownWhy = why;
    element.title = why === '' ? address : `${address}\n${why}`;
    element.classList.toggle('absent', !isVisible);
    note.textContent = text;
  };
  showPlaces(1, true);
  return { element, showPlaces };
}
