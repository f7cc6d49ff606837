import type { ComparisonTable, StatisticsRow } from '../model.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import {
  CLICK_TO_OPEN_KEY,
  DELIVERED_KEY,
  computeFigures,
  BOUNCE_REASON_PREFIX,
  SALES_PREFIX,
  formatSalesLabel,
  computeSales,
  type MeasuredFigure,
} from './figures.ts';
import { countFields } from './counts.ts';
import { NO_VALUE } from './formatValues.ts';
import { mapRolesToKeys, toFieldText, getMappedValue } from './fields.ts';
import { computeOtherFigures } from './otherFields.ts';

const MAX_COLUMN_NAME_LENGTH = 60;

/** Creates unique, non-empty, sanitized column headings. */
export function createColumnNames(
  names: readonly (string | undefined)[],
  createFallbackName: (index: number) => string,
): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const base = toSingleLine(name ?? '', MAX_COLUMN_NAME_LENGTH) || createFallbackName(index);
    let unique = base;
    for (let count = 2; taken.has(unique); count += 1) unique = `${base} (${count})`;
    taken.add(unique);
    return unique;
  });
}

/** Row positions of the recognized figures, by key. */
const figureOrder = new Map(
  countFields
    .flatMap(({ role, names: [key = ''] }) => {
      if (role === 'failed') return [key, DELIVERED_KEY];
      return role === 'totalClicks' ? [key, CLICK_TO_OPEN_KEY] : [key];
    })
    .map((key, index) => [key, index]),
);

function getFigureOrder(key: string): number {
  return (
    figureOrder.get(key) ??
    (key.startsWith(BOUNCE_REASON_PREFIX) ? (figureOrder.get('bounce_unique') ?? 0) : figureOrder.size)
  );
}

/** Creates a table with one row per figure and "–" for missing figures. A column without any figures is undefined. */
export function createComparisonTable(
  columns: readonly string[],
  figures: readonly (readonly MeasuredFigure[] | undefined)[],
): ComparisonTable {
  const labels = new Map<string, string>();
  for (const { key, label } of figures.flatMap((column) => column ?? [])) if (!labels.has(key)) labels.set(key, label);
  const byKey = figures.map((column) => new Map(column?.map((figure) => [figure.key, figure])));
  // The sort is stable: figures with the same position keep their order.
  const keys = [...labels.keys()].sort((a, b) => getFigureOrder(a) - getFigureOrder(b));
  const currencies = keys.filter((key) => key.startsWith(SALES_PREFIX)).length;
  return {
    columns,
    rows: keys.map((key) => ({
      label:
        currencies > 1 && key.startsWith(SALES_PREFIX)
          ? formatSalesLabel(key.slice(SALES_PREFIX.length))
          : (labels.get(key) ?? ''),
      cells: byKey.map((column) => {
        const figure = column.get(key);
        if (figure === undefined) return { value: NO_VALUE };
        // Averages, and the rate of a figure that is a rate itself, are no shares: leave them out.
        const rate = figure.share === undefined || key === CLICK_TO_OPEN_KEY ? undefined : figure.rate?.value;
        return {
          value: figure.value,
          ...(rate === undefined ? {} : { rate }),
          ...(figure.change === undefined ? {} : { change: figure.change }),
        };
      }),
    })),
  };
}

/** Returns the figure without the fields that the page doesn't need. */
export function toFigure({ share: _share, ...figure }: MeasuredFigure): Omit<MeasuredFigure, 'share'> {
  return figure;
}

/** Further versions are only part of the sum. */
export const MAX_VERSION_COLUMNS = 20;

const getMailId = (row: StatisticsRow): string | undefined =>
  toFieldText(getMappedValue(row, mapRolesToKeys('campaign', row), 'mail'));

/** Names each version by its name, subject, email id or position, whichever is available first. */
export function createVersionNames(rows: readonly StatisticsRow[]): string[] {
  const names = rows.map((row) => {
    const roles = mapRolesToKeys('campaign', row);
    const getText = (role: 'versionName' | 'versionSubject'): string | undefined =>
      toFieldText(getMappedValue(row, roles, role));
    const mail = getMailId(row);
    return getText('versionName') ?? getText('versionSubject') ?? (mail === undefined ? undefined : `Mail ${mail}`);
  });
  return createColumnNames(names, (index) => `Version ${index + 1}`);
}

/** Returns the rows of the same version in the previous read; empty if the version is new. */
function findPreviousRows(
  row: StatisticsRow,
  index: number,
  previousRows: readonly StatisticsRow[] | undefined,
): readonly StatisticsRow[] | undefined {
  const mail = getMailId(row);
  return previousRows?.filter((previousRow, previousIndex) =>
    mail === undefined ? previousIndex === index : getMailId(previousRow) === mail,
  );
}

function computeAllFigures(
  rows: readonly StatisticsRow[],
  previousRows: readonly StatisticsRow[] | undefined,
): MeasuredFigure[] {
  return [
    ...computeFigures(rows, { previousRows }),
    ...computeSales(rows, { previousRows }),
    ...computeOtherFigures(rows, { previousRows }),
  ];
}

/** Compares the versions of an email. The last column is the sum of all versions. */
export function compareVersions(
  rows: readonly StatisticsRow[],
  names: readonly string[],
  previousRows: readonly StatisticsRow[] | undefined,
): ComparisonTable {
  const shownRows = rows.slice(0, MAX_VERSION_COLUMNS);
  const figures = shownRows.map((row, index) => computeAllFigures([row], findPreviousRows(row, index, previousRows)));
  return createComparisonTable(
    [...names.slice(0, shownRows.length), 'All versions'],
    [...figures, computeAllFigures(rows, previousRows)],
  );
}
