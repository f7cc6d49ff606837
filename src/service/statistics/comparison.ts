import { t } from '../../l10n.ts';
import { joinParts } from '../format.ts';
import { toSingleLine } from '../text.ts';
import type { CampaignStatistics } from '../client/records.ts';
import type { Comparison, ComparisonTable, Figure, StatisticsRow } from './model.ts';
import { countFields, getCountTexts, isBlank, isUnsent, type CountKey } from './counts.ts';
import {
  BOUNCE_REASON_PREFIX,
  CLICK_TO_OPEN_KEY,
  computeFigures,
  computeSales,
  formatSalesLabel,
  getClickToOpenLabel,
  listOtherFields,
  NO_VALUE,
  SALES_PREFIX,
} from './figures.ts';

const MAX_COLUMN_NAME_LENGTH = 60;

/** Creates unique, non-empty, sanitized column headings. */
function createColumnNames(names: readonly (string | undefined)[], createFallbackName: (index: number) => string) {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const base = toSingleLine(name ?? '', MAX_COLUMN_NAME_LENGTH) || createFallbackName(index);
    let unique = base;
    for (let count = 2; taken.has(unique); count += 1) unique = `${base} (${count})`;
    taken.add(unique);
    return unique;
  });
}

/** Creates a table with one row per figure and "–" for missing figures. A column without any figures is undefined. */
function createComparisonTable(
  columns: readonly string[],
  figures: readonly (readonly Figure[] | undefined)[],
): ComparisonTable {
  const shown = new Map<string, Figure>();
  for (const figure of figures.flatMap((column) => column ?? []))
    if (!shown.has(figure.key)) shown.set(figure.key, figure);
  const hasCurrencies = [...shown.keys()].filter((key) => key.startsWith(SALES_PREFIX)).length > 1;
  return {
    columns,
    // The sort is stable: figures with the same rank keep their order.
    rows: [...shown.values()]
      .sort((a, b) => (a.rank ?? countFields.length) - (b.rank ?? countFields.length))
      .map(({ key, label }) => ({
        label: hasCurrencies && key.startsWith(SALES_PREFIX) ? formatSalesLabel(key.slice(SALES_PREFIX.length)) : label,
        cells: figures.map((column) => {
          const { value = NO_VALUE, share, rate, change } = column?.find((figure) => figure.key === key) ?? {};
          // Averages, and the rate of a figure that is a rate itself, are no shares: leave them out.
          const isShare = share !== undefined && key !== CLICK_TO_OPEN_KEY;
          return { value, rate: isShare ? rate?.value : undefined, change };
        }),
      })),
  };
}

/** Further versions are only part of the sum. */
export const MAX_VERSION_COLUMNS = 20;

/** Names each version by its email id or its position. */
export function createVersionNames(rows: readonly StatisticsRow[]): string[] {
  return createColumnNames(
    rows.map(({ mail_id: id }) => (isBlank(id) ? undefined : t`Email ${String(id)}`)),
    (index) => t`Version ${index + 1}`,
  );
}

/** Returns the row of the previous read with the same email id, or at the same index if there is no id. */
function findPreviousRows<R extends StatisticsRow>(row: R, index: number, previousRows: readonly R[] | undefined) {
  return previousRows?.filter((previous, at) =>
    isBlank(row['mail_id']) ? at === index : previous['mail_id'] === row['mail_id'],
  );
}

/** Compares the versions of an email. The last column is the sum of all versions. */
export function compareVersions(
  rows: readonly StatisticsRow[],
  names: readonly string[],
  previousRows: readonly StatisticsRow[] | undefined,
): ComparisonTable {
  const computeAll = (all: readonly StatisticsRow[], previous: readonly StatisticsRow[] | undefined) => [
    ...computeFigures(all, previous),
    ...computeSales(all, previous),
    ...listOtherFields(all),
  ];
  const shownRows = rows.slice(0, MAX_VERSION_COLUMNS);
  const figures = shownRows.map((row, index) => computeAll([row], findPreviousRows(row, index, previousRows)));
  return createComparisonTable(
    [...names.slice(0, shownRows.length), t('All versions')],
    [...figures, computeAll(rows, previousRows)],
  );
}

/** A campaign to compare. `rows` is undefined if they couldn't be read. */
interface CampaignToCompare {
  readonly name: string;
  readonly rows?: readonly CampaignStatistics[];
  /** The rows of the previous read. */
  readonly previousRows?: readonly CampaignStatistics[] | undefined;
}

/** Figures whose rates are drawn as bars. */
const barFigures: readonly (CountKey | typeof CLICK_TO_OPEN_KEY)[] = [
  'delivered',
  'open_unique',
  'click_unique',
  CLICK_TO_OPEN_KEY,
  'bounce_unique',
  'unsubscribe_total',
];

/** Compares campaigns, with the versions of each summed. A campaign that was not sent, or couldn't be read, has "–" in all cells. */
export function compareCampaigns(campaigns: readonly CampaignToCompare[]): Comparison {
  const figures = campaigns.map(({ rows, previousRows }) => {
    if (!rows || rows.every(isUnsent)) return undefined;
    return [
      ...computeFigures(rows, previousRows).filter(({ key }) => !key.startsWith(BOUNCE_REASON_PREFIX)),
      ...computeSales(rows, previousRows),
      // The ids of versions are meaningless across campaigns.
      ...listOtherFields(rows).filter(({ key }) => key !== 'mail_id'),
    ];
  });
  const names = createColumnNames(
    campaigns.map(({ name }) => name),
    (index) => t`Campaign ${index + 1}`,
  );
  return {
    ...createComparisonTable(names, figures),
    bars: barFigures.map((key) => ({
      label: key === CLICK_TO_OPEN_KEY ? getClickToOpenLabel() : getCountTexts()[key].label,
      values: figures.map((column) => column?.find((figure) => figure.key === key)?.share ?? null),
    })),
  };
}

/** Compares the mails of a follow-up, each with its row. */
export function compareMails(
  rows: readonly CampaignStatistics[],
  previousRows?: readonly CampaignStatistics[],
): Comparison {
  const names = createVersionNames(rows);
  const mails = rows.map((row, index) => ({
    name: joinParts([names[index], isUnsent(row) && t('not sent yet')]),
    rows: [row],
    previousRows: findPreviousRows(row, index, previousRows),
  }));
  return { ...compareCampaigns(mails), isOfMails: true };
}
