import type { SideBySide } from '../model.ts';
import { plain } from '../../../platform/ui/text.ts';
import {
  clickToOpenKey,
  deliveredKey,
  figuresOf,
  reasonKey,
  salesKey,
  salesLabel,
  salesOf,
  type Measured,
} from './figures.ts';
import { countFields, type StatisticsRow } from './counts.ts';
import { none } from './show.ts';
import { rolesIn, textOf, valueAt } from './fields.ts';
import { othersOf } from './others.ts';

const longestName = 60;

/** Names as headings of columns: safe text, none twice, none empty. */
export function columnNames(names: readonly (string | undefined)[], instead: (at: number) => string): string[] {
  const taken = new Set<string>();
  return names.map((name, at) => {
    const base = plain(name ?? '', longestName) || instead(at);
    let unique = base;
    for (let count = 2; taken.has(unique); count += 1) unique = `${base} (${count})`;
    taken.add(unique);
    return unique;
  });
}

/** Where the known figures stand, one below the other. */
const order = new Map(
  countFields
    .flatMap(({ role, names: [key = ''] }) => {
      if (role === 'failed') return [key, deliveredKey];
      return role === 'totalClicks' ? [key, clickToOpenKey] : [key];
    })
    .map((key, place) => [key, place]),
);

function placeOf(key: string): number {
  return order.get(key) ?? (key.startsWith(reasonKey) ? (order.get('bounce_unique') ?? 0) : order.size);
}

/** Figures of several columns in the rows of a table; "–" where a column has none of a kind. A column without figures is undefined. */
export function sideBySide(
  columns: readonly string[],
  figures: readonly (readonly Measured[] | undefined)[],
): SideBySide {
  const labels = new Map<string, string>();
  for (const { key, label } of figures.flatMap((column) => column ?? [])) if (!labels.has(key)) labels.set(key, label);
  const byKey = figures.map((column) => new Map(column?.map((figure) => [figure.key, figure])));
  // The sort keeps the order of those that stand in the same place.
  const keys = [...labels.keys()].sort((a, b) => placeOf(a) - placeOf(b));
  const currencies = keys.filter((key) => key.startsWith(salesKey)).length;
  return {
    columns,
    rows: keys.map((key) => ({
      label:
        currencies > 1 && key.startsWith(salesKey) ? salesLabel(key.slice(salesKey.length)) : (labels.get(key) ?? ''),
      cells: byKey.map((column) => {
        const figure = column.get(key);
        if (figure === undefined) return { value: none };
        // The rate of a figure that is a rate itself says how many, and an average is none.
        const rate = figure.share === undefined || key === clickToOpenKey ? undefined : figure.rate?.value;
        return {
          value: figure.value,
          ...(rate === undefined ? {} : { rate }),
          ...(figure.change === undefined ? {} : { change: figure.change }),
        };
      }),
    })),
  };
}

/** A figure as the page gets it. */
export function figureOf({ share: _share, ...figure }: Measured): Omit<Measured, 'share'> {
  return figure;
}

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
function rowsBefore(
  row: StatisticsRow,
  at: number,
  before: readonly StatisticsRow[] | undefined,
): readonly StatisticsRow[] | undefined {
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
