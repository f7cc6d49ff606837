import './table.css';
import { Debouncer, Throttle } from '../../ui/async.ts';
import { make } from '../dom.ts';
import type { MessageHandlers } from '../messages.ts';
import { makeButton, type ButtonElement, type TextElement } from '../toolkit.ts';
import { TableColumns, type ColumnChoice, type ColumnDefinition } from './columns.ts';
import { createColumnsButton, FilterPicker, TableStatus } from './controls.ts';
import { TableGrid } from './grid.ts';
import { getNextSorting, TableModel, type Arrangement, type RowFilter } from './model.ts';
import type { TableFromPage, TableRow, TableToPage } from './protocol.ts';
import { RowLoader } from './rows.ts';

/** The definition of a table. */
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
  /** The selection changed. */
  onSelectionChange?(): void;
}

interface TableActions {
  /** Requests pages and cancels previous requests for others. */
  requestPages(pages: readonly number[]): void;
  /** Copies rows. `missing` is the number of selected rows that are not loaded. */
  copy(columns: readonly string[], rows: readonly TableRow[], missing: number): void;
  /** The state changed. */
  onStateChange(): void;
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
const FIND_DEBOUNCE_MS = 120;
const LOAD_MORE_PAGES = 20;

const copyCountFormat = new Intl.NumberFormat();

/**
 * A table of any number of rows, loaded in pages as the user scrolls. Sorting, finding and filtering apply to the loaded rows, and the status line
 * says so. Requires the controls `button`, `textField` and `checkbox`.
 */
export class RowTable {
  readonly element: HTMLElement;
  readonly loader: RowLoader;
  /** Container for the page's own buttons. */
  readonly actions: HTMLElement;
  readonly #options: TableOptions & TableActions;
  readonly #model: TableModel;
  readonly #findInput: TextElement;
  readonly #filterPicker: FilterPicker;
  readonly #copy: ButtonElement;
  readonly #status: TableStatus;
  readonly #grid: TableGrid;
  /** Limits rendering while many pages are loaded. */
  readonly #throttle = new Throttle(() => this.#refresh());
  readonly #view = new Debouncer(VIEW_DEBOUNCE_MS);
  readonly #find = new Debouncer(FIND_DEBOUNCE_MS);
  /** The position to restore once the rows are counted. */
  #scrollTo: number | undefined;

  constructor(options: TableOptions & TableActions, { columns: columnChoice, first, filter }: TableState) {
    const { nouns, columns: definitions, filters = [], onSelectionChange } = options;
    this.#options = options;
    this.#scrollTo = first;
    const columns = new TableColumns(definitions, columnChoice);
    this.loader = new RowLoader({
      ...options,
      onChange: (isReplaced) => {
        if (isReplaced) {
          this.#model.selected.clear();
          onSelectionChange?.();
        }
        if (this.loader.isLoading) this.#throttle.schedule();
        else this.#throttle.runNow();
      },
    });
    this.#model = new TableModel(columns, this.loader);
    const findAttributes = { type: 'text', class: 'table-find', placeholder: `Find in the loaded ${nouns}` };
    this.#findInput = make('vscode-text-field', findAttributes, `Find in the loaded ${nouns}`) as TextElement;
    this.#findInput.addEventListener('input', () =>
      this.#find.run(() => this.#arrange({ find: this.#findInput.value })),
    );
    this.#findInput.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || this.#findInput.value === '') return;
      this.#findInput.value = '';
      this.#arrange({ find: '' });
    });
    this.#filterPicker = new FilterPicker(filters, (selected) => this.#filter(selected));
    this.#copy = makeButton('Copy', () => this.#copyRows());
    this.#copy.title = 'As CSV, with the columns that are shown';
    this.#status = new TableStatus(nouns, {
      loadMore: () => this.#load(LOAD_MORE_PAGES),
      loadAll: () => this.#load(Infinity),
      stop: () => this.loader.cancel(),
      showAll: () => {
        this.#findInput.value = '';
        this.#filterPicker.show(undefined);
        this.#arrange({ find: '', sorting: undefined, filter: undefined });
        options.onStateChange();
        this.#grid.element.focus();
      },
      retry: () => {
        this.loader.retry();
        this.#refresh();
      },
    });
    this.#grid = new TableGrid(this.#model, nouns, {
      onRangeChange: () => this.#loadVisible(),
      onSelectionChange: () => {
        this.#describe();
        onSelectionChange?.();
      },
      sort: (key) => this.#arrange({ sorting: getNextSorting(this.#model.arrangement.sorting, key) }),
      copy: () => this.#copyRows(),
    });
    this.#grid.element.addEventListener('scroll', () => options.onStateChange(), { passive: true });
    const [columnsButton, columnsPopover] = createColumnsButton(columns, () => {
      this.#grid.refresh();
      options.onStateChange();
    });
    this.actions = make('div', { class: 'table-actions' }, columnsButton, this.#copy);
    const filterElements = filters.length > 0 ? [this.#filterPicker.element] : [];
    this.element = make(
      'section',
      { class: 'table' },
      make('div', { class: 'table-bar' }, this.#findInput, ...filterElements, this.actions),
      ...this.#status.above,
      this.#grid.element,
      this.#status.line,
      columnsPopover,
    );
    const selected = this.#filterPicker.find(filter);
    this.#filterPicker.show(selected);
    this.#model.arrange({ filter: selected });
    this.loader.start();
    this.#refresh();
  }

  get state(): TableState {
    return {
      columns: this.#model.columns.choice,
      first: this.#scrollTo ?? this.#grid.first,
      filter: this.#model.arrangement.filter?.key,
    };
  }

  /** The selected rows that are loaded. */
  get selectedRows(): readonly TableRow[] {
    return this.#model.getSelectedRows();
  }

  /** Requests all rows again. The current rows and the scroll position stay. */
  reload(): void {
    this.loader.reload();
    this.#refresh();
  }

  addPage(page: number, rows: readonly TableRow[], isLast: boolean): void {
    this.#model.columns.addRows(rows);
    this.loader.addPage(page, rows, isLast);
  }

  /** A jump requests pages at once, a drag only when it pauses. */
  #loadVisible(): void {
    if (!this.#view.isWaiting) this.loader.loadVisible();
    this.#view.run(() => this.loader.loadVisible());
  }

  /** Filtering needs all rows, so the others are loaded. */
  #filter(filter: RowFilter | undefined): void {
    this.#model.arrange({ filter });
    if (filter && !this.loader.isLoading) this.loader.load(Infinity);
    this.#arrange({});
    this.#options.onStateChange();
  }

  #arrange(changed: Partial<Arrangement>): void {
    this.#model.arrange(changed);
    if (this.loader.scope === 'range') this.loader.stop();
    this.#refresh();
  }

  /** Shows the rows that are loaded now. */
  #refresh(): void {
    this.#model.update();
    this.#describe();
    this.#grid.refresh();
    if (this.#scrollTo === undefined || this.#model.arranged || this.loader.rows.total === undefined) return;
    this.#grid.scrollTo(this.#scrollTo);
    this.#scrollTo = undefined;
  }

  #load(pages: number): void {
    this.loader.load(pages);
    this.#describe();
  }

  #copyRows(): void {
    const rows = this.#model.getRowsToCopy();
    const selectedCount = this.#model.selected.size;
    const columns = this.#model.columns.visible.map(({ key }) => key);
    this.#options.copy(columns, rows, selectedCount === 0 ? 0 : selectedCount - rows.length);
  }

  /** Updates the status line. */
  #describe(): void {
    const { noun, nouns, empty } = this.#options;
    const { figures } = this.loader;
    const { arranged: indices, arrangement } = this.#model;
    const selected = this.#model.selected.size;
    const arranged = indices && {
      count: indices.length,
      isFound: arrangement.find.trim() !== '',
      isSorted: arrangement.sorting !== undefined,
      filter: arrangement.filter?.label.toLowerCase(),
    };
    const isShown = this.#status.show({ noun, nouns, ...figures, selected, arranged }, empty);
    this.#grid.element.hidden = !isShown;
    this.element.ariaBusy = String(this.loader.isBusy);
    this.#copy.disabled = figures.loaded === 0;
    const copied = selected || (indices?.length ?? figures.loaded);
    this.#copy.textContent = `Copy ${copyCountFormat.format(copied)} ${selected > 0 ? 'Selected' : 'Loaded'}`;
  }
}

