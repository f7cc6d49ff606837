import type { Reading } from '../model.ts';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** When something was read, on the user's clock: "10:42:31", with the date where that is not today's. */
export function readAtText(at: Date, now: Date = new Date()): string {
  return (at.toDateString() === now.toDateString() ? time : dateAndTime).format(at);
}

/** What is said where a reading was given up and there was nothing before. */
export const cancelledMessage = 'Reading was cancelled.';

/**
 * Something that is read again and again: what is known of it, and what the page is told. The last good value stays through every failure.
 */
export class ReadingState<T> {
  readonly #changed: (reading: Reading<T>) => void;
  #good: { readonly value: T; readonly at: Date } | undefined;
  #failure: string | undefined;
  #loading = false;
  #partial: T | undefined;

  constructor(changed: (reading: Reading<T>) => void) {
    this.#changed = changed;
  }

  /** The last good value. */
  get value(): T | undefined {
    return this.#good?.value;
  }

  /** The last reading went well. */
  get isKnown(): boolean {
    return !this.#loading && this.#good !== undefined && this.#failure === undefined;
  }

  /** Why the last reading failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** When the last good value was read. */
  get at(): string | undefined {
    return this.#good && readAtText(this.#good.at);
  }

  start(): void {
    this.#loading = true;
    this.#partial = undefined;
    this.replay();
  }

  /** A part of what is being read, to be looked at until all is there. It takes no earlier value's place unless told so. */
  progress(partial: T, instead: boolean = this.#good === undefined): void {
    if (!this.#loading || !instead) return;
    this.#partial = partial;
    this.replay();
  }

  /** @param at when it was read */
  settle(value: T, at: Date = new Date()): void {
    this.#good = { value, at };
    this.#failure = undefined;
    this.#end();
  }

  /** Puts the value in other words: it is as old as it was. */
  amend(value: T): void {
    if (this.#good) this.#good = { ...this.#good, value };
    this.replay();
  }

  fail(message: string): void {
    this.#failure = message;
    this.#end();
  }

  /** What was being read is given up: what was there before holds. */
  giveUp(): void {
    if (!this.#loading) return;
    if (this.#good === undefined && this.#failure === undefined) this.#failure = cancelledMessage;
    this.#end();
  }

  /** Tells the page what is known. Nothing where nothing was ever read. */
  replay(): void {
    const reading = this.#reading();
    if (reading) this.#changed(reading);
  }

  #end(): void {
    this.#loading = false;
    this.#partial = undefined;
    this.replay();
  }

  #reading(): Reading<T> | undefined {
    const last = this.#good && { last: this.#good.value, at: readAtText(this.#good.at) };
    const partial = this.#partial === undefined ? undefined : { last: this.#partial, at: readAtText(new Date()) };
    if (this.#loading) return { kind: 'loading', ...last, ...partial };
    if (this.#failure !== undefined) return { kind: 'failed', message: this.#failure, ...last };
    return this.#good && { kind: 'known', value: this.#good.value, at: readAtText(this.#good.at) };
  }
}
