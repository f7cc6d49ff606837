import type { CheckResult } from '../../../email/checks/index.ts';

/**
 * Returns the finding for an email whose checks crashed the worker by taking too much time or memory. Rethrows any
 * other error.
 */
export function createUncheckedResult(error: unknown): CheckResult {
  if (!(error instanceof Error) || error.name !== 'WorkerCrashed') throw error;
  const message = `This email could not be checked: ${error.message}`;
  return { findings: [{ rule: 'not-checked', severity: 'warning', part: 'body', start: 0, end: 1, message }] };
}
