import { t } from '@vscode/l10n';
import type { LinkedPartFinding } from '../../email/checks/model.ts';
import { byStart, type TextEdit } from '../../email/html/text.ts';
import { Application } from './index.ts';
import { anyMark, type Marked, type PartProblem } from './marks.ts';

/** A use of a part in an email. */
export interface PartUse {
  readonly name: string;
  readonly isOutdated: boolean;
}

/** Returns whether a text can contain parts. Those without need no other check. */
export const mayHaveParts = (text: string): boolean => anyMark.test(text);

/** Returns the marks with an end in a text, each before those in it. */
export const listMarks = (children: Marked['children']): readonly Marked[] =>
  children.flatMap((child) => ('where' in child ? [] : [child, ...listMarks(child.children)]));

const removeMarks = (marks: readonly Marked[]): TextEdit[] =>
  marks
    .flatMap(({ start, end, inner }) => [
      { start, end: inner.start, text: '' },
      { start: inner.end, end, text: '' },
    ])
    .sort(byStart);

/** Returns the texts of parts with the line ends of an email, so that both stay equal. An email that has both kinds gets those of the parts. */
export function withLineEnds(parts: Readonly<Record<string, string>>, email: string): Record<string, string> {
  const [end, ...others] = new Set(email.match(/\r?\n/g));
  const convert = (text: string) => (end === undefined || others.length > 0 ? text : text.replace(/\r?\n/g, end));
  return Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, convert(text)]));
}

/**
 * Checks the parts of an email. Never throws. Takes bounded time.
 * @param parts the texts of parts by name
 */
export function checkParts(
  text: string,
  parts: Readonly<Record<string, string>>,
): { readonly uses: readonly PartUse[]; readonly findings: readonly LinkedPartFinding[] } {
  const { children, changes, problems } = new Application(text, parts).run();
  const marks = listMarks(children);
  const markAt = new Map(marks.map((mark) => [mark.start, mark]));
  const outdated = new Set(changes.map(({ part }) => part));
  const findings = [
    ...changes.map(({ part, ...update }) => ({
      rule: 'part-outdated',
      start: part.start,
      end: part.inner.start,
      message: t`Part "${part.name}" is out of date: its content isn't that of mailing-parts/${part.name}.html.`,
      fixes: [{ title: t`Update part "${part.name}"`, edits: [update] }, createUnlinkFix(part)],
    })),
    ...problems.map((problem) => ({ ...problem, fixes: [createProblemFix(problem, markAt.get(problem.start))] })),
  ];
  const uses = marks.filter(({ kind }) => kind === 'part');
  return { uses: uses.map((part) => ({ name: part.name, isOutdated: outdated.has(part) })), findings };
}

/** Returns the names of the parts whose update turns one text into the other; none if more has changed. */
export function findUpdatedParts(before: string, after: string, parts: Readonly<Record<string, string>>): string[] {
  const { text, changes } = new Application(before, withLineEnds(parts, before)).run();
  return text === after ? [...new Set(changes.map(({ part }) => part.name))] : [];
}

function createProblemFix({ rule, start, end }: PartProblem, mark: Marked | undefined) {
  if (mark?.kind === 'part') return createUnlinkFix(mark);
  if (mark && rule === 'slot-missing')
    return { title: t('Delete this slot and its content'), edits: [{ start, end: mark.end, text: '' }] };
  return { title: t('Remove the mark'), edits: mark ? removeMarks([mark]) : [{ start, end, text: '' }] };
}

/** Creates edits that keep the content of parts, and remove their marks and those of their slots. */
export const createUnlinkEdits = (parts: readonly Marked[]): TextEdit[] =>
  removeMarks(parts.flatMap((part) => [part, ...part.slots]));

const createUnlinkFix = (part: Marked) => ({
  title: t`Unlink part "${part.name}" here`,
  edits: createUnlinkEdits([part]),
});
