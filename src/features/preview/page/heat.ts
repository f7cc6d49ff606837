import './heat.css';
import { formatNumber } from '../../../l10n.ts';
import type { LinkClicks, LinkHeat } from '../protocol.ts';
import type { MailFrame } from './frame.ts';
import { getLinkBoxes, getLinkTarget } from './heatBoxes.ts';
import { HeatLayer } from './heatLayer.ts';
import { createLinkMatcher } from './heatMatching.ts';
import { createHeatPanel, formatPercent, type ClickedLink } from './heatPanel.ts';
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
export function createHeatMap(stage: HTMLElement, events: HeatEvents) {
  const panel = createHeatPanel(select, revealNext, close);
  const layer = new HeatLayer();
  /** The clicked addresses, the most clicked first. Undefined while no heat map is shown. */
  let links: readonly ClickedLink[] | undefined;
  let matchLinks = createLinkMatcher([]);
  let frame: MailFrame | undefined;
  /** All links of the email. */
  let places: readonly LinkPlace[] = [];
  /** The links that match each address. */
  let placesByAddress: ReadonlyMap<number, readonly LinkPlace[]> = new Map();
  let selected = -1;
  /** Index of the selected address's link that was last scrolled into view. */
  let placeIndex = 0;
  let listeners = new AbortController();

  stage.append(layer.element);

  /** Shows clicks. `undefined` closes the heat map. */
  function show(heat: LinkHeat | undefined, shownFrame: MailFrame | undefined) {
    const merged = mergeLinks(heat?.links ?? []);
    links = heat && merged;
    for (const element of [panel.element, layer.element]) element.hidden = !heat;
    frame = undefined;
    places = [];
    listeners.abort();
    listeners = new AbortController();
    layer.clear();
    matchLinks = createLinkMatcher(merged.map(({ address }) => address));
    panel.show(merged, sum(merged, 'total'), heat?.countedAt);
    if (!heat) return;
    selected = merged.findIndex(({ address }) => address === heat.selectedAddress);
    panel.setSelected(selected);
    // An open list or menu closes first.
    const closeOnEscape = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector(':popover-open')) close();
    };
    window.addEventListener('keydown', closeOnEscape, { signal: listeners.signal });
    if (shownFrame) setFrame(shownFrame);
    refresh();
  }

  /** Scrolls the selected link into view. */
  function reveal() {
    const selectedPlaces = placesByAddress.get(selected) ?? [];
    const place = selectedPlaces[placeIndex % selectedPlaces.length];
    if (place) getLinkTarget(place.link).scrollIntoView({ block: 'center', inline: 'nearest' });
  }

  /** Attaches to a new frame of the email. */
  function setFrame(next: MailFrame) {
    if (!links) return;
    frame = next;
    const { signal } = listeners;
    // `load` and `scroll` events don't bubble.
    for (const name of ['load', 'error', 'scroll', 'toggle', 'transitionend'])
      next.document.addEventListener(name, events.onLayoutChange, { capture: true, passive: true, signal });
    // An element with this ID would hide the method.
    EventTarget.prototype.addEventListener.call(next.window, 'resize', events.onLayoutChange, { signal });
    const sizes = new ResizeObserver(events.onLayoutChange);
    for (const element of next.document.querySelectorAll('html, body')) sizes.observe(element);
    signal.addEventListener('abort', () => sizes.disconnect());
  }

  function handleScroll() {
    if (frame) layer.scroll(frame.window);
  }

  /** Updates the positions of colors and numbers. */
  function refresh() {
    const clickedLinks = links;
    if (!clickedLinks || !frame) return;
    const { document, window: view, element } = frame;
    match(document);
    const spots = places
      .filter(({ indices }) => indices.length > 0)
      .slice(0, MAX_COLORED_LINKS)
      .map((place) => {
        const boxes = getLinkBoxes(place.link);
        place.isVisible = boxes.length > 0;
        const clicked = place.indices.flatMap((at) => clickedLinks[at] ?? []);
        const percent = formatPercent(sum(clicked, 'share'));
        return {
          boxes,
          texts: [`${formatNumber(sum(clicked, 'total'))} · ${percent}`, percent],
          heat: Math.min(1, sum(clicked, 'heat')),
          isSelected: place.indices.includes(selected),
        };
      });
    const scale = element.getBoundingClientRect().width / element.offsetWidth || 1;
    layer.draw(spots, document.documentElement.clientWidth, scale);
    layer.scroll(view);
    for (const at of clickedLinks.keys()) {
      const matching = placesByAddress.get(at) ?? [];
      panel.showPlaces(
        at,
        matching.length,
        matching.some(({ isVisible }) => isVisible),
      );
    }
  }

  /** Matches the email's links again if they changed. */
  function match(document: Document) {
    const elements = [...document.querySelectorAll(linkSelector)];
    const hrefs = elements.map((link) => getHref(link) ?? '');
    const isSame =
      elements.length === places.length &&
      places.every(({ link, href }, at) => link === elements[at] && href === hrefs[at]);
    if (isSame && elements.length > 0) return;
    const matches = matchLinks(hrefs);
    const byAddress = new Map<number, LinkPlace[]>();
    places = elements.map((link, at) => {
      const place = { link, href: hrefs[at] ?? '', indices: matches[at] ?? [], isVisible: true };
      for (const index of place.indices) byAddress.set(index, [...(byAddress.get(index) ?? []), place]);
      return place;
    });
    placesByAddress = byAddress;
  }

  function select(row: number) {
    selected = row;
    placeIndex = 0;
    panel.setSelected(row);
    reveal();
    refresh();
    const address = links?.[row]?.address;
    if (address !== undefined) events.onSelect(address);
  }

  function revealNext() {
    placeIndex += 1;
    reveal();
  }

  function close() {
    const hadFocus = panel.element.contains(document.activeElement);
    const mail = frame?.element;
    show(undefined, undefined);
    if (hadFocus) mail?.focus();
    events.onClose();
  }

  return { panel, isShown: () => links !== undefined, show, reveal, setFrame, handleScroll, refresh };
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
