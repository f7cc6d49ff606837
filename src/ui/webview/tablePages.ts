import type { RowsPage, TableRequests } from '../page/table/protocol.ts';
import type { RequestHandlers } from '../protocol.ts';

/** The tables of a page's tabs. */
interface TableSource<Tab extends string> {
  /** `rows` may take longer than the read that determines `isLast`. */
  readPage(
    tab: Tab,
    page: number,
    signal: AbortSignal,
  ): Promise<{ readonly rows: RowsPage['rows'] | Promise<RowsPage['rows']>; readonly isLast: boolean }>;
  /** Counts the rows. Undefined if their number can't be determined. */
  count(tab: Tab, signal: AbortSignal): Promise<number | undefined>;
}

/** Handles the requests of a page's tables, which count their rows after they request the first ones. Only the page stores rows. */
export function createTableHandlers<Tab extends string>(
  getSource: () => TableSource<Tab> | undefined,
): RequestHandlers<TableRequests<Tab>> {
  let firstPage: Promise<{ readonly isLast: boolean } | undefined> | undefined;
  return {
    rows: async ({ tab, page }, signal) => {
      const read = getSource()?.readPage(tab, page, signal);
      if (page === 0) firstPage = read?.catch(() => undefined);
      const { rows = [], isLast = true } = (await read) ?? {};
      return { rows: await rows, isLast };
    },
    count: async ({ tab }, signal) => {
      // Without a first page, or if it is the last one, no counting is needed.
      const first = await firstPage;
      return first?.isLast === false && !signal.aborted ? getSource()?.count(tab, signal) : undefined;
    },
  };
}
