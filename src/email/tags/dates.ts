// Parses and formats dates like PHP, in UTC: the time zone of the service.

import { isNumeric } from './php.ts';

export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
export const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const DAY_MS = 86_400_000;

const padTwo = (number: number): string => String(number).padStart(2, '0');

/** The site's date formats by number. */
export const siteFormats: Readonly<Record<string, string>> = {
  1: 'l, j F Y',
  2: 'l, j F Y g:i a',
  3: 'F d Y',
  4: 'Y-m-d',
  5: 'm/d/Y',
};

/** Supported `%` codes and the equivalent PHP letters. */
export const percentCodes: Readonly<Record<string, string>> = {
  '%A': 'l',
  '%d': 'd',
  '%B': 'F',
  '%m': 'm',
  '%Y': 'Y',
  '%y': 'y',
  '%H': 'H',
  '%M': 'i',
  '%S': 's',
  '%a': 'D',
  '%I': 'h',
  '%p': 'a',
  '%w': 'w',
};

/** Output of each PHP format letter. */
export const dateLetters: Readonly<Record<string, readonly [title: string, write: (date: Date) => string]>> = {
  d: ['day of the month, 01 to 31', (date) => padTwo(date.getUTCDate())],
  D: ['day of the week, three letters', (date) => (days[date.getUTCDay()] ?? '').slice(0, 3)],
  j: ['day of the month, 1 to 31', (date) => String(date.getUTCDate())],
  l: ['day of the week', (date) => days[date.getUTCDay()] ?? ''],
  N: ['day of the week, 1 (Monday) to 7', (date) => String(date.getUTCDay() || 7)],
  S: ['st, nd, rd or th, after the day', (date) => getOrdinalSuffix(date.getUTCDate())],
  w: ['day of the week, 0 (Sunday) to 6', (date) => String(date.getUTCDay())],
  z: ['day of the year, from 0', (date) => String(getDayOfYear(date))],
  W: ['ISO week, 01 to 53', (date) => padTwo(getIsoWeek(date).week)],
  F: ['month', (date) => months[date.getUTCMonth()] ?? ''],
  m: ['month, 01 to 12', (date) => padTwo(date.getUTCMonth() + 1)],
  M: ['month, three letters', (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3)],
  n: ['month, 1 to 12', (date) => String(date.getUTCMonth() + 1)],
  t: ['days of the month', (date) => String(getDaysInMonth(date.getUTCFullYear(), date.getUTCMonth()))],
  L: ['1 in a leap year, else 0', (date) => (getDaysInMonth(date.getUTCFullYear(), 1) === 29 ? '1' : '0')],
  o: ['year of the ISO week', (date) => String(getIsoWeek(date).year)],
  Y: ['year, four digits', (date) => formatYear(date)],
  y: ['year, two digits', (date) => padTwo(((date.getUTCFullYear() % 100) + 100) % 100)],
  a: ['am or pm', (date) => (date.getUTCHours() < 12 ? 'am' : 'pm')],
  A: ['AM or PM', (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM')],
  B: ['Internet time, 000 to 999', (date) => String(getInternetTime(date)).padStart(3, '0')],
  g: ['hour, 1 to 12', (date) => String(date.getUTCHours() % 12 || 12)],
  G: ['hour, 0 to 23', (date) => String(date.getUTCHours())],
  h: ['hour, 01 to 12', (date) => padTwo(date.getUTCHours() % 12 || 12)],
  H: ['hour, 00 to 23', (date) => padTwo(date.getUTCHours())],
  i: ['minutes', (date) => padTwo(date.getUTCMinutes())],
  s: ['seconds', (date) => padTwo(date.getUTCSeconds())],
  u: ['microseconds', () => '000000'],
  v: ['milliseconds', () => '000'],
  e: ['time zone', () => 'UTC'],
  I: ['1 in summer time, else 0', () => '0'],
  O: ['difference to Greenwich time', () => '+0000'],
  P: ['difference to Greenwich time, with a colon', () => '+00:00'],
  p: ['difference to Greenwich time, or Z', () => 'Z'],
  T: ['time zone, abbreviated', () => 'UTC'],
  Z: ['seconds of difference to Greenwich time', () => '0'],
  c: ['ISO 8601', (date) => writeLetters(date, 'Y-m-d\\TH:i:sP')],
  r: ['as in the headers of emails', (date) => writeLetters(date, 'D, d M Y H:i:s O')],
  U: ['seconds since 1970', (date) => String(Math.floor(date.getTime() / 1000))],
};

const namesByPrefix = new Map(
  [...months, ...days].map((monthIndex) => [monthIndex.slice(0, 3).toLowerCase(), monthIndex]),
);
const monthOrDayPattern = new RegExp(
  [...namesByPrefix].map(([short, monthIndex]) => `${monthIndex}|${short}`).join('|'),
  'gi',
);

/** Formats a date with PHP letters and `%` codes. `zone`: the output of the letter `T`. Returns '' for an invalid date. */
export function formatDate(date: Date, format: string, zone = 'UTC'): string {
  if (Number.isNaN(date.getTime())) return '';
  const letters = format.replace(/%[AdBmYyHMSaIpw]/g, (code) => percentCodes[code] ?? code);
  // The service translates month and day names anywhere in the text, which also fixes their capitalization.
  return writeLetters(date, letters, zone).replace(monthOrDayPattern, (word) => {
    const monthIndex = namesByPrefix.get(word.slice(0, 3).toLowerCase()) ?? word;
    return monthIndex.slice(0, word.length);
  });
}

function writeLetters(date: Date, format: string, zone = 'UTC'): string {
  return format.replace(/\\([\s\S]?)|[A-Za-z]/g, (sign, literal?: string) => {
    if (sign.startsWith('\\')) return literal ?? '';
    return sign === 'T' ? zone : Object.hasOwn(dateLetters, sign) ? (dateLetters[sign]?.[1](date) ?? sign) : sign;
  });
}

function getOrdinalSuffix(day: number): string {
  if (day > 10 && day < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

const getDaysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
const getDayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS);
const getInternetTime = (date: Date): number =>
  Math.floor(((((date.getTime() / 1000 + 3600) % 86_400) + 86_400) % 86_400) / 86.4);
const formatYear = (date: Date): string =>
  `${date.getUTCFullYear() < 0 ? '-' : ''}${String(Math.abs(date.getUTCFullYear())).padStart(4, '0')}`;

function getIsoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  return { year: thursday.getUTCFullYear(), week: Math.floor(getDayOfYear(thursday) / 7) + 1 };
}

const datePatterns = [
  /^(?<year>\d{4})-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?(?:[T ]+(?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:\.\d+)?)?)?(?: ?(?:Z|UTC|GMT|\+00:?00))?$/i,
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  /^(?<day>\d{1,2})[-.](?<month>\d{1,2})[-.](?<year>\d{4})$/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[ -](?<name>[a-z]{3,9})[ -](?<year>\d{4})$/i,
];
/** Days from today, by name. */
const relativeDays = new Map([
  ['today', 0],
  ['midnight', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
]);

/** Parses a date like PHP, or returns undefined. An empty text means now. */
export function parseDate(text: string, now: Date): Date | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '' || trimmed === 'now') return now;
  const relativeDay = relativeDays.get(trimmed);
  if (relativeDay !== undefined) return new Date(getStartOfDay(now, relativeDay));
  const timestamp = /^@(-?\d{1,12})$/.exec(trimmed);
  if (timestamp) return new Date(Number(timestamp[1]) * 1000);
  for (const pattern of datePatterns) {
    const parts = pattern.exec(trimmed)?.groups;
    if (parts) return createDate(parts);
  }
  const [, hours, minutes, seconds = 0] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(trimmed) ?? [];
  return hours !== undefined && Number(hours) < 25
    ? new Date(getStartOfDay(now) + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000)
    : undefined;
}

