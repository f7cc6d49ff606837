/** Whether tests in the workbench try everything, in all themes: with `npm run test:themes`. */
const isWhole = process.env['MAILING_STUDIO_CASES'] === 'all';

/** Some of many cases of one mechanism, which unit tests try one by one: each `step`th; all of them in a whole run. */
export function someOf<T>(cases: readonly T[], step: number): readonly T[] {
  return isWhole ? cases : cases.filter((_, index) => index % step === 0);
}
