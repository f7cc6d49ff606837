import { phpTrim, stripTags } from '../html/stripTags.ts';
import { renderContent } from './content.ts';
import { formatDate, formatInterval, months, parseDate, parseDateValue, siteFormats } from './dates.ts';
import { hasNamekey } from './languages.ts';
import type { FieldValue, ListData, Person, Rendering, TagFamily, TagLanguage } from './model.ts';
import {
  decodeUrl,
  encodeUrl,
  isNumeric,
  isTruthy,
  lowerAscii,
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
  readonly values = new Map<string, string | true>([['default', '']]);

  /** Parses `id|name|name:value…` after decoding it and removing markup. */
  constructor(inner: string) {
    const [id = '', ...parameterTexts] = stripTags(decodeUrl(inner)).split('|');
    this.values.set('id', id);
    for (const parameter of parameterTexts) {
      const [name = ''] = parameter.split(':', 1);
      const trimmed = phpTrim(name);
      if (isTruthy(trimmed))
        this.values.set(trimmed, name.length === parameter.length || parameter.slice(name.length + 1));
    }
  }

  /** Returns whether PHP takes a parameter's value as true. */
  isOn(...names: readonly string[]): boolean {
    return names.some((name) => isTruthy(this.text(name)));
  }

  /** Returns the text of a parameter. `ifBare`: the text of one without a value. */
  text(name: string, ifBare = '1'): string {
    const value = this.values.get(name) ?? '';
    return value === true ? ifBare : value;
  }
}

const INTERVAL_ERROR =
  'Error using the "diff" parameter in your tag. Please make sure the DateTime() and diff() functions are available on your server.';

/** Formats a value with a tag's parameters. They apply in the service's order, not as written. */
function formatValue(value: string, parameters: Parameters, now: Date) {
  const has = (...names: string[]) => parameters.isOn(...names);
  let result = value;
  if (has('part')) result = pickWord(result, parameters.text('part', 'last'));
  if (has('type')) result = formatType(result, parameters.text('type', 'date'), parameters.text('format'), now);
  if (has('lower', 'lowercase')) result = toLower(result);
  if (has('upper', 'uppercase')) result = result.toUpperCase();
  if (has('ucwords')) result = upperWords(result);
  if (has('ucfirst')) result = upperFirst(result);
  if (parameters.values.has('rtrim')) result = trimEnd(result, has('rtrim') ? parameters.text('rtrim') : undefined);
  if (has('urlencode')) result = encodeUrl(result);
  if (has('substr')) {
    const [start = '', length] = parameters.text('substr').split(',');
    result = substring(result, toInteger(start), length === undefined ? undefined : toInteger(length));
  }
  return result;
}

function pickWord(value: string, part: string) {
  const words = value.split(' ');
  if (part === 'last') return words.length > 1 ? (words.at(-1) ?? '') : '';
  if (isNumeric(part) && words.length >= Number(part)) return words[Math.trunc(Number(part) - 1)] ?? '';
  return words[0] ?? '';
}

