import { parseDateValue, formatDate, formatInterval, parseDate, siteFormats } from './dates.ts';
import {
  decodeUrl,
  encodeUrl,
  isNumeric,
  isTruthy,
  toLower,
  substring,
  toText,
  toInteger,
  trimEnd,
  upperFirst,
  upperWords,
} from './php.ts';
import { phpTrim, stripTags } from '../html/stripTags.ts';
import type { ParameterValue } from './php.ts';

/** A tag's id and parameters. The last one of a name wins, even one named `id`. */
export type Parameters = ReadonlyMap<string, ParameterValue>;

/** Parses `id|name|name:value…` after decoding it and removing markup. */
export function readParameters(inner: string): Parameters {
  const [id = '', ...parameterTexts] = stripTags(decodeUrl(inner)).split('|');
  const parameters = new Map<string, ParameterValue>([
    ['id', id],
    ['default', ''],
  ]);
  for (const parameter of parameterTexts) {
    const colon = parameter.indexOf(':');
    const name = phpTrim(colon < 0 ? parameter : parameter.slice(0, colon));
    if (isTruthy(name)) parameters.set(name, colon < 0 ? true : parameter.slice(colon + 1));
  }
  return parameters;
}

const INTERVAL_ERROR =
  'Error using the "diff" parameter in your tag. Please make sure the DateTime() and diff() functions are available on your server.';

/** Formats a value with a tag's parameters. They apply in the service's order, not as written. */
export function formatValue(value: string, parameters: Parameters, now: Date): string {
  const has = (...names: string[]): boolean => names.some((name) => isTruthy(parameters.get(name)));
  const text = (name: string): string => toText(parameters.get(name));
  const formatters: readonly (readonly [applies: boolean, format: (value: string) => string])[] = [
    [has('part'), (input) => pickWord(input, parameters.get('part') ?? '')],
    [
      has('type'),
      (input) => formatType(input, parameters.get('type') ?? '', has('format') ? text('format') : 'F d Y', now),
    ],
    [has('lower', 'lowercase'), toLower],
    [has('upper', 'uppercase'), (input) => input.toUpperCase()],
    [has('ucwords'), upperWords],
    [has('ucfirst'), upperFirst],
    [parameters.has('rtrim'), (input) => (has('rtrim') ? trimEnd(input, text('rtrim')) : trimEnd(input))],
    [has('urlencode'), encodeUrl],
    [has('substr'), (input) => formatSubstring(input, text('substr'))],
  ];
  return formatters.reduce((input, [applies, format]) => (applies ? format(input) : input), value);
}

function pickWord(value: string, part: ParameterValue): string {
  const words = value.split(' ');
  if (part === true || part === 'last') return words.length > 1 ? (words.at(-1) ?? '') : '';
  if (isNumeric(part) && words.length >= Number(part)) return words[Math.trunc(Number(part) - 1)] ?? '';
  return words[0] ?? '';
}

function formatType(value: string, type: ParameterValue, format: string, now: Date): string {
  const pattern = resolveDateFormat(format);
  if (type === true || type === 'date')
    return formatDateOrEmpty(value === '' ? undefined : parseDate(value, now), pattern);
  if (type === 'time') return isTruthy(value) ? formatDateOrEmpty(parseDateValue(value, now), pattern) : '';
  if (type !== 'diff') return value;
  const date = parseDateValue(value, now);
  return date ? formatInterval(date, now, format) : INTERVAL_ERROR;
}

const formatDateOrEmpty = (date: Date | undefined, format: string): string =>
  date && date.getTime() !== 0 ? formatDate(date, format) : '';

/** Numbers refer to the site's formats. Other numbers mean the first one. */
export function resolveDateFormat(format: string): string {
  if (!isNumeric(format)) return format;
  return Object.hasOwn(siteFormats, format) ? (siteFormats[format] ?? '') : (siteFormats['1'] ?? '');
}

function formatSubstring(value: string, part: string): string {
  const [start = '', length] = part.split(',');
  return substring(value, toInteger(start), length === undefined ? undefined : toInteger(length));
}
