// Parses and formats dates like PHP, in UTC: the time zone of the service.

import { localized, t } from '../../l10n.ts';
import formats from './data/dateFormats.json' with { type: 'json' };
import { isNumeric } from './php.ts';

export const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
export const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const DAY_MS = 86_400_000;

const padTwo = (number: number) => String(number).padStart(2, '0');

/** The site's date formats by number. */
export const siteFormats: Readonly<Record<string, string>> = formats.siteFormats;

/** Supported `%` codes and the equivalent PHP letters. */
export const percentCodes: Readonly<Record<string, string>> = formats.percentCodes;

/** Returns what each PHP format letter outputs. */
export const dateLetters = localized(() => ({
  d: t('Day of the month, 01 to 31'),
  D: t('Day of the week, three letters'),
  j: t('Day of the month, 1 to 31'),
  l: t('Day of the week'),
  N: t('Day of the week, 1 (Monday) to 7'),
  S: t('English ordinal suffix of the day: st, nd, rd or th'),
  w: t('Day of the week, 0 (Sunday) to 6'),
  z: t('Day of the year, from 0'),
  W: t('ISO week, 01 to 53'),
  F: t('Month'),
  m: t('Month, 01 to 12'),
  M: t('Month, three letters'),
  n: t('Month, 1 to 12'),
  t: t('Number of days in the month'),
  L: t('1 in a leap year, otherwise 0'),
  o: t('Year of the ISO week'),
  Y: t('Year, four digits'),
  y: t('Year, two digits'),
  a: t('am or pm'),
  A: t('AM or PM'),
  B: t('Internet time, 000 to 999'),
  g: t('Hour, 1 to 12'),
  G: t('Hour, 0 to 23'),
  h: t('Hour, 01 to 12'),
  H: t('Hour, 00 to 23'),
  i: t('Minutes'),
  s: t('Seconds'),
  u: t('Microseconds'),
  v: t('Milliseconds'),
  e: t('Time zone'),
  I: t('1 in daylight saving time, otherwise 0'),
  O: t('UTC offset, such as +0200'),
  P: t('UTC offset with a colon, such as +02:00'),
  p: t('UTC offset with a colon, or Z for UTC'),
  T: t('Time zone, abbreviated'),
  Z: t('UTC offset in seconds'),
  c: t('Date and time in ISO 8601 format'),
  r: t('Date and time as in email headers'),
  U: t('Seconds since 1970'),
}));

/** Returns the output of each letter. `zone`: the output of `T`. */
function formatLetters(
  date: Date,
  zone: string,
): Readonly<Record<keyof ReturnType<typeof dateLetters>, string | number>> {
  const [n, j, w, G] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay(), date.getUTCHours()];
  const year = date.getUTCFullYear();
  const [l = '', F = ''] = [days[w], months[n - 1]];
  const [d = '', m = '', H = ''] = [j, n, G].map(padTwo);
  const [i = '', s = ''] = [date.getUTCMinutes(), date.getUTCSeconds()].map(padTwo);
  const [D, M] = [l.slice(0, 3), F.slice(0, 3)];
  const Y = (year < 0 ? '-' : '') + String(Math.abs(year)).padStart(4, '0');
  const g = G % 12 || 12;
  const a = G < 12 ? 'am' : 'pm';
  const seconds = date.getTime() / 1000;
  const thursday = new Date(date.getTime() + (4 - (w || 7)) * DAY_MS);
  return {
    ...{ d, D, j, l, w, F, m, M, n, Y, a, g, G, H, i, s },
    N: w || 7,
    S: (j > 10 && j < 14 ? undefined : ['th', 'st', 'nd', 'rd'][j % 10]) ?? 'th',
    z: getDayOfYear(date),
    W: padTwo(Math.floor(getDayOfYear(thursday) / 7) + 1),
    t: getDaysInMonth(year, n - 1),
    L: getDaysInMonth(year, 1) === 29 ? 1 : 0,
    o: thursday.getUTCFullYear(),
    y: padTwo(((year % 100) + 100) % 100),
    A: a.toUpperCase(),
    B: String(Math.floor(((((seconds + 3600) % 86_400) + 86_400) % 86_400) / 86.4)).padStart(3, '0'),
    h: padTwo(g),
    u: '000000',
    v: '000',
    e: 'UTC',
    I: 0,
    O: '+0000',
    P: '+00:00',
    p: 'Z',
    T: zone,
    Z: 0,
    c: `${Y}-${m}-${d}T${H}:${i}:${s}+00:00`,
    r: `${D}, ${d} ${M} ${Y} ${H}:${i}:${s} +0000`,
    U: Math.floor(seconds),
  };
}

const getDaysInMonth = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
const getDayOfYear = (date: Date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS);

const namesByPrefix = new Map([...months, ...days].map((name) => [name.slice(0, 3).toLowerCase(), name]));
const monthOrDayPattern = new RegExp([...namesByPrefix].map(([short, name]) => `${name}|${short}`).join('|'), 'gi');

