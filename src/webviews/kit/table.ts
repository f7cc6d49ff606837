import './table.css';
import { make } from './dom.ts';
import { TableColumns, type ColumnChoice, type Column, type ColumnLook } from './tableColumns.ts';
import { TableGrid, type GridSource, type Selecting } from './tableGrid.ts';
import { ColumnMenu } from './tableMenu.ts';
import { arrange, nextSorting, type Sorting } from './tableOrder.ts';
import { PagedRows, type Row } from './tableRows.ts';
import { TableSelection } from './tableSelection.ts';
import type { ButtonElement, TextElement } from './toolkit.ts';

/** What a table needs of the page it is in. */
export interface TableOptions {
  /** What the rows are: "subscriber", "subscribers". */
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly ColumnLook[];
  readonly pageSize: number;
  /** Pages kept at most. */
  readonly kept?: number;
  /** Said where there is no row. */
  readonly empty: string;
  /** Pages that are to be read now; those that were asked for before and are not among them are no longer wanted. */
  want(pages: readonly number[]): void;
  /** Rows to be copied, and how many of those that were chosen are not here. */
  copy(columns: readonly string[], rows: readonly Row[], missing: number): void;
  /** Something changed that is to be kept: see `TableState`. */
  changed(): void;
}

/** What outlives a table: how it was looked at. */
export interface TableState {
  readonly columns?: ColumnChoice;
  readonly first?: number;
}

/** How long the view must rest before what is in it is asked for, in ms: a scrollbar that is dragged passes by much. */
const rest = 60;
/** Pages that one press of "Load More" reads, and how many of them at once. */
const [loadedMore, atOnce] = [20, 4];

const format = new Intl.NumberFormat();

/**
 * A table of any number of rows that arrive in pages as they are scrolled to. Sorting and finding work on the rows that are here, and
 * say so: then these alone are shown. It knows nothing of what the rows are. Needs the controls `button`, `textField` and `checkbox`.
 */
