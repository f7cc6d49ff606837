import './table.css';
import { make } from '../dom.ts';
import { Throttle } from '../throttle.ts';
import { makeButton, type ButtonElement, type TextElement } from '../toolkit.ts';
import { arrangeRows, getNextSorting, TableSelection, type Sorting } from './arrangement.ts';
import { TableColumns, type Column, type ColumnChoice, type ColumnDefinition } from './columns.ts';
import { ColumnMenu, TableFilter, type RowFilter } from './controls.ts';
import { TableGrid, type GridSource, type SelectionMode } from './grid.ts';
import { TableLoading } from './loading.ts';
import type { PagedRows, TableRow } from './pages.ts';
import { TableStatus } from './status.ts';

/** The options of a table. */
export interface TableOptions {
  /** Singular and plural of the rows: "subscriber", "subscribers". */
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly ColumnDefinition[];
  readonly pageSize: number;
  /** Maximum number of pages in memory. */
  readonly maxPages?: number;
  /** Filters of rows. Requires the control `dropdown`. */
  readonly filters?: readonly RowFilter[];
  /** Text for a table without rows. */
  readonly empty: string;
  /** Requests pages and cancels previous requests for others. */
  requestPages(pages: readonly number[]): void;
  /** Copies rows. `missing` is the number of selected rows that are not loaded. */
  copy(columns: readonly string[], rows: readonly TableRow[], missing: number): void;
  /** The state changed: see `TableState`. */
  onStateChange(): void;
  /** The selection changed. */
  onSelectionChange?(): void;
}

/** The state of a table that its page stores. */
export interface TableState {
  readonly columns?: ColumnChoice;
  readonly first?: number;
  /** Key of the filter. */
  readonly filter?: string | undefined;
}

/** Delay before the visible pages are requested: dragging the scrollbar passes many. */
const VIEW_DEBOUNCE_MS = 40;
const LOAD_MORE_PAGES = 20;

const copyCountFormat = new Intl.NumberFormat();

/**
 * A table of any number of rows, loaded in pages as the user scrolls. Sorting, finding and filtering apply to the loaded rows, and the status line
 * says so. Requires the controls `button`, `textField` and `checkbox`.
 */
