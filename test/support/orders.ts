export type WindowName = 'a' | 'b';
export type Step = `${WindowName} ${'edits' | 'saves'}` | 'website edits';

/** Steps that must precede a step. */
const prerequisites: Readonly<Partial<Record<Step, Step>>> = { 'a saves': 'a edits', 'b saves': 'b edits' };
const steps: readonly Step[] = ['a edits', 'a saves', 'b edits', 'b saves', 'website edits'];

/** Lists all orders of the steps in which each window edits before it saves. */
function listOrders(left: readonly Step[]): readonly (readonly Step[])[] {
  if (left.length === 0) return [[]];
  return left.flatMap((step) => {
    const prerequisite = prerequisites[step];
    return prerequisite !== undefined && left.includes(prerequisite)
      ? []
      : listOrders(left.filter((other) => other !== step)).map((rest) => [step, ...rest]);
  });
}

/** Orders in which two windows and the website of the service write a record. */
export const orders = listOrders(steps);

/** Texts that the writers change: one text with results of equal or different length, or separate texts. */
export type Placement = 'equal' | 'different' | 'apart';
export type RecordType = 'template' | 'campaign' | 'follow-up';

/** All combinations of record type and placement. */
const writeCases = (['template', 'campaign', 'follow-up'] as const satisfies readonly RecordType[]).flatMap((noun) =>
  (['equal', 'different', 'apart'] as const satisfies readonly Placement[]).map((placement) => ({ noun, placement })),
);

/** Selects the indexes of orders for a combination. The tests rotate, so that each order is tried once; the soak tries the others. */
export function selectOrders(run: 'tests' | 'soak', noun: RecordType, placement: Placement): readonly number[] {
  const turn = writeCases.findIndex((writing) => writing.noun === noun && writing.placement === placement);
  // Shifted after each round, because the choices of the user also repeat every three orders.
  const isTested = (order: number) => (order + Math.floor(order / writeCases.length)) % writeCases.length === turn;
  return [...orders.keys()].filter((order) => isTested(order) === (run === 'tests'));
}

/** Counts the tests of a run. */
export function countOrders(run: 'tests' | 'soak'): number {
  return writeCases.reduce((sum, { noun, placement }) => sum + selectOrders(run, noun, placement).length, 0);
}
