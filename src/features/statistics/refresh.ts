import { t } from '@vscode/l10n';
import { localized } from '../../l10n.ts';
import { exactTimeFormat } from '../../service/format.ts';
import type { LoadState } from './model.ts';

const timeFormat = localized((language) => new Intl.DateTimeFormat(language, { timeStyle: 'medium' }));

/** Formats the time of a read in the user's time zone: "10:42:31", with the date if that isn't today. */
export function formatReadTime(readAt: Date, now: Date = new Date()): string {
  return (readAt.toDateString() === now.toDateString() ? timeFormat() : exactTimeFormat()).format(readAt);
}

/** Shown if the first read is canceled. */
export function getCanceledMessage(): string {
  return t('Reading was canceled.');
}

/** A value that is read repeatedly. The last value always survives failed reads. Each change is published as a `LoadState`. */
export class Refreshable<T> {
  readonly #publish: (state: LoadState<T>) => void;
  #last: { readonly value: T; readonly at: Date } | undefined;
  #failure: string | undefined;
  #isLoading = false;
  #partial: T | undefined;

  constructor(publish: (state: LoadState<T>) => void) {
    this.#publish = publish;
  }

  /** The value of the last successful read. */
  get value(): T | undefined {
    return this.#last?.value;
  }

  /** Whether the last read succeeded. */
  get isCurrent(): boolean {
    return !this.#isLoading && this.#last !== undefined && this.#failure === undefined;
  }

  /** Publishes the current state, unless no read was ever started. */
  publish(): void {
    const read = this.#last && { value: this.#last.value, at: formatReadTime(this.#last.at) };
    if (this.#isLoading) {
      const partial = this.#partial === undefined ? read : { value: this.#partial, at: formatReadTime(new Date()) };
      this.#publish({ kind: 'loading', ...partial });
    } else if (this.#failure !== undefined) this.#publish({ kind: 'failed', message: this.#failure, ...read });
    else if (read) this.#publish({ kind: 'loaded', ...read });
  }

  start(): void {
    this.#isLoading = true;
    this.#partial = undefined;
    this.publish();
  }

  /** Publishes a partial value while loading. It replaces an earlier value only if `replacesValue` is set. */
  reportPartial(value: T, replacesValue: boolean = this.#last === undefined): void {
    if (!this.#isLoading || !replacesValue) return;
    this.#partial = value;
    this.publish();
  }

  /** Ends a read with its value. */
  succeed(value: T, at: Date = new Date()): void {
    this.#last = { value, at };
    this.#finish(undefined);
  }

  fail(message: string): void {
    this.#finish(message);
  }

  /** Cancels a read and keeps the last value. */
  cancel(): void {
    if (this.#isLoading) this.#finish(this.#last ? this.#failure : (this.#failure ?? getCanceledMessage()));
  }

  #finish(failure: string | undefined) {
    this.#failure = failure;
    this.#isLoading = false;
    this.#partial = undefined;
    this.publish();
  }
}

/** Why statistics are read: their page became visible, or the user requested a refresh. */
export type ReadCause = 'opened' | 'requested';
