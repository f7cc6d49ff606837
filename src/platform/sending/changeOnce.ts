import { isApiError } from '../../service/client/errors.ts';
import { showInfo, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { errorText, isCancelled } from '../ui/errors.ts';

/** A change of the service that is asked for once, for people. */
export interface ServiceChange<T> {
  /** What it comes to, as a clause: `the list "News" was made`. */
  readonly description: string;
  /** "make it again" */
  readonly repeatAction: string;
  /** Where it can be seen: `the lists`. */
  readonly location: string;
  /** Looks on the service; undefined where the change is not seen there. Rejects where that can't be told. */
  check(signal: AbortSignal): Promise<T | undefined>;
  /** What follows where it is seen only later, because the user has looked again. */
  onConfirmed(seen: T): unknown;
}

const checkAgain = 'Look Again';

/**
 * Asks for a change once. Where the answer is lost nothing is repeated: the service is looked at, and the user told what is known. What is
 * not seen there may still come, so it is never told as not done; the user can look again. Resolves with undefined where it is not known.
 *
 * Throws `ApiError` where the service refused it, or the request never reached it.
 */
export async function changeOnce<T>(change: ServiceChange<T>, operation: () => Promise<T>): Promise<T | undefined> {
  try {
    return await operation();
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    const seen = await checkChange(change).catch(() => undefined);
    if (seen === undefined) void reportUnknownOutcome(change, errorText(error));
    else void showInfo(`The answer was lost, but ${change.description}.`);
    return seen;
  }
}

/** Does what follows a change that was made. Where that fails it is told, without a way to make the change a second time. */
export async function runAfterChange(what: string, task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!isCancelled(error))
      void showWarning(
        `${what.charAt(0).toUpperCase()}${what.slice(1)}, but it can't be shown now: ${errorText(error)}`,
      );
  }
}

/**
 * The one id that is there now and was not before; undefined where there is none. Services count upwards: one that is lower was there
 * before, and only not seen.
 *
 * Throws where there are several: nobody knows which of them is meant.
 */
export function findNewId(before: Iterable<number>, after: readonly number[]): number | undefined {
  const last = Math.max(0, ...before);
  const [added, ...others] = new Set(after.filter((id) => id > last));
  if (others.length > 0)
    throw new Error(`There are ${others.length + 1} new ones, and which of them is yours can't be told.`);
  return added;
}

/** Whether the service says of a record that there is none. Rejects where it can't be asked. */
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

/** Tells that it is not known, as often as the user looks in vain. */
async function reportUnknownOutcome<T>(change: ServiceChange<T>, cause: string): Promise<void> {
  const { description, location, repeatAction } = change;
  const message =
    `It is not known whether ${description}: ${cause} Nothing was repeated, and the service may still be at it. ` +
    `Look at ${location} before you ${repeatAction}.`;
  if ((await showWarning(message, checkAgain)) !== checkAgain) return;
  try {
    const seen = await checkChange(change);
    if (seen === undefined) return await reportUnknownOutcome(change, 'it is not seen there yet.');
    void showInfo(`It is seen now: ${description}.`);
    await runAfterChange(description, async () => change.onConfirmed(seen));
  } catch (error) {
    await reportUnknownOutcome(change, errorText(error));
  }
}
