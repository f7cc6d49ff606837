import { MAX_PAGE_SIZE, type FetchPage } from '../../service/client/paginate.ts';
import type { StatisticsRow } from '../../service/statistics/model.ts';

type ReadOptions = { readonly signal: AbortSignal };

/** Start of a response: its offset in each version, and its first row in the combined sequence. */
interface PageStart {
  readonly offset: number;
  readonly row: number;
}

/**
 * Creates a reader of the recipients of a campaign as one sequence of rows. Most services return `limit` rows from `offset` on. AcyMailing applies
 * `offset` and `limit` to each version of the email: with two versions, a request for 500 rows returns 1,000, and the next one starts at 500.
 * The reader detects the mode from the first response with several versions. It then maps rows to offsets response by response, so that no
 * row is lost or duplicated.
 */
export function createRecipientReader(fetch: FetchPage<StatisticsRow>) {
  /** Whether each version is paged separately. */
  let pagedByVersion: Promise<boolean> | undefined;
  const pageStarts: PageStart[] = [{ offset: 0, row: 0 }];

  function setPagingMode(detection: Promise<boolean>) {
    pagedByVersion = detection;
    detection.catch(() => {
      // Detect it again with the next request.
      if (pagedByVersion === detection) pagedByVersion = undefined;
    });
  }

  async function detectPaging(rows: readonly StatisticsRow[], limit: number, options: ReadOptions) {
    if (rows.length > limit) return true;
    return countRowsByVersion(rows).size > 1 && (await fetch({ offset: 0, limit: 1 }, options)).length > 1;
  }

  /** Reads on from the last recorded response until the one that contains the row. */
  async function readFromRow(offset: number, options: ReadOptions) {
    for (let index = pageStarts.findLastIndex(({ row }) => row <= offset); ; index += 1) {
      const pageStart = pageStarts[index];
      if (pageStart === undefined) return [];
      const nextStart = pageStarts[index + 1];
      // Repeat a request with its original size: another size would change the order of the rows.
      const rows = await fetch(
        { offset: pageStart.offset, limit: nextStart ? nextStart.offset - pageStart.offset : MAX_PAGE_SIZE },
        options,
      );
      if (rows.length === 0) return [];
      recordNextStart(index, rows);
      if (offset < pageStart.row + rows.length) return rows.slice(offset - pageStart.row);
    }
  }

  function recordNextStart(index: number, rows: readonly StatisticsRow[]) {
    const pageStart = pageStarts[index];
    if (pageStart === undefined || pageStarts.length > index + 1 || rows.length === 0) return;
    pageStarts.push({
      offset: pageStart.offset + Math.max(...countRowsByVersion(rows).values()),
      row: pageStart.row + rows.length,
    });
  }

  /**
   * Returns rows from an offset on, for `paginatePages`. The result is only empty at the end, and may be longer than the limit to save a
   * request.
   */
  const fetchRows: FetchPage<StatisticsRow> = async (page, options) => {
    if (pagedByVersion === undefined && page.offset === 0) {
      const firstPage = fetch(page, options);
      setPagingMode(firstPage.then((rows) => detectPaging(rows, page.limit, options)));
      const rows = await firstPage;
      if (await pagedByVersion) recordNextStart(0, rows);
      return rows;
    }
    if (pagedByVersion === undefined)
      setPagingMode(fetch({ offset: 0, limit: 1 }, options).then((rows) => rows.length > 1));
    if (!(await pagedByVersion)) return fetch(page, options);
    // Fill up the page: responses get shorter where a version ends, and callers would take a short page for the last one.
    const range: StatisticsRow[] = [];
    while (range.length < page.limit) {
      const rows = await readFromRow(page.offset + range.length, options);
      if (rows.length === 0) break;
      range.push(...rows);
    }
    return range;
  };

  return {
    fetchRows,
    /** Returns whether each version is paged separately; false until it was detected. */
    isPagedByVersion: async () => (await pagedByVersion) ?? false,
  };
}

function countRowsByVersion(rows: readonly StatisticsRow[]): ReadonlyMap<unknown, number> {
  const versions = new Map<unknown, number>();
  for (const { mail_id: version } of rows) versions.set(version, (versions.get(version) ?? 0) + 1);
  return versions;
}
