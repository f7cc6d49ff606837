import { formatAmount, formatCount, formatPercent } from '../../../platform/ui/format.ts';
import { createBarDrawing } from '../../../platform/webview/charts/bars.ts';
import { ChartCard, type ChartContent } from '../../../platform/webview/charts/chart.ts';
import { createLineDrawing } from '../../../platform/webview/charts/lines.ts';
import { make } from '../../../platform/webview/dom.ts';
import { iconButton, makeButton } from '../../../platform/webview/toolkit.ts';
import type { ActivityTimeline, Comparison, Figure, FunnelStep, LoadState, Overview } from '../model.ts';
import type { FromPage } from '../protocol.ts';
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

interface ViewOptions {
  post(message: FromPage): void;
  /** Announces a change to screen readers. */
  announce(text: string): void;
  /** Names of charts that are shown as tables. */
  readonly chartsAsTables: Set<string>;
  onChange(): void;
}

const timelineTitle = 'Opens and clicks over time';

/** The figures of one campaign, or the comparison of two to five, with their charts. */
export class FiguresView {
  readonly element = make('div', { class: 'overview' });
  readonly #options: ViewOptions;
  readonly #isComparison: boolean;
  /** Contains the figures, if there are any. */
  readonly #parts: HTMLElement;
  readonly #above = make('div');
  /** The funnel, or the compared rates. */
  readonly #chart: ChartCard;
  readonly #timeline: ChartCard;
  readonly #timelineContainer = make('div', { class: 'time' });
  readonly #below = make('div');

