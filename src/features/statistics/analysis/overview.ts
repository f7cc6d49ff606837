import type { CampaignStatistics } from '../../../service/client/records.ts';
import type { FunnelStep, Overview } from '../model.ts';
import { formatCount } from '../../../platform/ui/format.ts';
import { countsOf, isUnsent } from './counts.ts';
import type { Counts } from './counts.ts';
import { deliveredOf, figuresOf, salesOf } from './figures.ts';
import type { FigureOptions } from './figures.ts';
import { beganOn, othersOf } from './others.ts';
import { remarksOf } from './remarks.ts';
import { shareOf } from './show.ts';
import { figureOf, mostVersions, versionNames, versionsOf } from './sides.ts';

/** The way from the recipients to the clicks, as far as the service tells of it. */
function funnelOf(counts: Counts): FunnelStep[] {
  const steps: readonly (readonly [string, number | undefined])[] = [
    ['Recipients', counts.recipients],
    ['Sent', counts.sent],
    ['Delivered', deliveredOf(counts)],
    ['Opened', counts.uniqueOpens],
    ['Clicked', counts.uniqueClicks],
  ];
  const known = steps.flatMap(([label, count]) => (count === undefined ? [] : [{ label, count: Math.max(0, count) }]));
  return known.map(({ label, count }) => {
    const share = shareOf(count, known[0]?.count);
    return { label, count, ...(share === undefined ? {} : { share }) };
  });
}

/** Whether something was sent and nobody has opened it, as far as the service tells. */
function isUnopened({ sent, uniqueOpens, totalOpens, uniqueClicks, totalClicks }: Counts): boolean {
  const opens = [uniqueOpens, totalOpens].filter((count) => count !== undefined);
  return sent !== 0 && opens.length > 0 && [...opens, uniqueClicks ?? 0, totalClicks ?? 0].every((count) => count <= 0);
}

/**
 * What a campaign's statistics say.
 * @param rows as the client gives them: one for each version of the mail, with any fields; none before anything was sent
 * @param options the rows of the reading before, for what has changed, and the number of recipients for services that don't tell it
 */
export function overviewOf(rows: readonly CampaignStatistics[], options: FigureOptions = {}): Overview {
  if (rows.every(isUnsent))
    return { unsent: true, unopened: false, figures: [], sales: [], others: [], funnel: [], remarks: [] };
  const told = countsOf(rows);
  const recipients = told.recipients ?? options.recipients;
  const counts: Counts = recipients === undefined ? told : { ...told, recipients };
  const names = versionNames(rows);
  const began = told.sent === 0 ? beganOn(rows) : undefined;
  const remarks = [
    ...(began === undefined ? [] : [`The sending began on ${began}, and no message has been sent so far.`]),
    ...remarksOf(rows, names, options.recipients),
    ...(rows.length > mostVersions
      ? [
          `Only the first ${mostVersions} of ${formatCount(rows.length)} versions stand side by side; the figures are those of all.`,
        ]
      : []),
  ];
  return {
    unsent: false,
    unopened: isUnopened(counts),
    figures: figuresOf(rows, options).map(figureOf),
    sales: salesOf(rows, options).map(figureOf),
    others: othersOf(rows, options).map(figureOf),
    funnel: funnelOf(counts),
    ...(rows.length > 1 ? { versions: versionsOf(rows, names, options.before) } : {}),
    remarks,
  };
}
