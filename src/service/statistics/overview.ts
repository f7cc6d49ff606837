import { formatNumber, formatPair, localized, t } from '../../l10n.ts';
import { stringifyFieldValue } from '../../email/compose/fieldText.ts';
import { formatServiceDateTime } from '../format.ts';
import { toSingleLine } from '../text.ts';
import type { CampaignStatistics } from '../client/records.ts';
import type { FunnelStep, Overview, StatisticsRow } from './model.ts';
import { compareVersions, createVersionNames, MAX_VERSION_COLUMNS } from './comparison.ts';
import {
  countFields,
  getCountTexts,
  isBlank,
  isUnsent,
  parseNumber,
  sumCounts,
  type CountKey,
  type Counts,
} from './counts.ts';
import { computeFigures, computeSales, computeShare, listOtherFields } from './figures.ts';

const getFunnelLabels = localized((): Readonly<Partial<Record<CountKey, string>>> => ({
  open_unique: t({ message: 'Opened', comment: 'Number of recipients who opened the email' }),
  click_unique: t({ message: 'Clicked', comment: 'Number of recipients who clicked a link' }),
}));

/** Computes the funnel from recipients to clicks, without steps that the service doesn't report. */
function computeFunnel(counts: Counts): FunnelStep[] {
  const keys = ['total_subscribers', 'sent', 'delivered', 'open_unique', 'click_unique'] as const;
  const steps = keys.flatMap((key) => {
    const count = counts[key];
    const label = getFunnelLabels()[key] ?? getCountTexts()[key].label;
    return count === undefined ? [] : [{ label, count: Math.max(0, count) }];
  });
  return steps.map((step) => ({ ...step, share: computeShare(step.count, steps[0]?.count) }));
}

/** Returns whether the campaign was sent and has no opens and clicks, according to the service. */
function isCampaignUnopened({ sent, open_unique, open_total, click_unique, click_total }: Counts) {
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

/** Pairs of counts of which the first can't exceed the second, with a sentence about both numbers. */
const contradictions: readonly (readonly [
  more: CountKey,
  than: CountKey,
  describe: (more: string, than: string) => string,
])[] = [
  ['open_unique', 'sent', (more, than) => t`More recipients opened the email (${more}) than it was sent to (${than}).`],
  [
    'open_unique',
    'open_total',
    (more, than) => t`More recipients opened the email (${more}) than there were opens (${than}).`,
  ],
  ['click_unique', 'sent', (more, than) => t`More recipients clicked (${more}) than the email was sent to (${than}).`],
  [
    'click_unique',
    'click_total',
    (more, than) => t`More recipients clicked (${more}) than there were clicks (${than}).`,
  ],
  [
    'click_unique',
    'open_unique',
    (more, than) =>
      t`More recipients clicked (${more}) than opened the email (${than}). Mail clients that block images report no opens.`,
  ],
  ['bounce_unique', 'sent', (more, than) => t`More emails bounced (${more}) than were sent (${than}).`],
  [
    'unsubscribe_total',
    'sent',
    (more, than) => t`More recipients unsubscribed (${more}) than the email was sent to (${than}).`,
  ],
];

function describeContradictions(counts: Counts) {
  const sentences = contradictions.flatMap(([more, than, describe]) => {
    const [first, second] = [counts[more], counts[than]];
    return first !== undefined && second !== undefined && second >= 0 && first > second
      ? [describe(formatNumber(first), formatNumber(second))]
      : [];
  });
  return [...sentences, ...describeTotals(counts)];
}

function describeTotals({ total_subscribers: recipients, sent, fail }: Counts) {
  if (recipients === undefined || sent === undefined || recipients < 0 || sent < 0) return [];
  const waitingCount = recipients - sent - Math.max(0, fail ?? 0);
  const total = formatNumber(recipients);
  if (waitingCount < 0)
    return [
      fail
        ? t`Sent (${formatNumber(sent)}) and failed (${formatNumber(fail)}) emails exceed the number of recipients (${total}).`
        : t`More emails were sent (${formatNumber(sent)}) than there are recipients (${total}).`,
    ];
  // If failures are not reported, the remaining recipients may have failed.
  return waitingCount > 0 && fail !== undefined
    ? [t`Waiting to be sent: ${formatNumber(waitingCount)} of ${total} emails.`]
    : [];
}

/** Describes counts that are negative or not numbers. */
function describeInvalidValues(row: StatisticsRow) {
  return [...countFields, { key: 'tracking_sale' } as const].flatMap(({ key }) => {
    const value = row[key];
    if (isBlank(value)) return [];
    const label = key === 'tracking_sale' ? t('Sales') : getCountTexts()[key].label;
    const number = parseNumber(value);
    if (number === undefined) return [t`"${label}" isn't a number: "${toSingleLine(stringifyFieldValue(value), 60)}".`];
    return number < 0 && key !== 'tracking_sale' ? [t`"${label}" is negative: ${formatNumber(number)}.`] : [];
  });
}

/** Describes contradictory, invalid and incomplete figures in sentences. `names`: the versions' names, one for each row. */
function createRemarks(rows: readonly StatisticsRow[], names: readonly string[], counts: Counts) {
  const hasVersions = rows.length > 1;
  const versionRemarks = rows.map((row) => (hasVersions ? describeContradictions(sumCounts([row])) : []));
  // Don't repeat a version's contradiction for the sum.
  const totalRemarks = versionRemarks.some(({ length }) => length > 0) ? [] : describeContradictions(counts);
  const rowRemarks = rows.flatMap((row, index) =>
    [...describeInvalidValues(row), ...(versionRemarks[index] ?? [])].map((sentence) =>
      hasVersions ? formatPair(names[index] ?? String(index + 1), sentence) : sentence,
    ),
  );
  const all = [...totalRemarks, ...rowRemarks];
  const sendDate = rows.map(({ send_date: date }) => formatServiceDateTime(String(date))).find(Boolean);
  return [
    ...(counts.sent === 0 && sendDate !== undefined
      ? [t`Sending began on ${sendDate}, but no email was sent so far.`]
      : []),
    ...(all.length > MAX_REMARKS
      ? [...all.slice(0, MAX_REMARKS - 1), t`…and ${formatNumber(all.length - MAX_REMARKS + 1)} more.`]
      : all),
    ...(rows.length > MAX_VERSION_COLUMNS
      ? [
          t`The table shows the first ${MAX_VERSION_COLUMNS} of ${formatNumber(rows.length)} versions. The figures include all of them.`,
        ]
      : []),
  ];
}
