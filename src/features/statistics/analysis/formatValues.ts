import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import { formatCount, formatServiceDateTime } from '../../../platform/ui/format.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';

/** Shown instead of a missing value. */
export const NO_VALUE = '–';
const MINUS_SIGN = '−';

/** Formats the difference to the previous read: "+12", "−1"; undefined if there is none. */
export function formatChange(
  current: number,
  previous: number | undefined,
  format: (number: number) => string = formatCount,
): string | undefined {
  if (previous === undefined) return undefined;
  // Floating-point sums differ in insignificant digits.
  const difference = Math.round((current - previous) * 1000) / 1000;
  return difference === 0 ? undefined : `${difference > 0 ? '+' : MINUS_SIGN}${format(Math.abs(difference))}`;
}

const MAX_VALUE_LENGTH = 300;

/** Formats a field's value as sanitized text. */
export function formatFieldValue(value: unknown): string {
  if (typeof value === 'string')
    return formatServiceDateTime(value) ?? (toSingleLine(value, MAX_VALUE_LENGTH) || NO_VALUE);
  return toSingleLine(stringifyFieldValue(value), MAX_VALUE_LENGTH) || NO_VALUE;
}

/** Formats an amount of money. `currency` is an ISO code or any other text of the service; empty for none. */
export function formatMoney(amount: number, currency: string): string {
  if (currency === '') return formatCount(amount);
  if (!/^[A-Z]{3}$/.test(currency)) return `${formatCount(amount)} ${toSingleLine(currency, 20)}`;
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
}

/** Returns the share of a part, clamped to 0 to 1; undefined if the whole is missing or less than 1. */
export function computeShare(part: number, whole: number | undefined): number | undefined {
  return whole === undefined || whole < 1 ? undefined : Math.min(1, Math.max(0, part / whole));
}
