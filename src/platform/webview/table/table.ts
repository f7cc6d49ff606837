import './table.css';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../l10n.ts';
import { Debouncer, Throttle } from '../../ui/async.ts';
import { make } from '../dom.ts';
import type { MessageHandlers } from '../messages.ts';
import { makeButton, makeDropdown, type ChoiceElement } from '../toolkit.ts';
import { TableColumns, type ColumnChoice, type ColumnDefinition } from './columns.ts';
import { createColumnsButton, TableStatus } from './controls.ts';
import { TableGrid } from './grid.ts';
import { getNextSorting, TableModel, type Arrangement, type RowFilter, type TableTexts } from './model.ts';
import type { TableFromPage, TableRow, TableToPage } from './protocol.ts';
import { RowLoader } from './rows.ts';

/** The definition of a table. */
export interface TableOptions extends TableTexts {
  readonly columns: readonly ColumnDefinition[];
  readonly pageSize: number;
  /** Maximum number of pages in memory. */
  readonly maxPages?: number;
  /** Filters of rows. Requires the control `dropdown`. */
  readonly filters?: readonly RowFilter[];
  /** The selection changed. */
  onSelectionChange?(): void;
}

/** The state of a table that its page stores. */
export interface TableState {
  readonly columns?: ColumnChoice;
  readonly first?: number | undefined;
  /** Key of the filter. */
  readonly filter?: string | undefined;
}

/** The states of the tables, by tab. */
export type TableStates = Readonly<Record<string, TableState>>;

interface TableServices<Tab extends string> {
  post(message: TableFromPage<Tab>): void;
  onStateChange(): void;
}

let generationCount = 0;
const nextGeneration = (): number => (generationCount += 1);

/** Delay before the visible pages are requested: dragging the scrollbar passes many. */
const VIEW_DEBOUNCE_MS = 40;
const FIND_DEBOUNCE_MS = 120;
const LOAD_MORE_PAGES = 20;

/**
 * A table of any number of rows, loaded in pages as the user scrolls. Sorting, finding and filtering apply to the loaded rows, and the status line
 * says so. Requires the controls `button`, `textField` and `checkbox`.
 */
class RowTable<Tab extends string> {
  readonly element: HTMLElement;
  readonly #services: TableServices<Tab>;
  readonly #loader: RowLoader;
  readonly #model: TableModel;
  readonly #filters: readonly RowFilter[];
  readonly #findInput: HTMLElementTagNameMap['vscode-text-field'];
  readonly #filterPicker: ChoiceElement;
  readonly #copy = makeButton('', () => this.#copyRows(), { title: l10n.t('Copies the visible columns as CSV') });
  readonly #status: TableStatus;
  readonly #grid: TableGrid;
  /** Limits rendering while many pages are loaded. */
  readonly #throttle = new Throttle(() => this.#refresh());
  readonly #view = new Debouncer(VIEW_DEBOUNCE_MS);
  readonly #find = new Debouncer(FIND_DEBOUNCE_MS);
  /** The position to restore once the rows are counted. */
  #scrollTo: number | undefined;
  #generation = nextGeneration();