/** Creates the table of the selected tab, stores the states of all tabs' tables, and ignores responses to earlier requests. */
export class TabTables<Tab extends string> {
  readonly handlers: MessageHandlers<TableToPage> = {
    rows: ({ generation, page, rows, isLast }) =>
      generation === this.#generation && this.#table?.addPage(page, rows, isLast),
    failed: ({ generation, page, message }) =>
      generation === this.#generation && this.#table?.loader.setFailure(page, message),
    count: ({ generation, count, message }) =>
      generation === this.#generation && this.#table?.loader.setTotal(count, message),
  };
  readonly #post: (message: TableFromPage<Tab>) => void;
  readonly #onStateChange: () => void;
  #states: Readonly<Record<string, TableState>> = {};
  #tab: Tab | undefined;
  #table: RowTable | undefined;
  #generation = 0;

  constructor(post: (message: TableFromPage<Tab>) => void, onStateChange: () => void) {
    this.#post = post;
    this.#onStateChange = onStateChange;
  }

  /** The selected rows that are loaded. */
  get selectedRows(): readonly TableRow[] {
    return this.#table?.selectedRows ?? [];
  }

  /** The states to store, by tab. */
  get states(): Readonly<Record<string, TableState>> {
    if (this.#table && this.#tab !== undefined) this.#states = { ...this.#states, [this.#tab]: this.#table.state };
    return this.#states;
  }

  restore(states: Readonly<Record<string, TableState>> = {}): void {
    this.#states = states;
  }

  /** Drops the scroll positions, and the current table without storing its state. */
  reset(): void {
    this.#table = undefined;
    this.#states = Object.fromEntries(
      Object.entries(this.#states).map(([tab, { first: _first, ...state }]) => [tab, state]),
    );
  }

  /** Stores the state of the current table and drops it. Its rows don't stay in memory. */
  close(): void {
    this.#states = this.states;
    this.#generation += 1;
    this.#table = undefined;
  }

  /** Shows the table of a tab in place of the content. `buttons` are added to its actions. */
  show(tab: Tab, content: HTMLElement, options: TableOptions, ...buttons: readonly HTMLElement[]): void {
    this.close();
    const actions: TableActions = {
      requestPages: (pages) => this.#post({ type: 'requestPages', generation: this.#generation, tab, pages }),
      copy: (columns, rows, missing) => this.#post({ type: 'copy', columns, rows, missing }),
      onStateChange: () => table === this.#table && this.#onStateChange(),
    };
    const table: RowTable = new RowTable({ ...options, ...actions }, this.#states[tab] ?? {});
    const exportRows = (): void => this.#post({ type: 'export', tab, expected: table.loader.rows.total });
    table.actions.append(makeButton('Export…', exportRows), ...buttons);
    this.#tab = tab;
    this.#table = table;
    content.replaceChildren(table.element);
  }

  /** Requests the rows again. */
  reload(): void {
    this.#generation += 1;
    this.#table?.reload();
  }
}
