import { t } from '@vscode/l10n';
import { formatList, formatNumber, quote } from '../../../l10n.ts';
import { createChoiceGroup } from '../../../ui/page/choices.ts';
import { keepFocus, make } from '../../../ui/page/dom.ts';
import { Channel } from '../../../ui/page/channel.ts';
import type { TableRequests } from '../../../ui/page/table/protocol.ts';
import { TabTables, type TableStates } from '../../../ui/page/table/table.ts';
import { makeButton } from '../../../ui/page/toolkit.ts';
import type { Comparison, Overview } from '../../../service/statistics/model.ts';
import {
  getActivityLabels,
  getSelectionKey,
  isFollowUp,
  statisticsTabs,
  type ActivityTimeline,
  type CampaignCard,
  type CampaignSelection,
  type LoadState,
  type StatisticsTab,
  type TableTab,
} from '../model.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { createEmptyState, createNotice } from './elements.ts';
import { FiguresView } from './figuresView.ts';
import { PageHeader } from './header.ts';
import { getTableDefinitions } from './tables.ts';

/** The page's stored state. The extension reads `panel` after a restart. */
interface StatisticsPageState {
  readonly panel?: { readonly choice: CampaignSelection };
  readonly tab?: StatisticsTab;
  readonly tables?: TableStates;
  /** Names of charts that are shown as tables. */
  readonly asTables?: readonly string[];
  /** Scroll position of the overview in px. */
  readonly scrolled?: number;
}

/** With more rows, sorting and filtering apply to the loaded part, and the table says so. */
const MAX_LOADED_ROWS = 200_000;

const LOADING = { kind: 'loading' } as const;

