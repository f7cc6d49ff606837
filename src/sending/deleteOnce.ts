import { isApiError } from '../api/errors.ts';
import { showInfo, showWarning } from '../ui/messages.ts';
import { errorText } from '../ui/words.ts';

/** What is deleted, for people: `what` such as `the list "News"`, and `place` where to look for it, such as `the lists`. */
export interface Deletion {
  readonly what: string;
  readonly place: string;
}

/**
 * Deletes once. Where the answer is lost nothing is repeated: `isGone` asks the service, and the user is told what is known. Resolves with
 * false where that is not that it is gone.
 *
 * Throws `ApiError` where the service refused it.
 */
export async function deleteOnce(
  { what, place }: Deletion,
  operation: () => Promise<unknown>,
  isGone: () => Promise<boolean>,
): Promise<boolean> {
  try {
    await operation();
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    // A service that can't be asked tells nothing.
    if (!(await isGone().catch(() => false))) {
      void showWarning(
        `It is not known whether ${what} was deleted: ${errorText(error)} Nothing was repeated. Look at ${place} before you delete it again.`,
      );
      return false;
    }
    void showInfo(`The answer was lost, but ${what} was deleted.`);
  }
  return true;
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
