import { make } from '../../../platform/webview/dom.ts';
import type { Host } from '../../../platform/webview/host.ts';
import { dispatch, type Handlers } from '../../../platform/webview/messages.ts';
import type { TableState } from '../../../platform/webview/table/table.ts';
import { TabStrip } from '../../../platform/webview/tabs.ts';
import {
  getSelectionKey,
  type CampaignCard,
  type CampaignSelection,
  type Comparison,
  type Overview,
  type LoadState,
  type StatisticsTab,
  type TableTab,
  type Timeline,
} from '../model.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { ComparisonView } from './comparison.ts';
import { Header } from './header.ts';
import { OverviewView, type OverviewOptions } from './overview.ts';
import { blank, notice } from './elements.ts';
import { TablePane } from './tablePane.ts';

/** What outlives the page: what is watched (the extension asks for it after a restart), and how it was looked at. */
export interface PageState {
  readonly panel?: { readonly choice: CampaignSelection };
  readonly tab?: StatisticsTab;
  readonly tables?: Readonly<Partial<Record<TableTab, TableState>>>;
  /** Charts that are shown as tables. */
  readonly asTables?: readonly string[];
  /** How far the overview is scrolled, in px. */
  readonly scrolled?: number;
}

const labels: Readonly<Record<StatisticsTab, string>> = {
  overview: 'Overview',
  recipients: 'Recipients',
  clicks: 'Clicks',
  links: 'Links',
};
const tableTabs: readonly TableTab[] = ['recipients', 'clicks', 'links'];

