import './table.css';
import { make } from '../dom.ts';
import { Pace } from '../pace.ts';
import { TableColumns, type Column } from './tableColumns.ts';
import { TableGrid, type GridSource, type Selecting } from './tableGrid.ts';
import { ColumnMenu } from './tableMenu.ts';
import { arrange, nextSorting, type Sorting } from './tableOrder.ts';
import { TableFilter } from './tableFilter.ts';
import type { TableOptions, TableState } from './tableOptions.ts';
import { PagedRows, type Row } from './tableRows.ts';
import { TableSelection } from './tableSelection.ts';
import { TableStatus } from './tableStatus.ts';
import { PageWants } from './tableWants.ts';
import { makeButton, type ButtonElement, type TextElement } from '../toolkit.ts';

export type { TableOptions, TableState } from './tableOptions.ts';

/** How long the view must rest before what is in it is asked for, in ms: a scrollbar that is dragged passes by much. */
const rest = 60;
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
  readonly #failure = make('span', {});
  readonly #again = makeButton('Retry', () => this.#retry());
  readonly #notice = make('div', { class: 'table-notice', hidden: '' });
  readonly #blank = make('div', { class: 'table-blank', role: 'status' });
  readonly #grid: TableGrid;
  readonly #wants: PageWants;
  /** Draws what arrives while much is read. */
  readonly #pace = new Pace(() => this.#refresh());
  #rows: PagedRows;
  /** Newer rows that take the place of those that are shown once there are enough of them. */
  #incoming: PagedRows | undefined;
  #sorting: Sorting | undefined;
  #arranged: readonly number[] | undefined;
  #range: readonly [number, number] = [0, -1];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #findTimer: ReturnType<typeof setTimeout> | undefined;
  #scrollTo: number | undefined;
  #countFailure: string | undefined;
  #reloadFailure: string | undefined;
  #started = false;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#columns = new TableColumns(options.columns);
    this.#rows = new PagedRows(options.pageSize, options.kept);
    this.#wants = new PageWants((pages) => options.want(pages));
    this.#find = make('vscode-text-field', {
      type: 'text',
      class: 'table-find',
      placeholder: `Find in the loaded ${options.nouns}`,
    }) as TextElement;
    this.#filter = options.filters && new TableFilter(options.filters, () => this.#narrow());
    this.#copy = makeButton('Copy', () => this.copy());
    this.#status = new TableStatus(options.nouns, {
      loadMore: () => this.#load(loadedMore),
      loadAll: () => this.#load(Infinity),
      stop: () => this.#stop(),
      showAll: () => this.#showAll(),
    });
    const menu = new ColumnMenu(
      () => this.#columns.all.map((column) => ({ ...column, visible: this.#columns.isVisible(column.key) })),
      (key, visible) => this.#showColumn(key, visible),
    );
    this.#grid = new TableGrid(this, options.nouns);
    this.actions.append(menu.button, this.#copy);
    const bar = make('div', { class: 'table-bar' }, this.#find, ...(this.#filter ? [this.#filter.element] : []), this.actions);
    this.element = make(
      'section',
      { class: 'table' },
      bar,
      this.#notice,
      this.#blank,
      this.#status.progress,
      this.#grid.element,
      this.#status.element,
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
    this.#readAnew(this.#rows, [0]);
    this.#refresh();
  }

  /** Asks for all rows again. Those that are shown stay until the new ones are here, and the view stays where it is. */
  reload(): void {
    this.#countFailure = undefined;
    this.#reloadFailure = undefined;
    const { pageSize, kept } = this.#options;
    const rows = new PagedRows(pageSize, kept);
    if (this.#rows.loaded === 0) this.#rows = rows;
    else this.#incoming = rows;
    const [first, last] = this.#arranged ? [0, 0] : [Math.max(0, this.#range[0]), Math.max(0, this.#range[1])];
    const pages = Array.from(
      { length: Math.floor(last / pageSize) - Math.floor(first / pageSize) + 1 },
      (_, index) => Math.floor(first / pageSize) + index,
    );
    this.#readAnew(rows, [...new Set([0, ...pages])]);
    this.#refresh();
  }

  get state(): TableState {
    const filter = this.#filter?.chosen?.key;
    return { columns: this.#columns.choice, first: this.#scrollTo ?? this.#grid.first, ...(filter === undefined ? {} : { filter }) };
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

  get atLeast(): number {
    return this.#rows.atLeast;
  }

  /** The selected rows that are here. */
  get selectedRows(): readonly Row[] {
    return this.#selection.indices.map((index) => this.#rows.at(index)).filter((row) => row !== undefined);
  }

  focus(): void {
    this.#grid.element.focus();
  }

  arrived(page: number, rows: readonly Row[], ended: boolean): void {
    this.#columns.learn(rows);
    const into = this.#incoming ?? this.#rows;
    into.arrived(page, rows, ended);
    this.#wants.settled(page, into);
    this.#settle();
  }

  failed(page: number, message: string): void {
    this.#wants.stop();
    if (this.#incoming) {
      this.#incoming = undefined;
      this.#reloadFailure = message;
      this.#wants.ask([]);
    } else {
      this.#rows.failed(page, message);
      this.#wants.settled(page, this.#rows);
    }
    this.#settle();
  }

  /** How many rows there are was found out; or why it could not be. */
  counted(count: number | undefined, message?: string): void {
    const into = this.#incoming ?? this.#rows;
    if (count === undefined) this.#countFailure = message;
    else into.counted(count);
    if (this.#incoming) this.#settle();
    else this.#draw();
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

  looked(first: number, last: number): void {
    this.#range = [first, last];
    if (this.#arranged || !this.#started) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#askForRange(), rest);
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
      this.#selection.size === 0 ? shown : [...shown.filter((index) => this.#selection.has(index)), ...this.#hiddenSelected(shown)];
    const rows = chosen.map((index) => this.#rows.at(index)).filter((row) => row !== undefined);
    const wanted = this.#selection.size === 0 ? rows.length : this.#selection.size;
    this.#options.copy(this.columns.map(({ key }) => key), rows, wanted - rows.length);
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

  get #isArranged(): boolean {
    return this.#sorting !== undefined || this.#find.value.trim() !== '' || this.#filter?.chosen !== undefined;
  }

  /** A filter is of little use on some of the rows: the others are read at once. */
  #narrow(): void {
    if (this.#filter?.chosen && !this.#wants.isLoading) this.#wants.load(Infinity, this.#incoming ?? this.#rows);
    this.#arrange();
    this.#options.changed();
  }

  /** The user asks for another order or another part: shows it, or everything again. */
  #arrange(): void {
    if (!this.#isArranged) this.#wants.stop();
    this.#refresh();
  }

  /** Shows what is loaded in the order, and as far as it is found and not filtered out, that the user asks for. */
  #refresh(): void {
    const test = this.#filter?.chosen?.test;
    const textsOf = (row: Row): readonly string[] => [this.#columns.searchText(row)];
    this.#arranged = this.#isArranged
      ? arrange(this.#rows.indices(), (index) => this.#rows.at(index), { find: this.#find.value, sorting: this.#sorting, test, textsOf })
      : undefined;
    this.#draw();
  }

  /** Asks for the first pages, and for as much after them as is wanted to be seen. */
  #readAnew(rows: PagedRows, pages: readonly number[]): void {
    const before = Math.ceil(this.#rows.loaded / this.#options.pageSize);
    const isWhole = this.#filter?.chosen !== undefined || (this.#arranged !== undefined && this.#rows.loaded === this.#rows.total);
    this.#wants.stop();
    this.#wants.ask(pages);
    if (isWhole || this.#arranged) this.#wants.load(isWhole ? Infinity : Math.max(1, before), rows);
  }

  #askForRange(): void {
    if (!this.#incoming) this.#wants.look(this.#rows.missing(...this.#range));
  }

  /** Something arrived or failed. Rows that are newer take their place when what is looked at is among them. */
  #settle(): void {
    const isRead = this.#wants.wanted.length === 0 && !this.#wants.isLoading;
    if (this.#incoming) {
      if (!isRead || (this.#incoming.total === undefined && this.#countFailure === undefined)) return;
      this.#rows = this.#incoming;
      this.#incoming = undefined;
      this.#selection.clear();
      this.#options.selected?.();
    }
    if (this.#wants.isLoading) this.#pace.soon();
    else this.#pace.now();
  }

  #load(pages: number): void {
    this.#wants.load(pages, this.#incoming ?? this.#rows);
    this.#describe();
  }

  /** Gives up what is being read: what is here stays. */
  #stop(): void {
    this.#wants.stop();
    this.#wants.ask([]);
    this.#incoming = undefined;
    this.#pace.now();
  }

  #retry(): void {
    if (this.#reloadFailure !== undefined) {
      this.reload();
      return;
    }
    this.#rows.retry();
    if (this.#rows.length === 0) this.#readAnew(this.#rows, [0]);
    else if (this.#filter?.chosen) this.#wants.load(Infinity, this.#rows);
    else if (!this.#arranged) this.#wants.ask(this.#rows.missing(...this.#range));
    this.#draw();
  }

  #draw(): void {
    if (!this.#started) return;
    this.#grid.refresh();
    if (this.#scrollTo !== undefined && !this.#arranged && this.#rows.total !== undefined) {
      const first = this.#scrollTo;
      this.#scrollTo = undefined;
      this.#grid.scrollTo(first);
    }
    this.#describe();
  }

  /** Says what is shown, of how much, and what went wrong. */
  #describe(): void {
    const { nouns } = this.#options;
    const { loaded, failure, total } = this.#rows;
    const isFirst = this.#rows.length === 0 && total === undefined;
    this.#grid.element.hidden = isFirst || this.#rows.isEmpty;
    this.#blank.hidden = !this.#grid.element.hidden;
    this.element.setAttribute('aria-busy', String(this.#wants.wanted.length > 0));
    if (!this.#blank.hidden) this.#showBlank(isFirst, failure);
    const isNoticed = (failure !== undefined && !isFirst) || this.#reloadFailure !== undefined;
    if (isNoticed === this.#notice.hidden) this.#notice.replaceChildren(...(isNoticed ? [this.#failure, this.#again] : []));
    this.#notice.hidden = !isNoticed;
    this.#failure.textContent =
      this.#reloadFailure === undefined
        ? `Some ${nouns} could not be read: ${failure ?? ''}`
        : `The ${nouns} could not be read again, and are those of before: ${this.#reloadFailure}`;
    this.#copy.disabled = loaded === 0;
    this.#copy.textContent =
      this.#selection.size > 0
        ? `Copy ${format.format(this.#selection.size)} Selected`
        : `Copy ${format.format(this.#arranged?.length ?? loaded)} Loaded`;
    this.#copy.title = 'As CSV, with the columns that are shown';
    this.#showStatus();
  }

  #showStatus(): void {
    const { noun, nouns } = this.#options;
    const { loaded, total, atLeast, capacity } = this.#rows;
    const { isLoading } = this.#wants;
    const arranged = this.#arranged && {
      count: this.#arranged.length,
      isFound: this.#find.value.trim() !== '',
      isSorted: this.#sorting !== undefined,
      filter: this.#filter?.chosen?.label.toLowerCase(),
    };
    if (this.#blank.hidden)
      this.#status.show({
        noun,
        nouns,
        loaded,
        total,
        atLeast,
        capacity,
        isLoading,
        uncounted: this.#countFailure,
        selected: this.#selection.size,
        arranged,
      });
    else this.#status.clear();
    const reading = this.#incoming ?? this.#rows;
    this.#status.showProgress(isLoading && reading.total !== undefined && reading.total > 0 ? reading.loaded / reading.total : undefined);
  }

  #showAll(): void {
    this.#sorting = undefined;
    this.#find.value = '';
    this.#filter?.choose(undefined);
    this.#arrange();
    this.#options.changed();
    this.focus();
  }

  #showBlank(isFirst: boolean, failure: string | undefined): void {
    const { nouns, empty } = this.#options;
    if (failure !== undefined && isFirst)
      this.#blank.replaceChildren(
        make('p', {}, `The ${nouns} can’t be read: ${failure}`),
        makeButton('Retry', () => this.#retry()),
      );
    else this.#blank.replaceChildren(make('p', {}, isFirst ? `Loading the ${nouns}…` : empty));
  }
}
