import type { CampaignStatistics } from '../../../service/client/records.ts';
import type { FunnelStep, Overview } from '../model.ts';
import { formatCount } from '../../../platform/ui/format.ts';
import { sumCounts, isUnsent } from './counts.ts';
import type { Counts } from './counts.ts';
import { computeDelivered, computeFigures, computeSales } from './figures.ts';
import type { FigureOptions } from './figures.ts';
import { formatSendDate, computeOtherFigures } from './otherFields.ts';
import { createRemarks } from './remarks.ts';
import { computeShare } from './formatValues.ts';
import { toFigure, MAX_VERSION_COLUMNS, createVersionNames, compareVersions } from './comparisonTable.ts';

/** Computes the funnel from recipients to clicks, without steps that the service doesn't report. */
function computeFunnel(counts: Counts): FunnelStep[] {
  const steps: readonly (readonly [string, number | undefined])[] = [
    ['Recipients', counts.recipients],
    ['Sent', counts.sent],
    ['Delivered', computeDelivered(counts)],
    ['Opened', counts.uniqueOpens],
    ['Clicked', counts.uniqueClicks],
  ];
  const reportedSteps = steps.flatMap(([label, count]) =>
    count === undefined ? [] : [{ label, count: Math.max(0, count) }],
  );
  return reportedSteps.map(({ label, count }) => {
    const share = computeShare(count, reportedSteps[0]?.count);
    return { label, count, ...(share === undefined ? {} : { share }) };
  });
}

/** Returns whether the campaign was sent and has no opens and clicks, according to the service. */
function isCampaignUnopened({ sent, uniqueOpens, totalOpens, uniqueClicks, totalClicks }: Counts): boolean {
  const opens = [uniqueOpens, totalOpens].filter((count) => count !== undefined);
  return sent !== 0 && opens.length > 0 && [...opens, uniqueClicks ?? 0, totalClicks ?? 0].every((count) => count <= 0);
}

/**
 * Creates the overview of a campaign.
 * @param rows one for each version of the email, with any fields; empty before anything was sent
 */
export function createOverview(rows: readonly CampaignStatistics[], options: FigureOptions = {}): Overview {
  if (rows.every(isUnsent))
    return { isUnsent: true, isUnopened: false, figures: [], sales: [], otherFigures: [], funnel: [], remarks: [] };
  const reportedCounts = sumCounts(rows);
  const recipients = reportedCounts.recipients ?? options.recipients;
  const counts: Counts = recipients === undefined ? reportedCounts : { ...reportedCounts, recipients };
  const names = createVersionNames(rows);
  const sendDate = reportedCounts.sent === 0 ? formatSendDate(rows) : undefined;
  const remarks = [
    ...(sendDate === undefined ? [] : [`The sending began on ${sendDate}, and no message has been sent so far.`]),
    ...createRemarks(rows, names, options.recipients),
    ...(rows.length > MAX_VERSION_COLUMNS
      ? [
          `Only the first ${MAX_VERSION_COLUMNS} of ${formatCount(rows.length)} versions stand side by side; the figures are those of all.`,
        ]
      : []),
  ];
  return {
    isUnsent: false,
    isUnopened: isCampaignUnopened(counts),
    figures: computeFigures(rows, options).map(toFigure),
    sales: computeSales(rows, options).map(toFigure),
    otherFigures: computeOtherFigures(rows, options).map(toFigure),
    funnel: computeFunnel(counts),
    ...(rows.length > 1 ? { versions: compareVersions(rows, names, options.previousRows) } : {}),
    remarks,
  };
}
