import { createBarDrawing } from '../../../platform/webview/charts/bars.ts';
import { ChartCard, type ChartContent } from '../../../platform/webview/charts/chart.ts';
import { createLineDrawing } from '../../../platform/webview/charts/lines.ts';
import { make } from '../../../platform/webview/dom.ts';
import { dataTable } from '../../../platform/webview/table/dataTable.ts';
import { iconButton, makeButton } from '../../../platform/webview/toolkit.ts';
import type { Figure, FunnelStep, Overview, LoadState, ActivityTimeline } from '../model.ts';
import type { FromPage } from '../protocol.ts';
import {
  createEmptyState,
  createCell,
  describeChanges,
  createLines,
  createNotice,
  createSkeleton,
  createTiles,
} from './elements.ts';

export interface OverviewOptions {
  post(message: FromPage): void;
  /** Announces a change to screen readers. */
  announce(text: string): void;
  /** Names of charts that are shown as tables. */
  readonly chartsAsTables: Set<string>;
  onChange(): void;
}

const numberFormat = new Intl.NumberFormat();
const percentFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** Bounce reasons break down another figure, so they get a separate list. */
const isReason = ({ key }: Figure): boolean => key.startsWith('bounce_details:');

/** The figures of one campaign with their charts. */
export class OverviewView {
  readonly element = make('div', { class: 'overview' });
  readonly #options: OverviewOptions;
  readonly #funnel: ChartCard;
  readonly #timeline: ChartCard;
  readonly #charts: HTMLElement;
  readonly #timelineContainer = make('div', { class: 'time' });
  readonly #parts: HTMLElement;
  readonly #above = make('div', {});
  readonly #below = make('div', {});
  #hasTimeline = false;

  constructor(options: OverviewOptions) {
    this.#options = options;
    this.#funnel = this.#createChartCard('Funnel', 'funnel');
    this.#timeline = this.#createChartCard('Opens and clicks over time', 'opens-and-clicks');
    this.#charts = make('div', { class: 'charts' }, this.#funnel.element, this.#timelineContainer);
    this.#parts = make('div', { class: 'parts' }, this.#above, this.#charts, this.#below);
  }