/** The page: the statistics of one campaign in four tabs, or of several side by side. */
export class StatisticsPage {
  readonly elements: readonly HTMLElement[];
  readonly #host: Host<ToPage, FromPage, PageState>;
  readonly #header: Header;
  readonly #gone = make('div', { class: 'gone' });
  readonly #live = make('div', { class: 'heard', role: 'status' });
  readonly #place = make('div', { class: 'place', id: 'statistics' });
  readonly #strip = new TabStrip<StatisticsTab>({
    label: 'Statistics',
    tabs: labels,
    panel: this.#place,
    choose: (tab) => this.#choose(tab),
  });
  readonly #handlers: Handlers<ToPage> = {
    show: (message) => this.#showChoice(message),
    watch: ({ watch, message }) => this.#header.showWatch(watch, message),
    cards: ({ cards }) => this.#showCards(cards),
    overview: ({ overview }) => this.#showOverview(overview),
    timeline: ({ timeline }) => {
      this.#timeline = timeline;
      this.#overviewView?.showTimeline(timeline);
    },
    comparison: ({ comparison, failures }) => this.#showComparison(comparison, failures),
    reload: () => this.#reload(),
    rows: ({ turn, page, rows, ended }) => turn === this.#turn && this.#pane?.arrived(page, rows, ended),
    failed: ({ turn, page, message }) => turn === this.#turn && this.#pane?.table.failed(page, message),
    count: ({ turn, count, message }) => turn === this.#turn && this.#pane?.table.counted(count, message),
  };
  readonly #tables = new Map<TableTab, TableState>();
  readonly #asTables = new Set<string>();
  #choice: CampaignSelection | undefined;
  #cards: readonly CampaignCard[] = [];
  #pageSize = 100;
  #wide = false;
  #tab: StatisticsTab = 'overview';
  #overview: LoadState<Overview> = { kind: 'loading' };
  #timeline: LoadState<Timeline> = { kind: 'loading' };
  #comparison: { readonly reading: LoadState<Comparison>; readonly failures: readonly string[] } = {
    reading: { kind: 'loading' },
    failures: [],
  };
  #overviewView: OverviewView | undefined;
  #comparisonView: ComparisonView | undefined;
  #pane: TablePane | undefined;
  #turn = 0;
  #scrolled = 0;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host<ToPage, FromPage, PageState>) {
    this.#host = host;
    this.#header = new Header((message) => host.post(message));
    this.elements = [make('main', {}, this.#header.element, this.#gone, this.#strip.element, this.#place), this.#live];
    this.#header.element.hidden = true;
    this.#strip.element.hidden = true;
  }

  start(): void {
    const kept = this.#host.state();
    if (kept?.tab !== undefined && Object.hasOwn(labels, kept.tab)) this.#tab = kept.tab;
    for (const tab of tableTabs) {
      const state = kept?.tables?.[tab];
      if (state) this.#tables.set(tab, state);
    }
    for (const name of kept?.asTables ?? []) this.#asTables.add(name);
    this.#scrolled = kept?.scrolled ?? 0;
    // What was kept of another choice is of no use for this one: see `#showChoice`.
    this.#choice = kept?.panel?.choice;
    this.#host.listen((message) => dispatch(this.#handlers, message));
    this.#host.post({ type: 'ready' });
  }

  #showChoice({ choice, cards, pageSize, watch, wide }: Extract<ToPage, { type: 'show' }>): void {
    const isSame = this.#choice !== undefined && getSelectionKey(choice) === getSelectionKey(this.#choice);
    const isShown = this.#place.childElementCount > 0;
    this.#choice = choice;
    this.#pageSize = pageSize;
    this.#wide = wide;
    document.body.classList.toggle('wide', wide);
    if (!isSame) {
      this.#scrolled = 0;
      for (const [tab, { first: _first, ...state }] of [...this.#tables]) this.#tables.set(tab, state);
    }
    if (!isSame || !isShown) {
      this.#overview = { kind: 'loading' };
      this.#timeline = { kind: 'loading' };
      this.#comparison = { reading: { kind: 'loading' }, failures: [] };
    }
    this.#header.showWatch(watch);
    this.#showCards(cards);
    if (isSame && isShown && this.#pane) this.#reload();
    else if (!isSame || !isShown) this.#show(this.#tab, isSame);
    this.#keepSoon();
  }

  #showCards(cards: readonly CampaignCard[]): void {
    this.#header.show(cards, this.#wide);
    this.#cards = cards;
    this.#showGone();
  }

  /** Says which campaigns were deleted, where the overview does not say it itself. */
  #showGone(): void {
    const gone = this.#cards.filter((card) => card.isMissing);
    const isSaid = this.#cards.length === 1 && this.#tab === 'overview' && this.#overview.kind === 'failed';
    const text =
      this.#cards.length === 1
        ? 'The service no longer has this campaign. What is shown is what was read last.'
        : `The service no longer has ${gone.map(({ name }) => `“${name}”`).join(', ')}.`;
    this.#gone.replaceChildren(
      ...(gone.length === 0 || isSaid
        ? []
        : [notice('warning', text, [{ label: 'Choose…', act: () => this.#host.post({ type: 'choose' }) }])]),
    );
  }

  /** Shows what the choice and the tab are about. What is not looked at any more takes no memory. */
  #show(tab: StatisticsTab, isSame = true): void {
    if (isSame) this.#keepView();
    this.#tab = tab;
    this.#turn += 1;
    this.#pane = undefined;
    this.#overviewView = undefined;
    this.#comparisonView = undefined;
    const choice = this.#choice ?? [];
    this.#strip.element.hidden = choice.length !== 1;
    this.#strip.show(tab);
    if (choice.length === 0) this.#place.replaceChildren(this.#unchosen());
    else if (choice.length > 1) this.#showSides(choice);
    else if (tab === 'overview') this.#showFigures();
    else this.#showTable(tab);
    this.#showFreshness();
    this.#showGone();
  }

  #unchosen(): HTMLElement {
    const { post } = this.#host;
    return blank(
      'chart',
      'No campaign chosen',
      'Choose a campaign to see who got it, who opened it and what was clicked, or two to five of them to see them side by side.',
      [
        { label: 'Choose a Campaign…', act: () => post({ type: 'choose' }) },
        { label: 'Compare Campaigns…', act: () => post({ type: 'compare' }) },
      ],
    );
  }

  #showFigures(): void {
    const view = new OverviewView(this.#viewOptions());
    this.#overviewView = view;
    this.#place.replaceChildren(view.element);
    view.element.addEventListener('scroll', () => this.#keepSoon(), { passive: true });
    view.show(this.#overview);
    view.showTimeline(this.#timeline);
    this.#scrollBack(view.element);
  }

  #showSides(choice: CampaignSelection): void {
    const view = new ComparisonView(this.#viewOptions(), choice);
    this.#comparisonView = view;
    this.#place.replaceChildren(view.element);
    view.element.addEventListener('scroll', () => this.#keepSoon(), { passive: true });
    view.show(this.#comparison.reading, this.#comparison.failures);
  }

  #showTable(tab: TableTab): void {
    const pane: TablePane = new TablePane({
      tab,
      pageSize: this.#pageSize,
      turn: () => this.#turn,
      post: (message) => this.#host.post(message),
      changed: () => pane === this.#pane && this.#keepSoon(),
    });
    const state = this.#tables.get(tab);
    if (state) pane.restore(state);
    this.#pane = pane;
    this.#place.replaceChildren(pane.table.element);
    pane.table.start();
  }

  #viewOptions(): OverviewOptions {
    return {
      post: (message) => this.#host.post(message),
      announce: (text) => {
        this.#live.textContent = text;
      },
      asTables: this.#asTables,
      changed: () => this.#keepSoon(),
    };
  }

  #showOverview(overview: LoadState<Overview>): void {
    this.#overview = overview;
    const view = this.#overviewView;
    if (view) {
      view.show(overview);
      this.#scrollBack(view.element);
    }
    this.#showFreshness();
    this.#showGone();
  }

  #showComparison(reading: LoadState<Comparison>, failures: readonly string[]): void {
    this.#comparison = { reading, failures };
    this.#comparisonView?.show(reading, failures);
    this.#showFreshness();
  }

  /** After a restart, as soon as there is something to scroll. */
  #scrollBack(element: HTMLElement): void {
    if (this.#overview.kind === 'loading' && !this.#overview.last) return;
    const to = this.#scrolled;
    if (to > 0 && element.scrollTop === 0)
      requestAnimationFrame(() => {
        element.scrollTop = to;
      });
    this.#scrolled = 0;
  }

  #showFreshness(): void {
    const choice = this.#choice ?? [];
    const reading = choice.length > 1 ? this.#comparison.reading : this.#overview;
    // Where nothing is there yet, the skeleton says it, and can be cancelled.
    const isReading =
      reading.kind === 'loading' && (reading.last !== undefined || (choice.length === 1 && this.#tab !== 'overview'));
    this.#header.showFreshness({ isReading: choice.length > 0 && isReading, at: reading.at });
  }

  #reload(): void {
    // What is still on its way belongs to what was shown before.
    this.#turn += 1;
    this.#pane?.reload();
  }

  #choose(tab: StatisticsTab): void {
    this.#show(tab);
    this.#keepSoon();
  }

  #keepView(): void {
    if (this.#pane && this.#tab !== 'overview') this.#tables.set(this.#tab, this.#pane.table.state);
  }

  #keepSoon(): void {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => {
      this.#keepView();
      const view = this.#overviewView ?? this.#comparisonView;
      this.#host.keep({
        panel: { choice: this.#choice ?? [] },
        tab: this.#tab,
        tables: Object.fromEntries(this.#tables),
        asTables: [...this.#asTables],
        scrolled: this.#scrolled > 0 ? this.#scrolled : (view?.element.scrollTop ?? 0),
      });
    }, 100);
  }
}
