import './heat.css';
import { icon, make } from '../../webview/dom.ts';
import type { MailFrame } from './frame.ts';
import { getScrollTarget, getLinkBoxes } from './heatBoxes.ts';
import { HeatLayer } from './heatLayer.ts';
import type { Spot } from './heatLayer.ts';
import { LinkMatcher } from './heatMatching.ts';
import { HeatPanel } from './heatPanel.ts';
import type { HeatRow, RowNote } from './heatPanel.ts';
import { getHref, linkSelector } from './interaction.ts';
import type { HeatLink, LinkHeat } from '../protocol.ts';

/** More colored links would make scrolling slow. */
const MAX_COLORED_LINKS = 1500;
const MAX_ADDRESS_CHARS = 500;

const clickFormat = new Intl.NumberFormat();
const formatHeatCount = (number: number, one: string, many: string): string =>
  `${clickFormat.format(number)} ${number === 1 ? one : many}`;
const toFiniteCount = (number: number): number => (Number.isFinite(number) ? Math.max(0, number) : 0);

/** A link of the email, and the indices of the matching clicked addresses. */
interface LinkPlace {
  readonly link: Element;
  readonly addressIndices: readonly number[];
  /** Whether the link was visible at the last refresh. */
  isVisible: boolean;
}

export interface HeatEvents {
  /** The layout of the email changed. Call `refresh` when idle. */
  onLayoutChange(): void;
  /** The user closed the heat map. */
  onClose(): void;
  /** The user selected this address. */
  onSelect(address: string): void;
}

/** Shows the clicks on an email's links as colors over the email and as a list. */
export class HeatMap {
  readonly panel: HeatPanel;
  /** The toolbar's label of the heat map, with a close button. */
  readonly chip = make('span', { class: 'chip', hidden: '' });
  readonly #asOf = make('span', { role: 'status' });
  readonly #layer = new HeatLayer();
  readonly #events: HeatEvents;
  #heat: LinkHeat | undefined;
  #matcher = new LinkMatcher([]);
  #maxShare = 0;
  #frame: MailFrame | undefined;
  #hrefs: readonly string[] = [];
  #links: readonly Element[] = [];
  #places: readonly LinkPlace[] = [];
  /** The links that match each address. */
  #placesByAddress: ReadonlyMap<number, readonly LinkPlace[]> = new Map();
  #selected: number | undefined;
  /** Index of the selected address's link that was last scrolled into view. */
  #placeIndex = 0;
  #listeners = new AbortController();

