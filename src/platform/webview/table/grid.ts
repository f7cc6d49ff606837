import * as l10n from '@vscode/l10n';
import { make, type Attributes } from '../dom.ts';
import type { Column } from './columns.ts';
import type { TableModel } from './model.ts';

interface GridActions {
  /** The rendered rows changed. */
  onRangeChange(): void;
  onSelectionChange(): void;
  sort(key: string): void;
  copy(): void;
}

/** In pixels, as in the stylesheet. All rows have the same height, so that positions can be computed. */
const ROW_HEIGHT_PX = 26;
const HEADER_HEIGHT_PX = 30;
/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 8;
/** Position of the cursor in the header. */
const HEADER_POSITION = -1;

let gridCount = 0;

/** A virtualized grid: only the visible rows are in the page. The cursor is a cell or a header cell. */
export class TableGrid {
  readonly element: HTMLElement;
  readonly #model: TableModel;
  readonly #actions: GridActions;
  readonly #id = `grid${(gridCount += 1)}`;
  readonly #head = make('div', { class: 'table-head', role: 'row', 'aria-rowindex': 1 });
  readonly #body = make('div', { class: 'table-body', role: 'rowgroup' });
  readonly #rows = new Map<number, HTMLElement>();
  #columns: readonly Column[] = [];
  #position = 0;
  #column = 0;

