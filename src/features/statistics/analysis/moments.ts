import { numberOf } from './fields.ts';

const wallClock =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*(?:Z|[+-]\d{2}:?\d{2}))?)?\s*$/;

export const second = 1000;
export const hour = 3600 * second;
export const day = 24 * hour;

/** Email campaigns are younger, and nothing is opened in the next century: other dates are mistakes. */
const [earliest, latest] = [Date.UTC(1995, 0, 1), Date.UTC(2100, 0, 1)];

/** Seconds since 1970 are below, milliseconds above, for all dates that are plausible. */
const secondsEnd = 5e9;

/**
 * A moment on the service's clock, as if that were in UTC: milliseconds since 1970. Services write `YYYY-MM-DD`, with a time or without,
 * also as ISO does (the clock as it is written then: the zone is the service's own), or seconds or milliseconds since 1970.
 * `undefined` for everything else, `null` for a date that can't be meant: of 1970, or of the year 2999.
 */
export function momentOf(value: unknown): number | null | undefined {
  const time = typeof value === 'string' && value.includes('-') ? writtenTime(value) : countedTime(value);
  if (time === undefined) return undefined;
  return time < earliest || time >= latest ? null : time;
}

function writtenTime(text: string): number | undefined {
  const match = wallClock.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, date, hours, minutes, seconds);
  // "0000-00-00" is how databases write "never", and Date would make the last of November of it.
  return month >= 1 &&
    month <= 12 &&
    new Date(Date.UTC(year, month - 1, date)).getUTCDate() === date &&
    hours < 24 &&
    minutes < 60 &&
    seconds < 61
    ? time
    : undefined;
}

function countedTime(value: unknown): number | undefined {
  const number = typeof value === 'boolean' ? undefined : numberOf(value);
  if (number === undefined || number <= 0) return undefined;
  return number < secondsEnd ? number * second : number;
}
