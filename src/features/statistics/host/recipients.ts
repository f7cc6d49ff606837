import type { FetchPage, Page } from '../../../service/client/paginate.ts';
import type { Row } from '../model.ts';

type Options = { readonly signal: AbortSignal };

/** A part of the recipients. `ended`: there are none after it. */
export interface Part {
  readonly rows: readonly Row[];
  readonly ended: boolean;
}

/** Rows of each version in an answer: newer installations give no more. */
const block = 500;

/** Where one answer of a service that pages each version by itself begins: in the service's counting, and in that of the rows. */
interface Mark {
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
  readonly #fetch: FetchPage<Row>;
  /** Whether each version is paged by itself. */
  #byVersion: Promise<boolean> | undefined;
  readonly #marks: Mark[] = [{ offset: 0, row: 0 }];

  constructor(fetch: FetchPage<Row>) {
    this.#fetch = fetch;
  }

  /** Whether each version is paged by itself, as far as that is known. */
  get isByVersion(): Promise<boolean> {
    return this.#byVersion ?? Promise.resolve(false);
  }

  /**
   * Rows from a row on: any number but none, except at the end; more than asked for where that saves a request. To be used with `pages`.
   */
  readonly from: FetchPage<Row> = async (page, options) => {
    if (this.#byVersion === undefined && page.offset === 0) {
      const first = this.#fetch(page, options);
      this.#settle(first.then((rows) => this.#isByVersion(rows, page.limit, options)));
      const rows = await first;
      if (await this.#byVersion) this.#note(0, rows);
      return rows;
    }
    if (this.#byVersion === undefined)
      this.#settle(this.#fetch({ offset: 0, limit: 1 }, options).then((rows) => rows.length > 1));
    if (!(await this.#byVersion)) return this.#fetch(page, options);
    // Answers become shorter where a version ends, and who reads page by page takes that for the end of all.
    const found: Row[] = [];
    while (found.length < page.limit) {
      const rows = await this.#walkTo(page.offset + found.length, options);
      if (rows.length === 0) break;
      found.push(...rows);
    }
    return found;
  };

  /** As many rows from a row on as asked for, also of a service that gives fewer at once: only an empty answer is the end. */
  async part({ offset, limit }: Page, options: Options): Promise<Part> {
    const rows: Row[] = [];
    while (rows.length < limit) {
      const page = await this.from({ offset: offset + rows.length, limit: limit - rows.length }, options);
      if (page.length === 0) return { rows, ended: true };
      rows.push(...page.slice(0, limit - rows.length));
    }
    return { rows, ended: false };
  }

  #settle(finding: Promise<boolean>): void {
    this.#byVersion = finding;
    finding.catch(() => {
      // It is found out anew with the next request.
      if (this.#byVersion === finding) this.#byVersion = undefined;
    });
  }

  async #isByVersion(rows: readonly Row[], limit: number, options: Options): Promise<boolean> {
    if (rows.length > limit) return true;
    return versionsIn(rows).size > 1 && (await this.#fetch({ offset: 0, limit: 1 }, options)).length > 1;
  }

  /** Goes on from the last answer whose place is known, until the one that holds the row. */
  async #walkTo(offset: number, options: Options): Promise<readonly Row[]> {
    for (let at = this.#marks.findLastIndex(({ row }) => row <= offset); ; at += 1) {
      const mark = this.#marks[at];
      if (mark === undefined) return [];
      const next = this.#marks[at + 1];
      // An answer whose size is known is asked for as it was: with another one the rows would come in another order.
      const rows = await this.#fetch({ offset: mark.offset, limit: next ? next.offset - mark.offset : block }, options);
      if (rows.length === 0) return [];
      this.#note(at, rows);
      if (offset < mark.row + rows.length) return rows.slice(offset - mark.row);
    }
  }

  /** Where the answer after this one begins. */
  #note(at: number, rows: readonly Row[]): void {
    const mark = this.#marks[at];
    if (mark === undefined || this.#marks.length > at + 1 || rows.length === 0) return;
    this.#marks.push({ offset: mark.offset + Math.max(...versionsIn(rows).values()), row: mark.row + rows.length });
  }
}

/** How many rows there are of each version. */
function versionsIn(rows: readonly Row[]): ReadonlyMap<unknown, number> {
  const versions = new Map<unknown, number>();
  for (const { mail_id: version } of rows) versions.set(version, (versions.get(version) ?? 0) + 1);
  return versions;
}
