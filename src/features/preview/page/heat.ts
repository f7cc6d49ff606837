import './heat.css';
import { formatNumber } from '../../../l10n.ts';
import type { LinkClicks, LinkHeat } from '../protocol.ts';
import type { MailFrame } from './frame.ts';
import { getLinkBoxes, getLinkTarget, type Box } from './heatBoxes.ts';
import { HeatLayer, type Spot } from './heatLayer.ts';
import { createLinkMatcher } from './heatMatching.ts';
import { formatPercent, HeatPanel, type ClickedLink } from './heatPanel.ts';
import { getHref, linkSelector } from './interaction.ts';
import type { Renderer } from './renderer.ts';
import type { Views } from './views.ts';

/** More colored links would make scrolling slow. */
const MAX_COLORED_LINKS = 1500;

/** A clicked link of the email, the indices of the matching addresses, and its boxes at the last refresh if it is colored. */
interface LinkPlace {
  readonly link: Element;
  readonly indices: readonly number[];
  readonly boxes: readonly Box[] | undefined;
}

interface HeatEvents {
  /** The layout of the email changed. Call `refresh` when idle. */
  onLayoutChange(): void;
  /** The user closed the heat map. */
  onClose(): void;
  /** The user selected this address. */
  onSelect(address: string): void;
}

/** Shows the clicks on an email's links as colors over the email and as a list. Without links, nothing of it is visible or listens. */
export class HeatMap {
  readonly #renderer: Renderer;
  readonly #events: HeatEvents;
  readonly panel = new HeatPanel(
    (row) => this.#select(row),
    () => this.#revealNext(),
    () => this.#close(),
  );
  readonly #layer = new HeatLayer();
  /** The clicked addresses, the most clicked first. Undefined while no heat map is shown. */
  #links: readonly ClickedLink[] | undefined;
  #matchLinks = createLinkMatcher([]);
  /** The frame whose layout is followed. */
  #frame: MailFrame | undefined;
  /** The clicked links of the email. */
  #places: readonly LinkPlace[] = [];
  #selected = -1;
  /** Index of the selected address's link that was last scrolled into view. */
  #placeIndex = 0;
  #listeners = new AbortController();

