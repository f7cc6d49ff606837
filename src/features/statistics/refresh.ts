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

/** Creates a value that is read repeatedly. The last value survives failed reads. Each change is published as a `LoadState`. */
export function createRefreshable<T>(publishState: (state: LoadState<T>) => void) {
  let last: { readonly value: T; readonly at: Date } | undefined;
  let failure: string | undefined;
  let isLoading = false;
  let partial: T | undefined;

  /** Publishes the current state, unless no read was ever started. */
  function publish() {
    const read = last && { value: last.value, at: formatReadTime(last.at) };
    if (isLoading)
      publishState({
        kind: 'loading',
        ...(partial === undefined ? read : { value: partial, at: formatReadTime(new Date()) }),
      });
    else if (failure !== undefined) publishState({ kind: 'failed', message: failure, ...read });
    else if (read) publishState({ kind: 'loaded', ...read });
  }

  function finish(newFailure: string | undefined) {
    failure = newFailure;
    isLoading = false;
    partial = undefined;
    publish();
  }

  return {
    publish,
    /** Returns the value of the last successful read. */
    getValue: () => last?.value,
    /** Returns the formatted time of the last successful read. */
    getTime: () => last && formatReadTime(last.at),
    /** Returns why the last read failed. */
    getFailure: () => failure,
    /** Returns whether the last read succeeded. */
    isCurrent: () => !isLoading && last !== undefined && failure === undefined,
    start: () => {
      isLoading = true;
      partial = undefined;
      publish();
    },
    /** Publishes a partial value while loading. It replaces an earlier value only if `replacesValue` is set. */
    reportPartial: (value: T, replacesValue: boolean = last === undefined) => {
      if (!isLoading || !replacesValue) return;
      partial = value;
      publish();
    },
    /** Ends a read with its value. */
    succeed: (value: T, at: Date = new Date()) => {
      last = { value, at };
      finish(undefined);
    },
    fail: (message: string) => finish(message),
    /** Cancels a read and keeps the last value. */
    cancel: () => {
      if (isLoading) finish(last ? failure : (failure ?? getCanceledMessage()));
    },
  };
}

/** Why statistics are read: their page became visible, or the user requested a refresh. */
export type ReadCause = 'opened' | 'requested';
