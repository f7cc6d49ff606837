/** Longer than anything takes on a busy machine: waiting ends as soon as the state is there. */
export const WAIT_TIMEOUT_MS = 60_000;

/**
 * Calls `attempt` until it no longer throws, and resolves with its result. After the timeout, rejects with the last error.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeoutMs = WAIT_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) {
        if (error instanceof Error) error.message = `Still after ${timeoutMs / 1000} s: ${error.message}`;
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
