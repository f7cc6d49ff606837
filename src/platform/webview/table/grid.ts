import { make } from '../dom.ts';
import type { Sorting } from './arrangement.ts';
import type { Column } from './columns.ts';
import type { TableRow } from './pages.ts';

/** How a row is selected. `move` only moves the cursor. */
export type SelectionMode = 'only' | 'toggle' | 'extend' | 'move';

/** The content of a grid. Positions are 0-based rows on the screen. */
export interface GridSource {
  readonly columns: readonly Column[];
  readonly length: number;
  /** Whether `length` is exact. */
  readonly isCounted: boolean;
  readonly sorting: Sorting | undefined;
  row(position: number): TableRow | undefined;
  text(column: Column, row: TableRow): string;
  isSelected(position: number): boolean;
  /** Reports the rendered positions. */
  setVisibleRange(first: number, last: number): void;
  sort(key: string): void;
  select(position: number, how: SelectionMode): void;
  selectAll(): void;
  clearSelection(): void;
  copy(): void;
}

/** In pixels, as in the stylesheet. All rows have the same height, so that positions can be computed. */
const ROW_HEIGHT_PX = 26;
const HEADER_HEIGHT_PX = 30;
/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 8;
/** Position of the cursor in the header. */
const HEADER_POSITION = -1;

type KeyHandlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

let gridCount = 0;

