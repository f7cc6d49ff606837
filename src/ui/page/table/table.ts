import './table.css';
import { formatNumber, t } from '../../../l10n.ts';
import { Debouncer, Throttle } from '../../async.ts';
import type { TypedMessage } from '../../protocol.ts';
import type { Channel } from '../channel.ts';
import { make } from '../dom.ts';
import { makeButton, makeSelect } from '../toolkit.ts';
import { TableColumns, type ColumnChoice, type ColumnDefinition } from './columns.ts';
import { createColumnsButton, createTableStatus } from './controls.ts';
import { getNextSorting, TableModel, type Arrangement, type RowFilter, type TableTexts } from './model.ts';
import type { RowsPage, TableFromPage, TableRequests, TableRow } from './protocol.ts';
import { RowLoader } from './rowLoader.ts';
import { VirtualGrid } from './virtualGrid.ts';

/** The definition of a table. */
interface TableOptions extends TableTexts {
  readonly columns: readonly ColumnDefinition[];
  readonly pageSize: number;
  /** Maximum number of pages in memory. */
  readonly maxPages?: number;
  /** Filters of rows. */
  readonly filters?: readonly RowFilter[];
  /** The selection changed. */
  onSelectionChange?(): void;
}

/** The state of a table that its page stores. */
interface TableState {
  readonly columns?: ColumnChoice;
  readonly first?: number | undefined;
  /** Key of the filter. */
  readonly filter?: string | undefined;
}

/** The states of the tables, by tab. */
export type TableStates = Readonly<Record<string, TableState>>;

/** The channel of a page with tables. */
type TableChannel<Tab extends string> = Pick<
  Channel<TypedMessage, TableFromPage<Tab>, undefined, TableRequests<Tab>>,
  'post' | 'request'
>;

interface TableSurroundings<Tab extends string> {
  readonly channel: TableChannel<Tab>;
  readonly onStateChange: () => void;
  /** Added to the actions. */
  readonly buttons: readonly HTMLElement[];
}

/** Delay before the visible pages are requested: dragging the scrollbar passes many. */
const VIEW_DEBOUNCE_MS = 40;
const FIND_DEBOUNCE_MS = 120;
const LOAD_MORE_PAGES = 20;

/**
 * A table of any number of rows, loaded in pages as the user scrolls. Sorting, finding and filtering apply to the loaded rows, and the status
 * line always says so. Requires the controls `button`, `textField` and `checkbox`.
 */
class Table<Tab extends string> {
  readonly tab: Tab;
  readonly model: TableModel;
  readonly element: HTMLElement;
  readonly #options: TableOptions;
  readonly #channel: TableChannel<Tab>;
  readonly #onStateChange: () => void;
  readonly #loader: RowLoader;
  readonly #grid: VirtualGrid;
  /** Updates the parts around the grid, and returns whether there are rows to show. */
  readonly #showStatus: (model: TableModel) => boolean;
  readonly #find = make('vscode-text-field.table-find', { type: 'text', placeholder: getFindLabel() }, getFindLabel());
  readonly #filterPicker: HTMLSelectElement;
  readonly #copyButton = makeButton('', () => this.copy(), { title: t('Copies the visible columns as CSV') });
  readonly #viewing = new Debouncer(VIEW_DEBOUNCE_MS);
  /** Limits rendering while many pages are loaded. */
  readonly #throttle = new Throttle(() => this.#refresh());
  /** The position to restore once the rows are counted. */
  #scrollTo: number | undefined;

