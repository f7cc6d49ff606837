import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { findSlowest } from './slowest.mjs';

/** Mocha's usual output. Writes an `Outcome` (see parts.mjs) as JSON to the file that the reporter option `result` names. */
export default class Counting extends Mocha.reporters.Spec {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const path = options.reporterOptions?.result;
    /** @type {import('./slowest.mjs').Duration[]} */
    const tests = [];
    runner.on('test end', (test) => void tests.push({ title: test.fullTitle(), ms: test.duration ?? 0 }));
    runner.once('end', () => {
      const { passes: passed, failures: failed } = this.stats;
      if (path) writeFileSync(path, JSON.stringify({ passed, failed, slowest: findSlowest(tests) }));
    });
  }
}