/** Formats a date with PHP letters and `%` codes. `zone`: the output of the letter `T`. Returns '' for an invalid date. */
export function formatDate(date: Date, format: string, zone = 'UTC'): string {
  if (Number.isNaN(date.getTime())) return '';
  const outputs = new Map<string, string | number>(Object.entries(formatLetters(date, zone)));
  const written = format
    .replace(/%[AdBmYyHMSaIpw]/g, (code) => percentCodes[code] ?? code)
    .replace(/\\([\s\S]?)|[A-Za-z]/g, (sign, literal?: string) => literal ?? String(outputs.get(sign) ?? sign));
  // The service translates month and day names anywhere in the text, which also fixes their capitalization.
  return written.replace(monthOrDayPattern, (word) =>
    (namesByPrefix.get(word.slice(0, 3).toLowerCase()) ?? word).slice(0, word.length),
  );
}

const datePatterns = [
  /^(?<year>\d{4})-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?(?:[T ]+(?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:\.\d+)?)?)?(?: ?(?:Z|UTC|GMT|\+00:?00))?$/i,
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  /^(?<day>\d{1,2})[-.](?<month>\d{1,2})[-.](?<year>\d{4})$/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[ -](?<name>[a-z]{3,9})[ -](?<year>\d{4})$/i,
];
/** Days from today, by name. */
const relativeDays = new Map(Object.entries({ today: 0, midnight: 0, tomorrow: 1, yesterday: -1 }));

/** Parses a date like PHP, or returns undefined. An empty text means now. */
export function parseDate(text: string, now: Date): Date | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '' || trimmed === 'now') return now;
  const today = Math.floor(now.getTime() / DAY_MS);
  const relative = relativeDays.get(trimmed);
  if (relative !== undefined) return new Date((today + relative) * DAY_MS);
  const timestamp = /^@(-?\d{1,12})$/.exec(trimmed);
  if (timestamp) return new Date(Number(timestamp[1]) * 1000);
  for (const pattern of datePatterns) {
    const parts = pattern.exec(trimmed)?.groups;
    if (parts) return createDate(parts);
  }
  const [, hours, minutes, seconds = 0] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(trimmed) ?? [];
  return hours !== undefined && Number(hours) < 25
    ? new Date(today * DAY_MS + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000)
    : undefined;
}

/** Days overflow into the next month. Invalid months are rejected. */
function createDate({ year, month = '1', name, ...parts }: Readonly<Record<string, string>>) {
  const named = months.findIndex((title) => [title, title.slice(0, 3)].some((each) => each.toLowerCase() === name));
  const monthNumber = name === undefined ? Number(month) : named + 1;
  const { day = 1, hours = 0, minutes = 0, seconds = 0 } = parts;
  if (name !== undefined && named < 0) return undefined;
  if (monthNumber > 12 || Number(day) > 31 || Number(hours) > 24 || Number(minutes) > 59 || Number(seconds) > 59)
    return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), monthNumber - 1, Number(day));
  date.setUTCHours(Number(hours), Number(minutes), Number(seconds));
  return date;
}

/** Parses a value of the service: seconds since 1970, or a written date. */
export function parseDateValue(value: string, now: Date): Date | undefined {
  return isNumeric(value) ? new Date(Math.trunc(Number(value)) * 1000) : parseDate(value, now);
}

const getParts = (date: Date) => [
  date.getUTCFullYear(),
  date.getUTCMonth(),
  date.getUTCDate(),
  date.getUTCHours(),
  date.getUTCMinutes(),
  date.getUTCSeconds(),
];

/** Formats the time between two dates with PHP interval codes (`%a days`, `%y years`). */
export function formatInterval(from: Date, to: Date, format: string): string {
  const [first, last] = from <= to ? [from, to] : [to, from];
  const before = getParts(first);
  const parts = getParts(last).map((part, index) => part - (before[index] ?? 0));
  const borrowed = [0, 12, getDaysInMonth(last.getUTCFullYear(), last.getUTCMonth()), 24, 60, 60];
  for (let at = parts.length - 1; at > 0; at -= 1) {
    if ((parts[at] ?? 0) >= 0) continue;
    parts[at] = (parts[at] ?? 0) + (borrowed[at] ?? 0);
    parts[at - 1] = (parts[at - 1] ?? 0) - 1;
  }
  const [start, end] = [first, last].map((date) => Math.floor(date.getTime() / 1000));
  const codes = new Map<string, string | number>([
    ...[...'YMDHIS'].map((code, index) => [code, padTwo(parts[index] ?? 0)] as const),
    ...[...'ymdhis'].map((code, index) => [code, parts[index] ?? 0] as const),
    ['%', '%'],
    ['a', Math.floor(((end ?? 0) - (start ?? 0)) / 86_400)],
    ['F', '000000'],
    ['f', 0],
    ['R', from > to ? '-' : '+'],
    ['r', from > to ? '-' : ''],
  ]);
  return format.replace(/%([%a-z])/gi, (whole, code: string) => String(codes.get(code) ?? whole));
}
