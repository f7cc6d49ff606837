/** Counts the turns of the event loop until its result is called, which returns their number. */
export function countTurns(): () => number {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  return () => {
    clearImmediate(next);
    return turns;
  };
}
