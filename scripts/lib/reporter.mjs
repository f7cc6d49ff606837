import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Mocha's usual output, the tests that were tried twice, and the counts as JSON (`{ "passed": 3, "failed": 0 }`) in the file that the reporter option `result` names. */
export default class Counting extends Mocha.reporters.Spec {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const path = options.reporterOptions?.result;
    /** @type {string[]} */
    const triedAgain = [];
    runner.on('retry', (test, error) => triedAgain.push(`${test.fullTitle()}: ${error.message}`));
    runner.once('end', () => {
      for (const test of triedAgain) console.log(`Tried twice: ${test.replaceAll('\n', ' ')}`);
      if (path) writeFileSync(path, JSON.stringify({ passed: this.stats.passes, failed: this.stats.failures }));
    });
  }
}
