import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Mocha's usual output, and the counts as JSON (`{ "passed": 3, "failed": 0 }`) in the file that the reporter option `result` names. */
export default class Counting extends Mocha.reporters.Spec {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const path = options.reporterOptions?.result;
    runner.once('end', () => {
      if (path) writeFileSync(path, JSON.stringify({ passed: this.stats.passes, failed: this.stats.failures }));
    });
  }
}
