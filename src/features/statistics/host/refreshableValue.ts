import type { LoadState } from '../model.ts';

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** When something was read, on the user's clock: "10:42:31", with the date where that is not today's. */
export function formatReadTime(at: Date, now: Date = new Date()): string {
  return (at.toDateString() === now.toDateString() ? timeFormat : dateTimeFormat).format(at);
}

/** What is said where a reading was given up and there was nothing before. */
export const CANCELED_MESSAGE = 'Reading was cancelled.';

/**
 * Something that is read again and again: what is known of it, and what the page is told. The last good value stays through every failure.
 */
export class RefreshableValue<T> {
  readonly #publish: (reading: LoadState<T>) => void;
  #lastRead: { readonly value: T; readonly at: Date } | undefined;
  #failure: string | undefined;
  #isLoading = false;
  #partial: T | undefined;

  constructor(changed: (reading: LoadState<T>) => void) {
    this.#publish = changed;
  }

  /** The last good value. */
  get value(): T | undefined {
    return this.#lastRead?.value;
  }

  /** The last reading went well. */
  get isCurrent(): boolean {
    return !this.#isLoading && this.#lastRead !== undefined && this.#failure === undefined;
  }

  /** Why the last reading failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** When the last good value was read. */
  get at(): string | undefined {
    return this.#lastRead && formatReadTime(this.#lastRead.at);
  }

  start(): void {
    this.#isLoading = true;
    this.#partial = undefined;
    this.publish();
  }

  /** A part of what is being read, to be looked at until all is there. It takes no earlier value's place unless told so. */
  reportPartial(partial: T, instead: boolean = this.#lastRead === undefined): void {
    if (!this.#isLoading || !instead) return;
    this.#partial = partial;
    this.publish();
  }

  /** @param at when it was read */
  succeed(value: T, at: Date = new Date()): void {
    this.#lastRead = { value, at };
    this.#failure = undefined;
    this.#finish();
  }

  /** Puts the value in other words: it is as old as it was. */
  replaceValue(value: T): void {
    if (this.#lastRead) this.#lastRead = { ...this.#lastRead, value };
    this.publish();
  }

  fail(message: string): void {
    this.#failure = message;
    this.#finish();
  }

  /** What was being read is given up: what was there before holds. */
  cancel(): void {
    if (!this.#isLoading) return;
    if (this.#lastRead === undefined && this.#failure === undefined) this.#failure = CANCELED_MESSAGE;
    this.#finish();
  }

  /** Tells the page what is known. Nothing where nothing was ever read. */
  publish(): void {
    const reading = this.#createState();
    if (reading) this.#publish(reading);
  }

  #finish(): void {
    this.#isLoading = false;
    this.#partial = undefined;
    this.publish();
  }

  #createState(): LoadState<T> | undefined {
    const last = this.#lastRead && { last: this.#lastRead.value, at: formatReadTime(this.#lastRead.at) };
    const partial = this.#partial === undefined ? undefined : { last: this.#partial, at: formatReadTime(new Date()) };
    if (this.#isLoading) return { kind: 'loading', ...last, ...partial };
    if (this.#failure !== undefined) return { kind: 'failed', message: this.#failure, ...last };
    return this.#lastRead && { kind: 'known', value: this.#lastRead.value, at: formatReadTime(this.#lastRead.at) };
  }
}