  /** `buttons` are added to the actions. */
  constructor(
    tab: Tab,
    options: TableOptions,
    { columns: columnChoice, first, filter }: TableState,
    services: TableServices<Tab>,
    buttons: readonly HTMLElement[],
  ) {
    const { label, columns: definitions, filters = [], onSelectionChange } = options;
    const { post, onStateChange } = services;
    this.#services = services;
    this.#filters = filters;
    this.#scrollTo = first;
    const columns = new TableColumns(definitions, columnChoice);
    this.#loader = new RowLoader({
      ...options,
      requestPages: (pages) => post({ type: 'requestPages', generation: this.#generation, tab, pages }),
      onChange: (isReplaced) => {
        if (isReplaced) {
          this.#model.selected.clear();
          onSelectionChange?.();
        }
        if (this.#loader.isLoading) this.#throttle.schedule();
        else this.#throttle.runNow();
      },
    });
    this.#model = new TableModel(columns, this.#loader);
    const findLabel = l10n.t('Find in loaded rows');
    const findAttributes = { type: 'text', class: 'table-find', placeholder: findLabel };
    this.#findInput = make('vscode-text-field', findAttributes, findLabel);
    this.#findInput.addEventListener('input', () =>
      this.#find.run(() => this.#arrange({ find: this.#findInput.value })),
    );
    this.#findInput.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || this.#findInput.value === '') return;
      this.#findInput.value = '';
      this.#arrange({ find: '' });
    });
    const filterText = l10n.t({ message: 'Show', args: [], comment: 'Label of a choice of rows, such as "All"' });
    const allText = l10n.t({ message: 'All', args: [], comment: 'All rows of the table' });
    const filterOptions = [{ key: '', label: allText }, ...filters].map(({ key, label: name }) => [key, name] as const);
    this.#filterPicker = makeDropdown({ 'aria-label': filterText }, filterOptions, (key) => this.#filter(key));
    this.#status = new TableStatus(options, {
      loadMore: () => this.#load(LOAD_MORE_PAGES),
      loadAll: () => this.#load(Infinity),
      stop: () => this.#loader.cancel(),
      showAll: () => {
        this.#findInput.value = '';
        this.#arrange({ find: '', sorting: undefined, filter: undefined });
        this.#showFilter();
        onStateChange();
        this.#grid.element.focus();
      },
      retry: () => {
        this.#loader.retry();
        this.#refresh();
      },
    });
    this.#grid = new TableGrid(this.#model, label, {
      onRangeChange: () => this.#loadVisible(),
      onSelectionChange: () => {
        this.#describe();
        onSelectionChange?.();
      },
      sort: (key) => this.#arrange({ sorting: getNextSorting(this.#model.arrangement.sorting, key) }),
      copy: () => this.#copyRows(),
    });
    this.#grid.element.addEventListener('scroll', onStateChange, { passive: true });
    const [columnsButton, columnsPopover] = createColumnsButton(columns, () => {
      this.#grid.refresh();
      onStateChange();
    });
    const exportRows = (): void => post({ type: 'export', tab, expected: this.#loader.rows.total });
    const exportButton = makeButton(l10n.t('Export…'), exportRows);
    const actions = make('div', { class: 'table-actions' }, columnsButton, this.#copy, exportButton, ...buttons);
    const filterLabel = make('span', { 'aria-hidden': 'true' }, filterText);
    const filterBox = filters.length > 0 && make('div', { class: 'table-filter' }, filterLabel, this.#filterPicker);
    this.element = make(
      'section',
      { class: 'table' },
      make('div', { class: 'table-bar' }, this.#findInput, filterBox, actions),
      ...this.#status.above,
      this.#grid.element,
      this.#status.line,
      columnsPopover,
    );
    this.#model.arrange({ filter: this.#findFilter(filter) });
    this.#showFilter();
    this.#loader.start();
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
    this.#generation = nextGeneration();
    this.#loader.reload();
    this.#refresh();
  }

  /** Handles a response, unless the rows were requested again since. */
  receive(message: TableToPage): void {
    if (message.generation !== this.#generation) return;
    if (message.type === 'failed') this.#loader.setFailure(message.page, message.message);
    else if (message.type === 'count') this.#loader.setTotal(message.count, message.message);
    else {
      this.#model.columns.addRows(message.rows);
      this.#loader.addPage(message.page, message.rows, message.isLast);
    }
  }

  /** A jump requests pages at once, a drag only when it pauses. */
  #loadVisible(): void {
    if (!this.#view.isWaiting) this.#loader.loadVisible();
    this.#view.run(() => this.#loader.loadVisible());
  }

  #findFilter(key: string | undefined): RowFilter | undefined {
    return this.#filters.find((filter) => filter.key === key);
  }

  #showFilter(): void {
    // The dropdown accepts a value only once it has its options.
    requestAnimationFrame(() => {
      this.#filterPicker.value = this.#model.arrangement.filter?.key ?? '';
    });
  }

  /** Filtering needs all rows, so the others are loaded. */
  #filter(key: string): void {
    const filter = this.#findFilter(key);
    if (filter === this.#model.arrangement.filter) return;
    this.#model.arrange({ filter });
    if (filter && !this.#loader.isLoading) this.#loader.load(Infinity);
    this.#arrange({});
    this.#services.onStateChange();
  }

  #arrange(changed: Partial<Arrangement>): void {
    this.#model.arrange(changed);
    if (this.#loader.scope === 'range') this.#loader.stop();
    this.#refresh();
  }

  /** Shows the rows that are loaded now. */
  #refresh(): void {
    this.#model.update();
    this.#describe();
    this.#grid.refresh();
    if (this.#scrollTo === undefined || this.#model.arranged || this.#loader.rows.total === undefined) return;
    this.#grid.scrollTo(this.#scrollTo);
    this.#scrollTo = undefined;
  }

  #load(pages: number): void {
    this.#loader.load(pages);
    this.#describe();
  }

  #copyRows(): void {
    const rows = this.#model.getRowsToCopy();
    const columns = this.#model.columns.visible.map(({ key }) => key);
    this.#services.post({ type: 'copy', columns, rows, missing: Math.max(0, this.#model.selected.size - rows.length) });
  }

  /** Updates the status line. */
  #describe(): void {
    const { arranged, selected } = this.#model;
    const { loaded } = this.#loader.rows;
    this.#grid.element.hidden = !this.#status.show(this.#model);
    this.element.ariaBusy = String(this.#loader.isBusy);
    this.#copy.disabled = loaded === 0;
    const count = formatNumber(selected.size || (arranged?.length ?? loaded));
    this.#copy.textContent = selected.size > 0 ? l10n.t`Copy ${count} Selected` : l10n.t`Copy ${count} Loaded`;
  }
}

/** Creates the table of the selected tab, and stores the states of all tabs' tables. */
export class TabTables<Tab extends string> {
  readonly handlers: MessageHandlers<TableToPage> = {
    rows: (message) => this.#table?.receive(message),
    failed: (message) => this.#table?.receive(message),
    count: (message) => this.#table?.receive(message),
  };
  readonly #services: TableServices<Tab>;
  #states: TableStates = {};
  #tab: Tab | undefined;
  #table: RowTable<Tab> | undefined;

  constructor(post: (message: TableFromPage<Tab>) => void, onStateChange: () => void) {
    this.#services = { post, onStateChange };
  }

  /** The selected rows that are loaded. */
  get selectedRows(): readonly TableRow[] {
    return this.#table?.selectedRows ?? [];
  }

  /** The states to store, by tab. */
  get states(): TableStates {
    if (this.#table && this.#tab !== undefined) this.#states = { ...this.#states, [this.#tab]: this.#table.state };
    return this.#states;
  }

  restore(states: TableStates = {}): void {
    this.#states = states;
  }

  /** Drops the scroll positions, and the current table without storing its state. */
  reset(): void {
    this.#table = undefined;
    this.#states = Object.fromEntries(
      Object.entries(this.#states).map(([tab, state]) => [tab, { ...state, first: undefined }]),
    );
  }

  /** Stores the state of the current table and drops it. Its rows don't stay in memory. */
  close(): void {
    this.#states = this.states;
    this.#table = undefined;
  }

  /** Shows the table of a tab in place of the content. `buttons` are added to its actions. */
  show(tab: Tab, content: HTMLElement, options: TableOptions, ...buttons: readonly HTMLElement[]): void {
    this.close();
    this.#tab = tab;
    this.#table = new RowTable(tab, options, this.#states[tab] ?? {}, this.#services, buttons);
    content.replaceChildren(this.#table.element);
  }

  /** Requests the rows again. */
  reload(): void {
    this.#table?.reload();
  }
}
