import './table.css';
import { make } from '../dom.ts';
import { Throttle } from '../throttle.ts';
import { makeButton, type ButtonElement, type TextElement } from '../toolkit.ts';
import { arrange, nextSorting, TableSelection, type Sorting } from './arrangement.ts';
import { TableColumns, type Column, type ColumnChoice, type ColumnDefinition } from './columns.ts';
import { ColumnMenu, TableFilter, type RowFilter } from './controls.ts';
import { TableGrid, type GridSource, type Selecting } from './grid.ts';
import { TableLoading } from './loading.ts';
import type { PagedRows, Row } from './pages.ts';
import { TableStatus } from './status.ts';

/** What a table needs of the page it is in. */
interface TableOptions {
  /** What the rows are: "subscriber", "subscribers". */
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly ColumnDefinition[];
  readonly pageSize: number;
  /** Pages kept at most. */
  readonly kept?: number;
  /** What rows can be narrowed to. The control `dropdown` is needed then. */
  readonly filters?: readonly RowFilter[];
  /** Said where there is no row. */
  readonly empty: string;
  /** Pages that are to be read now; those that were asked for before and are not among them are no longer wanted. */
  want(pages: readonly number[]): void;
  /** Rows to be copied, and how many of those that were chosen are not here. */
  copy(columns: readonly string[], rows: readonly Row[], missing: number): void;
  /** Something changed that is to be kept: see `TableState`. */
  changed(): void;
  /** Other rows are selected. */
  selected?(): void;
}

/** What outlives a table: how it was looked at. */
export interface TableState {
  readonly columns?: ColumnChoice;
  readonly first?: number;
  /** Key of the filter. */
  readonly filter?: string | undefined;
}

/** How long the view must rest before what is in it is asked for, in ms: a scrollbar that is dragged passes by much. */
const rest = 40;
/** Pages that one press of "Load More" reads. */
const loadedMore = 20;

const format = new Intl.NumberFormat();

/**
 * A table of any number of rows that arrive in pages as they are scrolled to. Sorting, finding and filtering work on the rows that are
 * here, and say so: then these alone are shown, and the rest can be read. It knows nothing of what the rows are. Needs the controls
 * `button`, `textField` and `checkbox`.
 */
