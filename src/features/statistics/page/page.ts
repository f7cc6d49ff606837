import { ChoiceGroup, type Choice } from '../../../platform/webview/choices.ts';
import { make } from '../../../platform/webview/dom.ts';
import type { Host } from '../../../platform/webview/host.ts';
import type { MessageHandlers } from '../../../platform/webview/messages.ts';
import { TabTables, type TableState } from '../../../platform/webview/table/table.ts';
import { makeButton } from '../../../platform/webview/toolkit.ts';
import {
  getSelectionKey,
  type CampaignCard,
  type CampaignSelection,
  type Comparison,
  type Overview,
  type LoadState,
  type StatisticsTab,
  type StatisticsRow,
  type TableTab,
  type ActivityTimeline,
} from '../model.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { createEmptyState, createNotice } from './elements.ts';
import { StatisticsHeader } from './header.ts';
import { ComparisonView, OverviewView, type ViewOptions } from './overview.ts';
import { parseCount, tableDefinitions } from './tables.ts';

/** The page's stored state. The extension reads `panel` after a restart. */
export interface StatisticsPageState {
  readonly panel?: { readonly choice: CampaignSelection };
  readonly tab?: StatisticsTab;
  readonly tables?: Readonly<Partial<Record<TableTab, TableState>>>;
  /** Names of charts that are shown as tables. */
  readonly asTables?: readonly string[];
  /** Scroll position of the overview in px. */
  readonly scrolled?: number;
}

const tabChoices: readonly Choice<StatisticsTab>[] = [
  { value: 'overview', label: 'Overview' },
  { value: 'recipients', label: 'Recipients' },
  { value: 'clicks', label: 'Clicks' },
  { value: 'links', label: 'Links' },
];
/** With more rows, sorting and filtering apply to the loaded part, and the table says so. */
const MAX_LOADED_ROWS = 200_000;

