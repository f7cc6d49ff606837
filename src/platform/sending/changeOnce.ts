import { isApiError } from '../../service/client/errors.ts';
import { showInfo, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { errorText, isCanceled } from '../ui/errors.ts';

/** A change on the service that must not be repeated automatically. */
export interface ServiceChange<T> {
  /** The completed change as a clause: `the list "News" was made`. */
  readonly description: string;
  readonly repeatAction: string;
  /** Where the user can check for it: `the lists`. */
  readonly location: string;
  /** Checks the service; undefined if the change isn't there. Rejects if the check fails. */
  check(signal: AbortSignal): Promise<T | undefined>;
  /** Called if a later check by the user finds the change. */
  onConfirmed(result: T): unknown;
}

const checkAgain = 'Look Again';

/**
 * Runs a change once. If the response is lost, checks the service instead of repeating the request, and reports the
 * result. A change that isn't found may still appear, so it is never reported as failed; the user can check again.
 * Resolves with undefined if the outcome is unknown.
 *
 * Throws `ApiError` if the service refused the change or the request never reached it.
 */
export async function changeOnce<T>(change: ServiceChange<T>, operation: () => Promise<T>): Promise<T | undefined> {
  try {
    return await operation();
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    const result = await checkChange(change).catch(() => undefined);
    if (result === undefined) void reportUnknownOutcome(change, errorText(error));
    else void showInfo(`The answer was lost, but ${change.description}.`);
    return result;
  }
}

/**
 * Runs the steps after a successful change. If they fail, shows a warning without a Retry button, which would repeat
 * the change.
 */
export async function runAfterChange(what: string, task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!isCanceled(error))
      void showWarning(
        `${what.charAt(0).toUpperCase()}${what.slice(1)}, but it can't be shown now: ${errorText(error)}`,
      );
  }
}

/**
 * Returns the only id in `after` that is new; undefined if there is none. Services assign increasing ids, so a lower
 * id that is missing in `before` isn't new.
 *
 * Throws if there are several new ids.
 */
export function findNewId(before: Iterable<number>, after: readonly number[]): number | undefined {
  const last = Math.max(0, ...before);
  const [added, ...others] = new Set(after.filter((id) => id > last));
  if (others.length > 0)
    throw new Error(`There are ${others.length + 1} new ones, and which of them is yours can't be told.`);
  return added;
}

/** Returns whether the service reports that a record doesn't exist. Rejects if the request fails. */
export async function isMissing(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (isApiError(error) && error.kind === 'notFound') return true;
    throw error;
  }
}

function checkChange<T>(change: ServiceChange<T>): Promise<T | undefined> {
  return withProgress(`Looking at ${change.location}`, (signal) => change.check(signal));
}

/** Reports an unknown outcome until a check succeeds. */
async function reportUnknownOutcome<T>(change: ServiceChange<T>, cause: string): Promise<void> {
  const { description, location, repeatAction } = change;
  const message =
    `It is not known whether ${description}: ${cause} Nothing was repeated, and the service may still be at it. ` +
    `Look at ${location} before you ${repeatAction}.`;
  if ((await showWarning(message, checkAgain)) !== checkAgain) return;
  try {
    const result = await checkChange(change);
    if (result === undefined) return await reportUnknownOutcome(change, 'it is not seen there yet.');
    void showInfo(`It is seen now: ${description}.`);
    await runAfterChange(description, async () => change.onConfirmed(result));
  } catch (error) {
    await reportUnknownOutcome(change, errorText(error));
  }
}
