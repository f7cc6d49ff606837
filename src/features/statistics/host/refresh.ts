import { t } from '@vscode/l10n';
import { localized } from '../../../l10n.ts';
import { exactTimeFormat } from '../../../service/format.ts';
import type { LoadState } from '../model.ts';

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

/** Why statistics are read: their page became visible, the user requested a refresh, or the refresh timer fired. */
export type ReadCause = 'opened' | 'requested' | 'scheduled';

/** The outcome of a read. `failed` is worth a retry, `stopped` isn't. */
export type RefreshOutcome = 'succeeded' | 'failed' | 'stopped';

/** Runs a function after a delay and returns a function that cancels it. */
function scheduleTimeout(run: () => void, ms: number) {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

export type Schedule = typeof scheduleTimeout;

/** Limits the load on the service. */
const MIN_INTERVAL_SECONDS = 10;
const MAX_INTERVAL_SECONDS = 24 * 60 * 60;
/** Longest pause after failures, unless the interval is longer. */
const MAX_BACKOFF_SECONDS = 30 * 60;

/** Parses the setting into seconds between two reads; 0 for none. */
export function parseInterval(setting: unknown): number {
  if (typeof setting !== 'number' || !(setting > 0)) return 0;
  return Math.min(Math.max(setting, MIN_INTERVAL_SECONDS), MAX_INTERVAL_SECONDS);
}

/**
 * Creates a timer that reads repeatedly while the page is visible. The pause starts when a read ends, so that reads never overlap, and doubles with
 * each failure. After the outcome `stopped`, nothing is read until another outcome is recorded.
 * @param schedule replaces the timer in tests
 */
export function createRefreshTimer(read: () => Promise<RefreshOutcome>, schedule: Schedule = scheduleTimeout) {
  let seconds = 0;
  let isVisible = false;
  let isStopped = false;
  let failures = 0;
  let isReading = false;
  let cancel: (() => void) | undefined;

  function reschedule() {
    cancel?.();
    cancel = undefined;
    if (seconds === 0 || !isVisible || isStopped || isReading) return;
    const pause = Math.min(seconds * 2 ** failures, Math.max(MAX_BACKOFF_SECONDS, seconds));
    cancel = schedule(async () => {
      cancel = undefined;
      isReading = true;
      const outcome = await read().catch((): RefreshOutcome => 'failed');
      isReading = false;
      recordOutcome(outcome);
    }, pause * 1000);
  }

  /** Records the outcome of any read, also of one outside the timer, and restarts the pause. */
  function recordOutcome(outcome: RefreshOutcome) {
    isStopped = outcome === 'stopped';
    failures = outcome === 'failed' ? failures + 1 : 0;
    reschedule();
  }

  /** Sets the seconds between two reads; 0 disables the timer. */
  function setSeconds(value: number) {
    seconds = value;
    reschedule();
  }

  return {
    recordOutcome,
    setSeconds,
    getSeconds: () => seconds,
    /** Returns whether the last outcome was `stopped`. */
    isStopped: () => isStopped,
    /** Pauses the timer while the page is hidden. */
    setVisible: (value: boolean) => {
      if (value === isVisible) return;
      isVisible = value;
      reschedule();
    },
    dispose: () => setSeconds(0),
  };
}
