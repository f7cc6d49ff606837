import './table.css';
import { t } from '@vscode/l10n';
import { formatNumber } from '../../../l10n.ts';
import { Debouncer, Throttle } from '../../async.ts';
import { make } from '../dom.ts';
import { makeButton, makeSelect } from '../toolkit.ts';
import { TableColumns, type ColumnChoice, type ColumnDefinition } from './columns.ts';
import { createColumnsButton, createTableStatus } from './controls.ts';
import { createGrid } from './grid.ts';
import { getNextSorting, TableModel, type Arrangement, type RowFilter, type TableTexts } from './model.ts';
import type { TableFromPage, TableToPage } from './protocol.ts';
import { createRowLoader } from './rows.ts';

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

let generationCount = 0;

/** Delay before the visible pages are requested: dragging the scrollbar passes many. */
const VIEW_DEBOUNCE_MS = 40;
const FIND_DEBOUNCE_MS = 120;
const LOAD_MORE_PAGES = 20;

/**
 * Creates a table of any number of rows, loaded in pages as the user scrolls. Sorting, finding and filtering apply to the loaded rows, and the status
 * line says so. `buttons` are added to the actions. Requires the controls `button`, `textField` and `checkbox`.
 */
function createTable<Tab extends string>(
  tab: Tab,
  options: TableOptions,
  { columns: columnChoice, first, filter }: TableState,
  post: (message: TableFromPage<Tab>) => void,
  onStateChange: () => void,
  buttons: readonly HTMLElement[],
) {
  const { columns: definitions, filters = [], onSelectionChange } = options;
  const view = new Debouncer(VIEW_DEBOUNCE_MS);
  const finding = new Debouncer(FIND_DEBOUNCE_MS);
  /** Limits rendering while many pages are loaded. */
  const throttle = new Throttle(refresh);
  let generation = (generationCount += 1);
  /** The position to restore once the rows are counted. */
  let scrollTo = first;
  const loader = createRowLoader({
    ...options,
    requestPages: (pages) => post({ type: 'requestPages', generation, tab, pages }),
    onChange: (isReplaced) => {
      if (isReplaced) {
        model.selected.clear();
        onSelectionChange?.();
      }
      if (loader.isLoading) throttle.schedule();
      else throttle.runNow();
    },
    onCount: () => {
      describe();
      grid.resize();
      restoreScroll();
    },
  });
  const model = new TableModel(new TableColumns(definitions, columnChoice), loader);

  const findLabel = t('Find in loaded rows');
  const find = make('vscode-text-field.table-find', { type: 'text', placeholder: findLabel }, findLabel);
  find.addEventListener('input', () => finding.run(() => arrange({ find: find.value })));
  find.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || find.value === '') return;
    find.value = '';
    arrange({ find: '' });
  });
  const filterText = t({ message: 'Show', comment: 'Label of a choice of rows, such as "All"' });
  const allText = t({ message: 'All', comment: 'All rows of the table' });
  const filterOptions = [{ key: '', label: allText }, ...filters].map(({ key, label: name }) => [key, name] as const);
  const filterPicker = makeSelect({ 'aria-label': filterText }, filterOptions, (key) => {
    const chosen = filters.find((each) => each.key === key);
    model.arrange({ filter: chosen });
    // Filtering needs all rows, so the others are loaded.
    if (chosen && !loader.isLoading) loader.load(Infinity);
    arrange({});
    onStateChange();
  });
  const filterBox =
    filters.length > 0 && make('div.table-filter', make('span', { 'aria-hidden': 'true' }, filterText), filterPicker);
  const copy = makeButton('', copyRows, { title: t('Copies the visible columns as CSV') });
  const exportButton = makeButton(t('Export…'), () => post({ type: 'export', tab, expected: loader.rows.total }));
  const [columnsButton, columnsPopover] = createColumnsButton(model.columns, () => {
    grid.refresh();
    onStateChange();
  });
  const status = createTableStatus(options, {
    loadMore: () => load(LOAD_MORE_PAGES),
    loadAll: () => load(Infinity),
    stop: () => loader.cancel(),
    showAll: () => {
      find.value = '';
      arrange({ find: '', sorting: undefined, filter: undefined });
      showFilter();
      onStateChange();
      grid.element.focus();
    },
    retry: () => {
      loader.retry();
      refresh();
    },
  });
  const grid = createGrid(model, options, {
    // A jump requests pages at once, a drag only when it pauses.
    onRangeChange: () => {
      if (!view.isWaiting) loader.loadVisible();
    },
    onSelectionChange: () => {
      describe();
      onSelectionChange?.();
    },
    sort: (key) => arrange({ sorting: getNextSorting(model.arrangement.sorting, key) }),
    copy: copyRows,
  });
  // Follows the grid's own listener, which updates the range.
  const onScroll = () => {
    view.run(() => loader.loadVisible());
    onStateChange();
  };
  grid.element.addEventListener('scroll', onScroll, { passive: true });
  const actions = make('div.table-actions', columnsButton, copy, exportButton, ...buttons);
  const element = make(
    'section.table',
    make('div.table-bar', find, filterBox, actions),
    ...status.above,
    grid.element,
    status.line,
    columnsPopover,
  );

  function showFilter() {
    filterPicker.value = model.arrangement.filter?.key ?? '';
  }

  function arrange(changed: Partial<Arrangement>) {
    model.arrange(changed);
    if (loader.scope === 'range') loader.stop();
    refresh();
  }

  /** Shows the rows that are loaded now. */
  function refresh() {
    model.update();
    describe();
    grid.refresh();
    restoreScroll();
  }

  function restoreScroll() {
    if (scrollTo === undefined || model.arranged || loader.rows.total === undefined) return;
    grid.scrollTo(scrollTo);
    scrollTo = undefined;
  }

  function load(pages: number) {
    loader.load(pages);
    describe();
  }

  function copyRows() {
    const rows = model.getRowsToCopy();
    const columns = model.columns.visible.map(({ key }) => key);
    post({ type: 'copy', columns, rows, missing: Math.max(0, model.selected.size - rows.length) });
  }

  /** Updates the status line. */
  function describe() {
    const { arranged, selected } = model;
    const { loaded } = loader.rows;
    grid.element.hidden = !status.show(model);
    element.ariaBusy = String(loader.isBusy());
    copy.disabled = loaded === 0;
    const count = formatNumber(selected.size || (arranged?.length ?? loaded));
    copy.textContent = selected.size > 0 ? t`Copy Selected Rows (${count})` : t`Copy Loaded Rows (${count})`;
  }

  model.arrange({ filter: filters.find(({ key }) => key === filter) });
  showFilter();
  loader.start();
  refresh();
  return {
    element,
    model,
    getState: (): TableState => ({
      columns: model.columns.choice,
      first: scrollTo ?? grid.getFirst(),
      filter: model.arrangement.filter?.key,
    }),
    /** Requests all rows again. The current rows and the scroll position stay. */
    reload: () => {
      generation = generationCount += 1;
      loader.reload();
      refresh();
    },
    /** Handles a response, unless the rows were requested again since. */
    receive: (message: TableToPage) => {
      if (message.generation !== generation) return;
      if (message.type === 'failed') loader.setFailure(message.page, message.message);
      else if (message.type === 'count') loader.setTotal(message.count, message.message);
      else {
        model.columns.addRows(message.rows);
        loader.addPage(message.page, message.rows, message.isLast);
      }
    },
  };
}

