import './statistics.css';
import { t } from '@vscode/l10n';
import { formatList, formatNumber, quote } from '../../../l10n.ts';
import { createChoiceGroup } from '../../../ui/page/choices.ts';
import { make } from '../../../ui/page/dom.ts';
import { connectHost } from '../../../ui/page/channel.ts';
import { createTabTables, type TableStates } from '../../../ui/page/table/table.ts';
import { button, checkbox, makeButton, registerControls, textField } from '../../../ui/page/toolkit.ts';
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
import { createFiguresView } from './figuresView.ts';
import { createHeader } from './header.ts';
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

registerControls(button, textField, checkbox);
const host = connectHost<ToPage, FromPage, StatisticsPageState>();
const { post } = host;
const stored = host.getState() ?? {};
const header = createHeader(post);
const missingNotice = make('div.missing');
const announcer = make('div.heard', { role: 'status' });
const content = make('div.place', { id: 'statistics' });
const tabStrip = createChoiceGroup<StatisticsTab>(
  t('Statistics'),
  [
    { value: 'overview', label: t('Overview') },
    { value: 'recipients', label: t('Recipients') },
    { value: 'clicks', label: getActivityLabels().clicks },
    { value: 'links', label: t('Links') },
  ],
  (selected) => {
    showTab(selected);
    scheduleSave();
  },
  content,
);
const tables = createTabTables<TableTab>(post, scheduleSave, stored.tables);
/** Shows the clicks of the links over the campaign's preview. */
const previewButton = makeButton('', () => post({ type: 'heatMap', address: getSelectedAddress() }), {
  title: t('Shows the clicks of all links in the preview, with the selected link highlighted.'),
});
const chartsAsTables = new Set(stored.asTables);
const loading = { kind: 'loading' } as const;
let tab = statisticsTabs.find((each) => each === stored.tab) ?? 'overview';
/** `showSelection` discards the state of another selection. */
let selection = stored.panel?.choice;
let cards: readonly CampaignCard[] = [];
let pageSize = 100;
let figures: LoadState<Overview | Comparison> = loading;
let failures: readonly string[] = [];
let timeline: LoadState<ActivityTimeline> = loading;
/** Undefined while a table is shown. */
let view: ReturnType<typeof createFiguresView> | undefined;
let restoredScrollTop = stored.scrolled ?? 0;

tabStrip.element.hidden = true;
document.body.append(make('main', header.element, missingNotice, tabStrip.element, content), announcer);
host.start({
  ...tables.handlers,
  show: showSelection,
  cards: (message) => showCards(message.cards),
  figures: (message) => {
    ({ figures, failures } = message);
    view?.show(figures, failures);
    restoreScroll();
    describe();
  },
  timeline: (message) => {
    ({ timeline } = message);
    view?.showTimeline(timeline);
  },
  reload: tables.reload,
});

// Chromium loads the language's number formats on first use, which takes 20 ms: do that while the service responds.
requestIdleCallback(() => formatNumber(0));

const narrow = matchMedia('(width < 480px)');
const postWidth = () => post({ type: 'width', isNarrow: narrow.matches });
narrow.addEventListener('change', postWidth);
postWidth();

function showSelection(message: Extract<ToPage, { type: 'show' }>) {
  const isSame = selection !== undefined && getSelectionKey(message.selection) === getSelectionKey(selection);
  const isShown = content.childElementCount > 0;
  ({ selection, pageSize } = message);
  document.body.classList.toggle('wide', message.wide);
  if (!isSame) {
    restoredScrollTop = 0;
    tables.reset();
  }
  showCards(message.cards);
  if (isSame && isShown) tables.reload();
  else {
    figures = timeline = loading;
    failures = [];
    showTab(tab);
  }
  scheduleSave();
}

function showCards(shown: readonly CampaignCard[]) {
  cards = shown;
  header.show(cards);
  describe();
}

/** Shows a tab of the selection and drops all other views to save memory. */
function showTab(selected: StatisticsTab) {
  tables.close();
  tab = selected;
  view = undefined;
  const { length: count } = selection ?? [];
  const isComparison = count > 1 || isFollowUp(selection ?? []);
  tabStrip.element.hidden = count === 0 || isComparison;
  tabStrip.show(tab);
  if (count === 0)
    content.replaceChildren(
      createEmptyState(
        'chart',
        t('No campaign selected'),
        t('Choose a campaign to see its recipients, opens and clicks, or compare two to five campaigns.'),
        [t('Choose a Campaign…'), () => post({ type: 'choose' })],
        [t('Compare Campaigns…'), () => post({ type: 'compare' })],
      ),
    );
  else if (isComparison || tab === 'overview') showFigures(isComparison);
  else {
    const options = {
      ...getTableDefinitions()[tab],
      pageSize,
      maxPages: Math.ceil(MAX_LOADED_ROWS / pageSize),
      onSelectionChange: updatePreviewButton,
    };
    tables.show(tab, content, options, ...(tab === 'links' ? [previewButton] : []));
    updatePreviewButton();
  }
  describe();
}

function showFigures(isComparison: boolean) {
  view = createFiguresView(isComparison, {
    post,
    announce: (text) => (announcer.textContent = text),
    chartsAsTables,
    onChange: scheduleSave,
  });
  content.replaceChildren(view.element);
  view.element.addEventListener('scroll', scheduleSave, { passive: true });
  view.show(figures, failures);
  view.showTimeline(timeline);
  restoreScroll();
}

/** Returns the address of the selected link; undefined unless exactly one is selected. */
function getSelectedAddress() {
  const [row, ...others] = tables.getSelectedRows();
  const address = others.length === 0 ? row?.['name'] : undefined;
  return typeof address === 'string' && address !== '' ? address : undefined;
}

function updatePreviewButton() {
  previewButton.textContent = getSelectedAddress() === undefined ? t('Show All in Preview') : t('Show in Preview');
}

/** Restores the scroll position after a restart, once the content is loaded. */
function restoreScroll() {
  const element = view?.element;
  if (!element || (figures.kind === 'loading' && !figures.value)) return;
  const scrollTop = restoredScrollTop;
  if (scrollTop > 0 && element.scrollTop === 0) requestAnimationFrame(() => (element.scrollTop = scrollTop));
  restoredScrollTop = 0;
}

/** Shows the time of the figures, and which campaigns were deleted, unless the figures report the deletion themselves. */
function describe() {
  const { kind, value, at } = figures;
  // While there is no content, the skeleton shows the progress and a Cancel button.
  header.showFreshness(kind === 'loading' && (value !== undefined || view === undefined), at);
  const names = cards.filter(({ isMissing }) => isMissing).map(({ name }) => quote(name));
  missingNotice.replaceChildren();
  if (names.length === 0 || (view && kind === 'failed')) return;
  const text =
    cards.length === 1 && !isFollowUp(selection ?? [])
      ? t('The service no longer has this campaign. These are its last figures.')
      : t`The service no longer has ${formatList(names)}.`;
  missingNotice.append(createNotice('warning', text, [t('Choose…'), () => post({ type: 'choose' })]));
}

function scheduleSave() {
  host.saveState(() => ({
    panel: { choice: selection ?? [] },
    tab,
    tables: tables.getStates(),
    asTables: [...chartsAsTables],
    scrolled: restoredScrollTop > 0 ? restoredScrollTop : (view?.element.scrollTop ?? 0),
  }));
}
