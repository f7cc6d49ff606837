import './heat.css';
import { icon, make } from '../../webview/dom.ts';
import type { MailFrame } from './frame.ts';
import { anchorOf, boxesOf } from './heatBoxes.ts';
import { HeatLayer } from './heatLayer.ts';
import type { Spot } from './heatLayer.ts';
import { LinkMatcher } from './heatMatching.ts';
import { HeatPanel } from './heatPanel.ts';
import type { HeatRow, RowNote } from './heatPanel.ts';
import { addressOf, linkSelector } from './interaction.ts';
import type { HeatLink, LinkHeat } from '../protocol.ts';

/** Links of an email that are coloured: thousands would make scrolling slow, and say nothing. */
const MOST_LINKS = 1500;
/** Characters of an address that are shown. */
const MOST_SHOWN = 500;

const count = new Intl.NumberFormat();
const amount = (number: number, one: string, many: string): string =>
  `${count.format(number)} ${number === 1 ? one : many}`;
const finite = (number: number): number => (Number.isFinite(number) ? Math.max(0, number) : 0);

/** A link of the email, and which of the addresses are meant by it. */
interface Place {
  readonly link: Element;
  readonly means: readonly number[];
  /** Whether it could be seen when it was looked at last. */
  seen: boolean;
}

export interface HeatEvents {
  /** The email is laid out differently now: `refresh` is to be called when there is time. */
  changed(): void;
  /** The user has enough of it. */
  closed(): void;
  /** The user looks at the clicks of this address. */
  chose(address: string): void;
}

/** The clicks of an email's links: colours above it, and a list of them. Without clicks it does nothing at all. */
export class HeatMap {
  readonly panel: HeatPanel;
  /** For the toolbar: what is shown, and a way to be rid of it. */
  readonly chip = make('span', { class: 'chip', hidden: '' });
  readonly #as = make('span', { role: 'status' });
  readonly #layer = new HeatLayer();
  readonly #events: HeatEvents;
  #heat: LinkHeat | undefined;
  #matcher = new LinkMatcher([]);
  #hottest = 0;
  #frame: MailFrame | undefined;
  #hrefs: readonly string[] = [];
  #links: readonly Element[] = [];
  #places: readonly Place[] = [];
  /** Places of each address that has some. */
  #byLink: ReadonlyMap<number, readonly Place[]> = new Map();
  #chosen: number | undefined;
  /** Which of the chosen link's places was brought into view last. */
  #turn = 0;
  #listening = new AbortController();

