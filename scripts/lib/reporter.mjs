import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { Recorder } from './outcome.mjs';

/** Mocha's usual output. Writes an `Outcome` (see outcome.mjs) as JSON to the file that the reporter option `result` names. */
export default class Counting extends Mocha.reporters.Spec {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const path = options.reporterOptions?.result;
    const recorder = new Recorder();
    recorder.watch(runner);
    runner.once('end', () => {
      if (path) writeFileSync(path, JSON.stringify(recorder.outcome));
    });
  }
}
