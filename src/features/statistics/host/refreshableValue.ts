import type { LoadState } from '../model.ts';

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Formats the time of a read in the user's time zone: "10:42:31", with the date if that isn't today. */
export function formatReadTime(readAt: Date, now: Date = new Date()): string {
  return (readAt.toDateString() === now.toDateString() ? timeFormat : dateTimeFormat).format(readAt);
}

/** Shown if the first read is canceled. */
export const CANCELED_MESSAGE = 'Reading was canceled.';

/** A value that is read repeatedly. The last value survives failed reads. Each change is published as a `LoadState`. */
export class RefreshableValue<T> {
  readonly #publish: (state: LoadState<T>) => void;
  #lastRead: { readonly value: T; readonly at: Date } | undefined;
  #failure: string | undefined;
  #isLoading = false;
  #partial: T | undefined;

  constructor(publish: (state: LoadState<T>) => void) {
    this.#publish = publish;
  }

  /** The value of the last successful read. */
  get value(): T | undefined {
    return this.#lastRead?.value;
  }

  /** Whether the last read succeeded. */
  get isCurrent(): boolean {
    return !this.#isLoading && this.#lastRead !== undefined && this.#failure === undefined;
  }

  /** Why the last read failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** The formatted time of the last successful read. */
  get at(): string | undefined {
    return this.#lastRead && formatReadTime(this.#lastRead.at);
  }

  start(): void {
    this.#isLoading = true;
    this.#partial = undefined;
    this.publish();
  }

  /** Publishes a partial value while loading. It replaces an earlier value only if `replacesValue` is set. */
  reportPartial(partial: T, replacesValue: boolean = this.#lastRead === undefined): void {
    if (!this.#isLoading || !replacesValue) return;
    this.#partial = partial;
    this.publish();
  }

  /** Ends a read with its value. */
  succeed(value: T, readAt: Date = new Date()): void {
    this.#lastRead = { value, at: readAt };
    this.#failure = undefined;
    this.#finish();
  }

  /** Replaces the value but keeps its time. */
  replaceValue(value: T): void {
    if (this.#lastRead) this.#lastRead = { ...this.#lastRead, value };
    this.publish();
  }

  fail(message: string): void {
    this.#failure = message;
    this.#finish();
  }

  /** Cancels a read and keeps the last value. */
  cancel(): void {
    if (!this.#isLoading) return;
    if (this.#lastRead === undefined && this.#failure === undefined) this.#failure = CANCELED_MESSAGE;
    this.#finish();
  }

  /** Publishes the current state, unless no read was ever started. */
  publish(): void {
    const state = this.#createState();
    if (state) this.#publish(state);
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
    return this.#lastRead && { kind: 'loaded', value: this.#lastRead.value, at: formatReadTime(this.#lastRead.at) };
  }
}
