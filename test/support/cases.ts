/** Whether tests run every case of a mechanism, as in `npm run test:soak`. */
const isWhole = process.env['MAILING_STUDIO_CASES'] === 'all';

/** Returns every `step`th case, or all cases in a soak run. Unit tests cover each case. */
export function sampleCases<T>(cases: readonly T[], step: number): readonly T[] {
  return isWhole ? cases : cases.filter((_, index) => index % step === 0);
}
