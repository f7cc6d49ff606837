export type WindowName = 'a' | 'b';
export type Step = `${WindowName} ${'edits' | 'saves'}` | 'website edits';

/** What each step comes after. */
const prerequisites: Readonly<Partial<Record<Step, Step>>> = { 'a saves': 'a edits', 'b saves': 'b edits' };
const steps: readonly Step[] = ['a edits', 'a saves', 'b edits', 'b saves', 'website edits'];

/** All orders of the steps in which each window edits before it saves. */
function listOrders(left: readonly Step[]): readonly (readonly Step[])[] {
  if (left.length === 0) return [[]];
  return left.flatMap((step) => {
    const need = prerequisites[step];
    return need !== undefined && left.includes(need)
      ? []
      : listOrders(left.filter((other) => other !== step)).map((rest) => [step, ...rest]);
  });
}

/** In which order two windows and the service's website write a record. */
export const orders = listOrders(steps);

/** Who writes where: into one text, with texts of equal or of different length, or each into a text of its own. */
export type Placement = 'equal' | 'different' | 'apart';
export type RecordType = 'template' | 'campaign' | 'follow-up';

/** What is written, and how. */
const writings = (['template', 'campaign', 'follow-up'] as const satisfies readonly RecordType[]).flatMap((noun) =>
  (['equal', 'different', 'apart'] as const satisfies readonly Placement[]).map((placement) => ({ noun, placement })),
);

/** Numbers of the orders in which a noun is written so: in the tests these take turns, so that each order is met once; the soak has the others. */
export function selectOrders(run: 'tests' | 'soak', noun: RecordType, placement: Placement): readonly number[] {
  const turn = writings.findIndex((writing) => writing.noun === noun && writing.placement === placement);
  // Moved on after each round: what a user chooses goes by threes as well.
  const isTested = (order: number): boolean => (order + Math.floor(order / writings.length)) % writings.length === turn;
  return [...orders.keys()].filter((order) => isTested(order) === (run === 'tests'));
}

/** Number of tests of one of them. */
export function countOrders(run: 'tests' | 'soak'): number {
  return writings.reduce((sum, { noun, placement }) => sum + selectOrders(run, noun, placement).length, 0);
}
