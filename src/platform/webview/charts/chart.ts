import './charts.css';
import * as l10n from '@vscode/l10n';
import { createMenu, getTargetIndex } from '../choices.ts';
import { createSvg, make } from '../dom.ts';
import { iconButton, setIcon } from '../toolkit.ts';
import { renderPng, svgDocument } from './save.ts';
import {
  createSampleParts,
  findNearest,
  sampleSize,
  type Axis,
  type Drawing,
  type LegendItem,
  type Mark,
} from './svg.ts';

interface DataRow {
  readonly label: string;
  readonly cells: readonly (Node | string)[];
}

export interface ChartContent {
  /** A description for screen readers. */
  readonly summary: string;
  readonly legend: readonly LegendItem[];
  readonly drawing: Drawing;
  /** Headings of the table of values; the first is that of the row names. */
  readonly heads: readonly string[];
  readonly rows: readonly DataRow[];
  /** Notes below the chart. */
  readonly notes?: readonly string[];
}

interface ChartOptions {
  readonly title: string;
  /** Base name of the saved file. */
  readonly name: string;
  readonly isTable: boolean;
  onSave(format: 'svg' | 'png', content: string): void;
  /** The user switched between table and chart. */
  onToggle(isTable: boolean): void;
}

/** Creates a small table with row headers. It scrolls on its own if it is too wide. */
export function dataTable(caption: string, heads: readonly (Node | string)[], rows: readonly DataRow[]): HTMLElement {
  const [corner = '', ...columns] = heads;
  const headCells = columns.map((head) => make('th', { scope: 'col' }, head));
  const bodyRows = rows.map(({ label, cells }) =>
    make('tr', {}, make('th', { scope: 'row' }, label), ...cells.map((cell) => make('td', {}, cell))),
  );
  const table = make(
    'table',
    { class: 'data' },
    make('caption', { class: 'heard' }, caption),
    make('thead', {}, make('tr', {}, make('td', {}, corner), ...headCells)),
    make('tbody', {}, ...bodyRows),
  );
  return make('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption }, table);
}

/** A titled chart that can be shown as a table and saved as a picture. It redraws when its width changes. */
export class ChartCard {
  readonly element: HTMLElement;
  readonly #options: ChartOptions;
  readonly #legend = make('div', { class: 'legend', 'aria-hidden': 'true' });
  readonly #plot = make('div', { class: 'plot', role: 'img', tabindex: 0 });
  readonly #readout = new ValueReadout(this.#plot);
  readonly #stage = make('div', { class: 'stage' }, this.#plot, ...this.#readout.elements);
  readonly #table = make('div', { class: 'as-table' });
  readonly #notes = make('div', { class: 'notes' });
  readonly #toggle: HTMLElement;
  readonly #save: HTMLElement;
  #content: ChartContent | undefined;
  #isTable: boolean;

  constructor(options: ChartOptions) {
    const { title, name, isTable, onToggle } = options;
    this.#options = options;
    this.#isTable = isTable;
    this.#toggle = iconButton('table', '', () => {
      this.#isTable = !this.#isTable;
      this.#render();
      onToggle(this.#isTable);
    });
    this.#save = iconButton('save', l10n.t`Save "${title}"`, () => undefined);
    const menu = createMenu(this.#save, [
      [l10n.t('Save as SVG…'), () => void this.#saveAs('svg')],
      [l10n.t('Save as PNG…'), () => void this.#saveAs('png')],
    ]);
    const tools = make('span', { class: 'tools' }, this.#toggle, this.#save, menu);
    this.element = make(
      'figure',
      { class: 'chart', 'data-chart': name },
      make('figcaption', {}, make('h2', {}, title), tools),
      this.#legend,
      this.#stage,
      this.#table,
      this.#notes,
    );
    // Drawing changes the height, which must not happen within a resize notification.
    let width = 0;
    new ResizeObserver(() =>
      requestAnimationFrame(() => {
        if (this.#plot.clientWidth !== width && this.#plot.clientWidth > 0) this.#draw();
        width = this.#plot.clientWidth || width;
      }),
    ).observe(this.element);
    this.#render();
  }

  show(content: ChartContent): void {
    const { title } = this.#options;
    this.#content = content;
    this.#plot.ariaLabel = `${title}. ${content.summary} ${l10n.t('Use the arrow keys to read each value.')}`;
    const { width, height } = sampleSize;
    const attributes = { class: 'sample', width, height, viewBox: `0 0 ${width} ${height}` };
    this.#legend.replaceChildren(
      ...content.legend.map((item) =>
        make('span', { class: 'item' }, createSvg('svg', attributes, ...createSampleParts(item)), item.label),
      ),
    );
    this.#table.replaceChildren(dataTable(title, content.heads, content.rows));
    this.#notes.replaceChildren(...(content.notes ?? []).map((note) => make('p', { class: 'quiet' }, note)));
    this.#render();
  }

  /** Shows the chart or its table. */
  #render(): void {
    this.#stage.hidden = this.#isTable;
    this.#save.hidden = this.#isTable;
    this.#legend.hidden = this.#isTable || this.#legend.childElementCount < 2;
    this.#table.hidden = !this.#isTable;
    const { title } = this.#options;
    if (this.#isTable) setIcon(this.#toggle, 'chart', l10n.t`Show "${title}" as chart`);
    else setIcon(this.#toggle, 'table', l10n.t`Show "${title}" as table`);
    this.#draw();
  }

  #draw(): void {
    const width = Math.floor(this.#plot.clientWidth);
    if (!this.#content || width === 0) return;
    const { svg, marks, along } = this.#content.drawing(width, this.#plot);
    this.#plot.replaceChildren(svg);
    this.#readout.show(marks, along);
  }

  async #saveAs(format: 'svg' | 'png'): Promise<void> {
    const svg = this.#plot.querySelector('svg');
    if (!svg || !this.#content) return;
    const picture = svgDocument(svg, this.#options.title, this.#content.legend);
    this.#options.onSave(format, format === 'svg' ? picture.text : await renderPng(picture));
  }
}

/** Shows the value near the pointer, or selected with the arrow keys. */
class ValueReadout {
  readonly elements: readonly HTMLElement[];
  readonly #plot: HTMLElement;
  readonly #line = make('div', { class: 'crosshair', hidden: '' });
  readonly #dot = make('div', { class: 'spot', hidden: '' });
  readonly #tip = make('div', { class: 'tip', hidden: '' });
  readonly #spoken = make('div', { class: 'heard', role: 'status' });
  #marks: readonly Mark[] = [];
  #along: Axis = 'x';
  #index = -1;

  constructor(plot: HTMLElement) {
    this.#plot = plot;
    this.elements = [this.#line, this.#dot, this.#tip, this.#spoken];
    plot.addEventListener('pointermove', ({ offsetX, offsetY }) =>
      this.#show(findNearest(this.#marks, this.#along === 'x' ? offsetX : offsetY, this.#along)),
    );
    plot.addEventListener('pointerleave', () => this.#show(-1));
    plot.addEventListener('blur', () => this.#show(-1));
    plot.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** Sets the values of a drawn chart. The shown one stays shown. */
  show(marks: readonly Mark[], along: Axis): void {
    this.#marks = marks;
    this.#along = along;
    this.#show(this.#index);
  }

  #handleKey(event: KeyboardEvent): void {
    const last = this.#marks.length - 1;
    const target = event.key === 'Escape' ? -1 : getTargetIndex(event.key, this.#index, last + 1);
    if (target === undefined || last < 0) return;
    const to = event.key === 'Escape' ? -1 : Math.max(0, Math.min(last, target));
    event.preventDefault();
    this.#show(to);
    const mark = this.#marks[to];
    this.#spoken.textContent = mark ? [mark.title, ...mark.lines].join(', ') : '';
  }

  #show(at: number): void {
    const mark = this.#marks[at];
    this.#index = mark ? at : -1;
    for (const element of [this.#tip, this.#dot]) element.hidden = !mark;
    this.#line.hidden = !mark || this.#along === 'y';
    if (!mark) return;
    this.#tip.replaceChildren(make('strong', {}, mark.title), ...mark.lines.map((line) => make('span', {}, line)));
    this.#line.style.transform = `translateX(${mark.x}px)`;
    this.#dot.style.transform = `translate(${mark.x}px, ${mark.y}px)`;
    const plotWidth = this.#plot.clientWidth;
    const { offsetWidth, offsetHeight } = this.#tip;
    const beside = mark.x + 12 + offsetWidth > plotWidth ? mark.x - 12 - offsetWidth : mark.x + 12;
    this.#tip.style.left = `${Math.max(0, Math.min(plotWidth - offsetWidth, beside))}px`;
    this.#tip.style.top = `${mark.y - offsetHeight - 8 < 0 ? mark.y + 12 : mark.y - offsetHeight - 8}px`;
  }
}
