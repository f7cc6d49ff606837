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
export const dateLetters: Readonly<Record<string, { readonly title: string; readonly write: (date: Date) => string }>> =
  {
    d: { title: 'day of the month, 01 to 31', write: (date) => padTwo(date.getUTCDate()) },
    D: { title: 'day of the week, three letters', write: (date) => (days[date.getUTCDay()] ?? '').slice(0, 3) },
    j: { title: 'day of the month, 1 to 31', write: (date) => String(date.getUTCDate()) },
    l: { title: 'day of the week', write: (date) => days[date.getUTCDay()] ?? '' },
    N: { title: 'day of the week, 1 (Monday) to 7', write: (date) => String(date.getUTCDay() || 7) },
    S: { title: 'st, nd, rd or th, after the day', write: (date) => getOrdinalSuffix(date.getUTCDate()) },
    w: { title: 'day of the week, 0 (Sunday) to 6', write: (date) => String(date.getUTCDay()) },
    z: { title: 'day of the year, from 0', write: (date) => String(getDayOfYear(date)) },
    W: { title: 'ISO week, 01 to 53', write: (date) => padTwo(getIsoWeek(date).week) },
    F: { title: 'month', write: (date) => months[date.getUTCMonth()] ?? '' },
    m: { title: 'month, 01 to 12', write: (date) => padTwo(date.getUTCMonth() + 1) },
    M: { title: 'month, three letters', write: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3) },
    n: { title: 'month, 1 to 12', write: (date) => String(date.getUTCMonth() + 1) },
    t: {
      title: 'days of the month',
      write: (date) => String(getDaysInMonth(date.getUTCFullYear(), date.getUTCMonth())),
    },
    L: {
      title: '1 in a leap year, else 0',
      write: (date) => (getDaysInMonth(date.getUTCFullYear(), 1) === 29 ? '1' : '0'),
    },
    o: { title: 'year of the ISO week', write: (date) => String(getIsoWeek(date).year) },
    Y: { title: 'year, four digits', write: (date) => formatYear(date) },
    y: { title: 'year, two digits', write: (date) => padTwo(((date.getUTCFullYear() % 100) + 100) % 100) },
    a: { title: 'am or pm', write: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm') },
    A: { title: 'AM or PM', write: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM') },
    B: { title: 'Internet time, 000 to 999', write: (date) => String(getInternetTime(date)).padStart(3, '0') },
    g: { title: 'hour, 1 to 12', write: (date) => String(date.getUTCHours() % 12 || 12) },
    G: { title: 'hour, 0 to 23', write: (date) => String(date.getUTCHours()) },
    h: { title: 'hour, 01 to 12', write: (date) => padTwo(date.getUTCHours() % 12 || 12) },
    H: { title: 'hour, 00 to 23', write: (date) => padTwo(date.getUTCHours()) },
    i: { title: 'minutes', write: (date) => padTwo(date.getUTCMinutes()) },
    s: { title: 'seconds', write: (date) => padTwo(date.getUTCSeconds()) },
    u: { title: 'microseconds', write: () => '000000' },
    v: { title: 'milliseconds', write: () => '000' },
    e: { title: 'time zone', write: () => 'UTC' },
    I: { title: '1 in summer time, else 0', write: () => '0' },
    O: { title: 'difference to Greenwich time', write: () => '+0000' },
    P: { title: 'difference to Greenwich time, with a colon', write: () => '+00:00' },
    p: { title: 'difference to Greenwich time, or Z', write: () => 'Z' },
    T: { title: 'time zone, abbreviated', write: () => 'UTC' },
    Z: { title: 'seconds of difference to Greenwich time', write: () => '0' },
    c: { title: 'ISO 8601', write: (date) => writeLetters(date, 'Y-m-d\\TH:i:sP') },
    r: { title: 'as in the headers of emails', write: (date) => writeLetters(date, 'D, d M Y H:i:s O') },
    U: { title: 'seconds since 1970', write: (date) => String(Math.floor(date.getTime() / 1000)) },
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
    return sign === 'T' ? zone : Object.hasOwn(dateLetters, sign) ? (dateLetters[sign]?.write(date) ?? sign) : sign;
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

const isoPattern =
  /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(?: ?(?:Z|UTC|GMT|\+00:?00))?$/i;
const americanPattern = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const europeanPattern = /^(\d{1,2})[-.](\d{1,2})[-.](\d{4})$/;
const spelledOutPattern = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})[ -](\d{4})$/i;
const relativeDays = new Map<string, number | 'now'>([
  ['', 'now'],
  ['now', 'now'],
  ['today', 0],
  ['midnight', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
]);
const clockPattern = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;

/** Parses a date like PHP, or returns undefined. An empty text means now. */
export function parseDate(text: string, now: Date): Date | undefined {
  const trimmed = text.trim();
  const relativeDay = relativeDays.get(trimmed.toLowerCase());
  if (relativeDay !== undefined) return relativeDay === 'now' ? now : new Date(getStartOfDay(now, relativeDay));
  const numbers = (match: RegExpExecArray | null): (number | undefined)[] | undefined =>
    match?.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  const timestamp = /^@(-?\d{1,12})$/.exec(trimmed);
  if (timestamp) return new Date(Number(timestamp[1]) * 1000);
  const parts = numbers(isoPattern.exec(trimmed));
  if (parts) return createDate(parts[0] ?? 0, parts[1] ?? 1, parts[2] ?? 1, parts[3], parts[4], parts[5]);
  const americanParts = numbers(americanPattern.exec(trimmed));
  if (americanParts) return createDate(americanParts[2] ?? 0, americanParts[0] ?? 0, americanParts[1] ?? 0);
  const europeanParts = numbers(europeanPattern.exec(trimmed));
  if (europeanParts) return createDate(europeanParts[2] ?? 0, europeanParts[1] ?? 0, europeanParts[0] ?? 0);
  const spelledOut = spelledOutPattern.exec(trimmed);
  const monthIndex = months.findIndex((title) =>
    [title.toLowerCase(), title.slice(0, 3).toLowerCase()].includes(spelledOut?.[2]?.toLowerCase() ?? ''),
  );
  if (spelledOut && monthIndex >= 0) return createDate(Number(spelledOut[3]), monthIndex + 1, Number(spelledOut[1]));
  const time = numbers(clockPattern.exec(trimmed));
  return time && (time[0] ?? 0) < 25
    ? new Date(getStartOfDay(now) + ((time[0] ?? 0) * 3600 + (time[1] ?? 0) * 60 + (time[2] ?? 0)) * 1000)
    : undefined;
}

const getStartOfDay = (now: Date, add = 0): number => Math.floor(now.getTime() / DAY_MS + add) * DAY_MS;

/** Days overflow into the next month. Invalid months are rejected. */
function createDate(year: number, month: number, day: number, hours = 0, minutes = 0, seconds = 0): Date | undefined {
  if (month > 12 || day > 31 || hours > 24 || minutes > 59 || seconds > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hours, minutes, seconds);
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