/** A virtualized grid: only the visible rows are in the page. The cursor is a cell or a header cell. */
export class TableGrid {
  readonly element: HTMLElement;
  readonly #source: GridSource;
  readonly #id = `grid${(gridCount += 1)}`;
  readonly #head = make('div', { class: 'table-head', role: 'row', 'aria-rowindex': '1' });
  readonly #body = make('div', { class: 'table-body', role: 'rowgroup' });
  readonly #rows = new Map<number, HTMLElement>();
  readonly #keys: KeyHandlers = {
    ArrowDown: (event) => this.#step(this.#position + 1, event),
    ArrowUp: (event) => this.#step(this.#position - 1, event),
    PageDown: (event) => this.#step(Math.max(0, this.#position) + this.#perPage, event),
    PageUp: (event) => this.#step(Math.max(0, this.#position - this.#perPage), event),
    Home: (event) => this.#step(0, event),
    End: (event) => this.#step(this.#source.length - 1, event),
    ArrowRight: () => this.#moveTo(this.#position, this.#column + 1),
    ArrowLeft: () => this.#moveTo(this.#position, this.#column - 1),
    ' ': () => this.#press(),
    Enter: () => this.#press(),
    Escape: () => this.#source.clearSelection(),
  };
  #position = 0;
  #column = 0;

  constructor(source: GridSource, label: string) {
    this.#source = source;
    this.element = make(
      'div',
      { class: 'table-grid', role: 'grid', tabindex: '0', 'aria-label': label, 'aria-multiselectable': 'true' },
      make('div', { class: 'table-heads', role: 'rowgroup' }, this.#head),
      this.#body,
    );
    this.element.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#body.addEventListener('mousedown', (event) => this.#point(event));
    this.#head.addEventListener('click', (event) => this.#pointHeader(event));
  }

  /** Call it once, after the element was added to the page. */
  start(): void {
    this.element.addEventListener('scroll', () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.#draw()).observe(this.element);
    this.refresh();
  }

  /** The first visible position. */
  get first(): number {
    return Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT_PX));
  }

  scrollTo(position: number): void {
    this.element.scrollTop = position * ROW_HEIGHT_PX;
  }

  /** Renders everything again after a change of the source. */
  refresh(): void {
    const { length, isCounted, columns } = this.#source;
    this.#body.style.height = `${length * ROW_HEIGHT_PX}px`;
    this.element.setAttribute('aria-rowcount', String(isCounted ? length + 1 : -1));
    this.element.setAttribute('aria-colcount', String(columns.length));
    this.element.style.setProperty('--columns', columns.map(({ width }) => `${width}ch`).join(' '));
    this.#column = Math.min(this.#column, Math.max(0, columns.length - 1));
    if (length > 0) this.#position = Math.min(this.#position, length - 1);
    this.#drawHead();
    this.#rows.clear();
    this.#body.replaceChildren();
    this.#draw();
  }

  /** Updates the selection without rendering rows again. */
  updateSelection(): void {
    for (const [position, element] of this.#rows)
      element.setAttribute('aria-selected', String(this.#source.isSelected(position)));
    this.#showCursor();
  }

  get #perPage(): number {
    return Math.max(1, Math.floor((this.element.clientHeight - HEADER_HEIGHT_PX) / ROW_HEIGHT_PX) - 1);
  }

  #drawHead(): void {
    const { columns, sorting } = this.#source;
    this.#head.replaceChildren(
      ...columns.map(({ key, label, numeric }, index) => {
        const sorted = sorting?.key === key ? (sorting.descending ? 'descending' : 'ascending') : 'none';
        const sign = sorted === 'none' ? '' : sorted === 'ascending' ? '↑' : '↓';
        const arrow = make('span', { class: 'arrow', 'aria-hidden': 'true' }, sign);
        return make(
          'div',
          {
            class: `cell${numeric ? ' number' : ''}`,
            role: 'columnheader',
            id: this.#cellId(HEADER_POSITION, index),
            'aria-colindex': String(index + 1),
            'aria-sort': sorted,
            'data-key': key,
            title: `${label}: sort what is loaded`,
          },
          make('span', { class: 'name' }, label),
          arrow,
        );
      }),
    );
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.element;
    // Hidden: rows are rendered once the grid has a size.
    if (clientHeight === 0) return;
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT_PX) - OVERSCAN_ROWS);
    const last =
      Math.min(this.#source.length, Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT_PX) + OVERSCAN_ROWS) - 1;
    for (const [position, element] of this.#rows) {
      if (position >= first && position <= last) continue;
      element.remove();
      this.#rows.delete(position);
    }
    for (let position = first; position <= last; position += 1) {
      if (this.#rows.has(position)) continue;
      const element = this.#makeRow(position);
      this.#rows.set(position, element);
      this.#body.append(element);
    }
    this.#showCursor();
    if (last >= first) this.#source.setVisibleRange(first, last);
  }

  #makeRow(position: number): HTMLElement {
    const { columns } = this.#source;
    const row = this.#source.row(position);
    const cells = columns.map((column, index) => {
      const text = row ? this.#source.text(column, row) : '';
      const attributes = {
        class: `cell${column.numeric ? ' number' : ''}`,
        role: 'gridcell',
        id: this.#cellId(position, index),
        'aria-colindex': String(index + 1),
        ...(text.length > column.width - 2 ? { title: text } : {}),
      };
      const cell = make('div', attributes, row ? text : make('span', { class: 'pending', 'aria-label': 'loading' }));
      const share = row && column.share?.(row);
      if (share !== undefined) {
        cell.classList.add('share');
        cell.style.setProperty('--share', `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%`);
      }
      return cell;
    });
    const element = make(
      'div',
      {
        class: `table-row${position % 2 === 1 ? ' odd' : ''}`,
        role: 'row',
        'aria-rowindex': String(position + 2),
        'aria-selected': String(this.#source.isSelected(position)),
        'data-position': String(position),
      },
      ...cells,
    );
    element.style.transform = `translateY(${position * ROW_HEIGHT_PX}px)`;
    if (!row) element.setAttribute('aria-busy', 'true');
    return element;
  }

  #cellId(position: number, column: number): string {
    return `${this.#id}-${position}-${column}`;
  }

  #showCursor(): void {
    const id = this.#cellId(this.#position, this.#column);
    for (const element of this.element.querySelectorAll('.cursor')) element.classList.remove('cursor');
    const cell = document.getElementById(id);
    cell?.classList.add('cursor');
    if (cell) this.element.setAttribute('aria-activedescendant', id);
    else this.element.removeAttribute('aria-activedescendant');
  }

  #handleKey(event: KeyboardEvent): void {
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && key === 'a') this.#source.selectAll();
    // Selected text takes precedence over selected rows.
    else if (control && key === 'c' && (getSelection()?.isCollapsed ?? true)) this.#source.copy();
    else if (control && !/^(?:Home|End)$/u.test(event.key)) return;
    else if (this.#keys[event.key]) this.#keys[event.key]?.(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #step(position: number, { shiftKey }: KeyboardEvent): void {
    const to = Math.max(HEADER_POSITION, Math.min(position, this.#source.length - 1));
    if (shiftKey && this.#position > HEADER_POSITION && to > HEADER_POSITION) this.#source.select(to, 'extend');
    else if (to > HEADER_POSITION) this.#source.select(to, 'move');
    this.#moveTo(to, this.#column);
  }

  #moveTo(position: number, column: number): void {
    this.#position = position;
    this.#column = Math.max(0, Math.min(column, this.#source.columns.length - 1));
    if (position > HEADER_POSITION) this.#reveal(position);
    this.#draw();
    const cell = document.getElementById(this.#cellId(position, this.#column));
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #reveal(position: number): void {
    const [top, height] = [this.element.scrollTop, this.element.clientHeight - HEADER_HEIGHT_PX];
    const start = position * ROW_HEIGHT_PX;
    if (start < top) this.element.scrollTop = start;
    else if (start + ROW_HEIGHT_PX > top + height) this.element.scrollTop = start + ROW_HEIGHT_PX - height;
  }

  #press(): void {
    const key = this.#source.columns[this.#column]?.key;
    if (this.#position > HEADER_POSITION) this.#source.select(this.#position, 'toggle');
    else if (key !== undefined) this.#source.sort(key);
  }

  #point(event: MouseEvent): void {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=gridcell]') : null;
    const row = cell?.closest<HTMLElement>('[data-position]');
    if (!cell || !row || event.button !== 0) return;
    if (event.shiftKey) event.preventDefault();
    this.#position = Number(row.dataset['position']);
    this.#column = Number(cell.getAttribute('aria-colindex')) - 1;
    this.#source.select(this.#position, event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
    this.element.focus({ preventScroll: true });
    this.#showCursor();
  }

  #pointHeader(event: MouseEvent): void {
    const key =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-key]')?.dataset['key'] : undefined;
    if (key === undefined) return;
    this.#position = HEADER_POSITION;
    this.#column = Math.max(
      0,
      this.#source.columns.findIndex((column) => column.key === key),
    );
    this.#source.sort(key);
  }
}
