import { valueText } from '../../../email/compose/fieldText.ts';
import { formatCount, formatDateTime } from '../../../platform/ui/format.ts';
import { plain } from '../../../platform/ui/text.ts';

/** What is shown where there is no value. */
export const none = '–';
const minus = '−';

/** What is different since a reading before: "+12", "−1"; undefined where nothing is. */
export function changeOf(
  now: number,
  before: number | undefined,
  format: (number: number) => string = formatCount,
): string | undefined {
  if (before === undefined) return undefined;
  // Sums of amounts differ in digits that nobody sees.
  const difference = Math.round((now - before) * 1000) / 1000;
  return difference === 0 ? undefined : `${difference > 0 ? '+' : minus}${format(Math.abs(difference))}`;
}

const longestValue = 300;

/** A value as text, ready to be shown. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return formatDateTime(value) ?? (plain(value, longestValue) || none);
  return plain(valueText(value), longestValue) || none;
}

/** An amount of money. `currency`: a code, or whatever the service calls it; empty for none. */
export function money(amount: number, currency: string): string {
  if (currency === '') return formatCount(amount);
  if (!/^[A-Z]{3}$/.test(currency)) return `${formatCount(amount)} ${plain(currency, 20)}`;
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
}

/** A share as a length: between 0 and 1 whatever the figures say; undefined where there is nobody to have a share of. */
export function shareOf(part: number, whole: number | undefined): number | undefined {
  return whole === undefined || whole < 1 ? undefined : Math.min(1, Math.max(0, part / whole));
}
