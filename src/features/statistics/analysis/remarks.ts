import type { StatisticsRow } from '../model.ts';
import { formatCount } from '../../../platform/ui/format.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import { countFields, sumCounts } from './counts.ts';
import type { CountRole, Counts } from './counts.ts';
import { getStatisticsFields, isBlank, parseNumber, mapRolesToKeys, getMappedValue } from './fields.ts';

const MAX_REMARKS = 12;

interface Contradiction {
  readonly more: CountRole;
  readonly than: CountRole;
  /** Returns a sentence with the two formatted numbers. */
  readonly describe: (more: string, than: string) => string;
}

/** Pairs of counts of which the first can't exceed the second. */
const contradictions: readonly Contradiction[] = [
  {
    more: 'uniqueOpens',
    than: 'sent',
    describe: (more, than) => `More recipients opened the message (${more}) than it was sent to (${than}).`,
  },
  {
    more: 'uniqueOpens',
    than: 'totalOpens',
    describe: (more, than) => `More recipients opened the message (${more}) than there were opens (${than}).`,
  },
  {
    more: 'uniqueClicks',
    than: 'sent',
    describe: (more, than) => `More recipients clicked (${more}) than the message was sent to (${than}).`,
  },
  {
    more: 'uniqueClicks',
    than: 'totalClicks',
    describe: (more, than) => `More recipients clicked (${more}) than there were clicks (${than}).`,
  },
  {
    more: 'uniqueClicks',
    than: 'uniqueOpens',
    describe: (more, than) =>
      `More recipients clicked (${more}) than opened the message (${than}): programs that load no pictures are not counted as opens.`,
  },
  {
    more: 'bounces',
    than: 'sent',
    describe: (more, than) => `More messages came back (${more}) than were sent (${than}).`,
  },
  {
    more: 'unsubscribes',
    than: 'sent',
    describe: (more, than) => `More recipients unsubscribed (${more}) than the message was sent to (${than}).`,
  },
];

function describeContradictions(counts: Counts): string[] {
  const sentences = contradictions.flatMap(({ more, than, describe: says }) => {
    const [first, second] = [counts[more], counts[than]];
    return first !== undefined && second !== undefined && second >= 0 && first > second
      ? [says(formatCount(first), formatCount(second))]
      : [];
  });
  return [...sentences, ...describeTotals(counts)];
}

function describeTotals({ recipients, sent, failed }: Counts): string[] {
  if (recipients === undefined || sent === undefined || recipients < 0 || sent < 0) return [];
  const [attemptedCount, formattedTotal] = [sent + Math.max(0, failed ?? 0), formatCount(recipients)];
  if (attemptedCount > recipients)
    return [
      failed
        ? `Sent (${formatCount(sent)}) and failed (${formatCount(failed)}) are more than there are recipients (${formattedTotal}).`
        : `More messages were sent (${formatCount(sent)}) than there are recipients (${formattedTotal}).`,
    ];
  const waitingCount = recipients - attemptedCount;
  // If failures are not reported, the remaining recipients may have failed.
  return waitingCount > 0 && failed !== undefined
    ? [
        `${formatCount(waitingCount)} of ${formattedTotal} recipients ${waitingCount === 1 ? 'has' : 'have'} neither been sent the message nor failed so far.`,
      ]
    : [];
}

/** Describes counts that are negative or not numbers. */
function describeInvalidValues(row: StatisticsRow): string[] {
  const roles = mapRolesToKeys('campaign', row);
  return [...countFields, ...getStatisticsFields('campaign').filter(({ role }) => role === 'sales')].flatMap(
    ({ role, label }) => {
      const value = getMappedValue(row, roles, role);
      if (isBlank(value)) return [];
      const number = parseNumber(value);
      if (number === undefined)
        return [`“${label}” is not a number: “${toSingleLine(stringifyFieldValue(value), 60)}”.`];
      return number < 0 && role !== 'sales' ? [`“${label}” is negative: ${formatCount(number)}.`] : [];
    },
  );
}

/**
 * Describes contradictory and invalid figures in sentences.
 * @param names the versions' names, one for each row
 * @param recipients the number of recipients, used if the rows don't report it
 */
export function createRemarks(rows: readonly StatisticsRow[], names: readonly string[], recipients?: number): string[] {
  const hasVersions = rows.length > 1;
  const versionRemarks = rows.map((row) => (hasVersions ? describeContradictions(sumCounts([row])) : []));
  const totalCounts = sumCounts(rows);
  // Don't repeat a version's contradiction for the sum.
  const totalRemarks = versionRemarks.some((sentences) => sentences.length > 0)
    ? []
    : describeContradictions(
        totalCounts.recipients === undefined && recipients !== undefined ? { ...totalCounts, recipients } : totalCounts,
      );
  const rowRemarks = rows.flatMap((row, index) =>
    [...describeInvalidValues(row), ...(versionRemarks[index] ?? [])].map((sentence) =>
      hasVersions ? `${names[index] ?? index + 1}: ${sentence}` : sentence,
    ),
  );
  const all = [...totalRemarks, ...rowRemarks];
  return all.length > MAX_REMARKS
    ? [...all.slice(0, MAX_REMARKS - 1), `And ${formatCount(all.length - MAX_REMARKS + 1)} more of this kind.`]
    : all;
}