  constructor(
    tab: Tab,
    options: TableOptions,
    { columns, first, filter }: TableState,
    { channel, onStateChange, buttons }: TableSurroundings<Tab>,
  ) {
    this.tab = tab;
    this.#options = options;
    this.#channel = channel;
    this.#onStateChange = onStateChange;
    this.#scrollTo = first;
    this.#loader = new RowLoader({
      ...options,
      readPage: (page, signal) => this.#readPage(page, signal),
      count: (signal) => channel.request('count', { tab }, signal),
      onChange: (replaced) => this.#handleRows(replaced),
    });
    this.model = new TableModel(new TableColumns(options.columns, columns), this.#loader);
    const status = createTableStatus(options, {
      loadMore: () => this.#load(LOAD_MORE_PAGES),
      loadAll: () => this.#load(Infinity),
      stop: () => this.#loader.cancel(),
      showAll: () => this.#showAll(),
      retry: () => {
        this.#loader.retry();
        this.#refresh();
      },
    });
    this.#showStatus = status.show;
    this.#grid = new VirtualGrid(this.model, options, this);
    // Follows the grid's own listener, which updates the range.
    const onScroll = () => {
      this.#viewing.run(() => this.#loader.loadVisible());
      onStateChange();
    };
    this.#grid.element.addEventListener('scroll', onScroll, { passive: true });
    this.#filterPicker = this.#createFilterPicker();
    this.element = make('section.table', this.#createBar(buttons), ...status.above, this.#grid.element, status.line);
    this.model.arrange({ filter: this.#findFilter(filter) });
    this.#showFilter();
    this.#loader.start();
    this.#refresh();
  }

  get state(): TableState {
    return {
      columns: this.model.columns.choice,
      first: this.#scrollTo ?? this.#grid.first,
      filter: this.model.arrangement.filter?.key,
    };
  }

  /** Requests all rows again. The current rows and the scroll position stay. */
  reload(): void {
    this.#loader.reload();
    this.#refresh();
  }

  /** Cancels all requests. */
  dispose(): void {
    this.#loader.dispose();
  }

  /** A jump requests pages at once, a drag only when it pauses. */
  onRangeChange(): void {
    if (!this.#viewing.isWaiting) this.#loader.loadVisible();
  }

  onSelectionChange(): void {
    this.#describe();
    this.#options.onSelectionChange?.();
  }

  sort(key: string): void {
    this.#arrange({ sorting: getNextSorting(this.model.arrangement.sorting, key) });
  }

  copy(): void {
    const rows = this.model.getRowsToCopy();
    const columns = this.model.columns.visible.map(({ key }) => key);
    const missing = Math.max(0, this.model.selected.size - rows.length);
    this.#channel.post({ type: 'copy', columns, rows, missing });
  }

  #createBar(buttons: readonly HTMLElement[]) {
    const { tab } = this;
    const finding = new Debouncer(FIND_DEBOUNCE_MS);
    this.#find.addEventListener('input', () => finding.run(() => this.#arrange({ find: this.#find.value })));
    this.#find.addEventListener('keydown', ({ key }) => {
      if (this.#find.value === '') return;
      if (key === 'Enter') this.#load(Infinity);
      if (key !== 'Escape') return;
      this.#find.value = '';
      this.#arrange({ find: '' });
    });
    const filterLabel = make('span', { 'aria-hidden': 'true' }, getFilterLabel());
    const exportRows = () => this.#channel.post({ type: 'export', tab, expected: this.#loader.rows.total });
    const columnsButton = createColumnsButton(this.model.columns, () => {
      this.#grid.refresh();
      this.#onStateChange();
    });
    return make(
      'div.table-bar',
      this.#find,
      this.#filterPicker.length > 1 && make('div.table-filter', filterLabel, this.#filterPicker),
      make('div.table-actions', ...columnsButton, this.#copyButton, makeButton(t('Export…'), exportRows), ...buttons),
    );
  }

  #createFilterPicker() {
    const { filters = [] } = this.#options;
    const all = { key: '', label: t({ message: 'All', comment: 'All rows of the table' }) };
    const choices = [all, ...filters].map(({ key, label }) => [key, label] as const);
    return makeSelect({ 'aria-label': getFilterLabel() }, choices, (key) => {
      const filter = this.#findFilter(key);
      this.model.arrange({ filter });
      // Filtering needs all rows, so the others are loaded.
      if (filter && !this.#loader.isLoading) this.#loader.load(Infinity);
      this.#arrange({});
      this.#onStateChange();
    });
  }

  #findFilter(key: string | undefined) {
    return this.#options.filters?.find((filter) => filter.key === key);
  }

  #showFilter() {
    this.#filterPicker.value = this.model.arrangement.filter?.key ?? '';
  }

  async #readPage(page: number, signal: AbortSignal): Promise<RowsPage> {
    const read = await this.#channel.request('rows', { tab: this.tab, page }, signal);
    this.model.columns.addRows(read.rows);
    return read;
  }

  #handleRows(replaced?: RowLoader['rows']) {
    if (replaced) {
      this.model.deselectChanged(replaced);
      this.#options.onSelectionChange?.();
    }
    if (this.#loader.isLoading) this.#throttle.schedule();
    else this.#throttle.runNow();
  }

  #showAll() {
    this.#find.value = '';
    this.#arrange({ find: '', sorting: undefined, filter: undefined });
    this.#showFilter();
    this.#onStateChange();
    this.#grid.element.focus();
  }

  #load(pages: number) {
    this.#loader.load(pages);
    this.#describe();
  }

  #arrange(changed: Partial<Arrangement>) {
    this.model.arrange(changed);
    if (this.#loader.scope === 'range') this.#loader.stop();
    this.#refresh();
  }

  /** Shows the rows that are loaded now. */
  #refresh() {
    this.model.update();
    this.#describe();
    this.#grid.refresh();
    this.#restoreScroll();
  }

  #restoreScroll() {
    if (this.#scrollTo === undefined || this.model.arranged || this.#loader.rows.total === undefined) return;
    this.#grid.scrollTo(this.#scrollTo);
    this.#scrollTo = undefined;
  }

  /** Updates the status line. */
  #describe() {
    const { arranged, selected } = this.model;
    const { loaded } = this.#loader.rows;
    this.#grid.element.hidden = !this.#showStatus(this.model);
    this.element.ariaBusy = String(this.#loader.isBusy);
    this.#copyButton.disabled = loaded === 0;
    const count = formatNumber(selected.size || (arranged?.length ?? loaded));
    this.#copyButton.textContent =
      selected.size > 0 ? t`Copy Selected Rows (${count})` : t`Copy Loaded Rows (${count})`;
  }
}

