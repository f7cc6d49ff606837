import { createBarDrawing } from '../../../platform/webview/charts/bars.ts';
import { ChartCard, type ChartContent } from '../../../platform/webview/charts/chart.ts';
import { make } from '../../../platform/webview/dom.ts';
import { dataTable } from '../../../platform/webview/table/dataTable.ts';
import { iconButton } from '../../../platform/webview/toolkit.ts';
import type { CampaignSelection, Comparison, LoadState } from '../model.ts';
import { createStaleNotice, createSection, type OverviewOptions } from './overview.ts';
import { createEmptyState, createCell, createNotice, createSkeleton } from './elements.ts';

const comparisonRateFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const UNKNOWN_RATE = 'not known';

/** Compares two to five campaigns. */
export class ComparisonView {
  readonly element = make('div', { class: 'overview' });
  readonly #options: OverviewOptions;
  readonly #selection: CampaignSelection;
  readonly #chart: ChartCard;
  readonly #above = make('div', {});
  readonly #parts: HTMLElement;

  constructor(options: OverviewOptions, selection: CampaignSelection) {
    const { post, chartsAsTables, onChange } = options;
    const name = 'comparison';
    this.#options = options;
    this.#selection = selection;
    this.#chart = new ChartCard({
      title: 'Rates',
      name,
      isTable: chartsAsTables.has(name),
      onSave: (format, content) => post({ type: 'saveChart', name, format, content }),
      onToggle: (isTable) => {
        if (isTable) chartsAsTables.add(name);
        else chartsAsTables.delete(name);
        onChange();
      },
    });
    this.#parts = make('div', { class: 'parts side-by-side' }, this.#above, this.#chart.element);
  }

  show(reading: LoadState<Comparison>, failures: readonly string[]): void {
    const { post } = this.#options;
    const comparison = reading.kind === 'loaded' ? reading.value : reading.last;
    if (!comparison && reading.kind === 'failed')
      this.element.replaceChildren(
        createEmptyState('warning', 'The campaigns can’t be compared', reading.message, [
          { label: 'Retry', run: () => post({ type: 'refresh' }) },
        ]),
      );
    else if (!comparison)
      this.element.replaceChildren(createSkeleton('Reading the statistics…', () => post({ type: 'cancel' })));
    else
      this.#showTable(comparison, [
        ...createStaleNotice(reading, () => post({ type: 'refresh' })),
        ...failures.map((failure) => createNotice('warning', failure)),
      ]);
  }

  #showTable(comparison: Comparison, notices: readonly HTMLElement[]): void {
    const { post, announce } = this.#options;
    const headings = comparison.columns.map((name, index) => this.#createHeading(name, index));
    const rows = comparison.rows.map(({ label, cells }) => ({ label, cells: cells.map(createCell) }));
    const copy = iconButton('copy', 'Copy as Markdown', () => post({ type: 'copyMarkdown' }));
    this.#above.replaceChildren(
      ...notices,
      createSection('Side by side', dataTable('Campaigns side by side', ['', ...headings], rows), copy),
    );
    this.#chart.element.hidden = comparison.bars.length === 0;
    if (comparison.bars.length > 0) this.#chart.show(createRatesChart(comparison));
    if (this.#parts.parentElement !== this.element) this.element.replaceChildren(this.#parts);
    announce(
      comparison.rows
        .flatMap(({ label, cells }) =>
          cells.flatMap(({ value, change }, index) =>
            change === undefined ? [] : [`${comparison.columns[index] ?? ''}: ${label} ${value}, ${change}`],
          ),
        )
        .join('; '),
    );
  }

  /** Creates a heading with the campaign's name, which shows only that campaign when clicked. */
  #createHeading(name: string, index: number): HTMLElement | string {
    const ref = this.#selection[index];
    if (!ref) return name;
    const button = make('button', { type: 'button', class: 'link', title: `Show “${name}” alone` }, name);
    button.addEventListener('click', () => this.#options.post({ type: 'showCampaign', ref }));
    return button;
  }
}

function createRatesChart({ names, bars }: Comparison): ChartContent {
  const text = (value: number | null | undefined): string =>
    value === null || value === undefined ? UNKNOWN_RATE : comparisonRateFormat.format(value);
  const sentences = bars.map(({ label, values }) => {
    const rates = names.map((name, index) => `${name} ${text(values[index])}`);
    return `${label}: ${rates.join(', ')}.`;
  });
  return {
    summary: sentences.join(' '),
    legend: names.map((label, series) => ({ label, series })),
    along: 'y',
    heads: ['Rate', ...names],
    rows: bars.map(({ label, values }) => ({ label, cells: names.map((_, index) => text(values[index])) })),
    drawing: createBarDrawing(
      bars.map(({ label, values }) => ({
        label,
        bars: names.map((name, index) => ({
          length: values[index] ?? null,
          text: text(values[index]),
          spoken: `${name}: ${text(values[index])}`,
        })),
      })),
    ),
  };
}
