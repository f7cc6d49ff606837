/** How the sides are named in conflict marks. */
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
 * Checks for conflict marks that aren't resolved. One of them left behind is enough.
 * @param known a text whose own lines don't count, even if they look like marks
 */
export function hasMarks(text: string, known = ''): boolean {
  const lines = new Set(findMarks(known));
  return findMarks(text).some((line) => !lines.has(line));
}

function findMarks(text: string): readonly string[] {
  return Array.from(text.matchAll(MARK), ([line]) => line.trim());
}