function getFindLabel() {
  return t('Find in loaded rows, Enter for all');
}

function getFilterLabel() {
  return t({ message: 'Show', comment: 'Label of a choice of rows, such as "All"' });
}

/** Shows the table of the selected tab, and keeps the states of all tabs' tables. Only the shown table's rows are ever in memory. */
export class TabTables<Tab extends string> {
  readonly #channel: TableChannel<Tab>;
  readonly #onStateChange: () => void;
  #states: TableStates;
  #shown: Table<Tab> | undefined;

  constructor(channel: TableChannel<Tab>, onStateChange: () => void, states: TableStates = {}) {
    this.#channel = channel;
    this.#onStateChange = onStateChange;
    this.#states = states;
  }

  /** The states to store, by tab. */
  get states(): TableStates {
    if (this.#shown) this.#states = { ...this.#states, [this.#shown.tab]: this.#shown.state };
    return this.#states;
  }

  /** The selected rows that are loaded. */
  get selectedRows(): readonly TableRow[] {
    return this.#shown?.model.getSelectedRows() ?? [];
  }

  /** Shows the table of a tab in place of the content. `buttons` are added to its actions. */
  show(tab: Tab, content: HTMLElement, options: TableOptions, ...buttons: readonly HTMLElement[]): void {
    this.close();
    this.#shown = new Table(tab, options, this.#states[tab] ?? {}, {
      channel: this.#channel,
      onStateChange: this.#onStateChange,
      buttons,
    });
    content.replaceChildren(this.#shown.element);
  }

  /** Requests the rows again, or only those of a tab. */
  reload(tab?: Tab): void {
    if (tab === undefined || tab === this.#shown?.tab) this.#shown?.reload();
  }

  /** Stores the state of the current table and drops it. */
  close(): void {
    this.#states = this.states;
    this.#shown?.dispose();
    this.#shown = undefined;
  }

  /** Drops the current table and all scroll positions. */
  reset(): void {
    this.close();
    this.#states = Object.fromEntries(
      Object.entries(this.#states).map(([tab, state]) => [tab, { ...state, first: undefined }]),
    );
  }
}
