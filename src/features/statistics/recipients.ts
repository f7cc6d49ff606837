import { MAX_PAGE_SIZE, type FetchPage } from '../../service/client/paginate.ts';
import type { StatisticsRow } from '../../service/statistics/model.ts';

type ReadOptions = { readonly signal: AbortSignal };

/** Start of a response: its offset in each version, and its first row in the combined sequence. */
interface PageStart {
  readonly offset: number;
  readonly row: number;
}

/**
 * Reads the recipients of a campaign as one sequence of rows. Most services return `limit` rows from `offset` on. AcyMailing applies
 * `offset` and `limit` to each version of the email: with two versions, a request for 500 rows returns 1,000, and the next one starts at 500.
 * The reader detects the mode from the first response with several versions. It then maps rows to offsets response by response, so that no
 * row is ever lost or duplicated.
 */
export class RecipientReader {
  readonly #fetch: FetchPage<StatisticsRow>;
  /** Whether each version is paged separately. */
  #pagedByVersion: Promise<boolean> | undefined;
  readonly #pageStarts: PageStart[] = [{ offset: 0, row: 0 }];

  constructor(fetch: FetchPage<StatisticsRow>) {
    this.#fetch = fetch;
  }

  /** Returns whether each version is paged separately; false until it was detected. */
  async isPagedByVersion(): Promise<boolean> {
    return (await this.#pagedByVersion) ?? false;
  }

  /**
   * Returns rows from an offset on, for `paginatePages`. The result is only empty at the end, and may be longer than the limit to save a
   * request.
   */
  readonly fetchRows: FetchPage<StatisticsRow> = async (page, options) => {
    if (this.#pagedByVersion === undefined && page.offset === 0) {
      const firstPage = this.#fetch(page, options);
      const pagedByVersion = this.#setPagingMode(
        firstPage.then((rows) => this.#detectPaging(rows, page.limit, options)),
      );
      const rows = await firstPage;
      if (await pagedByVersion) this.#recordNextStart(0, rows);
      return rows;
    }
    this.#pagedByVersion ??= this.#setPagingMode(
      this.#fetch({ offset: 0, limit: 1 }, options).then((rows) => rows.length > 1),
    );
    if (!(await this.#pagedByVersion)) return this.#fetch(page, options);
    // Fill up the page: responses get shorter where a version ends, and callers would take a short page for the last one.
    const range: StatisticsRow[] = [];
    while (range.length < page.limit) {
      const rows = await this.#readFromRow(page.offset + range.length, options);
      if (rows.length === 0) break;
      range.push(...rows);
    }
    return range;
  };

  #setPagingMode(detection: Promise<boolean>) {
    this.#pagedByVersion = detection;
    detection.catch(() => {
      // Detect it again with the next request.
      if (this.#pagedByVersion === detection) this.#pagedByVersion = undefined;
    });
    return detection;
  }

  async #detectPaging(rows: readonly StatisticsRow[], limit: number, options: ReadOptions) {
    if (rows.length > limit) return true;
    return countRowsByVersion(rows).size > 1 && (await this.#fetch({ offset: 0, limit: 1 }, options)).length > 1;
  }

  /** Reads on from the last recorded response until the one that contains the row. */
  async #readFromRow(offset: number, options: ReadOptions) {
    for (let index = this.#pageStarts.findLastIndex(({ row }) => row <= offset); ; index += 1) {
      const pageStart = this.#pageStarts[index];
      if (pageStart === undefined) return [];
      const nextStart = this.#pageStarts[index + 1];
      // Repeat a request with its original size: another size would change the order of the rows.
      const limit = nextStart ? nextStart.offset - pageStart.offset : MAX_PAGE_SIZE;
      const rows = await this.#fetch({ offset: pageStart.offset, limit }, options);
      if (rows.length === 0) return [];
      this.#recordNextStart(index, rows);
      if (offset < pageStart.row + rows.length) return rows.slice(offset - pageStart.row);
    }
  }

  #recordNextStart(index: number, rows: readonly StatisticsRow[]) {
    const pageStart = this.#pageStarts[index];
    if (pageStart === undefined || this.#pageStarts.length > index + 1 || rows.length === 0) return;
    this.#pageStarts.push({
      offset: pageStart.offset + Math.max(...countRowsByVersion(rows).values()),
      row: pageStart.row + rows.length,
    });
  }
}

function countRowsByVersion(rows: readonly StatisticsRow[]): ReadonlyMap<unknown, number> {
  const versions = new Map<unknown, number>();
  for (const { mail_id: version } of rows) versions.set(version, (versions.get(version) ?? 0) + 1);
  return versions;
}
