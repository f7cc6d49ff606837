import assert from 'node:assert/strict';
import { createUncheckedResult } from '../../../../../src/platform/language/checks/unchecked.ts';
import { JobCanceledError, WorkerCrashedError } from '../../../../../src/platform/worker/jobWorker.ts';

describe('An email whose checks crash the worker', () => {
  it('gets a finding at its start with the reason', () => {
    const { findings } = createUncheckedResult(new WorkerCrashedError('“check” took more than 2 seconds.'));
    assert.deepEqual(
      findings.map(({ rule, part, start, message }) => [rule, part, start, message]),
      [['not-checked', 'body', 0, 'This email could not be checked: “check” took more than 2 seconds.']],
    );
  });

  it('gets no finding if the checks were canceled', () => {
    const dropped = new JobCanceledError('Canceled.');
    assert.throws(() => createUncheckedResult(dropped), dropped);
  });
});