function formatType(value: string, type: string, givenFormat: string, now: Date) {
  const format = isTruthy(givenFormat) ? givenFormat : 'F d Y';
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
function resolveDateFormat(format: string) {
  return isNumeric(format) ? (siteFormats[format] ?? siteFormats['1'] ?? '') : format;
}

export interface RenderContext {
  readonly rendering: Rendering;
  readonly language: TagLanguage;
  /** The choice for each `{rand:…}` of this email. */
  readonly choices: Map<string, string>;
}

interface TagCall extends RenderContext {
  readonly family: TagFamily;
  readonly parameters: Parameters;
  /** Source text of the tag, and the text around it. */
  readonly source: string;
  readonly text: string;
}

/** Returns the value of a tag. Undefined: the service leaves the tag unchanged. */
export const getTagValue = (call: TagCall): string | undefined => valueReaders[call.family.source](call);

const valueReaders: Readonly<Record<TagFamily['source'], (call: TagCall) => string | undefined>> = {
  content: ({ family, parameters, rendering }) =>
    renderContent(family, (name) => parameters.text(name), rendering.posts),
  subscriber: ({ family, parameters, rendering: { person, now }, language }) => {
    if (parameters.text('info') === 'current') return undefined;
    const id = parameters.text('id');
    const name = id === 'acym_language' ? 'language' : id;
    const stored =
      getColumn(person, family, name) || (isStored(person) ? formatField(findField(person, 'namekey', name)) : '');
    return formatValue(translate(addLineBreaks(stored || parameters.text('default')), language), parameters, now);
  },
  account: ({ parameters, rendering: { sender, person, now } }) => {
    const whose = parameters.text('info');
    if (whose === 'current') return undefined;
    const isReceiver = whose === 'receiver' || !isTruthy(whose);
    const account = whose === 'sender' ? sender : isReceiver ? person['account'] : undefined;
    const id = parameters.text('id');
    return formatValue(
      getValueText(account, id) || getValueText(account, accountFields.get(id) ?? ''),
      parameters,
      now,
    );
  },
  date: ({ parameters, rendering: { mail, now }, language }) => {
    const sentAt = parameters.isOn('senddate') ? parseDate(getValueText(mail, 'sending_date') || 'now', now) : now;
    const seconds = toInteger(parameters.text('add')) - toInteger(parameters.text('remove'));
    const format = translate(resolveDateFormat(parameters.text('id') || '0'), language);
    return formatDate(new Date((sentAt ?? now).getTime() + seconds * 1000), format, 'GMT');
  },
  list: ({ parameters, rendering }) => {
    const id = lowerAscii(phpTrim(parameters.text('id')));
    const method = Object.hasOwn(listValues, id) ? listValues[id] : undefined;
    if (!method) return `Method not found: list${id}`;
    return isStored(rendering.person) ? method(rendering, parameters) : '';
  },
  mail: (call) => formatOrDefault(getMailValue(call.rendering, call.parameters.text('id'), call.text), call),
  automail: (call) =>
    formatOrDefault(getValueText(call.rendering.mail?.['automail'], call.parameters.text('id')), call),
  choice: ({ family, parameters, source, rendering, choices }) => {
    const id = parameters.text('id');
    // The service searches the tag in its canonical notation.
    const canonical = `{${family.name}:${id}}`;
    if (source !== canonical && source !== encodeUrl(canonical)) return undefined;
    const offered = id.split(';');
    const choice = choices.get(id) ?? rendering.pick?.(offered) ?? offered[0] ?? '';
    choices.set(id, choice);
    return choice;
  },
  translation: ({ parameters, language }) => {
    const key = phpTrim(parameters.text('id'));
    if (!isTruthy(key)) return undefined;
    const inserted = [...parameters.values.keys()].filter((name) => name !== 'id' && name !== 'default');
    const text = translate(key, language);
    return inserted.length === 0 ? text : addLineBreaks(insertTexts(text, inserted));
  },
  site: ({ parameters, rendering: { site } }) =>
    phpTrim(parameters.text('id')) === 'sitename' ? getValueText(site, 'name') : undefined,
  example: ({ family, parameters, rendering: { person, now } }) => {
    const id = parameters.text('id');
    const value =
      getColumn(person, family, id) ||
      getValueText(findField(person, 'namekey', id), 'value') ||
      family.ids.find((definition) => definition.id === id)?.example ||
      parameters.text('default');
    return formatValue(value, parameters, now);
  },
};

const formatOrDefault = (value: string, { parameters, rendering: { now } }: TagCall) =>
  isTruthy(value) ? formatValue(value, parameters, now) : parameters.text('default');

const toStringValue = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';

/** Returns an own property of a record as text, or '' if there is none. */
function getValueText(record: unknown, name: string) {
  const own = typeof record === 'object' && record !== null ? Object.getOwnPropertyDescriptor(record, name) : undefined;
  return toStringValue(own?.value);
}

/** People who are not stored have no fields and no lists, and no condition holds for them. */
export const isStored = ({ id }: Person): boolean => isTruthy(toStringValue(id));

/** Column defaults of the service's subscriber table. */
const columnDefaults = new Map(Object.entries({ cms_id: '0', tracking: '1', automation: '', language: '' }));

/** Returns a column of the person, or undefined if it doesn't exist or is null. */
export function getColumn(person: Person, { ids }: TagFamily, name: string): string | undefined {
  if (!ids.some(({ id }) => id === name)) return undefined;
  const value = Object.hasOwn(person, name) ? person[name] : undefined;
  if (value === undefined && isStored(person)) return columnDefaults.get(name);
  return value === undefined || value === null ? undefined : toStringValue(value);
}

export const findField = ({ fields }: Person, by: 'namekey' | 'label', name: string): FieldValue | undefined =>
  fields?.findLast((field) => (by === 'label' ? field.label === name : hasNamekey(field, name)));

/** Formats a custom field's value like the service. */
function formatField(field: FieldValue | undefined) {
  const value = toStringValue(field?.value);
  switch (field?.type) {
    case 'radio':
    case 'checkbox':
    case 'single_dropdown':
    case 'multiple_dropdown': {
      const chosen = Object.entries(field.titles ?? {}).filter(([choice]) => value.split(',').includes(choice));
      return chosen.map(([, title]) => title).join(', ');
    }
    case 'phone':
      if (!isTruthy(value)) return '';
      return value.startsWith(',') ? value.replaceAll(',', '') : `+${value.replaceAll(',', ' ')}`;
    case 'date': {
      // Day, month and year: the default format of a date field.
      const [year = '', month = '', day = ''] = value.split('-');
      const isNonzero = (digits: string) => /[^0]/.test(digits);
      const parts = [isNonzero(day) && day, months[Number(month) - 1], isNonzero(year) && year];
      return parts.filter(Boolean).join(' ');
    }
    default:
      return formatJsonList(value);
  }
}

/** Formats a JSON array as a list. Other values stay unchanged. */
function formatJsonList(value: string) {
  if (!value.startsWith('[')) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed.map(toStringValue).join(', ') : value;
  } catch {
    return value;
  }
}

