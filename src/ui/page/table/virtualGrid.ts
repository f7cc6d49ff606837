import { t } from '../../../l10n.ts';
import { make, type Attributes } from '../dom.ts';
import type { Column } from './columns.ts';
import type { TableModel, TableTexts } from './model.ts';

/** Handles what the user does in a grid. */
interface GridActions {
  /** The rendered rows changed. */
  onRangeChange(): void;
  onSelectionChange(): void;
  sort(key: string): void;
  copy(): void;
}

/** A narrower grid shows the first column above the others. */
const MIN_WIDTH_PX = 420;
/** Heights of a row and of the header, as in the stylesheet. All rows have the same height, so that positions can be computed. */
const [HEIGHTS_PX, NARROW_HEIGHTS_PX] = [
  [26, 30],
  [44, 52],
] as const;
/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 8;
/** Position of the cursor in the header. */
const HEADER_POSITION = -1;

/** A grid of any number of rows. Only the visible rows and a few around them are ever in the page. The cursor is always on a cell or a header cell. */
export class VirtualGrid {
  readonly element: HTMLElement;
  readonly #model: TableModel;
  readonly #getContext: TableTexts['getContext'];
  readonly #actions: GridActions;
  readonly #head = make('div.table-head', { role: 'row', 'aria-rowindex': 1 });
  readonly #body = make('div.table-body', { role: 'rowgroup' });
  /** The rows in the page, by position. */
  readonly #rendered = new Map<number, HTMLElement>();
  #columns: readonly Column[] = [];
  #isNarrow = false;
  /** The position of the cursor, and the index of its column. */
  #cursor: readonly [position: number, column: number] = [0, 0];