  constructor(stage: HTMLElement, events: HeatEvents) {
    this.#events = events;
    this.panel = new HeatPanel({ onSelect: (row) => this.#select(row), onNextPlace: (row) => this.#next(row) });
    const close = make(
      'vscode-button',
      { appearance: 'icon', 'aria-label': 'Remove the clicks', title: 'Remove the clicks (Escape)' },
      icon(['M4.5 4.5l7 7', 'M11.5 4.5l-7 7']),
    );
    close.addEventListener('click', () => this.#close());
    this.chip.append(this.#asOf, close);
    stage.append(this.#layer.element);
  }

  get isShown(): boolean {
    return this.#heat !== undefined;
  }

  /** Shows clicks, the most clicked link first. `undefined` closes the heat map. */
  show(heat: LinkHeat | undefined, frame: MailFrame | undefined): void {
    this.#heat = heat && { ...heat, links: mergeLinks(heat.links).toSorted((one, other) => other.total - one.total) };
    for (const element of [this.panel.element, this.chip, this.#layer.element]) element.hidden = !heat;
    this.#asOf.textContent = heat ? `Clicks as of ${heat.countedAt}` : '';
    this.#hrefs = this.#links = this.#places = [];
    this.#placesByAddress = new Map();
    this.#frame = undefined;
    this.#selected = undefined;
    this.#listeners.abort();
    this.#layer.clear();
    const links = this.#heat?.links ?? [];
    this.#matcher = new LinkMatcher(links.map(({ address }) => address));
    this.#maxShare = links.reduce((most, { share }) => Math.max(most, share), 0);
    const clicks = links.reduce((sum, { total }) => sum + total, 0);
    this.panel.show(
      links.map((link) => this.#createRow(link)),
      `${formatHeatCount(clicks, 'click', 'clicks')} on ${formatHeatCount(links.length, 'link', 'links')}`,
    );
    if (!this.#heat) return;
    const chosen = links.findIndex(({ address }) => address === heat?.selectedAddress);
    this.#selected = chosen < 0 ? undefined : chosen;
    this.panel.setSelected(this.#selected);
    this.#listeners = new AbortController();
    window.addEventListener(
      'keydown',
      (event) => {
        // An open dropdown handles the key itself.
        if (event.key === 'Escape' && !event.defaultPrevented) this.#close();
      },
      { signal: this.#listeners.signal },
    );
    if (frame) this.setFrame(frame);
    this.refresh();
  }

  /** Scrolls the selected link into view. */
  reveal(): void {
    const places = this.#placesByAddress.get(this.#selected ?? -1) ?? [];
    const place = places[this.#placeIndex % places.length];
    if (place) getScrollTarget(place.link).scrollIntoView({ block: 'center', inline: 'nearest' });
  }

  /** Attaches to a new frame of the email. */
  setFrame(frame: MailFrame): void {
    if (!this.#heat) return;
    this.#frame = frame;
    const { signal } = this.#listeners;
    const changed = (): void => this.#events.onLayoutChange();
    // `load` and `scroll` events don't bubble.
    for (const name of ['load', 'error', 'scroll', 'toggle', 'transitionend'])
      frame.document.addEventListener(name, changed, { capture: true, passive: true, signal });
    frame.window.addEventListener('resize', changed, { signal });
    const sizes = new ResizeObserver(changed);
    for (const element of [frame.document.documentElement, frame.document.body as HTMLElement | null])
      if (element) sizes.observe(element);
    signal.addEventListener('abort', () => sizes.disconnect());
  }

  handleScroll(): void {
    if (this.#heat && this.#frame) this.#layer.scroll(this.#frame.window);
  }

  /** Updates the positions of colors and numbers. */
  refresh(): void {
    if (!this.#heat || !this.#frame) return;
    const { document, window: view } = this.#frame;
    let hasChanged = this.#match(document);
    const spots = this.#places.slice(0, MAX_COLORED_LINKS).map((place): Spot => {
      const boxes = getLinkBoxes(place.link);
      hasChanged ||= place.isVisible !== boxes.length > 0;
      place.isVisible = boxes.length > 0;
      return { boxes, ...this.#createSpot(place.addressIndices) };
    });
    const scale = this.#frame.element.getBoundingClientRect().width / this.#frame.element.offsetWidth || 1;
    this.#layer.draw(spots, document.documentElement.clientWidth, scale);
    this.#layer.scroll(view);
    if (hasChanged)
      for (const at of this.#heat.links.keys())
        this.panel.setNote(at, describePlaces(this.#placesByAddress.get(at) ?? []));
  }

  /** Matches the email's links again. Returns false if they are unchanged. */
  #match(document: Document): boolean {
    const links = [...document.querySelectorAll(linkSelector)];
    const hrefs = links.map((link) => getHref(link) ?? '');
    const isSame =
      hrefs.length === this.#hrefs.length &&
      hrefs.every((href, at) => href === this.#hrefs[at] && links[at] === this.#links[at]);
    if (isSame && links.length > 0) return false;
    this.#links = links;
    this.#hrefs = hrefs;
    const means = this.#matcher.match(hrefs);
    this.#places = links.flatMap((link, at): LinkPlace[] =>
      means[at]?.length ? [{ link, addressIndices: means[at], isVisible: true }] : [],
    );
    const placesByAddress = new Map<number, LinkPlace[]>();
    for (const place of this.#places)
      for (const at of place.addressIndices) placesByAddress.set(at, [...(placesByAddress.get(at) ?? []), place]);
    this.#placesByAddress = placesByAddress;
    return true;
  }

  #createSpot(means: readonly number[]): Omit<Spot, 'boxes'> {
    const links = means.flatMap((at) => this.#heat?.links[at] ?? []);
    const share = links.reduce((sum, link) => sum + link.share, 0);
    const total = links.reduce((sum, link) => sum + link.total, 0);
    const percent = formatHeatPercent(share);
    return {
      texts: [`${clickFormat.format(total)} · ${percent}`, percent],
      heat: this.#getRelativeHeat(share),
      isSelected: this.#selected !== undefined && means.includes(this.#selected),
    };
  }

  #getRelativeHeat(share: number): number {
    return this.#maxShare > 0 ? Math.min(1, share / this.#maxShare) : 0;
  }

  #createRow({ address, total, unique, share }: HeatLink): HeatRow {
    return {
      address: formatAddress(address),
      clicks: formatHeatCount(total, 'click', 'clicks'),
      people: formatHeatCount(unique, 'person', 'people'),
      share: formatHeatPercent(share),
      heat: this.#getRelativeHeat(share),
    };
  }

  #select(row: number): void {
    this.#selected = row;
    this.#placeIndex = 0;
    this.panel.setSelected(row);
    this.reveal();
    this.refresh();
    const address = this.#heat?.links[row]?.address;
    if (address !== undefined) this.#events.onSelect(address);
  }

  #next(row: number): void {
    if (row !== this.#selected) return this.#select(row);
    this.#placeIndex += 1;
    this.reveal();
  }

  #close(): void {
    const hadFocus = [this.chip, this.panel.element].some((element) => element.contains(document.activeElement));
    const mail = this.#frame?.element;
    this.show(undefined, undefined);
    if (hadFocus) mail?.focus();
    this.#events.onClose();
  }
}

/** Sums up clicks by address. Each version of an email has its own clicks, of different people. */
function mergeLinks(links: readonly HeatLink[]): HeatLink[] {
  const found = new Map<string, HeatLink>();
  for (const { address, total, unique, share } of links) {
    const before = found.get(address) ?? { total: 0, unique: 0, share: 0 };
    found.set(address, {
      address,
      total: before.total + toFiniteCount(total),
      unique: before.unique + toFiniteCount(unique),
      share: before.share + toFiniteCount(share),
    });
  }
  return [...found.values()];
}

function describePlaces(places: readonly LinkPlace[]): RowNote {
  if (places.length === 0)
    return { text: 'not in the email', why: 'No link of the email as it is now leads there.', isAbsent: true };
  if (!places.some(({ isVisible }) => isVisible))
    return { text: 'hidden', why: 'The link is in the email, and can’t be seen at this width.', isAbsent: true };
  if (places.length === 1) return { text: '', why: '', isAbsent: false };
  const times = clickFormat.format(places.length);
  return {
    text: `${times} places`,
    why: `It stands ${times} times in the email: their clicks can’t be told apart.`,
    isAbsent: false,
  };
}

function formatHeatPercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.5) return '<1%';
  return `${Math.round(percent)}%`;
}

/** Formats an address as one line, without invisible characters or ones that change the reading direction. */
function formatAddress(address: string): string {
  const line = address
    .slice(0, MAX_ADDRESS_CHARS * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Z}\s]+/gu, ' ')
    .trim();
  if (line === '') return '(empty address)';
  return line.length > MAX_ADDRESS_CHARS ? `${line.slice(0, MAX_ADDRESS_CHARS)}…` : line;
}
