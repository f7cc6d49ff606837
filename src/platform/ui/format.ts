/*
 * Dates and numbers in the user's locale. The service's date-times have no time zone: they are the site's wall clock, and shown as such.
 */

const numberFormat = new Intl.NumberFormat();
const percentFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const wallDateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const wallTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const localTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const wallClockPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** A number with the locale's separators. */
export function formatCount(count: number): string {
  return numberFormat.format(count);
}

/** A share, 0 to 1, in per cent with the locale's separators: "31.2%". */
export function formatPercent(part: number): string {
  return percentFormat.format(part);
}

/** "1 subscriber", "1,204 subscribers". */
export function formatAmount(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** A date-time of the service (`YYYY-MM-DD`, with ` HH:MM:SS` or without); undefined where there is none or it is not one. */
export function formatDateTime(text: string | null | undefined): string | undefined {
  const match = wallClockPattern.exec(text ?? '');
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // "0000-00-00 00:00:00" is how databases write "never", and Date would make another day of it.
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day) return undefined;
  return (match[4] === undefined ? wallDateFormat : wallTimeFormat).format(time);
}

/** A moment in seconds since the epoch, on the user's clock; undefined where there is none. */
export function formatTimestamp(seconds: number | null | undefined): string | undefined {
  const time = new Date((seconds ?? 0) * 1000);
  return seconds && !Number.isNaN(time.getTime()) ? localTimeFormat.format(time) : undefined;
}

/** Joins what there is of a description's parts. */
export function joinParts(parts: readonly (string | null | undefined | false)[]): string {
  return parts.filter((part) => typeof part === 'string' && part.trim() !== '').join(' · ');
}