export class RowTable implements GridSource {
  readonly element: HTMLElement;
  /** For the page's own buttons, beside the table's. */
  readonly actions = make('div', { class: 'table-actions' });
  readonly #options: TableOptions;
  readonly #columns: TableColumns;
  readonly #selection = new TableSelection();
  readonly #find: TextElement;
  readonly #filter: TableFilter | undefined;
  readonly #copy: ButtonElement;
  readonly #status: TableStatus;
  readonly #grid: TableGrid;
  readonly #loading: TableLoading;
  /** Draws what arrives while much is read. */
  readonly #pace = new Throttle(() => this.#refresh());
  #sorting: Sorting | undefined;
  #arranged: readonly number[] | undefined;
  #range: readonly [number, number] = [0, -1];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #findTimer: ReturnType<typeof setTimeout> | undefined;
  #scrollTo: number | undefined;
  #started = false;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#columns = new TableColumns(options.columns);
    this.#loading = new TableLoading({
      pageSize: options.pageSize,
      kept: options.kept,
      want: (pages) => options.want(pages),
      viewed: () => ({
        first: this.#range[0],
        last: this.#range[1],
        isArranged: this.#arranged !== undefined,
        isFiltered: this.#filter?.chosen !== undefined,
      }),
      changed: (soon) => (soon ? this.#pace.schedule() : this.#pace.runNow()),
      replaced: () => {
        this.#selection.clear();
        options.selected?.();
      },
    });
    this.#find = make('vscode-text-field', {
      type: 'text',
      class: 'table-find',
      placeholder: `Find in the loaded ${options.nouns}`,
    }) as TextElement;
    this.#filter = options.filters && new TableFilter(options.filters, () => this.#narrow());
    this.#copy = makeButton('Copy', () => this.copy());
    this.#copy.title = 'As CSV, with the columns that are shown';
    this.#status = new TableStatus(options.nouns, {
      loadMore: () => this.#load(loadedMore),
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
      this.#find,
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
    this.#find.addEventListener('input', () => this.#findSoon());
    this.#find.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#find.value === '') return;
      this.#find.value = '';
      this.#arrange();
    });
    this.#grid.element.addEventListener('scroll', () => this.#started && options.changed(), { passive: true });
  }

  /** To be called once, when the element is in the page: asks for the first rows. */
  start(): void {
    // The control gives itself a name when it comes into the page.
    this.#find.setAttribute('aria-label', `Find in the loaded ${this.#options.nouns}`);
    this.#grid.start();
    this.#started = true;
    this.#loading.start();
    this.#refresh();
  }

  /** Asks for all rows again. Those that are shown stay until the new ones are here, and the view stays where it is. */
  reload(): void {
    this.#loading.reload();
    this.#refresh();
  }

  get state(): TableState {
    return {
      columns: this.#columns.choice,
      first: this.#scrollTo ?? this.#grid.first,
      filter: this.#filter?.chosen?.key,
    };
  }

  /** To be called before `start`. */
  restore({ columns, first, filter }: TableState): void {
    if (columns) this.#columns.choice = columns;
    this.#scrollTo = first;
    this.#filter?.choose(filter);
  }

  /** How many rows there are, where that is known. */
  get total(): number | undefined {
    return this.#rows.total;
  }

  /** The selected rows that are here. */
  get selectedRows(): readonly Row[] {
    return this.#selection.indices.map((index) => this.#rows.at(index)).filter((row) => row !== undefined);
  }

  arrived(page: number, rows: readonly Row[], ended: boolean): void {
    this.#columns.learn(rows);
    this.#loading.arrived(page, rows, ended);
  }

  failed(page: number, message: string): void {
    this.#loading.failed(page, message);
  }

  /** How many rows there are was found out; or why it could not be. */
  counted(count: number | undefined, message?: string): void {
    this.#loading.counted(count, message);
  }

  // What the grid asks.

  get columns(): readonly Column[] {
    return this.#columns.visible;
  }

  get length(): number {
    return this.#arranged?.length ?? this.#rows.length;
  }

  get isCounted(): boolean {
    return this.#arranged !== undefined || this.#rows.total !== undefined;
  }

  get sorting(): Sorting | undefined {
    return this.#sorting;
  }

  row(position: number): Row | undefined {
    return this.#rows.at(this.#indexAt(position));
  }

  text(column: Column, row: Row): string {
    return this.#columns.text(column, row);
  }

  isSelected(position: number): boolean {
    return this.#selection.has(this.#indexAt(position));
  }

  inView(first: number, last: number): void {
    this.#range = [first, last];
    if (this.#arranged || !this.#started) return;
    // What a jump brings is asked for at once, what a drag passes by only where it comes to rest.
    if (this.#timer === undefined) this.#loading.readViewed();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#loading.readViewed();
    }, rest);
  }

  sort(key: string): void {
    this.#sorting = nextSorting(this.#sorting, key);
    this.#arrange();
  }

  select(position: number, how: Selecting): void {
    const index = this.#indexAt(position);
    const acts: Readonly<Record<Selecting, () => void>> = {
      only: () => this.#selection.only(position, index),
      toggle: () => this.#selection.toggle(position, index),
      extend: () => this.#selection.extend(position, (at) => this.#indexAt(at)),
      move: () => this.#selection.startAt(position),
    };
    acts[how]();
    this.#showSelection();
  }

  selectAll(): void {
    this.#selection.all(this.#arranged ?? this.#rows.indices());
    this.#showSelection();
  }

  clearSelection(): void {
    this.#selection.clear();
    this.#showSelection();
  }

  /** Copies the selected rows in the order they are shown in; where none is selected, all that are loaded. */
  copy(): void {
    const shown = this.#arranged ?? this.#rows.indices();
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
    this.#grid.mark();
    this.#describe();
    this.#options.selected?.();
  }

  #hiddenSelected(shown: readonly number[]): readonly number[] {
    const set = new Set(shown);
    return this.#selection.indices.filter((index) => !set.has(index));
  }

  #indexAt(position: number): number {
    return this.#arranged ? (this.#arranged[position] ?? -1) : position;
  }

  #showColumn(key: string, visible: boolean): void {
    this.#columns.setVisible(key, visible);
    this.#grid.refresh();
    this.#options.changed();
  }

  #findSoon(): void {
    clearTimeout(this.#findTimer);
    this.#findTimer = setTimeout(() => this.#arrange(), 120);
  }

  get #rows(): PagedRows {
    return this.#loading.rows;
  }

  get #isArranged(): boolean {
    return this.#sorting !== undefined || this.#find.value.trim() !== '' || this.#filter?.chosen !== undefined;
  }

  /** A filter is of little use on some of the rows: the others are read at once. */
  #narrow(): void {
    if (this.#filter?.chosen && !this.#loading.isLoading) this.#loading.load(Infinity);
    this.#arrange();
    this.#options.changed();
  }

  /** The user asks for another order or another part: shows it, or everything again. */
  #arrange(): void {
    if (!this.#isArranged) this.#loading.stop();
    this.#refresh();
  }

  /** Shows what is loaded in the order, and as far as it is found and not filtered out, that the user asks for. */
  #refresh(): void {
    const test = this.#filter?.chosen?.test;
    const textsOf = (row: Row): readonly string[] => [this.#columns.searchText(row)];
    this.#arranged = this.#isArranged
      ? arrange(this.#rows.indices(), (index) => this.#rows.at(index), {
          find: this.#find.value,
          sorting: this.#sorting,
          test,
          textsOf,
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
    if (!this.#started) return;
    this.#describe();
    this.#grid.refresh();
    if (this.#scrollTo !== undefined && !this.#arranged && this.#rows.total !== undefined) {
      const first = this.#scrollTo;
      this.#scrollTo = undefined;
      this.#grid.scrollTo(first);
    }
  }

  /** Says what is shown, of how much, and what went wrong. */
  #describe(): void {
    const { noun, nouns, empty } = this.#options;
    const { figures } = this.#loading;
    const selected = this.#selection.size;
    const arranged = this.#arranged && {
      count: this.#arranged.length,
      isFound: this.#find.value.trim() !== '',
      isSorted: this.#sorting !== undefined,
      filter: this.#filter?.chosen?.label.toLowerCase(),
    };
    const isShown = this.#status.show({ noun, nouns, empty, ...figures, selected, arranged });
    this.#grid.element.hidden = !isShown;
    this.element.setAttribute('aria-busy', String(this.#loading.isBusy));
    this.#copy.disabled = figures.loaded === 0;
    const copied = selected || (arranged?.count ?? figures.loaded);
    this.#copy.textContent = `Copy ${format.format(copied)} ${selected > 0 ? 'Selected' : 'Loaded'}`;
  }

  #showAll(): void {
    this.#sorting = undefined;
    this.#find.value = '';
    this.#filter?.choose(undefined);
    this.#arrange();
    this.#options.changed();
    this.#grid.element.focus();
  }
}
