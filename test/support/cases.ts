/** Whether tests try every case of a mechanism, as `npm run test:soak` does. */
const isWhole = process.env['MAILING_STUDIO_CASES'] === 'all';

/** Returns every `step`th of many cases of one mechanism, which unit tests try one by one; in a soak run, all of them. */
export function someOf<T>(cases: readonly T[], step: number): readonly T[] {
  return isWhole ? cases : cases.filter((_, index) => index % step === 0);
}
