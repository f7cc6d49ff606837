import './charts.css';
import { t } from '../../../l10n.ts';
import { getTargetIndex } from '../choices.ts';
import { make } from '../dom.ts';
import { iconButton, setIcon } from '../toolkit.ts';
import { createSample, findNearest, type Axis, type Drawing, type LegendItem, type Mark } from './svg.ts';

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

export interface ChartCard {
  readonly element: HTMLElement;
  show(content: ChartContent): void;
}

/** Creates a small table with row headers. It scrolls on its own if it is too wide. */
export function dataTable(caption: string, heads: readonly (Node | string)[], rows: readonly DataRow[]): HTMLElement {
  const [corner = '', ...columns] = heads;
  const headCells = columns.map((head) => make('th', { scope: 'col' }, head));
  const bodyRows = rows.map(({ label, cells }) =>
    make('tr', make('th', { scope: 'row' }, label), ...cells.map((cell) => make('td', cell))),
  );
  const table = make(
    'table.data',
    make('caption.heard', caption),
    make('thead', make('tr', make('td', corner), ...headCells)),
    make('tbody', ...bodyRows),
  );
  return make('div.scroller', { tabindex: 0, role: 'region', 'aria-label': caption }, table);
}

/**
 * Creates a titled chart that can be shown as a table. It redraws when its width changes.
 * @param name identifies the chart on its page
 * @param onToggle is called when the user switches between table and chart
 */
export function createChartCard(
  title: string,
  name: string,
  isTable: boolean,
  onToggle: (isTable: boolean) => void,
): ChartCard {
  const legend = make('div.legend', { 'aria-hidden': 'true' });
  const plot = make('div.plot', { role: 'img', tabindex: 0 });
  const readout = createReadout(plot);
  const stage = make('div.stage', plot, ...readout.elements);
  const table = make('div.as-table');
  const notes = make('div.notes');
  const toggle = iconButton('table', '', () => {
    isTable = !isTable;
    render();
    onToggle(isTable);
  });
  const caption = make('figcaption', make('h2', title), make('span.tools', toggle));
  const element = make('figure.chart', { 'data-chart': name }, caption, legend, stage, table, notes);
  let content: ChartContent | undefined;
  // Drawing changes the height, which must not happen within a resize notification.
  let width = 0;
  new ResizeObserver(() =>
    requestAnimationFrame(() => {
      if (plot.clientWidth !== width && plot.clientWidth > 0) draw();
      width = plot.clientWidth || width;
    }),
  ).observe(element);
  render();

  /** Shows the chart or its table. */
  function render() {
    stage.hidden = isTable;
    legend.hidden = isTable || legend.childElementCount < 2;
    table.hidden = !isTable;
    if (isTable) setIcon(toggle, 'chart', t`Show "${title}" as chart`);
    else setIcon(toggle, 'table', t`Show "${title}" as table`);
    draw();
  }

  function draw() {
    const available = Math.floor(plot.clientWidth);
    if (!content || available === 0) return;
    const { svg, marks, along } = content.drawing(available, plot);
    plot.replaceChildren(svg);
    readout.show(marks, along);
  }

  return {
    element,
    show: (shown: ChartContent) => {
      content = shown;
      plot.ariaLabel = `${title}. ${shown.summary} ${t('Use the arrow keys to read each value.')}`;
      const items = shown.legend.map((item) => make('span.item', createSample(item), item.label));
      legend.replaceChildren(...items);
      table.replaceChildren(dataTable(title, shown.heads, shown.rows));
      notes.replaceChildren(...(shown.notes ?? []).map((note) => make('p.quiet', note)));
      render();
    },
  };
}

/** Shows the value near the pointer, or selected with the arrow keys. */
function createReadout(plot: HTMLElement) {
  const line = make('div.crosshair', { hidden: '' });
  const dot = make('div.spot', { hidden: '' });
  const tip = make('div.tip', { hidden: '' });
  const spoken = make('div.heard', { role: 'status' });
  let marks: readonly Mark[] = [];
  let along: Axis = 'x';
  let index = -1;
  plot.addEventListener('pointermove', ({ offsetX, offsetY }) =>
    showAt(findNearest(marks, along === 'x' ? offsetX : offsetY, along)),
  );
  plot.addEventListener('pointerleave', () => showAt(-1));
  plot.addEventListener('blur', () => showAt(-1));
  plot.addEventListener('keydown', (event) => {
    const { length } = marks;
    const target = event.key === 'Escape' ? -1 : getTargetIndex(event.key, index, length);
    if (target === undefined || length === 0) return;
    const to = event.key === 'Escape' ? -1 : Math.max(0, Math.min(length - 1, target));
    event.preventDefault();
    showAt(to);
    const mark = marks[to];
    spoken.textContent = mark ? [mark.title, ...mark.lines].join(', ') : '';
  });

  function showAt(at: number) {
    const mark = marks[at];
    index = mark ? at : -1;
    tip.hidden = dot.hidden = !mark;
    line.hidden = !mark || along === 'y';
    if (!mark) return;
    const { x, y, title, lines } = mark;
    tip.replaceChildren(make('strong', title), ...lines.map((text) => make('span', text)));
    line.style.transform = `translateX(${x}px)`;
    dot.style.transform = `translate(${x}px, ${y}px)`;
    const { clientWidth } = plot;
    const { offsetWidth, offsetHeight } = tip;
    const beside = x + 12 + offsetWidth > clientWidth ? x - 12 - offsetWidth : x + 12;
    tip.style.left = `${Math.max(0, Math.min(clientWidth - offsetWidth, beside))}px`;
    tip.style.top = `${y - offsetHeight - 8 < 0 ? y + 12 : y - offsetHeight - 8}px`;
  }

  return {
    elements: [line, dot, tip, spoken],
    /** Sets the values of a drawn chart. The shown one stays shown. */
    show: (drawn: readonly Mark[], axis: Axis) => {
      marks = drawn;
      along = axis;
      showAt(index);
    },
  };
}
