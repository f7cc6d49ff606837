import { formatCount } from '../../../platform/ui/format.ts';
import { plain } from '../../../platform/ui/text.ts';
import { valueText } from '../../../email/compose/fieldText.ts';
import { countFields, countsOf } from './counts.ts';
import type { CountRole, Counts, StatisticsRow } from './counts.ts';
import { fieldsOf, isNothing, numberOf, rolesIn, valueAt } from './fields.ts';

/** Sentences that are told at most. */
const most = 12;

interface Contradiction {
  readonly more: CountRole;
  readonly than: CountRole;
  /** A sentence of the two numbers. */
  readonly says: (more: string, than: string) => string;
}

/** What can't be more than what. */
const contradictions: readonly Contradiction[] = [
  {
    more: 'uniqueOpens',
    than: 'sent',
    says: (more, than) => `More recipients opened the message (${more}) than it was sent to (${than}).`,
  },
  {
    more: 'uniqueOpens',
    than: 'totalOpens',
    says: (more, than) => `More recipients opened the message (${more}) than there were opens (${than}).`,
  },
  {
    more: 'uniqueClicks',
    than: 'sent',
    says: (more, than) => `More recipients clicked (${more}) than the message was sent to (${than}).`,
  },
  {
    more: 'uniqueClicks',
    than: 'totalClicks',
    says: (more, than) => `More recipients clicked (${more}) than there were clicks (${than}).`,
  },
  {
    more: 'uniqueClicks',
    than: 'uniqueOpens',
    says: (more, than) =>
      `More recipients clicked (${more}) than opened the message (${than}): programs that load no pictures are not counted as opens.`,
  },
  {
    more: 'bounces',
    than: 'sent',
    says: (more, than) => `More messages came back (${more}) than were sent (${than}).`,
  },
  {
    more: 'unsubscribes',
    than: 'sent',
    says: (more, than) => `More recipients unsubscribed (${more}) than the message was sent to (${than}).`,
  },
];

function contradictionsIn(counts: Counts): string[] {
  const found = contradictions.flatMap(({ more, than, says }) => {
    const [a, b] = [counts[more], counts[than]];
    return a !== undefined && b !== undefined && b >= 0 && a > b ? [says(formatCount(a), formatCount(b))] : [];
  });
  return [...found, ...totals(counts)];
}

function totals({ recipients, sent, failed }: Counts): string[] {
  if (recipients === undefined || sent === undefined || recipients < 0 || sent < 0) return [];
  const [tried, all] = [sent + Math.max(0, failed ?? 0), formatCount(recipients)];
  if (tried > recipients)
    return [
      failed
        ? `Sent (${formatCount(sent)}) and failed (${formatCount(failed)}) are more than there are recipients (${all}).`
        : `More messages were sent (${formatCount(sent)}) than there are recipients (${all}).`,
    ];
  const waiting = recipients - tried;
  // Without failures told, who is left may have failed.
  return waiting > 0 && failed !== undefined
    ? [
        `${formatCount(waiting)} of ${all} recipients ${waiting === 1 ? 'has' : 'have'} neither been sent the message nor failed so far.`,
      ]
    : [];
}

/** Counts that are none. */
function oddValues(row: StatisticsRow): string[] {
  const roles = rolesIn('campaign', row);
  return [...countFields, ...fieldsOf('campaign').filter(({ role }) => role === 'sales')].flatMap(({ role, label }) => {
    const value = valueAt(row, roles, role);
    if (isNothing(value)) return [];
    const number = numberOf(value);
    if (number === undefined) return [`“${label}” is not a number: “${plain(valueText(value), 60)}”.`];
    return number < 0 && role !== 'sales' ? [`“${label}” is negative: ${formatCount(number)}.`] : [];
  });
}

/**
 * Figures that contradict each other or are none, in sentences.
 * @param names of the versions, one for each row
 * @param recipients where it is known from elsewhere, for rows that don't say
 */
export function remarksOf(rows: readonly StatisticsRow[], names: readonly string[], recipients?: number): string[] {
  const several = rows.length > 1;
  const ofRows = rows.map((row) => (several ? contradictionsIn(countsOf([row])) : []));
  const sum = countsOf(rows);
  // What is said of a version needn't be said of all.
  const ofSum = ofRows.some((sentences) => sentences.length > 0)
    ? []
    : contradictionsIn(sum.recipients === undefined && recipients !== undefined ? { ...sum, recipients } : sum);
  const told = rows.flatMap((row, at) =>
    [...oddValues(row), ...(ofRows[at] ?? [])].map((sentence) =>
      several ? `${names[at] ?? at + 1}: ${sentence}` : sentence,
    ),
  );
  const all = [...ofSum, ...told];
  return all.length > most
    ? [...all.slice(0, most - 1), `And ${formatCount(all.length - most + 1)} more of this kind.`]
    : all;
}