export class RowTable implements GridSource {
  readonly element: HTMLElement;
  /** For the page's own buttons, beside the table's. */
  readonly actions = make('div', { class: 'table-actions' });
  readonly #options: TableOptions;
  readonly #columns: TableColumns;
  readonly #selection = new TableSelection();
  readonly #find: TextElement;
  readonly #copy: ButtonElement;
  readonly #status = make('div', { class: 'table-status', role: 'status' });
  readonly #notice = make('div', { class: 'table-notice', hidden: '' });
  readonly #blank = make('div', { class: 'table-blank', role: 'status' });
  readonly #grid: TableGrid;
  #rows: PagedRows;
  #sorting: Sorting | undefined;
  #arranged: readonly number[] | undefined;
  #wanted: readonly number[] = [];
  #more: number[] = [];
  #range: readonly [number, number] = [0, -1];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #findTimer: ReturnType<typeof setTimeout> | undefined;
  #scrollTo: number | undefined;
  #countFailure: string | undefined;
  #started = false;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#columns = new TableColumns(options.columns);
    this.#rows = new PagedRows(options.pageSize, options.kept);
    this.#find = make('vscode-text-field', { type: 'text', class: 'table-find', placeholder: `Find in the loaded ${options.nouns}` }) as TextElement;
    this.#copy = make('vscode-button', { appearance: 'secondary' }, 'Copy') as ButtonElement;
    const menu = new ColumnMenu(() => this.#columns.all.map((column) => ({ ...column, visible: this.#columns.isVisible(column.key) })), (key, visible) => this.#showColumn(key, visible));
    this.#grid = new TableGrid(this, options.nouns);
    this.actions.append(menu.button, this.#copy);
    const bar = make('div', { class: 'table-bar' }, this.#find, this.actions);
    this.element = make('section', { class: 'table' }, bar, this.#notice, this.#blank, this.#grid.element, this.#status, menu.panel);
    this.#find.addEventListener('input', () => this.#findSoon());
    this.#find.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#find.value === '') return;
      this.#find.value = '';
      this.#arrange();
    });
    this.#copy.addEventListener('click', () => this.copy());
    this.#grid.element.addEventListener('scroll', () => this.#started && options.changed(), { passive: true });
  }

  /** To be called once, when the element is in the page: asks for the first rows. */
  start(): void {
    // The control gives itself a name when it comes into the page.
    this.#find.setAttribute('aria-label', `Find in the loaded ${this.#options.nouns}`);
    this.#grid.start();
    this.#started = true;
    this.#ask([0]);
    this.#draw();
  }

  /** Forgets all rows and asks for them again; the view stays where it is. */
  reload(): void {
    this.#scrollTo = this.#grid.first;
    this.#rows = new PagedRows(this.#options.pageSize, this.#options.kept);
    this.#more = [];
    this.#countFailure = undefined;
    this.#selection.clear();
    this.#ask([0]);
    this.#arrange();
  }

  get state(): TableState {
    return { columns: this.#columns.choice, first: this.#scrollTo ?? this.#grid.first };
  }

  /** To be called before `start`. */
  restore({ columns, first }: TableState): void {
    if (columns) this.#columns.choice = columns;
    this.#scrollTo = first;
  }

  /** How many rows there are, where that is known. */
  get total(): number | undefined {
    return this.#rows.total;
  }

  get atLeast(): number {
    return this.#rows.atLeast;
  }

  focus(): void {
    this.#grid.element.focus();
  }

  arrived(page: number, rows: readonly Row[], ended: boolean): void {
    this.#columns.learn(rows);
    this.#rows.arrived(page, rows, ended);
    this.#settled(page);
  }

  failed(page: number, message: string): void {
    this.#rows.failed(page, message);
    this.#more = [];
    this.#settled(page);
  }

  /** How many rows there are was found out; or why it could not be. */
  counted(count: number | undefined, message?: string): void {
    if (count === undefined) this.#countFailure = message;
    else this.#rows.counted(count);
    this.#draw();
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
    this.#grid.mark();
    this.#describe();
  }

  selectAll(): void {
    this.#selection.all(this.#arranged ?? this.#rows.indices());
    this.#grid.mark();
    this.#describe();
  }

  clearSelection(): void {
    this.#selection.clear();
    this.#grid.mark();
    this.#describe();
  }

  /** Copies the selected rows in the order they are shown in; where none is selected, all that are loaded. */
  copy(): void {
    const shown = this.#arranged ?? this.#rows.indices();
    const chosen = this.#selection.size === 0 ? shown : [...shown.filter((index) => this.#selection.has(index)), ...this.#hiddenSelected(shown)];
    const rows = chosen.map((index) => this.#rows.at(index)).filter((row) => row !== undefined);
    const wanted = this.#selection.size === 0 ? rows.length : this.#selection.size;
    this.#options.copy(this.columns.map(({ key }) => key), rows, wanted - rows.length);
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

  /** Shows what is loaded in the order, and as far as it is found, that the user asks for; or everything again. */
  #arrange(): void {
    const find = this.#find.value;
    const textsOf = (row: Row): readonly string[] => this.#columns.all.map((column) => this.#columns.text(column, row));
    const isArranged = this.#sorting !== undefined || find.trim() !== '';
    this.#arranged = isArranged ? arrange(this.#rows.indices(), (index) => this.#rows.at(index), { find, sorting: this.#sorting, textsOf }) : undefined;
    if (!isArranged) this.#more = [];
    this.#draw();
  }

  #ask(pages: readonly number[]): void {
    this.#wanted = pages;
    this.#options.want(pages);
  }

  #askForRange(): void {
    const pages = this.#rows.missing(...this.#range);
    if (pages.every((page) => this.#wanted.includes(page)) && this.#wanted.length > 0) return;
    if (pages.length > 0 || this.#wanted.length > 0) this.#ask(pages);
  }

  #settled(page: number): void {
    this.#wanted = this.#wanted.filter((each) => each !== page);
    if (this.#more.length > 0 && this.#wanted.length === 0) this.#ask(this.#more.splice(0, atOnce));
    if (this.#arranged) this.#arrange();
    else this.#draw();
  }

  #loadMore(): void {
    this.#more = this.#rows.more(loadedMore);
    this.#ask(this.#more.splice(0, atOnce));
    this.#describe();
  }

  #retry(): void {
    this.#rows.retry();
    if (this.#rows.length === 0) this.#ask([0]);
    else if (!this.#arranged) this.#ask(this.#rows.missing(...this.#range));
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
    const { noun, nouns, empty } = this.#options;
    const { loaded, failure, total } = this.#rows;
    const amount = (count: number): string => `${format.format(count)} ${count === 1 ? noun : nouns}`;
    const isFirst = this.#rows.length === 0 && total === undefined;
    this.#grid.element.hidden = isFirst || this.#rows.isEmpty;
    this.#blank.hidden = !this.#grid.element.hidden;
    this.element.setAttribute('aria-busy', String(this.#wanted.length > 0));
    if (!this.#blank.hidden) this.#showBlank(isFirst, failure, empty);
    this.#notice.hidden = failure === undefined || isFirst;
    if (!this.#notice.hidden) this.#notice.replaceChildren(make('span', {}, `Some ${nouns} could not be read: ${failure}`), this.#button('Retry', () => this.#retry()));
    this.#copy.disabled = loaded === 0;
    this.#copy.textContent = this.#selection.size > 0 ? `Copy ${format.format(this.#selection.size)} Selected` : `Copy ${format.format(this.#arranged?.length ?? loaded)} Loaded`;
    this.#copy.title = 'As CSV, with the columns that are shown';
    const size = total === undefined ? `At least ${amount(this.#rows.atLeast)}` : amount(total);
    const why = total === undefined && this.#countFailure !== undefined ? ` (they can’t be counted: ${this.#countFailure})` : '';
    this.#status.replaceChildren(...(this.#blank.hidden ? this.#statusParts(size + why, loaded, total) : []));
  }

  #statusParts(size: string, loaded: number, total: number | undefined): (Node | string)[] {
    const { nouns } = this.#options;
    const selected = this.#selection.size > 0 ? `${format.format(this.#selection.size)} selected` : '';
    if (!this.#arranged) return [make('span', {}, [size, `${format.format(loaded)} loaded`, selected].filter(Boolean).join(' · '))];
    const what = this.#find.value.trim() === '' ? 'Sorted' : `${format.format(this.#arranged.length)} found${this.#sorting ? ', sorted,' : ''}`;
    const scope = loaded === total ? `among all ${format.format(loaded)}` : `only among the ${format.format(loaded)} loaded of ${size.toLowerCase()}`;
    const parts: (Node | string)[] = [make('span', {}, [`${what} ${scope}`, selected].filter(Boolean).join(' · '))];
    if (loaded !== total && loaded < this.#rows.capacity) parts.push(this.#wanted.length > 0 ? make('span', {}, 'Loading…') : this.#button('Load More', () => this.#loadMore()));
    if (loaded >= this.#rows.capacity && loaded !== total) parts.push(make('span', {}, `No more are kept at once: export all ${nouns} instead.`));
    parts.push(this.#button('Show All', () => this.#showAll()));
    return parts;
  }

  #showAll(): void {
    this.#sorting = undefined;
    this.#find.value = '';
    this.#arrange();
    this.focus();
  }

  #showBlank(isFirst: boolean, failure: string | undefined, empty: string): void {
    if (failure !== undefined && isFirst) {
      this.#blank.replaceChildren(make('p', {}, `The ${this.#options.nouns} can’t be read: ${failure}`), this.#button('Retry', () => this.#retry()));
    } else this.#blank.replaceChildren(make('p', {}, isFirst ? `Loading the ${this.#options.nouns}…` : empty));
  }

  #button(label: string, act: () => void): HTMLElement {
    const button = make('vscode-button', { appearance: 'secondary' }, label);
    button.addEventListener('click', act);
    return button;
  }
}
