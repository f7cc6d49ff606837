import type { CampaignStatistics } from '../../../service/client/records.ts';
import type { Comparison } from '../model.ts';
import { isUnsent } from './counts.ts';
import { findStatisticsField } from './fields.ts';
import type { FieldRole } from './fields.ts';
import { CLICK_TO_OPEN_KEY, DELIVERED_KEY, computeFigures, BOUNCE_REASON_PREFIX, computeSales } from './figures.ts';
import type { MeasuredFigure } from './figures.ts';
import { computeOtherFigures } from './otherFields.ts';
import { createColumnNames, createComparisonTable } from './comparisonTable.ts';

/** A campaign to compare. `rows` is undefined if they couldn't be read. */
export interface CampaignToCompare {
  readonly name: string;
  readonly rows: readonly CampaignStatistics[] | undefined;
}

/** Figures whose rates are drawn as bars. */
const barFigures: readonly (readonly [key: string, label: string])[] = [
  [DELIVERED_KEY, 'Delivered'],
  ['open_unique', 'Unique opens'],
  ['click_unique', 'Unique clicks'],
  [CLICK_TO_OPEN_KEY, 'Click-to-open rate'],
  ['bounce_unique', 'Bounces'],
  ['unsubscribe_total', 'Unsubscribes'],
];

/** Fields that distinguish versions of one campaign are meaningless across campaigns. */
const versionRoles: ReadonlySet<FieldRole | undefined> = new Set<FieldRole>(['mail', 'versionName', 'versionSubject']);

function computeCampaignFigures(
  rows: readonly CampaignStatistics[] | undefined,
  previousRows: readonly CampaignStatistics[] | undefined,
): MeasuredFigure[] | undefined {
  if (rows === undefined || rows.every(isUnsent)) return undefined;
  const figures = computeFigures(rows, { previousRows }).filter(({ key }) => !key.startsWith(BOUNCE_REASON_PREFIX));
  const otherFigures = computeOtherFigures(rows, { previousRows }).filter(
    ({ key }) => !versionRoles.has(findStatisticsField('campaign', key)?.role),
  );
  return [...figures, ...computeSales(rows, { previousRows }), ...otherFigures];
}

/**
 * Compares campaigns, with the versions of each summed. A campaign that was not sent, or couldn't be read, has "–" in all cells.
 * @param previousRows the rows of the previous read, in the order of `campaigns`
 */
export function compareCampaigns(
  campaigns: readonly CampaignToCompare[],
  previousRows?: readonly (readonly CampaignStatistics[] | undefined)[],
): Comparison {
  const names = createColumnNames(
    campaigns.map(({ name }) => name),
    (index) => `Campaign ${index + 1}`,
  );
  const figures = campaigns.map(({ rows }, index) => computeCampaignFigures(rows, previousRows?.[index]));
  const findShare = (column: readonly MeasuredFigure[] | undefined, wantedKey: string): number | null =>
    column?.find(({ key }) => key === wantedKey)?.share ?? null;
  return {
    ...createComparisonTable(names, figures),
    names,
    bars: barFigures.map(([key, label]) => ({ label, values: figures.map((column) => findShare(column, key)) })),
  };
}