  constructor({ renderer, stage }: Views, events: HeatEvents) {
    this.#renderer = renderer;
    this.#events = events;
    stage.device.append(this.#layer.element);
  }

  get isShown(): boolean {
    return this.#links !== undefined;
  }

  /** Shows clicks. `undefined` closes the heat map. */
  show(heat: LinkHeat | undefined): void {
    const links = mergeLinks(heat?.links ?? []);
    this.#links = heat && links;
    for (const element of [this.panel.element, this.#layer.element]) element.hidden = !heat;
    this.#frame = undefined;
    this.#places = [];
    this.#listeners.abort();
    this.#listeners = new AbortController();
    this.#layer.clear();
    this.#matchLinks = createLinkMatcher(links.map(({ address }) => address));
    this.panel.show(links, sum(links, 'total'), heat?.countedAt);
    if (!heat) return;
    this.#selected = links.findIndex(({ address }) => address === heat.selectedAddress);
    this.panel.setSelected(this.#selected);
    // An open list or menu closes first.
    const closeOnEscape = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector(':popover-open')) this.#close();
    };
    window.addEventListener('keydown', closeOnEscape, { signal: this.#listeners.signal });
    this.refresh();
  }

  /** Scrolls the selected link into view. */
  reveal(): void {
    const places = this.#places.filter(({ indices }) => indices.includes(this.#selected));
    const place = places[this.#placeIndex % places.length];
    if (place) getLinkTarget(place.link).scrollIntoView({ block: 'center', inline: 'nearest' });
  }

  handleScroll(): void {
    if (this.#frame) this.#layer.scroll(this.#frame.window);
  }

  /** Updates the positions of colors and numbers. */
  refresh(): void {
    const links = this.#links;
    const { frame } = this.#renderer;
    if (!links || !frame) return;
    if (frame !== this.#frame) this.#follow(frame);
    const { document, window: view, element } = frame;
    this.#places = this.#findPlaces(document);
    const spots = this.#places.flatMap((place) => this.#createSpot(place) ?? []);
    const scale = element.getBoundingClientRect().width / element.offsetWidth || 1;
    this.#layer.draw(spots, document.documentElement.clientWidth, scale);
    this.#layer.scroll(view);
    const places = this.#places.flatMap(({ indices, boxes }) => indices.map((index) => ({ index, boxes })));
    const placesByIndex = Map.groupBy(places, ({ index }) => index);
    for (const index of links.keys()) {
      const found = placesByIndex.get(index) ?? [];
      const isVisible = found.some(({ boxes }) => boxes?.length !== 0);
      this.panel.showPlaces(index, found.length, isVisible);
    }
  }

  #createSpot({ boxes, indices }: LinkPlace): Spot | undefined {
    if (!boxes) return undefined;
    const clicked = indices.flatMap((at) => this.#links?.[at] ?? []);
    const percent = formatPercent(sum(clicked, 'share'));
    return {
      boxes,
      texts: [`${formatNumber(sum(clicked, 'total'))} · ${percent}`, percent],
      heat: Math.min(1, sum(clicked, 'heat')),
      isSelected: indices.includes(this.#selected),
    };
  }

  /** Follows the layout of a frame of the email. */
  #follow(frame: MailFrame) {
    this.#frame = frame;
    const { signal } = this.#listeners;
    const { onLayoutChange } = this.#events;
    // `load` and `scroll` events don't bubble.
    for (const name of ['load', 'error', 'scroll', 'toggle', 'transitionend'])
      frame.document.addEventListener(name, onLayoutChange, { capture: true, passive: true, signal });
    // An element with this ID would hide the method.
    EventTarget.prototype.addEventListener.call(frame.window, 'resize', onLayoutChange, { signal });
    const sizes = new ResizeObserver(onLayoutChange);
    for (const element of frame.document.querySelectorAll('html, body')) sizes.observe(element);
    signal.addEventListener('abort', () => sizes.disconnect());
  }

  /** Finds the links of the email that match each address. */
  #findPlaces(document: Document): readonly LinkPlace[] {
    const links = [...document.querySelectorAll(linkSelector)];
    const matches = this.#matchLinks(links.map((link) => getHref(link) ?? ''));
    return links
      .map((link, at) => ({ link, indices: matches[at] ?? [] }))
      .filter(({ indices }) => indices.length > 0)
      .map((place, at) => ({ ...place, boxes: at < MAX_COLORED_LINKS ? getLinkBoxes(place.link) : undefined }));
  }

  #select(row: number) {
    this.#selected = row;
    this.#placeIndex = 0;
    this.panel.setSelected(row);
    this.reveal();
    this.refresh();
    const address = this.#links?.[row]?.address;
    if (address !== undefined) this.#events.onSelect(address);
  }

  #revealNext() {
    this.#placeIndex += 1;
    this.reveal();
  }

  #close() {
    const hadFocus = this.panel.element.contains(document.activeElement);
    this.show(undefined);
    if (hadFocus) this.#renderer.frame?.element.focus();
    this.#events.onClose();
  }
}

/** Invalid numbers count as 0. */
const sum = <Name extends string>(links: readonly Readonly<Record<Name, number>>[], name: Name) =>
  links.reduce((total, link) => total + (Math.max(0, link[name]) || 0), 0);

/** Sums up clicks by address, the most clicked first. Each version of an email has its own clicks, of different people. */
function mergeLinks(links: readonly LinkClicks[]): readonly ClickedLink[] {
  const merged = Array.from(
    Map.groupBy(links, ({ address }) => address),
    ([address, all]) => ({
      address,
      total: sum(all, 'total'),
      unique: sum(all, 'unique'),
      share: sum(all, 'share'),
    }),
  );
  const maxShare = merged.reduce((most, { share }) => Math.max(most, share), 0);
  return merged
    .map((link) => ({ ...link, heat: maxShare > 0 ? link.share / maxShare : 0 }))
    .toSorted((one, other) => other.total - one.total);
}
