import { localized } from '../l10n.ts';

/*
 * Dates and numbers in the display language. The service's timestamps have no time zone: they are the site's local time,
 * and shown unchanged.
 */

const percentFormat = localized(
  (language) => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }),
);
const wallDateFormat = localized(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }),
);
const wallTimeFormat = localized(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
);
const localTimeFormat = localized(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
);

/** Formats a date in the user's time zone, with seconds. */
export const exactTimeFormat = localized(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
);

const wallClockPattern = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/;

/** Formats a ratio (0 to 1) as a percentage: "31.2%". */
export function formatPercent(part: number): string {
  return percentFormat().format(part);
}

/**
 * Parses a timestamp of the service (`YYYY-MM-DD`, optionally with ` HH:MM:SS`) as if it were UTC; undefined if it is missing or invalid.
 */
export function parseServiceDateTime(text: string | null | undefined): Date | undefined {
  const [, day = '', clock = '00:00'] = wallClockPattern.exec(text?.trim() ?? '') ?? [];
  const time = new Date(`${day}T${clock}Z`);
  // Databases store "0000-00-00 00:00:00" for "never", and `Date` accepts 2026-02-31 as March 3.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) ? time : undefined;
}

/** Formats a timestamp of the service; undefined if it is missing or invalid. */
export function formatServiceDateTime(text: string | null | undefined): string | undefined {
  const time = parseServiceDateTime(text);
  return time && (text?.includes(':') ? wallTimeFormat() : wallDateFormat()).format(time);
}

/** Formats seconds since the epoch in the user's time zone; undefined if missing or invalid. */
export function formatTimestamp(seconds: number | null | undefined): string | undefined {
  const time = new Date((seconds ?? 0) * 1000);
  return seconds && !Number.isNaN(time.getTime()) ? localTimeFormat().format(time) : undefined;
}

/** Joins the non-empty parts of a description. */
export function joinParts(parts: readonly (string | null | undefined | false)[]): string {
  return parts.filter((part) => typeof part === 'string' && part.trim() !== '').join(' · ');
}
