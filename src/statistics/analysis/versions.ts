import type { SideBySide } from '../model.ts';
import type { StatisticsRow } from './counts.ts';
import { rolesIn, textOf, valueAt } from './fields.ts';
import { figuresOf, salesOf } from './figures.ts';
import type { Measured } from './figures.ts';
import { othersOf } from './others.ts';
import { columnNames, sideBySide } from './sides.ts';

/** Versions that stand side by side at most; the sum has them all. */
export const mostVersions = 20;

const mailOf = (row: StatisticsRow): string | undefined => textOf(valueAt(row, rolesIn('campaign', row), 'mail'));

/** What each version is called, ready to be shown: by its name or subject, else by its mail's id, else by its place. */
export function versionNames(rows: readonly StatisticsRow[]): string[] {
  const names = rows.map((row) => {
    const roles = rolesIn('campaign', row);
    const text = (role: 'versionName' | 'versionSubject'): string | undefined => textOf(valueAt(row, roles, role));
    const mail = mailOf(row);
    return text('versionName') ?? text('versionSubject') ?? (mail === undefined ? undefined : `Mail ${mail}`);
  });
  return columnNames(names, (at) => `Version ${at + 1}`);
}

/** The rows of the reading before that are of the same version; none where it wasn't there. */
function rowsBefore(row: StatisticsRow, at: number, before: readonly StatisticsRow[] | undefined): readonly StatisticsRow[] | undefined {
  const mail = mailOf(row);
  return before?.filter((earlier, place) => (mail === undefined ? place === at : mailOf(earlier) === mail));
}

/** All figures of rows in one list. */
function allOf(rows: readonly StatisticsRow[], before: readonly StatisticsRow[] | undefined): Measured[] {
  return [...figuresOf(rows, { before }), ...salesOf(rows, { before }), ...othersOf(rows, { before })];
}

/** The versions of a mail side by side; the last column is the sum of all. */
export function versionsOf(
  rows: readonly StatisticsRow[],
  names: readonly string[],
  before: readonly StatisticsRow[] | undefined,
): SideBySide {
  const shown = rows.slice(0, mostVersions);
  const figures = shown.map((row, at) => allOf([row], rowsBefore(row, at, before)));
  return sideBySide([...names.slice(0, shown.length), 'All versions'], [...figures, allOf(rows, before)]);
}
