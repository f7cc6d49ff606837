import { RowTable, type TableState } from '../../../platform/webview/table/table.ts';
import { makeButton } from '../../../platform/webview/toolkit.ts';
import type { StatisticsRow, TableTab } from '../model.ts';
import type { FromPage } from '../protocol.ts';
import { getLinkAddress, parseCount, tableDefinitions } from './tableDefinitions.ts';

export interface PaneOptions {
  readonly tab: TableTab;
  readonly pageSize: number;
  /** Of what is asked for now: answers to other ones are too late. */
  generation(): number;
  post(message: FromPage): void;
  onChange(): void;
}

/** Most rows that are kept: of more recipients than these, sorting and filtering concern a part, and say so. */
const MAX_LOADED_ROWS = 200_000;

/** One of the tables with what belongs to it alone. */
export class TablePane {
  readonly table: RowTable;
  readonly #tab: TableTab;
  /** The most clicks of a link so far: what its bar is measured by. */
  #maxClicks = 0;

  constructor({ tab, pageSize, generation, post, onChange: onStateChange }: PaneOptions) {
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
      onStateChange,
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
      this.#maxClicks = rows.reduce((most, row) => Math.max(most, parseCount(row['total_click'])), this.#maxClicks);
    this.table.addPage(page, rows, isLast);
  }

  /** Asks for everything again. */
  reload(): void {
    this.#maxClicks = 0;
    this.table.reload();
  }

  restore(state: TableState): void {
    this.table.restore(state);
  }

  readonly #previewButton = makeButton('', () => undefined);

  /** The link that is selected, where it is one. */
  get #selectedAddress(): string | undefined {
    const [row, ...others] = this.table.selectedRows;
    return row === undefined || others.length > 0 ? undefined : getLinkAddress(row);
  }

  #updatePreviewButton(): void {
    this.#previewButton.textContent = this.#selectedAddress === undefined ? 'Show All on Preview' : 'Show on Preview';
  }
}
