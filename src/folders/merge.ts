import { diff3Merge, diffComm } from 'node-diff3';
import { normalize } from '../documents/model.ts';

/** What came of merging one text. */
export interface Merged {
  readonly text: string;
  /** Both sides changed one place: it stands twice in the text, between marks. */
  readonly hasConflict: boolean;
}

/** How the sides are called in the marks of a conflict. */
export interface Sides {
  readonly local: string;
  readonly remote: string;
}

/**
 * Merges line by line what was changed on both sides. Where the text that both come from is not known, each difference is a conflict: what
 * one side has and the other has not may be new, or may have been taken out.
 */
export function mergeTexts(base: string | undefined, local: string, remote: string, names: Sides): Merged {
  const [ours, theirs] = [linesOf(local), linesOf(remote)];
  const pieces = base === undefined
    ? diffComm(ours, theirs).map(({ common, buffer1, buffer2 }) => (common ? { ok: common } : { conflict: { a: buffer1, b: buffer2 } }))
    : diff3Merge(ours, linesOf(base), theirs, { excludeFalseConflicts: true });
  let hasConflict = false;
  const lines = pieces.flatMap(({ ok, conflict }) => {
    if (conflict === undefined) return ok ?? [];
    hasConflict = true;
    return marksAround(conflict.a, conflict.b, names);
  });
  const eol = local.includes('\r\n') ? '\r\n' : '\n';
  return { text: lines.join(eol), hasConflict };
}

/** Lines of both sides between the marks that git writes, and VS Code shows. */
export function marksAround(ours: readonly string[], theirs: readonly string[], { local, remote }: Sides): string[] {
  return [`<<<<<<< ${local}`, ...ours, '=======', ...theirs, `>>>>>>> ${remote}`];
}

/** Whether a text still has the marks of a conflict that nobody has resolved. */
export function hasMarks(text: string): boolean {
  return /^<{7} /mu.test(text) && /^={7}\r?$/mu.test(text) && /^>{7} /mu.test(text);
}

function linesOf(text: string): string[] {
  return normalize(text).split('\n');
}
