import type { StatisticsRow } from '../model.ts';
import { getStatisticsFields, isBlank, parseNumber, mapRolesToKeys, toFieldText, getMappedValue } from './fields.ts';
import type { StatisticsField, FieldRole } from './fields.ts';

export type CountRole =
  | 'recipients'
  | 'sent'
  | 'failed'
  | 'uniqueOpens'
  | 'totalOpens'
  | 'uniqueClicks'
  | 'totalClicks'
  | 'bounces'
  | 'unsubscribes';

const countRoles: ReadonlySet<FieldRole> = new Set<CountRole>([
  'recipients',
  'sent',
  'failed',
  'uniqueOpens',
  'totalOpens',
  'uniqueClicks',
  'totalClicks',
  'bounces',
  'unsubscribes',
]);

function isCountField(field: StatisticsField): field is StatisticsField & { readonly role: CountRole } {
  return countRoles.has(field.role);
}

/** The fields with counts, in display order. */
export const countFields = getStatisticsFields('campaign').filter(isCountField);

/** Counts by role. Roles without a reported count are missing. */
export type Counts = Readonly<Partial<Record<CountRole, number>>>;

/** Sums the counts of all rows and ignores values that are not numbers. */
export function sumCounts(rows: readonly StatisticsRow[]): Counts {
  const counts: Partial<Record<CountRole, number>> = {};
  for (const row of rows) {
    const roles = mapRolesToKeys('campaign', row);
    for (const { role } of countFields) {
      const number = parseNumber(getMappedValue(row, roles, role));
      if (number !== undefined) counts[role] = (counts[role] ?? 0) + number;
    }
  }
  return counts;
}

/** Returns whether the row reports that nothing was sent, and no other field contradicts that. */
export function isUnsent(row: StatisticsRow): boolean {
  const roles = mapRolesToKeys('campaign', row);
  const sent = roles.get('sent');
  if (sent === undefined || !(isBlank(row[sent]) || parseNumber(row[sent]) === 0)) return false;
  const sendDate = toFieldText(getMappedValue(row, roles, 'sendDate'));
  const hasBegun = sendDate !== undefined && !/^0+(?:[-.: 0T]|$)/.test(sendDate);
  return (
    !hasBegun &&
    countFields.every(({ role }) => role === 'recipients' || (parseNumber(getMappedValue(row, roles, role)) ?? 0) === 0)
  );
}
