/** @typedef {{ title: string, ms: number }} Duration of a test, without its hooks */

const COUNT = 10;

/**
 * Returns the tests that took longest, the slowest first.
 * @param {readonly Duration[]} tests
 */
export function findSlowest(tests) {
  return [...tests].sort((one, other) => other.ms - one.ms).slice(0, COUNT);
}
