import './statistics.css';
import * as l10n from '@vscode/l10n';
import { formatList } from '../../../l10n.ts';
import { ChoiceGroup, type Choice } from '../../../platform/webview/choices.ts';
import { make } from '../../../platform/webview/dom.ts';
import { connectHost } from '../../../platform/webview/host.ts';
import { TabTables, type TableStates } from '../../../platform/webview/table/table.ts';
import {
  button,
  checkbox,
  dropdown,
  makeButton,
  registerControls,
  textField,
} from '../../../platform/webview/toolkit.ts';
import {
  getActivityLabels,
  getSelectionKey,
  statisticsTabs,
  type CampaignCard,
  type CampaignSelection,
  type Comparison,
  type Overview,
  type LoadState,
  type StatisticsTab,
  type TableTab,
  type ActivityTimeline,
} from '../model.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { createEmptyState, createNotice } from './elements.ts';
import { FiguresView } from './figuresView.ts';
import { StatisticsHeader } from './header.ts';
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

const createTabs = (): readonly Choice<StatisticsTab>[] => [
  { value: 'overview', label: l10n.t('Overview') },
  { value: 'recipients', label: l10n.t('Recipients') },
  { value: 'clicks', label: getActivityLabels().clicks },
  { value: 'links', label: l10n.t('Links') },
];
/** With more rows, sorting and filtering apply to the loaded part, and the table says so. */
const MAX_LOADED_ROWS = 200_000;

const reading = { kind: 'loading' } as const;