/** Creates the table of the selected tab, and stores the states of all tabs' tables. */
export function createTabTables<Tab extends string>(
  post: (message: TableFromPage<Tab>) => void,
  onStateChange: () => void,
  states: TableStates = {},
) {
  let shown: (ReturnType<typeof createTable<Tab>> & { readonly tab: Tab }) | undefined;
  const receive = (message: TableToPage) => shown?.receive(message);
  /** Returns the states to store, by tab. */
  const getStates = () => (shown ? (states = { ...states, [shown.tab]: shown.getState() }) : states);
  /** Stores the state of the current table and drops it. Its rows don't stay in memory. */
  const close = () => {
    getStates();
    shown = undefined;
  };
  return {
    handlers: { rows: receive, failed: receive, count: receive },
    getStates,
    close,
    /** Returns the selected rows that are loaded. */
    getSelectedRows: () => shown?.model.getSelectedRows() ?? [],
    /** Drops the scroll positions, and the current table without storing its state. */
    reset: () => {
      shown = undefined;
      states = Object.fromEntries(Object.entries(states).map(([tab, state]) => [tab, { ...state, first: undefined }]));
    },
    /** Shows the table of a tab in place of the content. `buttons` are added to its actions. */
    show: (tab: Tab, content: HTMLElement, options: TableOptions, ...buttons: readonly HTMLElement[]) => {
      close();
      shown = { ...createTable(tab, options, states[tab] ?? {}, post, onStateChange, buttons), tab };
      content.replaceChildren(shown.element);
    },
    /** Requests the rows again. */
    reload: () => shown?.reload(),
  };
}