/** The page with the statistics of one campaign in four tabs, or the comparison of several campaigns. */
export class StatisticsPage {
  readonly elements: readonly HTMLElement[];
  readonly #host: Host<ToPage, FromPage, StatisticsPageState>;
  readonly #header: StatisticsHeader;
  readonly #missingNotice = make('div', { class: 'missing' });
  readonly #announcer = make('div', { class: 'heard', role: 'status' });
  readonly #content = make('div', { class: 'place', id: 'statistics' });
  readonly #tabStrip = new ChoiceGroup('Statistics', tabChoices, (tab) => this.#selectTab(tab), this.#content);
  readonly #handlers: MessageHandlers<ToPage> = {
    show: (message) => this.#showSelection(message),
    interval: ({ seconds, message }) => this.#header.showInterval(seconds, message),
    cards: ({ cards }) => this.#showCards(cards),
    overview: ({ overview }) => this.#showOverview(overview),
    timeline: ({ timeline }) => {
      this.#timeline = timeline;
      this.#overviewView?.showTimeline(timeline);
    },
    comparison: ({ comparison, failures }) => this.#showComparison(comparison, failures),
    reload: () => this.#reload(),
    failed: (message) => this.#tables.handlers.failed(message),
    count: (message) => this.#tables.handlers.count(message),
    rows: (message) => {
      const clicks = message.rows.map((row) => parseCount(row, 'total_click'));
      this.#maxClicks = Math.max(this.#maxClicks, ...clicks);
      this.#tables.handlers.rows(message);
    },
  };
  readonly #tables: TabTables<TableTab>;
  /** Shows the clicks of the links over the campaign's preview. */
  readonly #previewButton = makeButton('', () =>
    this.#host.post({ type: 'heatMap', address: this.#getSelectedAddress() }),
  );
  readonly #chartsAsTables = new Set<string>();
  #selection: CampaignSelection | undefined;
  #cards: readonly CampaignCard[] = [];
  #pageSize = 100;
  #wide = false;
  #tab: StatisticsTab = 'overview';
  #overview: LoadState<Overview> = { kind: 'loading' };
  #timeline: LoadState<ActivityTimeline> = { kind: 'loading' };
  #comparison: { readonly reading: LoadState<Comparison>; readonly failures: readonly string[] } = {
    reading: { kind: 'loading' },
    failures: [],
  };
  #overviewView: OverviewView | undefined;
  #comparisonView: ComparisonView | undefined;
  /** Highest click count of a link so far. It is the full length of the bars. */
  #maxClicks = 0;
  #restoredScrollTop = 0;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host<ToPage, FromPage, StatisticsPageState>) {
    this.#host = host;
    this.#header = new StatisticsHeader((message) => host.post(message));
    this.#tables = new TabTables(
      (message) => host.post(message),
      () => this.#scheduleSave(),
    );
    this.#previewButton.title =
      'Shows the clicks of all links in the preview of the email, with the selected link highlighted.';
    this.elements = [
      make('main', {}, this.#header.element, this.#missingNotice, this.#tabStrip.element, this.#content),
      this.#announcer,
    ];
    this.#header.element.hidden = true;
    this.#tabStrip.element.hidden = true;
  }

  start(): void {
    const storedState = this.#host.getState();
    this.#tab = tabChoices.find(({ value }) => value === storedState?.tab)?.value ?? 'overview';
    this.#tables.restore(storedState?.tables);
    for (const name of storedState?.asTables ?? []) this.#chartsAsTables.add(name);
    this.#restoredScrollTop = storedState?.scrolled ?? 0;
    // `#showSelection` discards the state of another selection.
    this.#selection = storedState?.panel?.choice;
    this.#host.start(this.#handlers);
  }

  #showSelection({ selection, cards, pageSize, intervalSeconds, wide }: Extract<ToPage, { type: 'show' }>): void {
    const isSame = this.#selection !== undefined && getSelectionKey(selection) === getSelectionKey(this.#selection);
    const isShown = this.#content.childElementCount > 0;
    this.#selection = selection;
    this.#pageSize = pageSize;
    this.#wide = wide;
    document.body.classList.toggle('wide', wide);
    if (!isSame) {
      this.#restoredScrollTop = 0;
      this.#tables.reset();
    }
    if (!isSame || !isShown) {
      this.#overview = { kind: 'loading' };
      this.#timeline = { kind: 'loading' };
      this.#comparison = { reading: { kind: 'loading' }, failures: [] };
    }
    this.#header.showInterval(intervalSeconds);
    this.#showCards(cards);
    if (isSame && isShown) this.#reload();
    else this.#show(this.#tab);
    this.#scheduleSave();
  }

  #showCards(cards: readonly CampaignCard[]): void {
    this.#header.show(cards, this.#wide);
    this.#cards = cards;
    this.#showMissing();
  }

  /** Lists deleted campaigns, unless the overview reports the deletion itself. */
  #showMissing(): void {
    const missingCards = this.#cards.filter((card) => card.isMissing);
    const isReported = this.#cards.length === 1 && this.#tab === 'overview' && this.#overview.kind === 'failed';
    const text =
      this.#cards.length === 1
        ? 'The service no longer has this campaign. These are its last figures.'
        : `The service no longer has ${missingCards.map(({ name }) => `“${name}”`).join(', ')}.`;
    this.#missingNotice.replaceChildren(
      ...(missingCards.length === 0 || isReported
        ? []
        : [createNotice('warning', text, [['Choose…', () => this.#host.post({ type: 'choose' })]])]),
    );
  }

  /** Shows a tab of the selection and drops all other views to save memory. */
  #show(tab: StatisticsTab): void {
    this.#tables.close();
    this.#tab = tab;
    this.#overviewView = undefined;
    this.#comparisonView = undefined;
    const selection = this.#selection ?? [];
    this.#tabStrip.element.hidden = selection.length !== 1;
    this.#tabStrip.show(tab);
    if (selection.length === 0) this.#content.replaceChildren(this.#createEmptyState());
    else if (selection.length > 1) this.#showComparisonView(selection);
    else if (tab === 'overview') this.#showFigures();
    else this.#showTable(tab);
    this.#showFreshness();
    this.#showMissing();
  }

  #createEmptyState(): HTMLElement {
    const { post } = this.#host;
    return createEmptyState(
      'chart',
      'No campaign selected',
      'Choose a campaign to see its recipients, opens and clicks, or two to five campaigns to compare them.',
      [
        ['Choose a Campaign…', () => post({ type: 'choose' })],
        ['Compare Campaigns…', () => post({ type: 'compare' })],
      ],
    );
  }

  #showFigures(): void {
    const view = new OverviewView(this.#viewOptions());
    this.#overviewView = view;
    this.#showView(view.element);
    view.show(this.#overview);
    view.showTimeline(this.#timeline);
    this.#restoreScroll(view.element);
  }

  #showComparisonView(selection: CampaignSelection): void {
    const view = new ComparisonView(this.#viewOptions(), selection);
    this.#comparisonView = view;
    this.#showView(view.element);
    view.show(this.#comparison.reading, this.#comparison.failures);
  }

  #showView(element: HTMLElement): void {
    this.#content.replaceChildren(element);
    element.addEventListener('scroll', () => this.#scheduleSave(), { passive: true });
  }

  #showTable(tab: TableTab): void {
    const { columns, ...definition } = tableDefinitions[tab];
    const getShare = (row: StatisticsRow): number | undefined =>
      this.#maxClicks === 0 ? undefined : parseCount(row, 'total_click') / this.#maxClicks;
    this.#maxClicks = 0;
    const options = {
      ...definition,
      columns: columns.map((column) => (column.key === 'total_click' ? { ...column, share: getShare } : column)),
      pageSize: this.#pageSize,
      maxPages: Math.ceil(MAX_LOADED_ROWS / this.#pageSize),
      onSelectionChange: () => this.#updatePreviewButton(),
    };
    this.#tables.show(tab, this.#content, options, ...(tab === 'links' ? [this.#previewButton] : []));
    this.#updatePreviewButton();
  }

  /** Returns the address of the selected link; undefined unless exactly one is selected. */
  #getSelectedAddress(): string | undefined {
    const [row, ...others] = this.#tables.selectedRows;
    const address = others.length === 0 ? row?.['name'] : undefined;
    return typeof address === 'string' && address !== '' ? address : undefined;
  }

  #updatePreviewButton(): void {
    this.#previewButton.textContent =
      this.#getSelectedAddress() === undefined ? 'Show All on Preview' : 'Show on Preview';
  }

  #viewOptions(): ViewOptions {
    return {
      post: (message) => this.#host.post(message),
      announce: (text) => {
        this.#announcer.textContent = text;
      },
      chartsAsTables: this.#chartsAsTables,
      onChange: () => this.#scheduleSave(),
    };
  }

  #showOverview(overview: LoadState<Overview>): void {
    this.#overview = overview;
    const view = this.#overviewView;
    if (view) {
      view.show(overview);
      this.#restoreScroll(view.element);
    }
    this.#showFreshness();
    this.#showMissing();
  }

  #showComparison(reading: LoadState<Comparison>, failures: readonly string[]): void {
    this.#comparison = { reading, failures };
    this.#comparisonView?.show(reading, failures);
    this.#showFreshness();
  }

  /** Restores the scroll position after a restart, once the content is loaded. */
  #restoreScroll(element: HTMLElement): void {
    if (this.#overview.kind === 'loading' && !this.#overview.last) return;
    const scrollTop = this.#restoredScrollTop;
    if (scrollTop > 0 && element.scrollTop === 0)
      requestAnimationFrame(() => {
        element.scrollTop = scrollTop;
      });
    this.#restoredScrollTop = 0;
  }

  #showFreshness(): void {
    const selection = this.#selection ?? [];
    const reading = selection.length > 1 ? this.#comparison.reading : this.#overview;
    // While there is no content, the skeleton shows the progress and a Cancel button.
    const isReading =
      reading.kind === 'loading' &&
      (reading.last !== undefined || (selection.length === 1 && this.#tab !== 'overview'));
    this.#header.showFreshness(selection.length > 0 && isReading, reading.at);
  }

  #reload(): void {
    this.#maxClicks = 0;
    this.#tables.reload();
  }

  #selectTab(tab: StatisticsTab): void {
    this.#show(tab);
    this.#scheduleSave();
  }

  #scheduleSave(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => {
      const view = this.#overviewView ?? this.#comparisonView;
      this.#host.setState({
        panel: { choice: this.#selection ?? [] },
        tab: this.#tab,
        tables: this.#tables.states,
        asTables: [...this.#chartsAsTables],
        scrolled: this.#restoredScrollTop > 0 ? this.#restoredScrollTop : (view?.element.scrollTop ?? 0),
      });
    }, 100);
  }
}