  show(reading: LoadState<Overview>): void {
    const overview = reading.kind === 'loaded' ? reading.value : reading.last;
    if (overview)
      this.#showFigures(
        overview,
        createStaleNotice(reading, () => this.#options.post({ type: 'refresh' })),
      );
    else if (reading.kind === 'failed')
      this.element.replaceChildren(
        createEmptyState('warning', 'The statistics can’t be read', reading.message, [
          { label: 'Retry', run: () => this.#options.post({ type: 'refresh' }) },
        ]),
      );
    else
      this.element.replaceChildren(
        createSkeleton('Reading the statistics…', () => this.#options.post({ type: 'cancel' })),
      );
  }

  showTimeline(reading: LoadState<ActivityTimeline>): void {
    const timeline = reading.kind === 'failed' || reading.kind === 'loading' ? reading.last : reading.value;
    const parts: Node[] = [];
    if (timeline && timeline.points.length > 0) {
      this.#timeline.show(createTimelineChart(timeline));
      parts.push(this.#timeline.element);
    } else
      parts.push(
        make('h2', {}, 'Opens and clicks over time'),
        make('p', { class: 'quiet' }, describeEmptyTimeline(reading, timeline)),
      );
    parts.push(...this.#createTimelineStatus(reading, timeline));
    this.#hasTimeline = true;
    this.#timelineContainer.replaceChildren(...parts);
  }

  #createTimelineStatus(reading: LoadState<ActivityTimeline>, timeline: ActivityTimeline | undefined): Node[] {
    const { post } = this.#options;
    if (reading.kind === 'failed') {
      const text =
        timeline && reading.at !== undefined
          ? `From ${reading.at} – could not be read again: ${reading.message}`
          : reading.message;
      return [
        createNotice('warning', text, [
          { label: 'Retry', run: () => post({ type: timeline && timeline.isComplete ? 'readTimeline' : 'refresh' }) },
        ]),
      ];
    }
    if (reading.kind === 'loading')
      return [
        make(
          'p',
          { class: 'reading' },
          make('span', { role: 'status' }, 'Reading the recipients…'),
          makeButton('Cancel', () => post({ type: 'cancel' })),
        ),
      ];
    if (!timeline || timeline.isComplete) return [];
    const { readCount, totalCount } = timeline;
    const from =
      readCount === 0
        ? 'The recipients were not read for this: it shows the clicks alone.'
        : `From the first ${numberFormat.format(readCount)}${totalCount === undefined ? '' : ` of ${numberFormat.format(totalCount)}`} recipients.`;
    const all =
      totalCount === undefined ? 'Read All Recipients' : `Read All ${numberFormat.format(totalCount)} Recipients`;
    return [
      make(
        'div',
        { class: 'partly' },
        make('span', { class: 'quiet' }, from),
        makeButton(all, () => post({ type: 'readTimeline' })),
      ),
    ];
  }

  #showFigures(overview: Overview, notices: readonly HTMLElement[]): void {
    const { post, announce } = this.#options;
    if (overview.isUnsent) {
      this.element.replaceChildren(
        ...notices,
        createEmptyState('chart', 'Not sent yet', 'There are figures as soon as the first message has left.', [
          { label: 'Refresh', run: () => post({ type: 'refresh' }) },
          { label: 'Choose Another Campaign…', run: () => post({ type: 'choose' }) },
        ]),
      );
      return;
    }
    const { figures, sales, otherFigures, versions, remarks, funnel } = overview;
    const reasons = figures.filter(isReason);
    const copy = iconButton('copy', 'Copy as Markdown', () => post({ type: 'copyMarkdown' }));
    this.#above.replaceChildren(
      ...notices,
      ...(overview.isUnopened
        ? [
            createNotice(
              'info',
              'Sent, and nobody has opened it so far. Opens and clicks come in over the next hours and days.',
            ),
          ]
        : []),
      createSection('Figures', createTiles(figures.filter((figure) => !isReason(figure))), copy),
      ...(sales.length > 0 ? [createSection('Sales', createTiles(sales))] : []),
      ...(remarks.length > 0
        ? [make('div', { class: 'remarks' }, ...remarks.map((remark) => createNotice('info', remark)))]
        : []),
    );
    this.#funnel.element.hidden = funnel.length === 0;
    if (funnel.length > 0) this.#funnel.show(createFunnelChart(funnel));
    if (!this.#hasTimeline) this.showTimeline({ kind: 'loading' });
    this.#below.replaceChildren(
      ...(versions
        ? [
            createSection(
              'Versions of the mail',
              dataTable(
                'Versions of the mail',
                ['', ...versions.columns],
                versions.rows.map(({ label, cells }) => ({ label, cells: cells.map(createCell) })),
              ),
            ),
          ]
        : []),
      ...(reasons.length > 0 ? [createSection('Bounces by reason', createLines(reasons))] : []),
      ...(otherFigures.length > 0 ? [createSection('Other fields', createLines(otherFigures))] : []),
    );
    if (this.#parts.parentElement !== this.element) this.element.replaceChildren(this.#parts);
    announce(describeChanges([...figures, ...sales]));
  }

  #createChartCard(title: string, name: string): ChartCard {
    const { post, chartsAsTables, onChange } = this.#options;
    return new ChartCard({
      title,
      name,
      isTable: chartsAsTables.has(name),
      onSave: (form, content) => post({ type: 'saveChart', name, format: form, content }),
      onToggle: (isTable) => {
        if (isTable) chartsAsTables.add(name);
        else chartsAsTables.delete(name);
        onChange();
      },
    });
  }
}

export function createSection(title: string, content: HTMLElement, ...tools: readonly HTMLElement[]): HTMLElement {
  return make('section', {}, make('div', { class: 'title' }, make('h2', {}, title), ...tools), content);
}

/** Creates a notice if the last read failed. */
export function createStaleNotice(reading: LoadState<unknown>, retry: () => void): HTMLElement[] {
  if (reading.kind !== 'failed') return [];
  const from = reading.at === undefined ? 'Could not be refreshed' : `From ${reading.at} – could not be refreshed`;
  return [createNotice('warning', `${from}: ${reading.message}`, [{ label: 'Retry', run: retry }])];
}

function createFunnelChart(steps: readonly FunnelStep[]): ChartContent {
  const first = steps[0]?.count ?? 0;
  const longest = Math.max(0, ...steps.map(({ count }) => count));
  const values = steps.map(({ label, count, share }) => ({
    label,
    count: numberFormat.format(count),
    share: share === undefined ? '' : percentFormat.format(share),
    length: share ?? (longest === 0 ? 0 : count / longest),
  }));
  return {
    summary: `${values.map(({ label, count, share }) => `${label}: ${count}${share === '' ? '' : `, ${share}`}`).join('; ')}.`,
    legend: [],
    along: 'y',
    heads: ['Step', 'Count', `Share of ${numberFormat.format(first)}`],
    rows: values.map(({ label, count, share }) => ({ label, cells: [count, share] })),
    drawing: createBarDrawing(
      values.map(({ label, count, share, length }) => ({
        label,
        bars: [
          {
            length,
            text: share === '' ? count : `${count} · ${share}`,
            spoken: share === '' ? count : `${count}, ${share} of ${numberFormat.format(first)}`,
          },
        ],
      })),
    ),
  };
}

const seriesIndexes = { opens: 0, clicks: 1 } as const;

function createTimelineChart({ unit, points, meaning, readCount, undated }: ActivityTimeline): ChartContent {
  // Without recipients the opens are unknown, and a line at 0 would be wrong.
  const hasOpens = readCount > 0 || points.some(({ opens }) => opens > 0);
  const names = hasOpens ? (['opens', 'clicks'] as const) : (['clicks'] as const);
  const labels = { opens: 'Opens', clicks: 'Clicks' };
  const sum = (name: 'opens' | 'clicks'): number => points.reduce((total, point) => total + point[name], 0);
  const describePeak = (name: 'opens' | 'clicks'): string => {
    const top = points.reduce((best, point) => (point[name] > best[name] ? point : best));
    return `${labels[name]}: ${numberFormat.format(sum(name))}, most of them, ${numberFormat.format(top[name])}, ${top.label}`;
  };
  return {
    summary: `By ${unit}, from ${points[0]?.label ?? ''} to ${points.at(-1)?.label ?? ''}. ${names.map(describePeak).join('. ')}.`,
    legend: names.map((name) => ({ label: labels[name], series: seriesIndexes[name], line: seriesIndexes[name] })),
    along: 'x',
    heads: [unit === 'hour' ? 'Hour' : 'Day', ...names.map((name) => labels[name])],
    rows: points.map((point) => ({ label: point.label, cells: names.map((name) => numberFormat.format(point[name])) })),
    drawing: createLineDrawing({
      unit,
      names: names.map((name) => labels[name]),
      colors: names.map((name) => seriesIndexes[name]),
      points: points.map((point) => ({
        time: point.time,
        title: point.label,
        values: names.map((name) => point[name]),
      })),
    }),
    notes: [meaning, ...(undated > 0 ? [describeUndated(undated)] : [])],
  };
}

function describeEmptyTimeline(reading: LoadState<ActivityTimeline>, timeline: ActivityTimeline | undefined): string {
  if (!timeline) return reading.kind === 'failed' ? 'They could not be read.' : '';
  return timeline.undated > 0
    ? `None of the ${numberFormat.format(timeline.undated)} opens and clicks has a date.`
    : 'There are none yet.';
}

function describeUndated(count: number): string {
  return count === 1
    ? '1 open or click has no date and is not shown.'
    : `${numberFormat.format(count)} opens and clicks have no date and are not shown.`;
}
