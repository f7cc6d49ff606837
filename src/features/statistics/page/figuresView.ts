import { t } from '@vscode/l10n';
import { formatNumber, formatPair } from '../../../l10n.ts';
import { formatPercent, joinParts } from '../../../service/format.ts';
import { createBarDrawing } from '../../../ui/page/charts/bars.ts';
import type { Channel } from '../../../ui/page/channel.ts';
import { createChartCard, type ChartCard, type ChartContent } from '../../../ui/page/charts/chart.ts';
import { createLineDrawing } from '../../../ui/page/charts/lines.ts';
import { make } from '../../../ui/page/dom.ts';
import { makeButton } from '../../../ui/page/toolkit.ts';
import type { Comparison, Figure, FunnelStep, Overview } from '../../../service/statistics/model.ts';
import {
  describePartialTimeline,
  describeUndated,
  getActivityLabels,
  type ActivityTimeline,
  type LoadState,
} from '../model.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import {
  createComparisonElement,
  createEmptyState,
  createLines,
  createNotice,
  createProgress,
  createSection,
  createSkeleton,
  createTiles,
  type NoticeAction,
} from './elements.ts';

/** The figures of one campaign, or of the comparison of two to five, with their charts. */
export class FiguresView {
  readonly element = make('div.overview');
  readonly #isComparison: boolean;
  readonly #channel: Pick<Channel<ToPage, FromPage>, 'post'>;
  readonly #announcer: HTMLElement;
  /** Names of the charts that are shown as tables. */
  readonly #chartsAsTables: Set<string>;
  readonly #onChange: () => void;
  readonly #above = make('div');
  /** The funnel, or the compared rates. */
  readonly #chart: ChartCard;
  readonly #timelineChart: ChartCard;
  readonly #timelineContainer = make('div.time');
  readonly #below = make('div');
  /** Contains the figures, if there are any. */
  readonly #parts: HTMLElement;
  readonly #cancel = () => this.#channel.post({ type: 'cancel' });
  readonly #timelineProgress = createProgress(t('Loading recipients…'), this.#cancel);