  /** `isComparison`: several campaigns are compared. */
  constructor(isComparison: boolean, options: ViewOptions) {
    this.#options = options;
    this.#isComparison = isComparison;
    this.#chart = isComparison
      ? this.#createChartCard('Rates', 'comparison')
      : this.#createChartCard('Funnel', 'funnel');
    this.#timeline = this.#createChartCard(timelineTitle, 'opens-and-clicks');
    this.#parts = isComparison
      ? make('div', { class: 'parts side-by-side' }, this.#above, this.#chart.element)
      : make(
          'div',
          { class: 'parts' },
          this.#above,
          make('div', { class: 'charts' }, this.#chart.element, this.#timelineContainer),
          this.#below,
        );
  }

  show(reading: LoadState<Overview | Comparison>, failures: readonly string[]): void {
    const { kind, value } = reading;
    const retry = this.#act('Retry', 'refresh');
    if (value) {
      const notices = failures.map((failure) => createNotice('warning', failure));
      if (kind === 'failed') {
        const from =
          reading.at === undefined ? 'Could not be refreshed' : `From ${reading.at} – could not be refreshed`;
        notices.unshift(createNotice('warning', `${from}: ${reading.message}`, retry));
      }
      if ('bars' in value) this.#showComparison(value, notices);
      else this.#showOverview(value, notices);
    } else if (kind === 'failed') {
      const title = this.#isComparison ? 'The campaigns can’t be compared' : 'The statistics can’t be read';
      this.element.replaceChildren(createEmptyState('warning', title, reading.message, retry));
    } else this.element.replaceChildren(createSkeleton('Reading the statistics…', this.#act('Cancel', 'cancel')[1]));
  }

  showTimeline(reading: LoadState<ActivityTimeline>): void {
    const { value } = reading;
    if (value && value.points.length > 0) {
      this.#timeline.show(createTimelineChart(value));
      this.#timelineContainer.replaceChildren(this.#timeline.element);
    } else
      this.#timelineContainer.replaceChildren(
        make('h2', {}, timelineTitle),
        make('p', { class: 'quiet' }, describeEmptyTimeline(reading)),
      );
    this.#timelineContainer.append(...this.#createTimelineStatus(reading));
  }

  #createTimelineStatus(reading: LoadState<ActivityTimeline>): readonly HTMLElement[] {
    const { kind, value, at } = reading;
    if (kind === 'failed') {
      const text =
        value && at !== undefined ? `From ${at} – could not be read again: ${reading.message}` : reading.message;
      return [createNotice('warning', text, this.#act('Retry', value?.isComplete ? 'readTimeline' : 'refresh'))];
    }
    if (kind === 'loading') return [createProgress('Reading the recipients…', this.#act('Cancel', 'cancel')[1])];
    if (value.isComplete) return [];
    const { readCount, totalCount } = value;
    const total = totalCount === undefined ? '' : formatCount(totalCount);
    const from =
      readCount === 0
        ? 'Shows clicks only, because the recipients were not read.'
        : `From the first ${formatCount(readCount)}${total && ` of ${total}`} recipients.`;
    const readAll = makeButton(...this.#act(`Read All ${total && `${total} `}Recipients`, 'readTimeline'));
    return [make('div', { class: 'partly' }, make('span', { class: 'quiet' }, from), readAll)];
  }

  #showOverview(overview: Overview, notices: readonly HTMLElement[]): void {
    if (overview.isUnsent) {
      const text = 'Figures appear as soon as the first message is sent.';
      const actions = [this.#act('Refresh', 'refresh'), this.#act('Choose Another Campaign…', 'choose')];
      return this.element.replaceChildren(...notices, createEmptyState('chart', 'Not sent yet', text, ...actions));
    }
    const { sales, otherFigures, versions, remarks, funnel, isUnopened } = overview;
    // Bounce reasons break down another figure, so they get a separate list.
    const reasons = overview.figures.filter(({ key }) => key.startsWith('bounce_details:'));
    const figures = overview.figures.filter((figure) => !reasons.includes(figure));
    const unopenedText = 'Sent, but no opens yet. Opens and clicks arrive over the next hours and days.';
    this.#above.replaceChildren(
      ...notices,
      ...(isUnopened ? [createNotice('info', unopenedText)] : []),
      ...createSection('Figures', createTiles(figures), this.#createCopyButton()),
      ...createSection('Sales', createTiles(sales)),
      make('div', { class: 'remarks' }, ...remarks.map((remark) => createNotice('info', remark))),
    );
    this.#chart.element.hidden = funnel.length === 0;
    if (funnel.length > 0) this.#chart.show(createFunnelChart(funnel));
    const caption = 'Versions of the email';
    this.#below.replaceChildren(
      ...(versions ? createSection(caption, createComparisonElement(caption, versions.columns, versions.rows)) : []),
      ...createSection('Bounces by reason', createLines(reasons)),
      ...createSection('Other fields', createLines(otherFigures)),
    );
    this.#showParts();
    this.#announceChanges([...overview.figures, ...sales]);
  }

  #showComparison(comparison: Comparison, notices: readonly HTMLElement[]): void {
    const { columns, rows } = comparison;
    const headings = columns.map((name, index) => this.#createHeading(name, index));
    const table = createComparisonElement('Campaigns side by side', headings, rows);
    this.#above.replaceChildren(...notices, ...createSection('Side by side', table, this.#createCopyButton()));
    this.#chart.show(createRatesChart(comparison));
    this.#showParts();
    this.#announceChanges(
      rows.flatMap(({ label, cells }) =>
        cells.map((cell, index) => ({ ...cell, label: `${columns[index] ?? ''}: ${label}` })),
      ),
    );
  }

  #announceChanges(figures: readonly Pick<Figure, 'label' | 'value' | 'change'>[]): void {
    const changed = figures.filter(({ change }) => change !== undefined);
    this.#options.announce(changed.map(({ label, value, change }) => `${label} ${value}, ${change}`).join('; '));
  }

  /** Returns an action that posts a message. */
  #act(label: string, type: 'refresh' | 'cancel' | 'choose' | 'readTimeline'): NoticeAction {
    return [label, () => this.#options.post({ type })];
  }

  /** Creates a heading with the campaign's name, which shows only that campaign when clicked. */
  #createHeading(name: string, index: number): HTMLElement {
    const button = make('button', { type: 'button', class: 'link', title: `Show only “${name}”` }, name);
    button.addEventListener('click', () => this.#options.post({ type: 'showCampaign', index }));
    return button;
  }

  #showParts(): void {
    if (this.#parts.parentElement !== this.element) this.element.replaceChildren(this.#parts);
  }

  #createCopyButton(): HTMLElement {
    return iconButton('copy', 'Copy as Markdown', () => this.#options.post({ type: 'copyMarkdown' }));
  }

  #createChartCard(title: string, name: string): ChartCard {
    const { post, chartsAsTables, onChange } = this.#options;
    return new ChartCard({
      title,
      name,
      isTable: chartsAsTables.has(name),
      onSave: (format, content) => post({ type: 'saveChart', name, format, content }),
      onToggle: (isTable) => {
        if (isTable) chartsAsTables.add(name);
        else chartsAsTables.delete(name);
        onChange();
      },
    });
  }
}

function createRatesChart({ columns, bars }: Comparison): ChartContent {
  const rates = bars.map(({ label, values }) => ({
    label,
    cells: columns.map((name, index) => {
      const value = values[index] ?? null;
      return { name, length: value, text: value === null ? 'no data' : formatPercent(value) };
    }),
  }));
  return {
    summary: rates
      .map(({ label, cells }) => `${label}: ${cells.map(({ name, text }) => `${name} ${text}`).join(', ')}.`)
      .join(' '),
    legend: columns.map((label, series) => ({ label, series })),
    heads: ['Rate', ...columns],
    rows: rates.map(({ label, cells }) => ({ label, cells: cells.map(({ text }) => text) })),
    drawing: createBarDrawing(
      rates.map(({ label, cells }) => ({
        label,
        bars: cells.map(({ name, length, text }) => ({ length, text, spoken: `${name}: ${text}` })),
      })),
    ),
  };
}

function createFunnelChart(steps: readonly FunnelStep[]): ChartContent {
  const first = formatCount(steps[0]?.count ?? 0);
  const values = steps.map(({ label, count, share }) => ({
    label,
    count: formatCount(count),
    share: share === undefined ? '' : formatPercent(share),
    length: share ?? null,
  }));
  return {
    summary: `${values.map(({ label, count, share }) => `${label}: ${count}${share && `, ${share}`}`).join('; ')}.`,
    legend: [],
    heads: ['Step', 'Count', `Share of ${first}`],
    rows: values.map(({ label, count, share }) => ({ label, cells: [count, share] })),
    drawing: createBarDrawing(
      values.map(({ label, count, share, length }) => ({
        label,
        bars: [
          { length, text: `${count}${share && ` · ${share}`}`, spoken: `${count}${share && `, ${share} of ${first}`}` },
        ],
      })),
    ),
  };
}

const activitySeries = [
  { key: 'opens', label: 'Opens', series: 0, isLine: true },
  { key: 'clicks', label: 'Clicks', series: 1, isLine: true },
] as const;

function createTimelineChart({ unit, points, meaning, readCount, undated }: ActivityTimeline): ChartContent {
  // Without recipients there is no data on opens, and a line at 0 would be wrong.
  const hasOpens = readCount > 0 || points.some(({ opens }) => opens > 0);
  const shownSeries = activitySeries.filter(({ key }) => hasOpens || key !== 'opens');
  const describePeak = ({ key, label }: (typeof activitySeries)[number]): string => {
    const sum = points.reduce((total, point) => total + point[key], 0);
    const top = points.reduce((best, point) => (point[key] > best[key] ? point : best));
    return `${label}: ${formatCount(sum)}, most of them, ${formatCount(top[key])}, ${top.label}`;
  };
  return {
    summary: `By ${unit}, from ${points[0]?.label ?? ''} to ${points.at(-1)?.label ?? ''}. ${shownSeries.map(describePeak).join('. ')}.`,
    legend: shownSeries,
    heads: [unit === 'hour' ? 'Hour' : 'Day', ...shownSeries.map(({ label }) => label)],
    rows: points.map((point) => ({
      label: point.label,
      cells: shownSeries.map(({ key }) => formatCount(point[key])),
    })),
    drawing: createLineDrawing({
      unit,
      lines: shownSeries,
      points: points.map((point) => ({
        time: point.time,
        title: point.label,
        values: shownSeries.map(({ key }) => point[key]),
      })),
    }),
    notes: [meaning, ...(undated > 0 ? [describeUndated(undated)] : [])],
  };
}

function describeEmptyTimeline({ kind, value }: LoadState<ActivityTimeline>): string {
  if (!value) return kind === 'failed' ? 'They could not be read.' : '';
  return value.undated > 0
    ? `None of the ${formatCount(value.undated)} opens and clicks has a date.`
    : 'There are none yet.';
}

function describeUndated(count: number): string {
  return `${formatAmount(count, 'open or click has', 'opens and clicks have')} no date and ${count === 1 ? 'is' : 'are'} not shown.`;
}
