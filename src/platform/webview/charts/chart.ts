import { make } from '../dom.ts';
import { createMenu } from '../menuButton.ts';
import { dataTable, type DataRow } from '../table/dataTable.ts';
import { iconButton, setIcon } from '../toolkit.ts';
import './charts.css';
import { legendSample, type LegendItem } from './legend.ts';
import { ValueReadout, type Drawing } from './valueReadout.ts';
import { renderPng, svgDocument } from './save.ts';

export interface ChartContent {
  /** A description for screen readers. */
  readonly summary: string;
  readonly legend: readonly LegendItem[];
  /** The axis along which the marks follow each other. */
  readonly along: 'x' | 'y';
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

/** A titled chart that can be shown as a table and saved as a picture. It redraws when its width changes. */
export class ChartCard {
  readonly element: HTMLElement;
  readonly #options: ChartOptions;
  readonly #legend = make('div', { class: 'legend', 'aria-hidden': 'true' });
  readonly #plot = make('div', { class: 'plot', role: 'img', tabindex: '0' });
  readonly #table = make('div', { class: 'as-table' });
  readonly #notes = make('div', { class: 'notes' });
  readonly #readout: ValueReadout;
  readonly #toggle: HTMLElement;
  readonly #save: HTMLElement;
  #content: ChartContent | undefined;
  #isTable: boolean;
  #width = 0;

  constructor(options: ChartOptions) {
    this.#options = options;
    this.#isTable = options.isTable;
    this.#readout = new ValueReadout(this.#plot);
    this.#toggle = iconButton('table', '', () => this.#toggleView());
    this.#save = iconButton('save', `Save “${options.title}”`, () => undefined);
    const menu = createMenu(this.#save, [
      { label: 'Save as SVG…', act: () => void this.#saveAs('svg') },
      { label: 'Save as PNG…', act: () => void this.#saveAs('png') },
    ]);
    const head = make(
      'figcaption',
      {},
      make('h2', {}, options.title),
      make('span', { class: 'tools' }, this.#toggle, this.#save, menu),
    );
    this.element = make(
      'figure',
      { class: 'chart', 'data-chart': options.name },
      head,
      this.#legend,
      make('div', { class: 'stage' }, this.#plot, ...this.#readout.elements),
      this.#table,
      this.#notes,
    );
    // Drawing changes the height, which must not happen within a resize notification.
    new ResizeObserver(() => requestAnimationFrame(() => this.#fit())).observe(this.element);
    this.#updateView();
  }

  show(content: ChartContent): void {
    this.#content = content;
    this.#plot.setAttribute(
      'aria-label',
      `${this.#options.title}. ${content.summary} The arrow keys read the values one by one.`,
    );
    this.#legend.replaceChildren(
      ...content.legend.map((item) => make('span', { class: 'item' }, legendSample(item), item.label)),
    );
    this.#legend.hidden = content.legend.length < 2 || this.#isTable;
    this.#table.replaceChildren(dataTable(this.#options.title, content.heads, content.rows));
    this.#notes.replaceChildren(...(content.notes ?? []).map((note) => make('p', { class: 'quiet' }, note)));
    this.#draw();
  }

  #toggleView(): void {
    this.#isTable = !this.#isTable;
    this.#updateView();
    this.#options.onToggle(this.#isTable);
    this.#draw();
  }

  #updateView(): void {
    this.#plot.parentElement?.toggleAttribute('hidden', this.#isTable);
    this.#legend.hidden = this.#isTable || (this.#content?.legend.length ?? 0) < 2;
    this.#table.hidden = !this.#isTable;
    this.#save.hidden = this.#isTable;
    setIcon(
      this.#toggle,
      this.#isTable ? 'chart' : 'table',
      `Show “${this.#options.title}” as ${this.#isTable ? 'chart' : 'table'}`,
    );
  }

  #fit(): void {
    const width = Math.floor(this.#plot.clientWidth);
    if (width === this.#width || width === 0) return;
    this.#draw();
  }

  #draw(): void {
    const width = Math.floor(this.#plot.clientWidth);
    if (!this.#content || width === 0 || this.#isTable) return;
    this.#width = width;
    const { drawing, along } = this.#content;
    this.#plot.style.height = `${drawing.height(width)}px`;
    drawing.draw(this.#plot, width, (marks) => this.#readout.show(marks, along));
  }

  async #saveAs(format: 'svg' | 'png'): Promise<void> {
    const svg = this.#plot.querySelector('svg');
    if (!svg || !this.#content) return;
    const picture = svgDocument(svg, { title: this.#options.title, legend: this.#content.legend });
    this.#options.onSave(format, format === 'svg' ? picture.text : await renderPng(picture));
  }
}