  /** `announcer` announces changes to screen readers. `onChange` is called when the user changes `chartsAsTables`. */
  constructor(
    isComparison: boolean,
    channel: Pick<Channel<ToPage, FromPage>, 'post'>,
    announcer: HTMLElement,
    chartsAsTables: Set<string>,
    onChange: () => void,
  ) {
    this.#isComparison = isComparison;
    this.#channel = channel;
    this.#announcer = announcer;
    this.#chartsAsTables = chartsAsTables;
    this.#onChange = onChange;
    this.#chart = isComparison ? this.#createCard(t('Rates'), 'comparison') : this.#createCard(t('Funnel'), 'funnel');
    this.#timelineChart = this.#createCard(getTimelineTitle(), 'opens-and-clicks');
    this.#parts = isComparison
      ? make('div.parts.side-by-side', this.#above, this.#chart.element)
      : make('div.parts', this.#above, make('div.charts', this.#chart.element, this.#timelineContainer), this.#below);
  }

  show(reading: LoadState<Overview | Comparison>, failures: readonly string[]): void {
    const { kind, value } = reading;
    const retry = this.#act(t('Retry'), 'refresh');
    if (!value) {
      const title = this.#isComparison ? t("Couldn't compare the campaigns") : t("Couldn't read the statistics");
      this.element.replaceChildren(
        kind === 'failed'
          ? createEmptyState('warning', title, reading.message, retry)
          : createSkeleton(t('Loading statistics…'), this.#cancel),
      );
      return;
    }
    const notices = failures.map((failure) => createNotice('warning', failure));
    if (kind === 'failed') {
      const { at, message } = reading;
      const text =
        at === undefined
          ? t`Couldn't refresh the statistics: ${message}`
          : t`Couldn't refresh the statistics from ${at}: ${message}`;
      notices.unshift(createNotice('warning', text, retry));
    }
    if ('bars' in value) this.#showComparison(value, notices);
    else if (value.isUnsent) {
      const text = t('Figures appear when the first email is sent.');
      const actions = [this.#act(t('Refresh'), 'refresh'), this.#act(t('Choose Another Campaign…'), 'choose')];
      const empty = createEmptyState('chart', t('Not sent yet'), text, ...actions);
      this.element.replaceChildren(...notices, empty);
      return;
    } else this.#showOverview(value, notices);
    if (this.#parts.parentElement !== this.element) this.element.replaceChildren(this.#parts);
  }

  showTimeline(reading: LoadState<ActivityTimeline>): void {
    const { value } = reading;
    const hasPoints = value !== undefined && value.points.length > 0;
    if (hasPoints) this.#timelineChart.show(createTimelineChart(value));
    const children = [
      ...(hasPoints
        ? [this.#timelineChart.element]
        : [make('h2', getTimelineTitle()), make('p.quiet', describeEmptyTimeline(reading))]),
      this.#createTimelineStatus(reading),
    ];
    // An element that is inserted again would lose the press of a mouse button.
    if (children.some((child, index) => child !== this.#timelineContainer.childNodes[index]))
      this.#timelineContainer.replaceChildren(...children);
  }

  /** Returns an action that posts a message. */
  #act(label: string, type: 'refresh' | 'choose' | 'readTimeline'): NoticeAction {
    return [label, () => this.#channel.post({ type })];
  }

  #createCard(title: string, name: string) {
    return createChartCard(title, name, this.#chartsAsTables.has(name), (isTable) => {
      if (isTable) this.#chartsAsTables.add(name);
      else this.#chartsAsTables.delete(name);
      this.#onChange();
    });
  }

  #showOverview(overview: Overview, notices: readonly HTMLElement[]) {
    const { figures: all, sales, otherFigures, versions, remarks, funnel, isUnopened } = overview;
    // Bounce reasons break down another figure, so they get a separate list.
    const reasons = all.filter(({ key }) => key.startsWith('bounce_details:'));
    const figures = all.filter((figure) => !reasons.includes(figure));
    const unopenedText = t('Sent, but no opens yet. Opens and clicks arrive over the next hours and days.');
    this.#above.replaceChildren(
      ...notices,
      ...(isUnopened ? [createNotice('info', unopenedText)] : []),
      ...createSection(t('Figures'), createTiles(figures)),
      ...createSection(t('Sales'), createTiles(sales)),
      make('div.remarks', ...remarks.map((remark) => createNotice('info', remark))),
    );
    this.#chart.element.hidden = funnel.length === 0;
    if (funnel.length > 0) this.#chart.show(createFunnelChart(funnel));
    const caption = t('Versions of the email');
    this.#below.replaceChildren(
      ...(versions ? createSection(caption, createComparisonElement(caption, versions.columns, versions.rows)) : []),
      ...createSection(t('Bounces by reason'), createLines(reasons)),
      ...createSection(t('Other fields'), createLines(otherFigures)),
    );
    this.#announceChanges([...all, ...sales]);
  }

  #showComparison(comparison: Comparison, notices: readonly HTMLElement[]) {
    const { columns, rows, isOfMails } = comparison;
    const headings = columns.map((name, index) => {
      const button = make('button.link', { type: 'button', title: t`Show only "${name}"` }, name);
      button.addEventListener('click', () => this.#channel.post({ type: 'showCampaign', index }));
      return button;
    });
    const caption = isOfMails ? t('Side by side') : t('Campaigns side by side');
    const table = createComparisonElement(caption, isOfMails ? columns : headings, rows);
    this.#above.replaceChildren(...notices, ...createSection(t('Side by side'), table));
    this.#chart.show(createRatesChart(comparison));
    this.#announceChanges(
      rows.flatMap(({ label, cells }) =>
        cells.map((cell, index) => ({ ...cell, label: formatPair(columns[index] ?? '', label) })),
      ),
    );
  }

  #announceChanges(figures: readonly Pick<Figure, 'label' | 'value' | 'change'>[]) {
    const changed = figures.filter(({ change }) => change !== undefined);
    this.#announcer.textContent = changed.map(({ label, value, change }) => `${label} ${value}, ${change}`).join('; ');
  }

  #createTimelineStatus(reading: LoadState<ActivityTimeline>): HTMLElement | '' {
    const { kind, value, at } = reading;
    if (kind === 'failed') {
      const { message } = reading;
      const text = value && at !== undefined ? t`Couldn't refresh the chart from ${at}: ${message}` : message;
      return createNotice('warning', text, this.#act(t('Retry'), value?.isComplete ? 'readTimeline' : 'refresh'));
    }
    if (kind === 'loading') return this.#timelineProgress;
    if (value.isComplete) return '';
    const total = value.totalCount === undefined ? undefined : formatNumber(value.totalCount);
    const label = total === undefined ? t('Load All Recipients') : t`Load All ${total} Recipients`;
    const note = make('span.quiet', describePartialTimeline(value));
    return make('div.partly', note, makeButton(...this.#act(label, 'readTimeline')));
  }
}

function getTimelineTitle() {
  return t('Opens and clicks over time');
}

function createRatesChart({ columns, bars: rates }: Comparison): ChartContent {
  const groups = rates.map(({ label, values }) => {
    const bars = columns.map((name, index) => {
      const length = values[index] ?? null;
      const text = length === null ? t('no data') : formatPercent(length);
      return { name, length, text, spoken: formatPair(name, text) };
    });
    return { label, bars, cells: bars.map(({ text }) => text) };
  });
  return {
    summary: groups
      .map(({ label, bars }) => `${formatPair(label, bars.map(({ name, text }) => `${name} ${text}`).join(', '))}.`)
      .join(' '),
    legend: columns.map((label, series) => ({ label, series })),
    heads: [t({ message: 'Rate', comment: 'Column title: a percentage' }), ...columns],
    rows: groups,
    drawing: createBarDrawing(groups),
  };
}

function createFunnelChart(steps: readonly FunnelStep[]): ChartContent {
  const first = formatNumber(steps[0]?.count ?? 0);
  const groups = steps.map(({ label, count: number, share }) => {
    const count = formatNumber(number);
    const percent = share === undefined ? '' : formatPercent(share);
    const spoken = percent === '' ? count : t`${count}, ${percent} of ${first}`;
    const cells = [count, percent];
    return { label, cells, bars: [{ length: share ?? null, text: joinParts(cells), spoken }] };
  });
  return {
    summary: `${groups.map(({ label, cells }) => formatPair(label, cells.filter(Boolean).join(', '))).join('; ')}.`,
    legend: [],
    heads: [t('Step'), t('Count'), t`Share of ${first}`],
    rows: groups,
    drawing: createBarDrawing(groups),
  };
}

function createTimelineChart({ unit, points, meaning, readCount, undated }: ActivityTimeline): ChartContent {
  // Without recipients there is no data on opens, and a line at 0 would be wrong.
  const hasOpens = readCount > 0 || points.some(({ opens }) => opens > 0);
  const { opens: opensLabel, clicks: clicksLabel } = getActivityLabels();
  const clicks = { key: 'clicks', label: clicksLabel, series: 1, isLine: true } as const;
  const series = hasOpens ? [{ ...clicks, key: 'opens', label: opensLabel, series: 0 } as const, clicks] : [clicks];
  const describePeak = ({ key, label }: (typeof series)[number]) => {
    const sum = points.reduce((total, point) => total + point[key], 0);
    const top = points.reduce((best, point) => (point[key] > best[key] ? point : best));
    return t({
      message: '{0}: {1}, with a peak of {2} at {3}.',
      args: [label, formatNumber(sum), formatNumber(top[key]), top.label],
      comment: '{0} is "Opens" or "Clicks", {1} their number, {2} the highest number in an hour or day, {3} its time',
    });
  };
  const [from, to] = [points[0]?.label ?? '', points.at(-1)?.label ?? ''];
  const period = unit === 'hour' ? t`By hour, from ${from} to ${to}.` : t`By day, from ${from} to ${to}.`;
  const rows = points.map((point) => {
    const values = series.map(({ key }) => point[key]);
    return { ...point, values, cells: values.map(formatNumber) };
  });
  return {
    summary: [period, ...series.map(describePeak)].join(' '),
    legend: series,
    heads: [unit === 'hour' ? t('Hour') : t('Day'), ...series.map(({ label }) => label)],
    rows,
    drawing: createLineDrawing({ unit, lines: series, points: rows }),
    notes: [meaning, ...(undated > 0 ? [describeUndated(undated)] : [])],
  };
}

function describeEmptyTimeline({ kind, value }: LoadState<ActivityTimeline>) {
  if (!value) return kind === 'failed' ? t("The opens and clicks couldn't be read.") : '';
  return value.undated > 0 ? describeUndated(value.undated) : t('No opens or clicks yet.');
}
