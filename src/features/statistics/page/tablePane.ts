import { RowTable, type TableState } from '../../../platform/webview/table/table.ts';
import { makeButton } from '../../../platform/webview/toolkit.ts';
import type { StatisticsRow, TableTab } from '../model.ts';
import type { FromPage } from '../protocol.ts';
import { getLinkAddress, parseCount, tableDefinitions } from './tableDefinitions.ts';

export interface PaneOptions {
  readonly tab: TableTab;
  readonly pageSize: number;
  /** Returns the current generation. Responses to other generations are ignored. */
  generation(): number;
  post(message: FromPage): void;
  onChange(): void;
}

/** With more rows, sorting and filtering apply to the loaded part, and the table says so. */
const MAX_LOADED_ROWS = 200_000;

/** A table with its specific actions. */
export class TablePane {
  readonly table: RowTable;
  readonly #tab: TableTab;
  /** Highest click count of a link so far. It is the full length of the bars. */
  #maxClicks = 0;

  constructor({ tab, pageSize, generation, post, onChange }: PaneOptions) {
    this.#tab = tab;
    const { columns, ...definition } = tableDefinitions[tab];
    const share = (row: StatisticsRow): number | undefined =>
      this.#maxClicks === 0 ? undefined : parseCount(row['total_click']) / this.#maxClicks;
    this.table = new RowTable({
      ...definition,
      columns: columns.map((column) =>
        tab === 'links' && column.key === 'total_click' ? { ...column, share } : column,
      ),
      pageSize,
      maxPages: Math.ceil(MAX_LOADED_ROWS / pageSize),
      requestPages: (pages) => post({ type: 'requestPages', generation: generation(), tab, pages }),
      copy: (keys, rows, missing) => post({ type: 'copy', columns: keys, rows, missing }),
      onStateChange: onChange,
      onSelectionChange: () => this.#updatePreviewButton(),
    });
    this.table.actions.append(
      makeButton('Export…', () => {
        const { total } = this.table;
        post({ type: 'export', tab, ...(total === undefined ? {} : { expected: total }) });
      }),
    );
    if (tab !== 'links') return;
    this.table.actions.append(this.#previewButton);
    this.#previewButton.addEventListener('click', () => {
      const address = this.#selectedAddress;
      post({ type: 'heatMap', ...(address === undefined ? {} : { address }) });
    });
    this.#previewButton.title =
      'Lays the clicks of all links over the preview of the mail. A link that is selected here is marked there.';
    this.#updatePreviewButton();
  }

  addRows(page: number, rows: readonly StatisticsRow[], isLast: boolean): void {
    if (this.#tab === 'links')
      this.#maxClicks = rows.reduce(
        (maxClicks, row) => Math.max(maxClicks, parseCount(row['total_click'])),
        this.#maxClicks,
      );
    this.table.addPage(page, rows, isLast);
  }

  /** Discards the rows and requests them again. */
  reload(): void {
    this.#maxClicks = 0;
    this.table.reload();
  }

  restore(state: TableState): void {
    this.table.restore(state);
  }

  readonly #previewButton = makeButton('', () => undefined);

  /** The address of the selected link; undefined unless exactly one is selected. */
  get #selectedAddress(): string | undefined {
    const [row, ...otherRows] = this.table.selectedRows;
    return row === undefined || otherRows.length > 0 ? undefined : getLinkAddress(row);
  }

  #updatePreviewButton(): void {
    this.#previewButton.textContent = this.#selectedAddress === undefined ? 'Show All on Preview' : 'Show on Preview';
  }
}
