import './heat.css';
import { make } from '../../webview/dom.ts';
import { iconButton } from '../../webview/toolkit.ts';
import type { HeatLink, LinkHeat } from '../protocol.ts';
import type { MailFrame } from './frame.ts';
import { getLinkBoxes, getLinkTarget } from './heatBoxes.ts';
import { HeatLayer } from './heatLayer.ts';
import { LinkMatcher } from './heatMatching.ts';
import { formatCount, formatPercent, HeatPanel } from './heatPanel.ts';
import { getHref, linkSelector } from './interaction.ts';

/** More colored links would make scrolling slow. */
const MAX_COLORED_LINKS = 1500;

/** A link of the email, and the indices of the matching clicked addresses. */
interface LinkPlace {
  readonly link: Element;
  readonly href: string;
  readonly indices: readonly number[];
  /** Whether the link was visible at the last refresh. */
  isVisible: boolean;
}

interface HeatEvents {
  /** The layout of the email changed. Call `refresh` when idle. */
  onLayoutChange(): void;
  /** The user closed the heat map. */
  onClose(): void;
  /** The user selected this address. */
  onSelect(address: string): void;
}

/** Shows the clicks on an email's links as colors over the email and as a list. */
export class HeatMap {
  readonly panel = new HeatPanel({ onSelect: (row) => this.#select(row), onNextPlace: (row) => this.#showNext(row) });
  readonly #countedAt = make('span', { role: 'status' });
  /** The toolbar's label of the heat map, with a close button. */
  readonly chip = make('span', { class: 'chip', hidden: '' }, this.#countedAt);
  readonly #layer = new HeatLayer();
  readonly #events: HeatEvents;
  /** The clicked addresses, the most clicked first. Undefined while no heat map is shown. */
  #links: readonly HeatLink[] | undefined;
  #matcher = new LinkMatcher([]);
  #maxShare = 0;
  #frame: MailFrame | undefined;
  /** All links of the email. */
  #places: readonly LinkPlace[] = [];
  /** The links that match each address. */
  #placesByAddress: ReadonlyMap<number, readonly LinkPlace[]> = new Map();
  #selected = -1;
  /** Index of the selected address's link that was last scrolled into view. */
  #placeIndex = 0;
  #listeners = new AbortController();

  constructor(stage: HTMLElement, events: HeatEvents) {
    this.#events = events;
    const close = iconButton('cancel', 'Remove the clicks', () => this.#close());
    close.title = 'Remove the clicks (Escape)';
    this.chip.append(close);
    stage.append(this.#layer.element);
  }

  get isShown(): boolean {
    return this.#links !== undefined;
  }

  /** Shows clicks. `undefined` closes the heat map. */
  show(heat: LinkHeat | undefined, frame: MailFrame | undefined): void {
    const links = mergeLinks(heat?.links ?? []);
    this.#links = heat && links;
    for (const element of [this.panel.element, this.chip, this.#layer.element]) element.hidden = !heat;
    this.#countedAt.textContent = heat ? `Clicks as of ${heat.countedAt}` : '';
    this.#frame = undefined;
    this.#places = [];
    this.#listeners.abort();
    this.#listeners = new AbortController();
    this.#layer.clear();
    this.#matcher = new LinkMatcher(links.map(({ address }) => address));
    this.#maxShare = links.reduce((most, { share }) => Math.max(most, share), 0);
    this.panel.show(links, this.#maxShare);
    if (!heat) return;
    this.#selected = links.findIndex(({ address }) => address === heat.selectedAddress);
    this.panel.setSelected(this.#selected);
    // An open dropdown handles the key itself.
    const closeOnEscape = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !defaultPrevented) this.#close();
    };
    window.addEventListener('keydown', closeOnEscape, { signal: this.#listeners.signal });
    if (frame) this.setFrame(frame);
    this.refresh();
  }

  /** Scrolls the selected link into view. */
  reveal(): void {
    const places = this.#placesByAddress.get(this.#selected) ?? [];
    const place = places[this.#placeIndex % places.length];
    if (place) getLinkTarget(place.link).scrollIntoView({ block: 'center', inline: 'nearest' });
  }

  /** Attaches to a new frame of the email. */
  setFrame(frame: MailFrame): void {
    if (!this.#links) return;
    this.#frame = frame;
    const { signal } = this.#listeners;
    const changed = (): void => this.#events.onLayoutChange();
    // `load` and `scroll` events don't bubble.
    for (const name of ['load', 'error', 'scroll', 'toggle', 'transitionend'])
      frame.document.addEventListener(name, changed, { capture: true, passive: true, signal });
    frame.window.addEventListener('resize', changed, { signal });
    const sizes = new ResizeObserver(changed);
    for (const element of frame.document.querySelectorAll('html, body')) sizes.observe(element);
    signal.addEventListener('abort', () => sizes.disconnect());
  }

  handleScroll(): void {
    if (this.#frame) this.#layer.scroll(this.#frame.window);
  }

  /** Updates the positions of colors and numbers. */
  refresh(): void {
    const links = this.#links;
    if (!links || !this.#frame) return;
    const { document, window: view, element } = this.#frame;
    let hasChanged = this.#match(document);
    const spots = this.#places
      .filter(({ indices }) => indices.length > 0)
      .slice(0, MAX_COLORED_LINKS)
      .map((place) => {
        const boxes = getLinkBoxes(place.link);
        hasChanged ||= place.isVisible !== boxes.length > 0;
        place.isVisible = boxes.length > 0;
        const clicked = place.indices.flatMap((at) => links[at] ?? []);
        const share = clicked.reduce((sum, link) => sum + link.share, 0);
        const total = clicked.reduce((sum, link) => sum + link.total, 0);
        return {
          boxes,
          texts: [`${formatCount(total)} · ${formatPercent(share)}`, formatPercent(share)],
          heat: this.#maxShare > 0 ? Math.min(1, share / this.#maxShare) : 0,
          isSelected: place.indices.includes(this.#selected),
        };
      });
    const scale = element.getBoundingClientRect().width / element.offsetWidth || 1;
    this.#layer.draw(spots, document.documentElement.clientWidth, scale);
    this.#layer.scroll(view);
    for (const at of hasChanged ? links.keys() : []) {
      const places = this.#placesByAddress.get(at) ?? [];
      this.panel.showPlaces(at, { count: places.length, isVisible: places.some(({ isVisible }) => isVisible) });
    }
  }

  /** Matches the email's links again. Returns false if they are unchanged. */
  #match(document: Document): boolean {
    const links = [...document.querySelectorAll(linkSelector)];
    const hrefs = links.map((link) => getHref(link) ?? '');
    const isSame =
      links.length === this.#places.length &&
      this.#places.every(({ link, href }, at) => link === links[at] && href === hrefs[at]);
    if (isSame && links.length > 0) return false;
    const matches = this.#matcher.match(hrefs);
    this.#places = links.map((link, at) => ({
      link,
      href: hrefs[at] ?? '',
      indices: matches[at] ?? [],
      isVisible: true,
    }));
    const placesByAddress = new Map<number, LinkPlace[]>();
    for (const place of this.#places)
      for (const at of place.indices) placesByAddress.set(at, [...(placesByAddress.get(at) ?? []), place]);
    this.#placesByAddress = placesByAddress;
    return true;
  }

  #select(row: number): void {
    this.#selected = row;
    this.#placeIndex = 0;
    this.panel.setSelected(row);
    this.reveal();
    this.refresh();
    const address = this.#links?.[row]?.address;
    if (address !== undefined) this.#events.onSelect(address);
  }

  #showNext(row: number): void {
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

/** Sums up clicks by address, the most clicked first. Each version of an email has its own clicks, of different people. */
function mergeLinks(links: readonly HeatLink[]): readonly HeatLink[] {
  const found = new Map<string, HeatLink>();
  // NaN counts as 0.
  const add = (sum: number, number: number): number => sum + (Math.max(0, number) || 0);
  for (const { address, total, unique, share } of links) {
    const before = found.get(address) ?? { total: 0, unique: 0, share: 0 };
    found.set(address, {
      address,
      total: add(before.total, total),
      unique: add(before.unique, unique),
      share: add(before.share, share),
    });
  }
  return [...found.values()].toSorted((one, other) => other.total - one.total);
}
