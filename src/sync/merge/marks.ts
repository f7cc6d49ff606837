/** Names of the sides in conflict marks. */
export interface SideNames {
  readonly local: string;
  readonly remote: string;
}

/** A line that git counts as a conflict mark; formatters indent them. */
const MARK = /^[^\S\r\n]*([<=>|])\1{6}(?![^\s]).*$/gmu;

/** Returns the lines of both sides between the marks that git writes and VS Code recognizes. */
export function createConflictLines(
  ours: readonly string[],
  theirs: readonly string[],
  { local, remote }: SideNames,
): string[] {
  return [`<<<<<<< ${local}`, ...ours, '=======', ...theirs, `>>>>>>> ${remote}`];
}

/**
 * Returns whether a text contains unresolved conflict marks. A single remaining mark is enough.
 * @param original a text whose lines are not marks, even if they look like marks
 */
export function hasMarks(text: string, original = ''): boolean {
  const lines = new Set(findMarks(original));
  return findMarks(text).some((line) => !lines.has(line));
}

function findMarks(text: string): readonly string[] {
  return Array.from(text.matchAll(MARK), ([line]) => line.trim());
}
