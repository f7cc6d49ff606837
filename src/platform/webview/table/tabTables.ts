import type { MessageHandlers } from '../messages.ts';
import { makeButton } from '../toolkit.ts';
import type { TableRow } from './pages.ts';
import type { TableFromPage, TableToPage } from './protocol.ts';
import { RowTable, type TableOptions, type TableState } from './table.ts';

type Definition = Omit<TableOptions, 'requestPages' | 'copy' | 'onStateChange'>;

/** Creates the table of the selected tab, stores the states of all tabs' tables, and ignores responses to earlier requests. */
export class TabTables<Tab extends string> {
  readonly handlers: MessageHandlers<TableToPage> = {
    rows: ({ generation, page, rows, isLast }) =>
      generation === this.#generation && this.#table?.addPage(page, rows, isLast),
    failed: ({ generation, page, message }) =>
      generation === this.#generation && this.#table?.setFailure(page, message),
    count: ({ generation, count, message }) => generation === this.#generation && this.#table?.setTotal(count, message),
  };
  readonly #post: (message: TableFromPage<Tab>) => void;
  readonly #onStateChange: () => void;
  readonly #states = new Map<string, TableState>();
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
    this.#saveState();
    return Object.fromEntries(this.#states);
  }

  restore(states: Readonly<Partial<Record<string, TableState>>> = {}): void {
    for (const [tab, state] of Object.entries(states)) if (state) this.#states.set(tab, state);
  }

  /** Drops the scroll positions, and the current table without storing its state. */
  reset(): void {
    this.#table = undefined;
    for (const [tab, { first: _first, ...state }] of this.#states) this.#states.set(tab, state);
  }

  /** Drops the current table. Its rows don't stay in memory. */
  close(): void {
    this.#saveState();
    this.#generation += 1;
    this.#table = undefined;
  }

  /** Shows the table of a tab in place of the content. */
  show(tab: Tab, content: HTMLElement, definition: Definition): RowTable {
    this.close();
    const table: RowTable = new RowTable({
      ...definition,
      requestPages: (pages) => this.#post({ type: 'requestPages', generation: this.#generation, tab, pages }),
      copy: (columns, rows, missing) => this.#post({ type: 'copy', columns, rows, missing }),
      onStateChange: () => table === this.#table && this.#onStateChange(),
    });
    table.actions.append(makeButton('Export…', () => this.#post({ type: 'export', tab, expected: table.total })));
    const state = this.#states.get(tab);
    if (state) table.restore(state);
    this.#tab = tab;
    this.#table = table;
    content.replaceChildren(table.element);
    table.start();
    return table;
  }

  /** Requests the rows again. */
  reload(): void {
    this.#generation += 1;
    this.#table?.reload();
  }

  #saveState(): void {
    if (this.#table && this.#tab !== undefined) this.#states.set(this.#tab, this.#table.state);
  }
}
