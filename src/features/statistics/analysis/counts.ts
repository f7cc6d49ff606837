import { fieldsOf, isNothing, numberOf, rolesIn, textOf, valueAt } from './fields.ts';
import type { Field, Role } from './fields.ts';

/** A record of a campaign's statistics, one for each version of the mail: any fields. */
export type StatisticsRow = Readonly<Record<string, unknown>>;

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

const countRoles: ReadonlySet<Role> = new Set<CountRole>([
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

function isCount(field: Field): field is Field & { readonly role: CountRole } {
  return countRoles.has(field.role);
}

/** The fields that count something, in the order in which they are shown. */
export const countFields = fieldsOf('campaign').filter(isCount);

/** What was counted, where it is known. */
export type Counts = Readonly<Partial<Record<CountRole, number>>>;

/** The sums of all rows' counts. What is no number counts for nothing. */
export function countsOf(rows: readonly StatisticsRow[]): Counts {
  const counts: Partial<Record<CountRole, number>> = {};
  for (const row of rows) {
    const roles = rolesIn('campaign', row);
    for (const { role } of countFields) {
      const number = numberOf(valueAt(row, roles, role));
      if (number !== undefined) counts[role] = (counts[role] ?? 0) + number;
    }
  }
  return counts;
}

/** Whether nothing was sent: the row says that nothing was, and nothing else says that something was. */
export function isUnsent(row: StatisticsRow): boolean {
  const roles = rolesIn('campaign', row);
  const sent = roles.get('sent');
  if (sent === undefined || !(isNothing(row[sent]) || numberOf(row[sent]) === 0)) return false;
  const began = textOf(valueAt(row, roles, 'sendDate'));
  const hasBegun = began !== undefined && !/^0+(?:[-.: 0T]|$)/.test(began);
  return (
    !hasBegun &&
    countFields.every(({ role }) => role === 'recipients' || (numberOf(valueAt(row, roles, role)) ?? 0) === 0)
  );
}
