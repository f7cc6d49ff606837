import type { CheckResult } from '../../../email/checks/index.ts';

/**
 * Returns the finding that is shown at an email whose checks ended the worker, because they take too long or too much memory. Throws any
 * other error again.
 */
export function createUncheckedResult(error: unknown): CheckResult {
  if (!(error instanceof Error) || error.name !== 'WorkerCrashed') throw error;
  const message = `This email could not be checked: ${error.message}`;
  return { findings: [{ rule: 'not-checked', severity: 'warning', part: 'body', start: 0, end: 1, message }] };
}