export class RowTable implements GridSource {
  readonly element: HTMLElement;
  /** Container for the page's own buttons. */
  readonly actions = make('div', { class: 'table-actions' });
  readonly #options: TableOptions;
  readonly #columns: TableColumns;
  readonly #selection = new TableSelection();
  readonly #findInput: TextElement;
  readonly #filter: TableFilter | undefined;
  readonly #copy: ButtonElement;
  readonly #status: TableStatus;
  readonly #grid: TableGrid;
  readonly #loading: TableLoading;
  /** Limits rendering while many pages are loaded. */
  readonly #throttle = new Throttle(() => this.#refresh());
  #sorting: Sorting | undefined;
  #arrangedIndices: readonly number[] | undefined;
  #range: readonly [number, number] = [0, -1];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #findTimer: ReturnType<typeof setTimeout> | undefined;
  #scrollTo: number | undefined;
  #isStarted = false;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#columns = new TableColumns(options.columns);
    this.#loading = new TableLoading({
      pageSize: options.pageSize,
      maxPages: options.maxPages,
      requestPages: (pages) => options.requestPages(pages),
      getView: () => ({
        first: this.#range[0],
        last: this.#range[1],
        isArranged: this.#arrangedIndices !== undefined,
        isFiltered: this.#filter?.selected !== undefined,
      }),
      onChange: (soon) => (soon ? this.#throttle.schedule() : this.#throttle.runNow()),
      onReplace: () => {
        this.#selection.clear();
        options.onSelectionChange?.();
      },
    });
    this.#findInput = make('vscode-text-field', {
      type: 'text',
      class: 'table-find',
      placeholder: `Find in the loaded ${options.nouns}`,
    }) as TextElement;
    this.#filter = options.filters && new TableFilter(options.filters, () => this.#applyFilter());
    this.#copy = makeButton('Copy', () => this.copy());
    this.#copy.title = 'As CSV, with the columns that are shown';
    this.#status = new TableStatus(options.nouns, {
      loadMore: () => this.#load(LOAD_MORE_PAGES),
      loadAll: () => this.#load(Infinity),
      stop: () => this.#loading.cancel(),
      showAll: () => this.#showAll(),
      retry: () => this.#retry(),
    });
    const menu = new ColumnMenu(
      () => this.#columns.all.map((column) => ({ ...column, visible: this.#columns.isVisible(column.key) })),
      (key, visible) => this.#showColumn(key, visible),
    );
    this.#grid = new TableGrid(this, options.nouns);
    this.actions.append(menu.button, this.#copy);
    const bar = make(
      'div',
      { class: 'table-bar' },
      this.#findInput,
      ...(this.#filter ? [this.#filter.element] : []),
      this.actions,
    );
    this.element = make(
      'section',
      { class: 'table' },
      bar,
      this.#status.notice,
      this.#status.blank,
      this.#status.progress,
      this.#grid.element,
      this.#status.line,
      menu.panel,
    );
    this.#findInput.addEventListener('input', () => this.#scheduleFind());
    this.#findInput.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#findInput.value === '') return;
      this.#findInput.value = '';
      this.#arrange();
    });
    this.#grid.element.addEventListener('scroll', () => this.#isStarted && options.onStateChange(), { passive: true });
  }

  /** Requests the first rows. Call it once, after the element was added to the page. */
  start(): void {
    // The control overwrites its label when it is added to the page.
    this.#findInput.setAttribute('aria-label', `Find in the loaded ${this.#options.nouns}`);
    this.#grid.start();
    this.#isStarted = true;
    this.#loading.start();
    this.#refresh();
  }

  /** Requests all rows again. The current rows and the scroll position stay. */
  reload(): void {
    this.#loading.reload();
    this.#refresh();
  }

  get state(): TableState {
    return {
      columns: this.#columns.choice,
      first: this.#scrollTo ?? this.#grid.first,
      filter: this.#filter?.selected?.key,
    };
  }

  /** Restores a state. Call it before `start`. */
  restore({ columns, first, filter }: TableState): void {
    if (columns) this.#columns.choice = columns;
    this.#scrollTo = first;
    this.#filter?.select(filter);
  }

  /** The number of rows, or undefined if unknown. */
  get total(): number | undefined {
    return this.#rows.total;
  }

  /** The selected rows that are loaded. */
  get selectedRows(): readonly TableRow[] {
    return this.#selection.indices.map((index) => this.#rows.at(index)).filter((row) => row !== undefined);
  }

  addPage(page: number, rows: readonly TableRow[], ended: boolean): void {
    this.#columns.addRows(rows);
    this.#loading.addPage(page, rows, ended);
  }

  setFailure(page: number, message: string): void {
    this.#loading.setFailure(page, message);
  }

  /** Sets the number of rows, or why they can't be counted. */
  setTotal(count: number | undefined, message?: string): void {
    this.#loading.setTotal(count, message);
  }

  // Members of `GridSource`.

  get columns(): readonly Column[] {
    return this.#columns.visible;
  }

  get length(): number {
    return this.#arrangedIndices?.length ?? this.#rows.length;
  }

  get isCounted(): boolean {
    return this.#arrangedIndices !== undefined || this.#rows.total !== undefined;
  }

  get sorting(): Sorting | undefined {
    return this.#sorting;
  }

  row(position: number): TableRow | undefined {
    return this.#rows.at(this.#indexAt(position));
  }

  text(column: Column, row: TableRow): string {
    return this.#columns.text(column, row);
  }

  isSelected(position: number): boolean {
    return this.#selection.has(this.#indexAt(position));
  }

  setVisibleRange(first: number, last: number): void {
    this.#range = [first, last];
    if (this.#arrangedIndices || !this.#isStarted) return;
    // A jump requests pages at once, a drag only when it pauses.
    if (this.#timer === undefined) this.#loading.loadVisible();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#loading.loadVisible();
    }, VIEW_DEBOUNCE_MS);
  }

  sort(key: string): void {
    this.#sorting = getNextSorting(this.#sorting, key);
    this.#arrange();
  }

  select(position: number, how: SelectionMode): void {
    const index = this.#indexAt(position);
    const acts: Readonly<Record<SelectionMode, () => void>> = {
      only: () => this.#selection.selectOnly(position, index),
      toggle: () => this.#selection.toggle(position, index),
      extend: () => this.#selection.extend(position, (at) => this.#indexAt(at)),
      move: () => this.#selection.setAnchor(position),
    };
    acts[how]();
    this.#showSelection();
  }

  selectAll(): void {
    this.#selection.selectAll(this.#arrangedIndices ?? this.#rows.indices());
    this.#showSelection();
  }

  clearSelection(): void {
    this.#selection.clear();
    this.#showSelection();
  }

  /** Copies the selected rows in the shown order, or all loaded rows if none is selected. */
  copy(): void {
    const shown = this.#arrangedIndices ?? this.#rows.indices();
    const chosen =
      this.#selection.size === 0
        ? shown
        : [...shown.filter((index) => this.#selection.has(index)), ...this.#hiddenSelected(shown)];
    const rows = chosen.map((index) => this.#rows.at(index)).filter((row) => row !== undefined);
    const wanted = this.#selection.size === 0 ? rows.length : this.#selection.size;
    this.#options.copy(
      this.columns.map(({ key }) => key),
      rows,
      wanted - rows.length,
    );
  }

  #showSelection(): void {
    this.#grid.updateSelection();
    this.#describe();
    this.#options.onSelectionChange?.();
  }

  #hiddenSelected(shown: readonly number[]): readonly number[] {
    const set = new Set(shown);
    return this.#selection.indices.filter((index) => !set.has(index));
  }

  #indexAt(position: number): number {
    return this.#arrangedIndices ? (this.#arrangedIndices[position] ?? -1) : position;
  }

  #showColumn(key: string, visible: boolean): void {
    this.#columns.setVisible(key, visible);
    this.#grid.refresh();
    this.#options.onStateChange();
  }

  #scheduleFind(): void {
    clearTimeout(this.#findTimer);
    this.#findTimer = setTimeout(() => this.#arrange(), 120);
  }

  get #rows(): PagedRows {
    return this.#loading.rows;
  }

  get #isArranged(): boolean {
    return this.#sorting !== undefined || this.#findInput.value.trim() !== '' || this.#filter?.selected !== undefined;
  }

  /** Filtering needs all rows, so the others are loaded. */
  #applyFilter(): void {
    if (this.#filter?.selected && !this.#loading.isLoading) this.#loading.load(Infinity);
    this.#arrange();
    this.#options.onStateChange();
  }

  /** Applies changed sorting, search or filter. */
  #arrange(): void {
    if (!this.#isArranged) this.#loading.stop();
    this.#refresh();
  }

  /** Shows the loaded rows with the current sorting, search and filter. */
  #refresh(): void {
    const test = this.#filter?.selected?.test;
    const getTexts = (row: TableRow): readonly string[] => [this.#columns.searchText(row)];
    this.#arrangedIndices = this.#isArranged
      ? arrangeRows(this.#rows.indices(), (index) => this.#rows.at(index), {
          find: this.#findInput.value,
          sorting: this.#sorting,
          test,
          getTexts,
        })
      : undefined;
    this.#draw();
  }

  #load(pages: number): void {
    this.#loading.load(pages);
    this.#describe();
  }

  #retry(): void {
    this.#loading.retry();
    this.#refresh();
  }

  #draw(): void {
    if (!this.#isStarted) return;
    this.#describe();
    this.#grid.refresh();
    if (this.#scrollTo !== undefined && !this.#arrangedIndices && this.#rows.total !== undefined) {
      const first = this.#scrollTo;
      this.#scrollTo = undefined;
      this.#grid.scrollTo(first);
    }
  }

  /** Updates the status line. */
  #describe(): void {
    const { noun, nouns, empty } = this.#options;
    const { figures } = this.#loading;
    const selected = this.#selection.size;
    const arranged = this.#arrangedIndices && {
      count: this.#arrangedIndices.length,
      isFound: this.#findInput.value.trim() !== '',
      isSorted: this.#sorting !== undefined,
      filter: this.#filter?.selected?.label.toLowerCase(),
    };
    const isShown = this.#status.show({ noun, nouns, empty, ...figures, selected, arranged });
    this.#grid.element.hidden = !isShown;
    this.element.setAttribute('aria-busy', String(this.#loading.isBusy));
    this.#copy.disabled = figures.loaded === 0;
    const copied = selected || (arranged?.count ?? figures.loaded);
    this.#copy.textContent = `Copy ${copyCountFormat.format(copied)} ${selected > 0 ? 'Selected' : 'Loaded'}`;
  }

  #showAll(): void {
    this.#sorting = undefined;
    this.#findInput.value = '';
    this.#filter?.select(undefined);
    this.#arrange();
    this.#options.onStateChange();
    this.#grid.element.focus();
  }
}
