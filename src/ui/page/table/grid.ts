import { t } from '@vscode/l10n';
import { make, type Attributes } from '../dom.ts';
import type { Column } from './columns.ts';
import type { TableModel, TableTexts } from './model.ts';

interface GridActions {
  /** The rendered rows changed. */
  onRangeChange(): void;
  onSelectionChange(): void;
  sort(key: string): void;
  copy(): void;
}

/** In pixels, as in the stylesheet. All rows have the same height, so that positions can be computed. */
const [ROW_HEIGHT_PX, HEADER_HEIGHT_PX] = [26, 30];
/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 8;
/** Position of the cursor in the header. */
const HEADER_POSITION = -1;

let gridCount = 0;

/** Creates a virtualized grid: only the visible rows are in the page. The cursor is a cell or a header cell. */
export function createGrid(model: TableModel, { label, getContext }: TableTexts, actions: GridActions) {
  const gridId = `grid${(gridCount += 1)}`;
  const head = make('div.table-head', { role: 'row', 'aria-rowindex': 1 });
  const body = make('div.table-body', { role: 'rowgroup' });
  const element = make(
    'div.table-grid',
    { role: 'grid', tabindex: 0, 'aria-label': label, 'aria-multiselectable': 'true' },
    make('div.table-heads', { role: 'rowgroup' }, head),
    body,
  );
  const rendered = new Map<number, HTMLElement>();
  let columns: readonly Column[] = [];
  let [position, column] = [0, 0];

  function draw() {
    const { scrollTop, clientHeight } = element;
    // Hidden: rows are rendered once the grid has a size.
    if (clientHeight === 0) return;
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT_PX) - OVERSCAN_ROWS);
    const end = Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT_PX) + OVERSCAN_ROWS;
    const last = Math.min(model.length, end) - 1;
    for (const [at, row] of rendered) {
      if (at >= first && at <= last) continue;
      row.remove();
      rendered.delete(at);
    }
    for (let at = first; at <= last; at += 1) {
      if (rendered.has(at)) continue;
      const row = makeRow(at);
      rendered.set(at, row);
      body.append(row);
    }
    showCursor();
    if (last < first) return;
    model.loader.range = [first, last];
    actions.onRangeChange();
  }

  /** Follows the number of rows. */
  function resize() {
    const { length, arranged, loader } = model;
    body.style.height = `${length * ROW_HEIGHT_PX}px`;
    element.ariaRowCount = String(arranged || loader.rows.total !== undefined ? length + 1 : -1);
    if (length > 0) position = Math.min(position, length - 1);
    draw();
  }

  function makeHeaderCell({ key, label: name, numeric }: Column, index: number) {
    const { sorting } = model.arrangement;
    const sorted = sorting?.key !== key ? 'none' : sorting.descending ? 'descending' : 'ascending';
    const arrow = { none: '', ascending: '↑', descending: '↓' }[sorted];
    const title = t`${name}: sort the loaded rows`;
    const attributes = { role: 'columnheader', 'aria-sort': sorted, 'data-key': key, title };
    const mark = make('span.arrow', { 'aria-hidden': 'true' }, arrow);
    return makeCell(HEADER_POSITION, index, numeric, attributes, make('span.name', name), mark);
  }

  function makeRow(at: number) {
    const row = model.row(at);
    const cells = columns.map((each, index) => {
      const text = row && model.columns.text(each, row);
      const title = text !== undefined && text.length > each.width - 2 ? text : '';
      const content = text ?? make('span.pending', { 'aria-label': t('loading') });
      const cell = makeCell(at, index, each.numeric, { role: 'gridcell', title }, content);
      const share = row && model.columns.barLength(each, row);
      if (share !== undefined) {
        cell.classList.add('share');
        cell.style.setProperty('--share', `${Math.round(share * 100)}%`);
      }
      return cell;
    });
    const attributes = {
      role: 'row',
      'aria-rowindex': at + 2,
      'aria-selected': String(model.isSelected(at)),
      'aria-busy': String(row === undefined),
      'data-position': at,
      'data-vscode-context': row && getContext && JSON.stringify(getContext(row)),
    };
    const made = make(at % 2 === 1 ? 'div.table-row.odd' : 'div.table-row', attributes, ...cells);
    made.style.transform = `translateY(${at * ROW_HEIGHT_PX}px)`;
    return made;
  }

  function makeCell(
    at: number,
    index: number,
    isNumeric: boolean | undefined,
    attributes: Attributes,
    ...content: readonly (Node | string)[]
  ) {
    const place = { id: `${gridId}-${at}-${index}`, 'aria-colindex': index + 1 };
    return make(isNumeric ? 'div.cell.number' : 'div.cell', place, attributes, ...content);
  }

  function showCursor() {
    for (const cell of element.querySelectorAll('.cursor')) cell.classList.remove('cursor');
    const cell = document.getElementById(`${gridId}-${position}-${column}`);
    cell?.classList.add('cursor');
    element.setAttribute('aria-activedescendant', cell?.id ?? '');
    // The keyboard opens the context menu on the grid.
    element.dataset['vscodeContext'] = cell?.parentElement?.dataset['vscodeContext'] ?? '{}';
    return cell;
  }

  /** Shows the selection without rendering rows again. */
  function showSelection() {
    for (const [at, row] of rendered) row.ariaSelected = String(model.isSelected(at));
    actions.onSelectionChange();
  }

  /** Moves to a row, and extends the selection if it is held. */
  function step(target: number, isExtending: boolean) {
    const to = Math.max(HEADER_POSITION, Math.min(target, model.length - 1));
    if (to > HEADER_POSITION && position > HEADER_POSITION && isExtending) {
      model.select(to, 'extend');
      showSelection();
    } else if (to > HEADER_POSITION) model.anchor = to;
    moveTo(to, column);
  }

  function moveTo(row: number, index: number) {
    position = row;
    column = Math.max(0, Math.min(index, columns.length - 1));
    if (row > HEADER_POSITION) {
      const top = row * ROW_HEIGHT_PX;
      const lowest = top + ROW_HEIGHT_PX + HEADER_HEIGHT_PX - element.clientHeight;
      element.scrollTop = Math.max(lowest, Math.min(element.scrollTop, top));
    }
    draw();
    showCursor()?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** Selects the row of the cursor, or sorts by its column in the header. */
  function press() {
    const key = columns[column]?.key;
    if (position > HEADER_POSITION) {
      model.select(position, 'toggle');
      showSelection();
    } else if (key !== undefined) actions.sort(key);
  }

  element.addEventListener('keydown', (event) => {
    const { key, shiftKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const perPage = Math.max(1, Math.floor((element.clientHeight - HEADER_HEIGHT_PX) / ROW_HEIGHT_PX) - 1);
    const rows = {
      ArrowDown: position + 1,
      ArrowUp: position - 1,
      PageDown: Math.max(0, position) + perPage,
      PageUp: Math.max(0, position - perPage),
      Home: 0,
      End: model.length - 1,
    };
    const row = new Map(Object.entries(rows)).get(key);
    if (row !== undefined && (!isControl || key === 'Home' || key === 'End')) step(row, shiftKey);
    else if (isControl && key.toLowerCase() === 'a') {
      model.selectAll();
      showSelection();
      // Selected text takes precedence over selected rows.
    } else if (isControl && key.toLowerCase() === 'c' && (getSelection()?.isCollapsed ?? true)) actions.copy();
    else if (isControl) return;
    else if (key === 'ArrowRight' || key === 'ArrowLeft') moveTo(position, column + (key === 'ArrowLeft' ? -1 : 1));
    else if (key === ' ' || key === 'Enter') press();
    else if (key === 'Escape') {
      model.selected.clear();
      showSelection();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener('scroll', draw, { passive: true });
  body.addEventListener('mousedown', (event) => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=gridcell]') : null;
    const row = cell?.closest<HTMLElement>('[data-position]');
    if (!cell || !row || event.button !== 0) return;
    if (event.shiftKey) event.preventDefault();
    position = Number(row.dataset['position']);
    column = Number(cell.ariaColIndex) - 1;
    model.select(position, event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
    showSelection();
    element.focus({ preventScroll: true });
    showCursor();
  });
  head.addEventListener('click', ({ target }) => {
    const cell = target instanceof Element ? target.closest('[data-key]') : null;
    if (!cell) return;
    position = HEADER_POSITION;
    column = Number(cell.ariaColIndex) - 1;
    press();
  });
  new ResizeObserver(draw).observe(element);

  return {
    element,
    /** Returns the first visible position. */
    getFirst: () => Math.max(0, Math.floor(element.scrollTop / ROW_HEIGHT_PX)),
    scrollTo: (row: number) => {
      element.scrollTop = row * ROW_HEIGHT_PX;
    },
    resize,
    /** Renders everything again after a change of the model. */
    refresh: () => {
      columns = model.columns.visible;
      element.ariaColCount = String(columns.length);
      element.style.setProperty('--columns', columns.map(({ width }) => `${width}ch`).join(' '));
      column = Math.min(column, Math.max(0, columns.length - 1));
      head.replaceChildren(...columns.map(makeHeaderCell));
      rendered.clear();
      body.replaceChildren();
      resize();
    },
  };
}