/** The statistics of a selection: its figures, or the table of a tab. Shows one of them at a time, to save memory. */
export class StatisticsPage {
  readonly #channel = new Channel<ToPage, FromPage, StatisticsPageState, TableRequests<TableTab>>();
  readonly #stored = this.#channel.getState() ?? {};
  readonly #header = new PageHeader(this.#channel);
  readonly #missingNotice = make('div.missing');
  readonly #announcer = make('div.heard', { role: 'status' });
  readonly #content = make('div.place', { id: 'statistics' });
  readonly #tabStrip = createChoiceGroup<StatisticsTab>(
    t('Statistics'),
    [
      { value: 'overview', label: t('Overview') },
      { value: 'recipients', label: t('Recipients') },
      { value: 'clicks', label: getActivityLabels().clicks },
      { value: 'links', label: t('Links') },
    ],
    (selected) => {
      this.#showTab(selected);
      this.#scheduleSave();
    },
    this.#content,
  );
  readonly #tables = new TabTables<TableTab>(this.#channel, () => this.#scheduleSave(), this.#stored.tables);
  /** Shows the clicks of the links over the campaign's preview. */
  readonly #previewButton = makeButton(
    '',
    () => this.#channel.post({ type: 'heatMap', address: this.#getSelectedAddress() }),
    { title: t('Shows the clicks of all links in the preview, with the selected link highlighted.') },
  );
  readonly #chartsAsTables = new Set(this.#stored.asTables);
  #tab = statisticsTabs.find((each) => each === this.#stored.tab) ?? 'overview';
  /** `#showSelection` discards the state of another selection. */
  #selection = this.#stored.panel?.choice;
  #cards: readonly CampaignCard[] = [];
  #pageSize = 100;
  #figures: LoadState<Overview | Comparison> = LOADING;
  #failures: readonly string[] = [];
  #timeline: LoadState<ActivityTimeline> = LOADING;
  /** Undefined while a table is shown. */
  #view: FiguresView | undefined;
  #restoredScrollTop = this.#stored.scrolled ?? 0;

  start(): void {
    const strip = this.#tabStrip.element;
    strip.hidden = true;
    const main = make('main', this.#header.element, this.#missingNotice, strip, this.#content);
    document.body.append(main, this.#announcer);
    this.#channel.start({
      show: (message) => this.#showSelection(message),
      cards: ({ cards }) => this.#showCards(cards),
      figures: ({ figures, failures }) => {
        this.#figures = figures;
        this.#failures = failures;
        keepFocus(() => {
          this.#view?.show(figures, failures);
          this.#restoreScroll();
          this.#describe();
        });
      },
      timeline: ({ timeline }) => {
        this.#timeline = timeline;
        keepFocus(() => this.#view?.showTimeline(timeline));
      },
      reload: ({ tab }) => this.#tables.reload(tab),
    });
    // Chromium loads the language's number formats on first use, which takes 20 ms: do that while the service responds.
    requestIdleCallback(() => formatNumber(0));
    const narrow = matchMedia('(width < 480px)');
    const postWidth = () => this.#channel.post({ type: 'width', isNarrow: narrow.matches });
    narrow.addEventListener('change', postWidth);
    postWidth();
  }

  #showSelection({ selection, cards, pageSize, wide }: Extract<ToPage, { type: 'show' }>) {
    const isSame = this.#selection !== undefined && getSelectionKey(selection) === getSelectionKey(this.#selection);
    const isShown = this.#content.childElementCount > 0;
    this.#selection = selection;
    this.#pageSize = pageSize;
    document.body.classList.toggle('wide', wide);
    if (!isSame) {
      this.#restoredScrollTop = 0;
      this.#tables.reset();
    }
    this.#showCards(cards);
    if (isSame && isShown) this.#tables.reload();
    else {
      this.#figures = this.#timeline = LOADING;
      this.#failures = [];
      this.#showTab(this.#tab);
    }
    this.#scheduleSave();
  }

  #showCards(cards: readonly CampaignCard[]) {
    this.#cards = cards;
    this.#header.show(cards);
    this.#describe();
  }

  /** Shows a tab of the selection and drops all other views to save memory. */
  #showTab(tab: StatisticsTab) {
    this.#tables.close();
    this.#tab = tab;
    this.#view = undefined;
    const selection = this.#selection ?? [];
    const isComparison = selection.length > 1 || isFollowUp(selection);
    this.#tabStrip.element.hidden = selection.length === 0 || isComparison;
    this.#tabStrip.show(tab);
    if (selection.length === 0) this.#content.replaceChildren(this.#createEmptyState());
    else if (isComparison || tab === 'overview') this.#showFigures(isComparison);
    else this.#showTable(tab);
    this.#describe();
  }

  #createEmptyState() {
    return createEmptyState(
      'chart',
      t('No campaign selected'),
      t('Choose a campaign to see its recipients, opens and clicks, or compare two to five campaigns.'),
      [t('Choose a Campaign…'), () => this.#channel.post({ type: 'choose' })],
      [t('Compare Campaigns…'), () => this.#channel.post({ type: 'compare' })],
    );
  }

  #showFigures(isComparison: boolean) {
    const view = new FiguresView(isComparison, this.#channel, this.#announcer, this.#chartsAsTables, () =>
      this.#scheduleSave(),
    );
    this.#view = view;
    this.#content.replaceChildren(view.element);
    view.element.addEventListener('scroll', () => this.#scheduleSave(), { passive: true });
    view.show(this.#figures, this.#failures);
    view.showTimeline(this.#timeline);
    this.#restoreScroll();
  }

  #showTable(tab: TableTab) {
    const options = {
      ...getTableDefinitions()[tab],
      pageSize: this.#pageSize,
      maxPages: Math.ceil(MAX_LOADED_ROWS / this.#pageSize),
      onSelectionChange: () => this.#updatePreviewButton(),
    };
    this.#tables.show(tab, this.#content, options, ...(tab === 'links' ? [this.#previewButton] : []));
    this.#updatePreviewButton();
  }

  /** Returns the address of the selected link; undefined unless exactly one is selected. */
  #getSelectedAddress() {
    const [row, ...others] = this.#tables.selectedRows;
    const address = others.length === 0 ? row?.['name'] : undefined;
    return typeof address === 'string' && address !== '' ? address : undefined;
  }

  #updatePreviewButton() {
    const isAll = this.#getSelectedAddress() === undefined;
    this.#previewButton.textContent = isAll ? t('Show All in Preview') : t('Show in Preview');
  }

  /** Restores the scroll position after a restart, once the content is loaded. */
  #restoreScroll() {
    const element = this.#view?.element;
    if (!element || (this.#figures.kind === 'loading' && !this.#figures.value)) return;
    const scrollTop = this.#restoredScrollTop;
    if (scrollTop > 0 && element.scrollTop === 0) requestAnimationFrame(() => (element.scrollTop = scrollTop));
    this.#restoredScrollTop = 0;
  }

  /** Shows the time of the figures, and which campaigns were deleted, unless the figures report the deletion themselves. */
  #describe() {
    const { kind, value, at } = this.#figures;
    // While there is no content, the skeleton shows the progress and a Cancel button.
    this.#header.showFreshness(kind === 'loading' && (value !== undefined || this.#view === undefined), at);
    const names = this.#cards.filter(({ isMissing }) => isMissing).map(({ name }) => quote(name));
    this.#missingNotice.replaceChildren();
    if (names.length === 0 || (this.#view && kind === 'failed')) return;
    const text =
      this.#cards.length === 1 && !isFollowUp(this.#selection ?? [])
        ? t('The service no longer has this campaign. These are its last figures.')
        : t`The service no longer has ${formatList(names)}.`;
    const choose = () => this.#channel.post({ type: 'choose' });
    this.#missingNotice.append(createNotice('warning', text, [t('Choose…'), choose]));
  }

  #scheduleSave() {
    this.#channel.saveState(() => ({
      panel: { choice: this.#selection ?? [] },
      tab: this.#tab,
      tables: this.#tables.states,
      asTables: [...this.#chartsAsTables],
      scrolled: this.#restoredScrollTop > 0 ? this.#restoredScrollTop : (this.#view?.element.scrollTop ?? 0),
    }));
  }
}
