import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import { formatAmount, formatCount, formatServiceDateTime } from '../../../platform/ui/format.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import type { CampaignStatistics } from '../../../service/client/records.ts';
import type { FunnelStep, Overview, StatisticsRow } from '../model.ts';
import { compareVersions, createVersionNames, MAX_VERSION_COLUMNS } from './comparison.ts';
import { countFields, isBlank, isUnsent, parseNumber, sumCounts, type CountKey, type Counts } from './counts.ts';
import { computeFigures, computeSales, computeShare, listOtherFields } from './figures.ts';

const funnelSteps: readonly (readonly [label: string, key: CountKey])[] = [
  ['Recipients', 'total_subscribers'],
  ['Sent', 'sent'],
  ['Delivered', 'delivered'],
  ['Opened', 'open_unique'],
  ['Clicked', 'click_unique'],
];

/** Computes the funnel from recipients to clicks, without steps that the service doesn't report. */
function computeFunnel(counts: Counts): FunnelStep[] {
  const steps = funnelSteps.flatMap(([label, key]) => {
    const count = counts[key];
    return count === undefined ? [] : [{ label, count: Math.max(0, count) }];
  });
  return steps.map((step) => ({ ...step, share: computeShare(step.count, steps[0]?.count) }));
}

/** Returns whether the campaign was sent and has no opens and clicks, according to the service. */
function isCampaignUnopened({ sent, open_unique, open_total, click_unique, click_total }: Counts): boolean {
  const opens = [open_unique, open_total].filter((count) => count !== undefined);
  return sent !== 0 && opens.length > 0 && [...opens, click_unique ?? 0, click_total ?? 0].every((count) => count <= 0);
}

/**
 * Creates the overview of a campaign.
 * @param rows one for each version of the email, with any fields; empty before anything was sent
 * @param previousRows the rows of the previous read
 */
export function createOverview(
  rows: readonly CampaignStatistics[],
  previousRows?: readonly CampaignStatistics[],
): Overview {
  if (rows.every(isUnsent))
    return { isUnsent: true, isUnopened: false, figures: [], sales: [], otherFigures: [], funnel: [], remarks: [] };
  const counts = sumCounts(rows);
  const names = createVersionNames(rows);
  return {
    isUnsent: false,
    isUnopened: isCampaignUnopened(counts),
    figures: computeFigures(rows, previousRows),
    sales: computeSales(rows, previousRows),
    otherFigures: listOtherFields(rows),
    funnel: computeFunnel(counts),
    versions: rows.length > 1 ? compareVersions(rows, names, previousRows) : undefined,
    remarks: createRemarks(rows, names, counts),
  };
}

const MAX_REMARKS = 12;

/** Pairs of counts of which the first can't exceed the second, with a sentence that contains both. */
const contradictions: readonly (readonly [more: CountKey, than: CountKey, sentence: string])[] = [
  ['open_unique', 'sent', 'More recipients opened the message ({more}) than it was sent to ({than}).'],
  ['open_unique', 'open_total', 'More recipients opened the message ({more}) than there were opens ({than}).'],
  ['click_unique', 'sent', 'More recipients clicked ({more}) than the message was sent to ({than}).'],
  ['click_unique', 'click_total', 'More recipients clicked ({more}) than there were clicks ({than}).'],
  [
    'click_unique',
    'open_unique',
    'More recipients clicked ({more}) than opened the message ({than}). Mail clients that block images report no opens.',
  ],
  ['bounce_unique', 'sent', 'More messages bounced ({more}) than were sent ({than}).'],
  ['unsubscribe_total', 'sent', 'More recipients unsubscribed ({more}) than the message was sent to ({than}).'],
];

function describeContradictions(counts: Counts): string[] {
  const sentences = contradictions.flatMap(([more, than, sentence]) => {
    const [first, second] = [counts[more], counts[than]];
    return first !== undefined && second !== undefined && second >= 0 && first > second
      ? [sentence.replace('{more}', formatCount(first)).replace('{than}', formatCount(second))]
      : [];
  });
  return [...sentences, ...describeTotals(counts)];
}

function describeTotals({ total_subscribers: recipients, sent, fail }: Counts): string[] {
  if (recipients === undefined || sent === undefined || recipients < 0 || sent < 0) return [];
  const waitingCount = recipients - sent - Math.max(0, fail ?? 0);
  const total = formatCount(recipients);
  if (waitingCount < 0)
    return [
      fail
        ? `Sent (${formatCount(sent)}) and failed (${formatCount(fail)}) exceed the number of recipients (${total}).`
        : `More messages were sent (${formatCount(sent)}) than there are recipients (${total}).`,
    ];
  // If failures are not reported, the remaining recipients may have failed.
  return waitingCount > 0 && fail !== undefined
    ? [
        `${formatAmount(waitingCount, 'message')} of ${total} ${waitingCount === 1 ? 'is' : 'are'} still waiting to be sent.`,
      ]
    : [];
}

/** Describes counts that are negative or not numbers. */
function describeInvalidValues(row: StatisticsRow): string[] {
  return [...countFields, { key: 'tracking_sale', label: 'Sales' } as const].flatMap(({ key, label }) => {
    const value = row[key];
    if (isBlank(value)) return [];
    const number = parseNumber(value);
    if (number === undefined) return [`“${label}” is not a number: “${toSingleLine(stringifyFieldValue(value), 60)}”.`];
    return number < 0 && key !== 'tracking_sale' ? [`“${label}” is negative: ${formatCount(number)}.`] : [];
  });
}

/** Describes contradictory, invalid and incomplete figures in sentences. `names`: the versions' names, one for each row. */
function createRemarks(rows: readonly StatisticsRow[], names: readonly string[], counts: Counts): string[] {
  const hasVersions = rows.length > 1;
  const versionRemarks = rows.map((row) => (hasVersions ? describeContradictions(sumCounts([row])) : []));
  // Don't repeat a version's contradiction for the sum.
  const totalRemarks = versionRemarks.some(({ length }) => length > 0) ? [] : describeContradictions(counts);
  const rowRemarks = rows.flatMap((row, index) =>
    [...describeInvalidValues(row), ...(versionRemarks[index] ?? [])].map((sentence) =>
      hasVersions ? `${names[index] ?? index + 1}: ${sentence}` : sentence,
    ),
  );
  const all = [...totalRemarks, ...rowRemarks];
  const sendDate = rows.map(({ send_date: date }) => formatServiceDateTime(String(date))).find(Boolean);
  return [
    ...(counts.sent === 0 && sendDate !== undefined
      ? [`Sending began on ${sendDate}, but no message has been sent so far.`]
      : []),
    ...(all.length > MAX_REMARKS
      ? [...all.slice(0, MAX_REMARKS - 1), `And ${formatCount(all.length - MAX_REMARKS + 1)} more remarks.`]
      : all),
    ...(rows.length > MAX_VERSION_COLUMNS
      ? [
          `The table shows the first ${MAX_VERSION_COLUMNS} of ${formatCount(rows.length)} versions. The figures include all of them.`,
        ]
      : []),
  ];
}
