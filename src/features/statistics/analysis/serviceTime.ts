import { parseNumber } from './fields.ts';

const wallClockPattern =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*(?:Z|[+-]\d{2}:?\d{2}))?)?\s*$/;

export const SECOND_MS = 1000;
export const HOUR_MS = 3600 * SECOND_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Dates outside this range are mistakes. */
const [MIN_TIME_MS, MAX_TIME_MS] = [Date.UTC(1995, 0, 1), Date.UTC(2100, 0, 1)];

/** For all plausible dates, seconds since 1970 are below and milliseconds are above. */
const MAX_UNIX_SECONDS = 5e9;

/**
 * Parses a time in the service's time zone and returns it as if it were UTC, in milliseconds since 1970. Accepts `YYYY-MM-DD` with or
 * without a time, ISO 8601 (the offset is ignored, because it is the service's own), and seconds or milliseconds since 1970.
 * Returns `null` for an implausible date, such as in 1970 or 2999, and `undefined` for all other values.
 */
export function parseServiceTime(value: unknown): number | null | undefined {
  const time = typeof value === 'string' && value.includes('-') ? parseWrittenTime(value) : parseUnixTime(value);
  if (time === undefined) return undefined;
  return time < MIN_TIME_MS || time >= MAX_TIME_MS ? null : time;
}

function parseWrittenTime(text: string): number | undefined {
  const match = wallClockPattern.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, date, hours, minutes, seconds);
  // Databases write "never" as "0000-00-00", which `Date` would turn into a valid date.
  return month >= 1 &&
    month <= 12 &&
    new Date(Date.UTC(year, month - 1, date)).getUTCDate() === date &&
    hours < 24 &&
    minutes < 60 &&
    seconds < 61
    ? time
    : undefined;
}

function parseUnixTime(value: unknown): number | undefined {
  const number = typeof value === 'boolean' ? undefined : parseNumber(value);
  if (number === undefined || number <= 0) return undefined;
  return number < MAX_UNIX_SECONDS ? number * SECOND_MS : number;
}
