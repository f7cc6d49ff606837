import type { PagedRows } from './tableRows.ts';

/** Pages that are under way at once while many are read. */
const atOnce = 4;

/** Which pages of a table are asked for: those in sight, and one after the other those that are to be there as well. */
export class PageWants {
  readonly #post: (pages: readonly number[]) => void;
  #wanted: readonly number[] = [];
  /** Pages that are still to be read beyond those in sight. */
  #budget = 0;
  #isLoading = false;

  constructor(post: (pages: readonly number[]) => void) {
    this.#post = post;
  }

  /** Pages that were asked for and are not here yet. */
  get wanted(): readonly number[] {
    return this.#wanted;
  }

  /** Whether many pages are being read. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Asks for pages; what was asked for before and is not among them is given up. */
  ask(pages: readonly number[]): void {
    this.#wanted = pages;
    this.#post(pages);
  }

  /** Asks for the pages in sight, where that is not under way. Reading many goes on. */
  look(pages: readonly number[]): void {
    if (pages.every((page) => this.#wanted.includes(page)) && (this.#wanted.length > 0 || this.#isLoading)) return;
    if (pages.length === 0 && this.#wanted.length === 0) return;
    this.ask(this.#isLoading ? [...new Set([...this.#wanted, ...pages])] : pages);
  }

  /** Reads so many pages that are not here, the first ones first, a few at a time. `Infinity`: all of them. */
  load(pages: number, rows: PagedRows): void {
    this.#budget = pages;
    this.#isLoading = true;
    this.#goOn(rows);
  }

  /** A page is here. */
  settled(page: number, rows: PagedRows): void {
    this.#wanted = this.#wanted.filter((each) => each !== page);
    this.#goOn(rows);
  }

  /** Reads no more than what is under way. */
  stop(): void {
    this.#budget = 0;
    this.#isLoading = false;
  }

  #goOn(rows: PagedRows): void {
    if (!this.#isLoading) return;
    const room = Math.min(atOnce - this.#wanted.length, this.#budget);
    const next = room > 0 ? rows.more(room + this.#wanted.length).filter((page) => !this.#wanted.includes(page)).slice(0, room) : [];
    this.#budget -= next.length;
    if (next.length > 0) this.ask([...this.#wanted, ...next]);
    // Nothing is missing, or nothing more has room.
    else if (this.#wanted.length === 0) this.stop();
  }
}
