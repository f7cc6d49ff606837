import { isUnconfirmed, type ApiFailure } from '../../service/client/shapes.ts';

/**
 * Sends a request that must not be repeated. If the response is lost, resolves with `check` instead, which finds out what
 * became of the request.
 *
 * @throws if the service refused the request or it was never sent, and the error of `check`
 */
export async function requestOnce<T>(
  request: () => Promise<T>,
  check: (error: ApiFailure) => T | Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (isUnconfirmed(error)) return check(error);
    throw error;
  }
}
