import type { FetchPage, Page } from '../../../service/client/paginate.ts';
import type { StatisticsRow } from '../model.ts';

type ReadOptions = { readonly signal: AbortSignal };

/** A part of the recipients. `ended`: there are none after it. */
export interface RecipientRange {
  readonly rows: readonly StatisticsRow[];
  readonly isLast: boolean;
}

/** Rows of each version in an answer: newer installations give no more. */
const VERSION_PAGE_ROWS = 500;

/** Where one answer of a service that pages each version by itself begins: in the service's counting, and in that of the rows. */
interface PageStart {
  readonly offset: number;
  readonly row: number;
}

/**
 * The recipients of a campaign as one sequence of rows. Most services give `limit` rows from `offset` on. Those in the field answer an
 * array for each
 * version of the mail, each with up to `limit` rows from `offset` on: of two versions a request for 500 brings 1,000, and the next begins
 * at 500. Which of
 * them it is, is found out with the first answer that holds several versions; then rows are counted answer by answer, so that none is lost
 * or comes twice.
 */
export class RecipientReader {
  readonly #fetch: FetchPage<StatisticsRow>;
  /** Whether each version is paged by itself. */
  #pagedByVersion: Promise<boolean> | undefined;
  readonly #pageStarts: PageStart[] = [{ offset: 0, row: 0 }];

  constructor(fetch: FetchPage<StatisticsRow>) {
    this.#fetch = fetch;
  }

  /** Whether each version is paged by itself, as far as that is known. */
  get isPagedByVersion(): Promise<boolean> {
    return this.#pagedByVersion ?? Promise.resolve(false);
  }

  /**
   * Rows from a row on: any number but none, except at the end; more than asked for where that saves a request. To be used with `pages`.
   */
  readonly fetchRows: FetchPage<StatisticsRow> = async (page, options) => {
    if (this.#pagedByVersion === undefined && page.offset === 0) {
      const first = this.#fetch(page, options);
      this.#setPagingMode(first.then((rows) => this.#detectPaging(rows, page.limit, options)));
      const rows = await first;
      if (await this.#pagedByVersion) this.#recordNextStart(0, rows);
      return rows;
    }
    if (this.#pagedByVersion === undefined)
      this.#setPagingMode(this.#fetch({ offset: 0, limit: 1 }, options).then((rows) => rows.length > 1));
    if (!(await this.#pagedByVersion)) return this.#fetch(page, options);
    // Answers become shorter where a version ends, and who reads page by page takes that for the end of all.
    const found: StatisticsRow[] = [];
    while (found.length < page.limit) {
      const rows = await this.#readFromRow(page.offset + found.length, options);
      if (rows.length === 0) break;
      found.push(...rows);
    }
    return found;
  };

  /** As many rows from a row on as asked for, also of a service that gives fewer at once: only an empty answer is the end. */
  async readRange({ offset, limit }: Page, options: ReadOptions): Promise<RecipientRange> {
    const rows: StatisticsRow[] = [];
    while (rows.length < limit) {
      const page = await this.fetchRows({ offset: offset + rows.length, limit: limit - rows.length }, options);
      if (page.length === 0) return { rows, isLast: true };
      rows.push(...page.slice(0, limit - rows.length));
    }
    return { rows, isLast: false };
  }

  #setPagingMode(finding: Promise<boolean>): void {
    this.#pagedByVersion = finding;
    finding.catch(() => {
      // It is found out anew with the next request.
      if (this.#pagedByVersion === finding) this.#pagedByVersion = undefined;
    });
  }

  async #detectPaging(rows: readonly StatisticsRow[], limit: number, options: ReadOptions): Promise<boolean> {
    if (rows.length > limit) return true;
    return countRowsByVersion(rows).size > 1 && (await this.#fetch({ offset: 0, limit: 1 }, options)).length > 1;
  }

  /** Goes on from the last answer whose place is known, until the one that holds the row. */
  async #readFromRow(offset: number, options: ReadOptions): Promise<readonly StatisticsRow[]> {
    for (let at = this.#pageStarts.findLastIndex(({ row }) => row <= offset); ; at += 1) {
      const mark = this.#pageStarts[at];
      if (mark === undefined) return [];
      const next = this.#pageStarts[at + 1];
      // An answer whose size is known is asked for as it was: with another one the rows would come in another order.
      const rows = await this.#fetch(
        { offset: mark.offset, limit: next ? next.offset - mark.offset : VERSION_PAGE_ROWS },
        options,
      );
      if (rows.length === 0) return [];
      this.#recordNextStart(at, rows);
      if (offset < mark.row + rows.length) return rows.slice(offset - mark.row);
    }
  }

  /** Where the answer after this one begins. */
  #recordNextStart(at: number, rows: readonly StatisticsRow[]): void {
    const mark = this.#pageStarts[at];
    if (mark === undefined || this.#pageStarts.length > at + 1 || rows.length === 0) return;
    this.#pageStarts.push({
      offset: mark.offset + Math.max(...countRowsByVersion(rows).values()),
      row: mark.row + rows.length,
    });
  }
}

/** How many rows there are of each version. */
function countRowsByVersion(rows: readonly StatisticsRow[]): ReadonlyMap<unknown, number> {
  const versions = new Map<unknown, number>();
  for (const { mail_id: version } of rows) versions.set(version, (versions.get(version) ?? 0) + 1);
  return versions;
}