/** The page with the statistics of one campaign in four tabs, or the comparison of several campaigns. */
class StatisticsPage {
  readonly #host = connectHost<ToPage, FromPage, StatisticsPageState>();
  readonly #header = new StatisticsHeader(this.#host.post);
  readonly #missingNotice = make('div', { class: 'missing' });
  readonly #announcer = make('div', { class: 'heard', role: 'status' });
  readonly #content = make('div', { class: 'place', id: 'statistics' });
  readonly #tabStrip = new ChoiceGroup(
    l10n.t('Statistics'),
    createTabs(),
    (tab) => {
      this.#show(tab);
      this.#scheduleSave();
    },
    this.#content,
  );
  readonly #tables = new TabTables<TableTab>(this.#host.post, () => this.#scheduleSave());
  /** Shows the clicks of the links over the campaign's preview. */
  readonly #previewButton = makeButton(
    '',
    () => this.#host.post({ type: 'heatMap', address: this.#getSelectedAddress() }),
    { title: l10n.t('Shows the clicks of all links in the preview, with the selected link highlighted.') },
  );
  readonly #chartsAsTables: Set<string>;
  #selection: CampaignSelection | undefined;
  #cards: readonly CampaignCard[] = [];
  #pageSize = 100;
  #tab: StatisticsTab;
  #figures: LoadState<Overview | Comparison> = reading;
  #failures: readonly string[] = [];
  #timeline: LoadState<ActivityTimeline> = reading;
  /** Undefined while a table is shown. */
  #view: FiguresView | undefined;
  #restoredScrollTop: number;

  constructor() {
    this.#tabStrip.element.hidden = true;
    document.body.append(
      make('main', {}, this.#header.element, this.#missingNotice, this.#tabStrip.element, this.#content),
      this.#announcer,
    );
    const { panel, tab, tables, asTables, scrolled = 0 } = this.#host.getState() ?? {};
    this.#tab = statisticsTabs.find((each) => each === tab) ?? 'overview';
    this.#tables.restore(tables);
    this.#chartsAsTables = new Set(asTables);
    this.#restoredScrollTop = scrolled;
    // `#showSelection` discards the state of another selection.
    this.#selection = panel?.choice;
    this.#host.start({
      ...this.#tables.handlers,
      show: (message) => this.#showSelection(message),
      interval: ({ seconds, message }) => this.#header.showInterval(seconds, message),
      cards: ({ cards }) => this.#showCards(cards),
      figures: ({ figures, failures }) => {
        this.#figures = figures;
        this.#failures = failures;
        this.#view?.show(figures, failures);
        this.#restoreScroll();
        this.#describe();
      },
      timeline: ({ timeline }) => {
        this.#timeline = timeline;
        this.#view?.showTimeline(timeline);
      },
      reload: () => this.#tables.reload(),
    });
  }

  #showSelection({ selection, cards, pageSize, intervalSeconds, wide }: Extract<ToPage, { type: 'show' }>): void {
    const isSame = this.#selection !== undefined && getSelectionKey(selection) === getSelectionKey(this.#selection);
    const isShown = this.#content.childElementCount > 0;
    this.#selection = selection;
    this.#pageSize = pageSize;
    document.body.classList.toggle('wide', wide);
    if (!isSame) {
      this.#restoredScrollTop = 0;
      this.#tables.reset();
    }
    this.#header.showInterval(intervalSeconds);
    this.#showCards(cards);
    if (isSame && isShown) this.#tables.reload();
    else {
      this.#figures = this.#timeline = reading;
      this.#failures = [];
      this.#show(this.#tab);
    }
    this.#scheduleSave();
  }

  #showCards(cards: readonly CampaignCard[]): void {
    this.#header.show(cards);
    this.#cards = cards;
    this.#describe();
  }

  /** Shows a tab of the selection and drops all other views to save memory. */
  #show(tab: StatisticsTab): void {
    this.#tables.close();
    this.#tab = tab;
    this.#view = undefined;
    const { length: count } = this.#selection ?? [];
    this.#tabStrip.element.hidden = count !== 1;
    this.#tabStrip.show(tab);
    if (count === 0) this.#showEmptyState();
    else if (count > 1 || tab === 'overview') this.#showFigures(count > 1);
    else this.#showTable(tab);
    this.#describe();
  }

  #showEmptyState(): void {
    const { post } = this.#host;
    this.#content.replaceChildren(
      createEmptyState(
        'chart',
        l10n.t('No campaign selected'),
        l10n.t('Choose a campaign to see its recipients, opens and clicks, or compare two to five campaigns.'),
        [l10n.t('Choose a Campaign…'), () => post({ type: 'choose' })],
        [l10n.t('Compare Campaigns…'), () => post({ type: 'compare' })],
      ),
    );
  }

  #showFigures(isComparison: boolean): void {
    const view = new FiguresView(isComparison, {
      post: this.#host.post,
      announce: (text) => (this.#announcer.textContent = text),
      chartsAsTables: this.#chartsAsTables,
      onChange: () => this.#scheduleSave(),
    });
    this.#view = view;
    this.#content.replaceChildren(view.element);
    view.element.addEventListener('scroll', () => this.#scheduleSave(), { passive: true });
    view.show(this.#figures, this.#failures);
    view.showTimeline(this.#timeline);
    this.#restoreScroll();
  }

  #showTable(tab: TableTab): void {
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
  #getSelectedAddress(): string | undefined {
    const [row, ...others] = this.#tables.selectedRows;
    const address = others.length === 0 ? row?.['name'] : undefined;
    return typeof address === 'string' && address !== '' ? address : undefined;
  }

  #updatePreviewButton(): void {
    this.#previewButton.textContent =
      this.#getSelectedAddress() === undefined ? l10n.t('Show All on Preview') : l10n.t('Show on Preview');
  }

  /** Restores the scroll position after a restart, once the content is loaded. */
  #restoreScroll(): void {
    const element = this.#view?.element;
    if (!element || (this.#figures.kind === 'loading' && !this.#figures.value)) return;
    const scrollTop = this.#restoredScrollTop;
    if (scrollTop > 0 && element.scrollTop === 0)
      requestAnimationFrame(() => {
        element.scrollTop = scrollTop;
      });
    this.#restoredScrollTop = 0;
  }

  /** Shows the time of the figures, and which campaigns were deleted, unless the figures report the deletion themselves. */
  #describe(): void {
    const { kind, value, at } = this.#figures;
    // While there is no content, the skeleton shows the progress and a Cancel button.
    this.#header.showFreshness(kind === 'loading' && (value !== undefined || this.#view === undefined), at);
    const names = this.#cards.filter(({ isMissing }) => isMissing).map(({ name }) => `"${name}"`);
    this.#missingNotice.replaceChildren();
    if (names.length === 0 || (this.#view && kind === 'failed')) return;
    const text =
      this.#cards.length === 1
        ? l10n.t('The service no longer has this campaign. These are its last figures.')
        : l10n.t`The service no longer has ${formatList(names)}.`;
    const choose = (): void => this.#host.post({ type: 'choose' });
    this.#missingNotice.append(createNotice('warning', text, [l10n.t('Choose…'), choose]));
  }

  #scheduleSave(): void {
    this.#host.saveState(() => ({
      panel: { choice: this.#selection ?? [] },
      tab: this.#tab,
      tables: this.#tables.states,
      asTables: [...this.#chartsAsTables],
      scrolled: this.#restoredScrollTop > 0 ? this.#restoredScrollTop : (this.#view?.element.scrollTop ?? 0),
    }));
  }
}

registerControls(button, textField, checkbox, dropdown);
new StatisticsPage();
