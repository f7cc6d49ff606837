import assert from 'node:assert/strict';
import { createUncheckedResult } from '../../../../../src/platform/language/checks/unchecked.ts';
import { JobCancelledError, WorkerCrashedError } from '../../../../../src/platform/worker/jobWorker.ts';

describe('An email whose checks end the worker', () => {
  it('shows at its start that it could not be checked, and why', () => {
    const { findings } = createUncheckedResult(new WorkerCrashedError('“check” took more than 2 seconds.'));
    assert.deepEqual(
      findings.map(({ rule, part, start, message }) => [rule, part, start, message]),
      [['not-checked', 'body', 0, 'This email could not be checked: “check” took more than 2 seconds.']],
    );
  });

  it('shows nothing when the checks were canceled', () => {
    const dropped = new JobCancelledError('Canceled.');
    assert.throws(() => createUncheckedResult(dropped), dropped);
  });
});
