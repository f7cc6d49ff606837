export type WindowName = 'a' | 'b';
export type Step = `${WindowName} ${'edits' | 'saves'}` | 'website edits';

/** What each step comes after. */
const needs: Readonly<Partial<Record<Step, Step>>> = { 'a saves': 'a edits', 'b saves': 'b edits' };
const steps: readonly Step[] = ['a edits', 'a saves', 'b edits', 'b saves', 'website edits'];

/** All orders of the steps in which each window edits before it saves. */
function ordersOf(left: readonly Step[]): readonly (readonly Step[])[] {
  if (left.length === 0) return [[]];
  return left.flatMap((step) => {
    const need = needs[step];
    return need !== undefined && left.includes(need) ? [] : ordersOf(left.filter((other) => other !== step)).map((rest) => [step, ...rest]);
  });
}

/** In which order two windows and the service's website write a record. */
export const orders = ordersOf(steps);

/** Who writes where: into one text, with texts of equal or of different length, or each into a text of its own. */
export type Placement = 'equal' | 'different' | 'apart';
export type WrittenNoun = 'template' | 'campaign' | 'follow-up';

/** What is written in all orders by the tests, and by the soak. */
export const writtenIn: Readonly<Record<'tests' | 'soak', Readonly<Partial<Record<WrittenNoun, readonly Placement[]>>>>> = {
  tests: { template: ['equal'], campaign: ['equal'] },
  soak: { template: ['different', 'apart'], campaign: ['different', 'apart'], 'follow-up': ['equal', 'different', 'apart'] },
};

/** Number of tests of one of them. */
export function countOrders(run: keyof typeof writtenIn): number {
  return Object.values(writtenIn[run]).flat().length * orders.length;
}