const addLineBreaks = (text: string) => text.replace(/\r\n|\n\r|\n|\r/g, (end) => `<br />${end}`);

/** Returns the text of a key, or the key itself. Resolves backslash escapes in both. */
export function translate(key: string, { translations }: TagLanguage): string {
  const text = Object.hasOwn(translations, key) ? (translations[key] ?? key) : key;
  return text.includes('\\') ? text.replaceAll('\\\\', '\\').replaceAll('\\t', '\t').replaceAll('\\n', '\n') : text;
}

/** Fills `%s` and `%1$s` of a translation with names in braces, or its words in braces if it has neither. */
function insertTexts(text: string, inserted: readonly string[]) {
  const fill = (template: string) => {
    let next = 0;
    return template.replace(/%(?:(\d{1,3})\$)?[sd]/g, (whole, number?: string) => {
      const name = inserted[number === undefined ? next++ : Number(number) - 1];
      return name === undefined ? whole : `{${name}}`;
    });
  };
  const filled = fill(text);
  return filled === text ? fill(text.replace(/\{[A-Z_]+\}/g, '%s')) : filled;
}

/** Fields of accounts by their names in tags. */
const accountFields = new Map([
  ['display_name', 'name'],
  ['user_login', 'login'],
  ['username', 'login'],
  ['user_nicename', 'login'],
  ['user_email', 'email'],
]);

/** Returns a field of the email. The part being rendered returns its own source. */
function getMailValue({ mail, where }: Rendering, id: string, text: string) {
  if (id === where) return text.length <= MAX_SELF_REFERENCE_CHARS ? text : '';
  if (id.startsWith('campaign') && mail?.campaignId !== undefined)
    return getValueText({ id: mail.campaignId, mail_id: mail.id }, id.slice('campaign'.length));
  return id === 'campaignId' ? '' : getValueText(mail, id);
}

/** A text that includes itself doubles in each pass. */
const MAX_SELF_REFERENCE_CHARS = 10_000;

const getListName = (list: ListData) => {
  const displayName = getValueText(list, 'displayName');
  return isTruthy(displayName) ? displayName : getValueText(list, 'name');
};

const joinTexts = (texts: readonly string[], parameters: Parameters) =>
  texts.join(parameters.values.has('separator') ? parameters.text('separator') : ', ');

const listValues: Readonly<Record<string, (rendering: Rendering, parameters: Parameters) => string>> = {
  name: (rendering) => getListName(findAttachedList(rendering) ?? {}),
  names: ({ lists = [] }, parameters) => joinTexts(lists.map(getListName), parameters),
  description: (rendering, parameters) => {
    const target = toInteger(parameters.text('listid'));
    const list = parameters.isOn('listid')
      ? rendering.lists?.find((candidate) => toInteger(getValueText(candidate, 'id')) === target)
      : findAttachedList(rendering);
    return getValueText(list, 'description');
  },
  descriptions: ({ lists = [] }, parameters) => {
    const targets = parameters.text('listids').split(',').map(toInteger);
    const descriptions = lists
      .filter((list) => !parameters.isOn('listids') || targets.includes(toInteger(getValueText(list, 'id'))))
      .map((list) => getValueText(list, 'description'));
    return joinTexts(descriptions.filter(isTruthy), parameters);
  },
  id: (rendering) => getValueText(findAttachedList(rendering), 'id'),
  owner: (rendering, parameters) => {
    const field = parameters.text('field');
    const owner = findAttachedList(rendering)?.owner;
    if (field === 'username') return owner?.login ?? owner?.name ?? '';
    return field === 'name' || field === 'email' ? getValueText(owner, field) : `Field not found : ${field}`;
  },
};

/** Returns the list through which the person receives the email. */
function findAttachedList({ mail, lists = [] }: Rendering) {
  const ids = new Set((mail?.lists ?? []).map(String));
  return lists.find((list) => ids.has(getValueText(list, 'id'))) ?? (ids.size === 0 ? lists[0] : undefined);
}