  constructor(model: TableModel, label: string, actions: GridActions) {
    this.#model = model;
    this.#actions = actions;
    this.element = make(
      'div',
      { class: 'table-grid', role: 'grid', tabindex: 0, 'aria-label': label, 'aria-multiselectable': 'true' },
      make('div', { class: 'table-heads', role: 'rowgroup' }, this.#head),
      this.#body,
    );
    this.element.addEventListener('keydown', (event) => this.#handleKey(event));
    this.element.addEventListener('scroll', () => this.#draw(), { passive: true });
    this.#body.addEventListener('mousedown', (event) => this.#point(event));
    this.#head.addEventListener('click', ({ target }) => this.#pointHeader(target));
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  /** The first visible position. */
  get first(): number {
    return Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT_PX));
  }

  scrollTo(position: number): void {
    this.element.scrollTop = position * ROW_HEIGHT_PX;
  }

  /** Renders everything again after a change of the model. */
  refresh(): void {
    const { length, columns, arranged, loader } = this.#model;
    this.#columns = columns.visible;
    this.#body.style.height = `${length * ROW_HEIGHT_PX}px`;
    this.element.ariaRowCount = String(arranged || loader.rows.total !== undefined ? length + 1 : -1);
    this.element.ariaColCount = String(this.#columns.length);
    this.element.style.setProperty('--columns', this.#columns.map(({ width }) => `${width}ch`).join(' '));
    this.#column = Math.min(this.#column, Math.max(0, this.#columns.length - 1));
    if (length > 0) this.#position = Math.min(this.#position, length - 1);
    this.#head.replaceChildren(...this.#columns.map((column, index) => this.#makeHeaderCell(column, index)));
    this.#rows.clear();
    this.#body.replaceChildren();
    this.#draw();
  }

  get #perPage(): number {
    return Math.max(1, Math.floor((this.element.clientHeight - HEADER_HEIGHT_PX) / ROW_HEIGHT_PX) - 1);
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.element;
    // Hidden: rows are rendered once the grid has a size.
    if (clientHeight === 0) return;
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT_PX) - OVERSCAN_ROWS);
    const end = Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT_PX) + OVERSCAN_ROWS;
    const last = Math.min(this.#model.length, end) - 1;
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
    if (last < first) return;
    this.#model.loader.range = [first, last];
    this.#actions.onRangeChange();
  }

  #makeHeaderCell({ key, label, numeric }: Column, index: number): HTMLElement {
    const { sorting } = this.#model.arrangement;
    const sorted = sorting?.key !== key ? 'none' : sorting.descending ? 'descending' : 'ascending';
    const arrow = { none: '', ascending: '↑', descending: '↓' }[sorted];
    const attributes = {
      role: 'columnheader',
      'aria-sort': sorted,
      'data-key': key,
      title: l10n.t`${label}: sort the loaded rows`,
    };
    return this.#makeCell(HEADER_POSITION, index, numeric, attributes, [
      make('span', { class: 'name' }, label),
      make('span', { class: 'arrow', 'aria-hidden': 'true' }, arrow),
    ]);
  }

  #makeRow(position: number): HTMLElement {
    const row = this.#model.row(position);
    const cells = this.#columns.map((column, index) => {
      const text = row && this.#model.columns.text(column, row);
      const title = text !== undefined && text.length > column.width - 2 ? text : '';
      const content = text ?? make('span', { class: 'pending', 'aria-label': l10n.t('loading') });
      const cell = this.#makeCell(position, index, column.numeric, { role: 'gridcell', title }, [content]);
      const share = row && this.#model.columns.barLength(column, row);
      if (share !== undefined) {
        cell.classList.add('share');
        cell.style.setProperty('--share', `${Math.round(share * 100)}%`);
      }
      return cell;
    });
    const attributes = {
      class: `table-row${position % 2 === 1 ? ' odd' : ''}`,
      role: 'row',
      'aria-rowindex': position + 2,
      'aria-selected': String(this.#model.isSelected(position)),
      'aria-busy': String(row === undefined),
      'data-position': position,
    };
    const element = make('div', attributes, ...cells);
    element.style.transform = `translateY(${position * ROW_HEIGHT_PX}px)`;
    return element;
  }

  #makeCell(
    position: number,
    column: number,
    isNumeric: boolean | undefined,
    attributes: Attributes,
    content: readonly (Node | string)[],
  ): HTMLElement {
    const id = this.#cellId(position, column);
    const name = isNumeric ? 'cell number' : 'cell';
    return make('div', { class: name, id, 'aria-colindex': column + 1, ...attributes }, ...content);
  }

  #cellId(position: number, column: number): string {
    return `${this.#id}-${position}-${column}`;
  }

  #showCursor(): HTMLElement | null {
    const id = this.#cellId(this.#position, this.#column);
    for (const element of this.element.querySelectorAll('.cursor')) element.classList.remove('cursor');
    const cell = document.getElementById(id);
    cell?.classList.add('cursor');
    if (cell) this.element.setAttribute('aria-activedescendant', id);
    else this.element.removeAttribute('aria-activedescendant');
    return cell;
  }

  /** Shows the selection without rendering rows again. */
  #showSelection(): void {
    for (const [position, element] of this.#rows) element.ariaSelected = String(this.#model.isSelected(position));
    this.#actions.onSelectionChange();
  }

  #handleKey(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const [position, column] = [this.#position, this.#column];
    const rows: Readonly<Record<string, number>> = {
      ArrowDown: position + 1,
      ArrowUp: position - 1,
      PageDown: Math.max(0, position) + this.#perPage,
      PageUp: Math.max(0, position - this.#perPage),
      Home: 0,
      End: this.#model.length - 1,
    };
    const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
    if (row !== undefined && (!isControl || key === 'Home' || key === 'End')) this.#step(row, shiftKey);
    else if (isControl && key.toLowerCase() === 'a') {
      this.#model.selectAll();
      this.#showSelection();
      // Selected text takes precedence over selected rows.
    } else if (isControl && key.toLowerCase() === 'c' && (getSelection()?.isCollapsed ?? true)) this.#actions.copy();
    else if (isControl) return;
    else if (key === 'ArrowRight' || key === 'ArrowLeft')
      this.#moveTo(position, column + (key === 'ArrowLeft' ? -1 : 1));
    else if (key === ' ' || key === 'Enter') this.#press();
    else if (key === 'Escape') {
      this.#model.selected.clear();
      this.#showSelection();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #step(position: number, isExtending: boolean): void {
    const to = Math.max(HEADER_POSITION, Math.min(position, this.#model.length - 1));
    if (to > HEADER_POSITION && this.#position > HEADER_POSITION && isExtending) {
      this.#model.select(to, 'extend');
      this.#showSelection();
    } else if (to > HEADER_POSITION) this.#model.anchor = to;
    this.#moveTo(to, this.#column);
  }

  #moveTo(position: number, column: number): void {
    this.#position = position;
    this.#column = Math.max(0, Math.min(column, this.#columns.length - 1));
    if (position > HEADER_POSITION) {
      const top = position * ROW_HEIGHT_PX;
      const lowest = top + ROW_HEIGHT_PX + HEADER_HEIGHT_PX - this.element.clientHeight;
      this.element.scrollTop = Math.max(lowest, Math.min(this.element.scrollTop, top));
    }
    this.#draw();
    this.#showCursor()?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #press(): void {
    const key = this.#columns[this.#column]?.key;
    if (this.#position > HEADER_POSITION) {
      this.#model.select(this.#position, 'toggle');
      this.#showSelection();
    } else if (key !== undefined) this.#actions.sort(key);
  }

  #point(event: MouseEvent): void {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=gridcell]') : null;
    const row = cell?.closest<HTMLElement>('[data-position]');
    if (!cell || !row || event.button !== 0) return;
    if (event.shiftKey) event.preventDefault();
    this.#position = Number(row.dataset['position']);
    this.#column = Number(cell.ariaColIndex) - 1;
    this.#model.select(this.#position, event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
    this.#showSelection();
    this.element.focus({ preventScroll: true });
    this.#showCursor();
  }

  #pointHeader(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
    if (!cell) return;
    this.#position = HEADER_POSITION;
    this.#column = Number(cell.ariaColIndex) - 1;
    this.#press();
  }
}
