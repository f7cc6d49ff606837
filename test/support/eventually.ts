/**
 * Calls `look` until it no longer throws, and resolves with what it returned. What a user would wait for on the screen is waited for
 * this way; after the patience is over, the last error is thrown.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  { patienceMs = 15_000 }: { patienceMs?: number } = {},
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