const getStartOfDay = (now: Date, add = 0): number => Math.floor(now.getTime() / DAY_MS + add) * DAY_MS;

/** Days overflow into the next month. Invalid months are rejected. */
function createDate({ year, month = '1', name, ...parts }: Readonly<Record<string, string>>): Date | undefined {
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

/** Formats the time between two dates with PHP interval codes (`%a days`, `%y years`). */
export function formatInterval(from: Date, to: Date, format: string): string {
  const [first, last] = from <= to ? [from, to] : [to, from];
  const parts = [
    last.getUTCFullYear() - first.getUTCFullYear(),
    last.getUTCMonth() - first.getUTCMonth(),
    last.getUTCDate() - first.getUTCDate(),
    last.getUTCHours() - first.getUTCHours(),
    last.getUTCMinutes() - first.getUTCMinutes(),
    last.getUTCSeconds() - first.getUTCSeconds(),
  ];
  const borrowed = [0, 12, getDaysInMonth(last.getUTCFullYear(), last.getUTCMonth()), 24, 60, 60];
  for (let at = parts.length - 1; at > 0; at -= 1) {
    if ((parts[at] ?? 0) >= 0) continue;
    parts[at] = (parts[at] ?? 0) + (borrowed[at] ?? 0);
    parts[at - 1] = (parts[at - 1] ?? 0) - 1;
  }
  const [years = 0, monthsBetween = 0, daysBetween = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const isBack = from > to;
  const codes: Readonly<Record<string, string>> = {
    '%': '%',
    Y: padTwo(years),
    y: String(years),
    M: padTwo(monthsBetween),
    m: String(monthsBetween),
    D: padTwo(daysBetween),
    d: String(daysBetween),
    a: String(Math.floor((Math.floor(last.getTime() / 1000) - Math.floor(first.getTime() / 1000)) / 86_400)),
    H: padTwo(hours),
    h: String(hours),
    I: padTwo(minutes),
    i: String(minutes),
    S: padTwo(seconds),
    s: String(seconds),
    F: '000000',
    f: '0',
    R: isBack ? '-' : '+',
    r: isBack ? '-' : '',
  };
  return format.replace(/%([%YyMmDdaHhIiSsFfRr])/g, (whole, code: string) => codes[code] ?? whole);
}