  constructor(model: TableModel, { label, getContext }: TableTexts, actions: GridActions) {
    this.#model = model;
    this.#getContext = getContext;
    this.#actions = actions;
    this.element = make(
      'div.table-grid',
      { role: 'grid', tabindex: 0, 'aria-label': label, 'aria-multiselectable': 'true' },
      make('div.table-heads', { role: 'rowgroup' }, this.#head),
      this.#body,
    );
    this.element.addEventListener('keydown', (event) => {
      if (!this.#handleKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.element.addEventListener('scroll', () => this.#draw(), { passive: true });
    this.#body.addEventListener('mousedown', (event) => this.#handleMouse(event));
    this.#head.addEventListener('click', ({ target }) => {
      const cell = target instanceof Element ? target.closest('[data-key]') : null;
      if (!cell) return;
      this.#cursor = [HEADER_POSITION, getColumnIndex(cell)];
      this.#press();
    });
    new ResizeObserver(() => (this.#isNarrow === this.#hasLittleWidth ? this.#draw() : this.refresh())).observe(
      this.element,
    );
  }

  /** The first visible position. */
  get first(): number {
    return Math.max(0, Math.floor(this.element.scrollTop / this.#heights[0]));
  }

  get #hasLittleWidth() {
    return this.element.clientWidth < MIN_WIDTH_PX;
  }

  get #heights() {
    return this.#isNarrow ? NARROW_HEIGHTS_PX : HEIGHTS_PX;
  }

  scrollTo(position: number): void {
    this.element.scrollTop = position * this.#heights[0];
  }

  /** Renders everything again after a change of the model. */
  refresh(): void {
    const { columns, length, arranged, loader } = this.#model;
    const [position, column] = this.#cursor;
    this.#columns = columns.visible;
    this.#cursor = [Math.min(position, Math.max(0, length - 1)), clamp(column, this.#columns.length - 1)];
    this.element.ariaColCount = String(this.#columns.length);
    this.element.ariaRowCount = String(arranged || loader.rows.total !== undefined ? length + 1 : -1);
    this.#isNarrow = this.#hasLittleWidth;
    this.element.classList.toggle('narrow', this.#isNarrow);
    const inLine = this.#columns.slice(this.#isNarrow ? 1 : 0);
    this.element.style.setProperty('--columns', inLine.map(({ width }) => `${width}ch`).join(' '));
    this.#head.replaceChildren(...this.#columns.map((each, index) => this.#makeHeaderCell(each, index)));
    this.#rendered.clear();
    this.#body.replaceChildren();
    this.#body.style.height = `${length * this.#heights[0]}px`;
    this.#draw();
  }

  #draw() {
    const { scrollTop, clientHeight } = this.element;
    // Hidden: rows are rendered once the grid has a size.
    if (clientHeight === 0) return;
    const first = Math.max(0, this.first - OVERSCAN_ROWS);
    const end = Math.ceil((scrollTop + clientHeight) / this.#heights[0]) + OVERSCAN_ROWS;
    const last = Math.min(this.#model.length, end) - 1;
    for (const [position, row] of this.#rendered) {
      if (position >= first && position <= last) continue;
      row.remove();
      this.#rendered.delete(position);
    }
    for (let position = first; position <= last; position += 1) {
      if (this.#rendered.has(position)) continue;
      const row = this.#makeRow(position);
      this.#rendered.set(position, row);
      this.#body.append(row);
    }
    this.#showCursor();
    if (last < first) return;
    this.#model.loader.range = [first, last];
    this.#actions.onRangeChange();
  }

  #makeHeaderCell({ key, label: name, numeric }: Column, index: number) {
    const { sorting } = this.#model.arrangement;
    const sorted = sorting?.key !== key ? 'none' : sorting.descending ? 'descending' : 'ascending';
    const arrow = { none: '', ascending: '↑', descending: '↓' }[sorted];
    const title = t`${name}: sort the loaded rows`;
    const attributes = { role: 'columnheader', 'aria-sort': sorted, 'data-key': key, title };
    const mark = make('span.arrow', { 'aria-hidden': 'true' }, arrow);
    return makeCell(HEADER_POSITION, index, numeric, attributes, make('span.name', name), mark);
  }

  #makeRow(position: number) {
    const { columns } = this.#model;
    const row = this.#model.row(position);
    const cells = this.#columns.map((each, index) => {
      const text = row && columns.text(each, row);
      const title = text !== undefined && text.length > each.width - 2 ? text : '';
      const content = text ?? make('span.pending', { 'aria-label': t('loading') });
      const cell = makeCell(position, index, each.numeric, { role: 'gridcell', title }, content);
      const share = row && columns.barLength(each, row);
      if (share !== undefined) {
        cell.classList.add('share');
        cell.style.setProperty('--share', `${Math.round(share * 100)}%`);
      }
      return cell;
    });
    const attributes = {
      role: 'row',
      'aria-rowindex': position + 2,
      'aria-selected': String(this.#model.isSelected(position)),
      'aria-busy': String(row === undefined),
      'data-position': position,
      'data-vscode-context': row && this.#getContext && JSON.stringify(this.#getContext(row)),
    };
    const made = make(position % 2 === 1 ? 'div.table-row.odd' : 'div.table-row', attributes, ...cells);
    made.style.transform = `translateY(${position * this.#heights[0]}px)`;
    return made;
  }

  #showCursor() {
    for (const cell of this.element.querySelectorAll('.cursor')) cell.classList.remove('cursor');
    const cell = document.getElementById(getCellId(...this.#cursor));
    cell?.classList.add('cursor');
    this.element.setAttribute('aria-activedescendant', cell?.id ?? '');
    // The keyboard opens the context menu on the grid.
    this.element.dataset['vscodeContext'] = cell?.parentElement?.dataset['vscodeContext'] ?? '{}';
    return cell;
  }

  /** Shows the selection without rendering rows again. */
  #showSelection() {
    for (const [position, row] of this.#rendered) row.ariaSelected = String(this.#model.isSelected(position));
    this.#actions.onSelectionChange();
  }

  /** Moves to a row, and extends the selection if Shift is held. */
  #step(target: number, isExtending: boolean) {
    const [position, column] = this.#cursor;
    const to = Math.max(HEADER_POSITION, Math.min(target, this.#model.length - 1));
    if (to > HEADER_POSITION && position > HEADER_POSITION && isExtending) {
      this.#model.select(to, 'extend');
      this.#showSelection();
    } else if (to > HEADER_POSITION) this.#model.anchor = to;
    this.#moveTo(to, column);
  }

  #moveTo(position: number, column: number) {
    this.#cursor = [position, clamp(column, this.#columns.length - 1)];
    if (position > HEADER_POSITION) {
      const [rowHeight, headerHeight] = this.#heights;
      const top = position * rowHeight;
      const lowest = top + rowHeight + headerHeight - this.element.clientHeight;
      this.element.scrollTop = Math.max(lowest, Math.min(this.element.scrollTop, top));
    }
    this.#draw();
    this.#showCursor()?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** Selects the row of the cursor, or sorts by its column in the header. */
  #press() {
    const [position, column] = this.#cursor;
    const key = this.#columns[column]?.key;
    if (position > HEADER_POSITION) {
      this.#model.select(position, 'toggle');
      this.#showSelection();
    } else if (key !== undefined) this.#actions.sort(key);
  }

  /** Returns whether the key has a meaning in the grid. */
  #handleKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const [position, column] = this.#cursor;
    const isControl = ctrlKey || metaKey;
    const [rowHeight, headerHeight] = this.#heights;
    const perPage = Math.max(1, Math.floor((this.element.clientHeight - headerHeight) / rowHeight) - 1);
    const rows = {
      ArrowDown: position + 1,
      ArrowUp: position - 1,
      PageDown: Math.max(0, position) + perPage,
      PageUp: Math.max(0, position - perPage),
      Home: 0,
      End: this.#model.length - 1,
    };
    const row = new Map(Object.entries(rows)).get(key);
    if (row !== undefined && (!isControl || key === 'Home' || key === 'End')) this.#step(row, shiftKey);
    else if (isControl && key.toLowerCase() === 'a') {
      this.#model.selectAll();
      this.#showSelection();
      // Selected text takes precedence over selected rows.
    } else if (isControl && key.toLowerCase() === 'c' && (getSelection()?.isCollapsed ?? true)) this.#actions.copy();
    else if (isControl) return false;
    else if (key === 'ArrowRight' || key === 'ArrowLeft')
      this.#moveTo(position, column + (key === 'ArrowLeft' ? -1 : 1));
    else if (key === ' ' || key === 'Enter') this.#press();
    else if (key === 'Escape') {
      this.#model.selected.clear();
      this.#showSelection();
    } else return false;
    return true;
  }

  #handleMouse(event: MouseEvent) {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=gridcell]') : null;
    const row = cell?.closest<HTMLElement>('[data-position]');
    if (!cell || !row || event.button !== 0) return;
    if (event.shiftKey) event.preventDefault();
    const position = Number(row.dataset['position']);
    this.#cursor = [position, getColumnIndex(cell)];
    this.#model.select(position, event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
    this.#showSelection();
    this.element.focus({ preventScroll: true });
    this.#showCursor();
  }
}

/** Creates a cell. A page has only one grid. */
function makeCell(
  position: number,
  index: number,
  isNumeric: boolean | undefined,
  attributes: Attributes,
  ...content: readonly (Node | string)[]
) {
  const place = { id: getCellId(position, index), 'aria-colindex': index + 1 };
  return make(isNumeric ? 'div.cell.number' : 'div.cell', place, attributes, ...content);
}

function getCellId(position: number, index: number) {
  return `cell-${position}-${index}`;
}

function getColumnIndex(cell: Element) {
  return Number(cell.ariaColIndex) - 1;
}

/** Returns a valid index. */
function clamp(index: number, last: number) {
  return Math.max(0, Math.min(index, last));
}