  constructor(stage: HTMLElement, events: HeatEvents) {
    this.#events = events;
    this.panel = new HeatPanel({ choose: (row) => this.#choose(row), next: (row) => this.#next(row) });
    const close = make(
      'vscode-button',
      { appearance: 'icon', 'aria-label': 'Remove the clicks', title: 'Remove the clicks (Escape)' },
      icon(['M4.5 4.5l7 7', 'M11.5 4.5l-7 7']),
    );
    close.addEventListener('click', () => this.#close());
    this.chip.append(this.#as, close);
    stage.append(this.#layer.element);
  }

  get isShown(): boolean {
    return this.#heat !== undefined;
  }

  /** Shows clicks, the hottest first in the list; nothing takes them away. */
  show(heat: LinkHeat | undefined, frame: MailFrame | undefined): void {
    this.#heat = heat && { ...heat, links: merged(heat.links).toSorted((one, other) => other.total - one.total) };
    for (const element of [this.panel.element, this.chip, this.#layer.element]) element.hidden = !heat;
    this.#as.textContent = heat ? `Clicks as of ${heat.at}` : '';
    this.#hrefs = this.#links = this.#places = [];
    this.#byLink = new Map();
    this.#frame = undefined;
    this.#chosen = undefined;
    this.#listening.abort();
    this.#layer.clear();
    const links = this.#heat?.links ?? [];
    this.#matcher = new LinkMatcher(links.map(({ address }) => address));
    this.#hottest = links.reduce((most, { share }) => Math.max(most, share), 0);
    const clicks = links.reduce((sum, { total }) => sum + total, 0);
    this.panel.show(
      links.map((link) => this.#row(link)),
      `${amount(clicks, 'click', 'clicks')} on ${amount(links.length, 'link', 'links')}`,
    );
    if (!this.#heat) return;
    const chosen = links.findIndex(({ address }) => address === heat?.chosen);
    this.#chosen = chosen < 0 ? undefined : chosen;
    this.panel.mark(this.#chosen);
    this.#listening = new AbortController();
    window.addEventListener(
      'keydown',
      (event) => {
        // A list that is open takes the key for itself.
        if (event.key === 'Escape' && !event.defaultPrevented) this.#close();
      },
      { signal: this.#listening.signal },
    );
    if (frame) this.framed(frame);
    this.refresh();
  }

  /** Brings the chosen link into view. */
  reveal(): void {
    const places = this.#byLink.get(this.#chosen ?? -1) ?? [];
    const place = places[this.#turn % places.length];
    if (place) anchorOf(place.link).scrollIntoView({ block: 'center', inline: 'nearest' });
  }

  /** The email stands in a new frame. */
  framed(frame: MailFrame): void {
    if (!this.#heat) return;
    this.#frame = frame;
    const { signal } = this.#listening;
    const changed = (): void => this.#events.changed();
    // Neither the loading of images nor the scrolling of a part bubbles.
    for (const name of ['load', 'error', 'scroll', 'toggle', 'transitionend'])
      frame.document.addEventListener(name, changed, { capture: true, passive: true, signal });
    frame.window.addEventListener('resize', changed, { signal });
    const sizes = new ResizeObserver(changed);
    for (const element of [frame.document.documentElement, frame.document.body as HTMLElement | null])
      if (element) sizes.observe(element);
    signal.addEventListener('abort', () => sizes.disconnect());
  }

  scrolled(): void {
    if (this.#heat && this.#frame) this.#layer.scroll(this.#frame.window);
  }

  /** Looks where the links are now, and puts colours and numbers there. */
  refresh(): void {
    if (!this.#heat || !this.#frame) return;
    const { document, window: view } = this.#frame;
    let isOther = this.#match(document);
    const spots = this.#places.slice(0, MOST_LINKS).map((place): Spot => {
      const boxes = boxesOf(place.link);
      isOther ||= place.seen !== boxes.length > 0;
      place.seen = boxes.length > 0;
      return { boxes, ...this.#spot(place.means) };
    });
    const scale = this.#frame.element.getBoundingClientRect().width / this.#frame.element.offsetWidth || 1;
    this.#layer.draw(spots, document.documentElement.clientWidth, scale);
    this.#layer.scroll(view);
    if (isOther) for (const at of this.#heat.links.keys()) this.panel.note(at, noteOf(this.#byLink.get(at) ?? []));
  }

  /** Finds the links anew. False where they are the same as before. */
  #match(document: Document): boolean {
    const links = [...document.querySelectorAll(linkSelector)];
    const hrefs = links.map((link) => addressOf(link) ?? '');
    const isSame =
      hrefs.length === this.#hrefs.length &&
      hrefs.every((href, at) => href === this.#hrefs[at] && links[at] === this.#links[at]);
    if (isSame && links.length > 0) return false;
    this.#links = links;
    this.#hrefs = hrefs;
    const means = this.#matcher.match(hrefs);
    this.#places = links.flatMap((link, at): Place[] =>
      means[at]?.length ? [{ link, means: means[at], seen: true }] : [],
    );
    const byLink = new Map<number, Place[]>();
    for (const place of this.#places) for (const at of place.means) byLink.set(at, [...(byLink.get(at) ?? []), place]);
    this.#byLink = byLink;
    return true;
  }

  #spot(means: readonly number[]): Omit<Spot, 'boxes'> {
    const meant = means.flatMap((at) => this.#heat?.links[at] ?? []);
    const share = meant.reduce((sum, link) => sum + link.share, 0);
    const total = meant.reduce((sum, link) => sum + link.total, 0);
    const percent = percentOf(share);
    return {
      texts: [`${count.format(total)} · ${percent}`, percent],
      heat: this.#hotness(share),
      chosen: this.#chosen !== undefined && means.includes(this.#chosen),
    };
  }

  #hotness(share: number): number {
    return this.#hottest > 0 ? Math.min(1, share / this.#hottest) : 0;
  }

  #row({ address, total, unique, share }: HeatLink): HeatRow {
    return {
      address: shownAddress(address),
      clicks: amount(total, 'click', 'clicks'),
      people: amount(unique, 'person', 'people'),
      share: percentOf(share),
      heat: this.#hotness(share),
    };
  }

  #choose(row: number): void {
    this.#chosen = row;
    this.#turn = 0;
    this.panel.mark(row);
    this.reveal();
    this.refresh();
    const address = this.#heat?.links[row]?.address;
    if (address !== undefined) this.#events.chose(address);
  }

  #next(row: number): void {
    if (row !== this.#chosen) return this.#choose(row);
    this.#turn += 1;
    this.reveal();
  }

  #close(): void {
    const hadFocus = [this.chip, this.panel.element].some((element) => element.contains(document.activeElement));
    const mail = this.#frame?.element;
    this.show(undefined, undefined);
    if (hadFocus) mail?.focus();
    this.#events.closed();
  }
}

/** Each address once: each version of an email has its own clicks, of other people. */
function merged(links: readonly HeatLink[]): HeatLink[] {
  const found = new Map<string, HeatLink>();
  for (const { address, total, unique, share } of links) {
    const before = found.get(address) ?? { total: 0, unique: 0, share: 0 };
    found.set(address, {
      address,
      total: before.total + finite(total),
      unique: before.unique + finite(unique),
      share: before.share + finite(share),
    });
  }
  return [...found.values()];
}

function noteOf(places: readonly Place[]): RowNote {
  if (places.length === 0)
    return { text: 'not in the email', why: 'No link of the email as it is now leads there.', isAbsent: true };
  if (!places.some(({ seen }) => seen))
    return { text: 'hidden', why: 'The link is in the email, and can’t be seen at this width.', isAbsent: true };
  if (places.length === 1) return { text: '', why: '', isAbsent: false };
  const times = count.format(places.length);
  return {
    text: `${times} places`,
    why: `It stands ${times} times in the email: their clicks can’t be told apart.`,
    isAbsent: false,
  };
}

function percentOf(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.5) return '<1%';
  return `${Math.round(percent)}%`;
}

/** An address as one line of text: without signs that nobody sees, or that turn the reading direction. */
function shownAddress(address: string): string {
  const line = address
    .slice(0, MOST_SHOWN * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Z}\s]+/gu, ' ')
    .trim();
  if (line === '') return '(empty address)';
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}
