/** @typedef {{ title: string, ms: number }} Duration of a test, without its hooks */
/** @typedef {{ title: string, message: string }} Failure of a test or a hook */
/**
 * @typedef {{ passed: number, failed: number, failures?: Failure[], slowest?: Duration[] }} Outcome of a part. A part without tests has no `failures` and
 *   no `slowest`.
 */

const COUNT = 10;
const MESSAGE_CHARS = 600;

/** Records the tests of one or more mocha runs. */
export class Recorder {
  #passed = 0;
  /** @type {Failure[]} */
  #failures = [];
  /** @type {Duration[]} */
  #tests = [];

  /** @param {import('mocha').Runner} runner */
  watch(runner) {
    runner.on('pass', () => void (this.#passed += 1));
    runner.on('fail', (test, error) => {
      const message = String(error?.message ?? error).slice(0, MESSAGE_CHARS);
      this.#failures.push({ title: test.fullTitle(), message });
    });
    runner.on('test end', (test) => void this.#tests.push({ title: test.fullTitle(), ms: test.duration ?? 0 }));
  }

  /** @returns {Outcome} */
  get outcome() {
    const [passed, failures] = [this.#passed, this.#failures];
    return { passed, failed: failures.length, failures, slowest: findSlowest(this.#tests) };
  }
}

/**
 * Returns the tests that took longest, the slowest first.
 * @param {readonly Duration[]} tests
 */
export function findSlowest(tests) {
  return [...tests].sort((one, other) => other.ms - one.ms).slice(0, COUNT);
}
