import { phpTrim, stripTags } from '../html/stripTags.ts';
import { parseDateValue, formatDate, formatInterval, parseDate, siteFormats } from './dates.ts';
import {
  decodeUrl,
  encodeUrl,
  isNumeric,
  isTruthy,
  substring,
  toInteger,
  toLower,
  trimEnd,
  upperFirst,
  upperWords,
} from './php.ts';

/** A tag's id and parameters. The last one of a name wins, even one named `id`. */
export class Parameters {
  /** True: without a value. */
  readonly #values = new Map<string, string | true>([['default', '']]);

  /** Parses `id|name|name:value…` after decoding it and removing markup. */
  constructor(inner: string) {
    const [id = '', ...parameterTexts] = stripTags(decodeUrl(inner)).split('|');
    this.#values.set('id', id);
    for (const parameter of parameterTexts) {
      const colon = parameter.indexOf(':');
      const name = phpTrim(colon < 0 ? parameter : parameter.slice(0, colon));
      if (isTruthy(name)) this.#values.set(name, colon < 0 ? true : parameter.slice(colon + 1));
    }
  }

  get names(): string[] {
    return [...this.#values.keys()];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns whether PHP takes a parameter's value as true. */
  isOn(...names: readonly string[]): boolean {
    return names.some((name) => isTruthy(this.text(name)));
  }

  /** Returns the text of a parameter. One without a value reads as `1`. */
  text(name: string): string {
    const value = this.#values.get(name) ?? '';
    return value === true ? '1' : value;
  }

  /** Returns the text of a parameter, or a default if it has no value. */
  textOr(name: string, fallback: string): string {
    return this.#values.get(name) === true ? fallback : this.text(name);
  }
}

const INTERVAL_ERROR =
  'Error using the "diff" parameter in your tag. Please make sure the DateTime() and diff() functions are available on your server.';

/** Formats a value with a tag's parameters. They apply in the service's order, not as written. */
export function formatValue(value: string, parameters: Parameters, now: Date): string {
  const has = (...names: string[]): boolean => parameters.isOn(...names);
  let result = value;
  if (has('part')) result = pickWord(result, parameters.textOr('part', 'last'));
  if (has('type'))
    result = formatType(
      result,
      parameters.textOr('type', 'date'),
      has('format') ? parameters.text('format') : 'F d Y',
      now,
    );
  if (has('lower', 'lowercase')) result = toLower(result);
  if (has('upper', 'uppercase')) result = result.toUpperCase();
  if (has('ucwords')) result = upperWords(result);
  if (has('ucfirst')) result = upperFirst(result);
  if (parameters.has('rtrim')) result = trimEnd(result, has('rtrim') ? parameters.text('rtrim') : undefined);
  if (has('urlencode')) result = encodeUrl(result);
  if (has('substr')) {
    const [start = '', length] = parameters.text('substr').split(',');
    result = substring(result, toInteger(start), length === undefined ? undefined : toInteger(length));
  }
  return result;
}

function pickWord(value: string, part: string): string {
  const words = value.split(' ');
  if (part === 'last') return words.length > 1 ? (words.at(-1) ?? '') : '';
  if (isNumeric(part) && words.length >= Number(part)) return words[Math.trunc(Number(part) - 1)] ?? '';
  return words[0] ?? '';
}

function formatType(value: string, type: string, format: string, now: Date): string {
  if (type === 'diff') {
    const date = parseDateValue(value, now);
    return date ? formatInterval(date, now, format) : INTERVAL_ERROR;
  }
  if (type !== 'date' && type !== 'time') return value;
  const isEmpty = type === 'date' ? value === '' : !isTruthy(value);
  const date = isEmpty ? undefined : type === 'date' ? parseDate(value, now) : parseDateValue(value, now);
  return date && date.getTime() !== 0 ? formatDate(date, resolveDateFormat(format)) : '';
}

/** Numbers refer to the site's formats. Other numbers mean the first one. */
export function resolveDateFormat(format: string): string {
  return isNumeric(format) ? (siteFormats[format] ?? siteFormats['1'] ?? '') : format;
}
