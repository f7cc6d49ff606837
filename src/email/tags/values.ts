import { phpTrim } from '../html/stripTags.ts';
import { formatDate, parseDate, months } from './dates.ts';
import type { FieldValue, ListData, Person, Rendering, TagFamily, TagLanguage } from './model.ts';
import { formatValue, resolveDateFormat } from './parameters.ts';
import type { Parameters } from './parameters.ts';
import { encodeUrl, isTruthy, lowerAscii, toInteger } from './php.ts';

export interface RenderContext {
  readonly rendering: Rendering;
  readonly language: TagLanguage;
  /** The choice for each `{rand:…}` of this email. */
  readonly choices: Map<string, string>;
}

export interface TagCall {
  readonly family: TagFamily;
  readonly parameters: Parameters;
  /** Source text of the tag, and the text around it. */
  readonly source: string;
  readonly text: string;
}

/** Returns the value of a tag. Undefined: the service leaves the tag unchanged. */
export function getTagValue(call: TagCall, context: RenderContext): string | undefined {
  return valueReaders[call.family.source](call, context);
}

type ValueReader = (call: TagCall, context: RenderContext) => string | undefined;

const valueReaders: Readonly<Record<TagFamily['source'], ValueReader>> = {
  subscriber: ({ family, parameters }, { rendering, language }) => {
    if (parameters.text('info') === 'current') return undefined;
    const id = parameters.text('id');
    const name = id === 'acym_language' ? 'language' : id;
    const { person, now } = rendering;
    const stored =
      getColumn(person, family, name) || (isStored(person) ? formatField(findField(person, 'namekey', name)) : '');
    const value = stored === '' || stored === undefined ? parameters.text('default') : stored;
    return formatValue(translate(addLineBreaks(value), language), parameters, now);
  },
  account: ({ parameters }, { rendering: { sender, person, now } }) => {
    const whose = parameters.text('info');
    if (whose === 'current') return undefined;
    const isReceiver = whose === 'receiver' || !isTruthy(whose);
    const account = whose === 'sender' ? sender : isReceiver ? person['account'] : undefined;
    const id = parameters.text('id');
    const name = Object.hasOwn(accountFields, id) ? (accountFields[id] ?? '') : '';
    return formatValue(getValueText(account, id) || getValueText(account, name), parameters, now);
  },
  date: ({ parameters }, { rendering: { mail, now }, language }) => {
    const sentAt = parameters.isOn('senddate') ? parseDate(getValueText(mail, 'sending_date') || 'now', now) : now;
    const seconds = toInteger(parameters.text('add')) - toInteger(parameters.text('remove'));
    const format = translate(resolveDateFormat(parameters.text('id') || '0'), language);
    return formatDate(new Date((sentAt ?? now).getTime() + seconds * 1000), format, 'GMT');
  },
  list: ({ parameters }, { rendering }) => {
    const id = lowerAscii(phpTrim(parameters.text('id')));
    const method = Object.hasOwn(listValues, id) ? listValues[id] : undefined;
    if (!method) return `Method not found: list${id}`;
    return isStored(rendering.person) ? method(rendering, parameters) : '';
  },
  mail: ({ parameters, text }, { rendering }) =>
    formatOrDefault(getMailValue(rendering, parameters.text('id'), text), parameters, rendering),
  automail: ({ parameters }, { rendering }) =>
    formatOrDefault(getValueText(rendering.mail?.['automail'], parameters.text('id')), parameters, rendering),
  choice: ({ family, parameters, source }, { rendering, choices }) => {
    const id = parameters.text('id');
    // The service searches the tag in its canonical notation.
    const canonical = `{${family.name}:${id}}`;
    if (source !== canonical && source !== encodeUrl(canonical)) return undefined;
    const offered = id.split(';');
    const choice = choices.get(id) ?? rendering.pick?.(offered) ?? offered[0] ?? '';
    choices.set(id, choice);
    return choice;
  },
  translation: ({ parameters }, { language }) => {
    const key = phpTrim(parameters.text('id'));
    if (!isTruthy(key)) return undefined;
    const inserted = parameters.names.filter((name) => name !== 'id' && name !== 'default').map((name) => `{${name}}`);
    const text = translate(key, language);
    return inserted.length > 0 ? addLineBreaks(insertTexts(text, inserted)) : text;
  },
  site: ({ parameters }, { rendering: { site } }) =>
    phpTrim(parameters.text('id')) === 'sitename' ? getValueText(site, 'name') : undefined,
  example: ({ family, parameters }, { rendering: { person, now } }) => {
    const id = parameters.text('id');
    const value =
      getColumn(person, family, id) ||
      getValueText(findField(person, 'namekey', id), 'value') ||
      family.ids.find((definition) => definition.id === id)?.example ||
      parameters.text('default');
    return formatValue(value, parameters, now);
  },
};

const formatOrDefault = (value: string, parameters: Parameters, { now }: Rendering): string =>
  isTruthy(value) ? formatValue(value, parameters, now) : parameters.text('default');

const toStringValue = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';

/** Returns an own property of a record as text, or '' if there is none. */
function getValueText(record: unknown, name: string): string {
  const own = typeof record === 'object' && record !== null ? Object.getOwnPropertyDescriptor(record, name) : undefined;
  return toStringValue(own?.value);
}

/** People who are not stored have no fields and no lists, and no condition holds for them. */
export const isStored = ({ id }: Person): boolean => isTruthy(toStringValue(id));

/** Column defaults of the service's subscriber table. */
const columnDefaults: Readonly<Record<string, string>> = { cms_id: '0', tracking: '1', automation: '', language: '' };

/** Returns a column of the person, or undefined if it doesn't exist or is null. */
export function getColumn(person: Person, { ids }: TagFamily, name: string): string | undefined {
  if (!ids.some(({ id }) => id === name)) return undefined;
  const value = Object.hasOwn(person, name) ? person[name] : undefined;
  if (value === undefined && isStored(person))
    return Object.hasOwn(columnDefaults, name) ? columnDefaults[name] : undefined;
  return value === undefined || value === null ? undefined : toStringValue(value);
}

export const findField = ({ fields }: Person, by: 'namekey' | 'label', name: string): FieldValue | undefined =>
  fields?.findLast((field) => field[by] === name);

/** Formats a custom field's value like the service. */
function formatField(field: FieldValue | undefined): string {
  if (!field) return '';
  const value = toStringValue(field.value);
  const type = field.type ?? '';
  const format = Object.hasOwn(fieldFormatters, type) ? fieldFormatters[type] : undefined;
  return format ? format(value, field) : formatJsonList(value);
}

const formatChoices = (value: string, { titles = {} }: FieldValue): string => {
  const values = value.split(',');
  return Object.entries(titles)
    .filter(([choice]) => values.includes(choice))
    .map(([, title]) => title)
    .join(', ');
};

const fieldFormatters: Readonly<Record<string, (value: string, field: FieldValue) => string>> = {
  radio: formatChoices,
  checkbox: formatChoices,
  single_dropdown: formatChoices,
  multiple_dropdown: formatChoices,
  phone: (value) =>
    !isTruthy(value) ? '' : value.startsWith(',') ? value.replaceAll(',', '') : `+${value.replaceAll(',', ' ')}`,
  /** Day, month and year: the default format of a date field. */
  date: (value) => {
    const [year = '', month = '', day = ''] = value.split('-');
    const name = months[Number(month) - 1];
    return [isTruthy(trimLeadingZeros(day)) ? day : '', name ?? '', isTruthy(trimLeadingZeros(year)) ? year : '']
      .filter(Boolean)
      .join(' ');
  },
};

const trimLeadingZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Formats a JSON array as a list. Other values stay unchanged. */
function formatJsonList(value: string): string {
  if (!value.startsWith('[')) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed.map(toStringValue).join(', ') : value;
  } catch {
    return value;
  }
}

const addLineBreaks = (text: string): string => text.replace(/\r\n|\n\r|\n|\r/g, (end) => `<br />${end}`);

/** Returns the text of a key, or the key itself. Resolves backslash escapes in both. */
export function translate(key: string, { translations }: TagLanguage): string {
  const text = Object.hasOwn(translations, key) ? (translations[key] ?? key) : key;
  return text.includes('\\') ? text.replaceAll('\\\\', '\\').replaceAll('\\t', '\t').replaceAll('\\n', '\n') : text;
}

/** Fills `%s` and `%1$s` of a translation, or its words in braces if it has neither. */
function insertTexts(text: string, inserted: readonly string[]): string {
  const fill = (template: string): string => {
    let next = 0;
    return template.replace(
      /%(?:(\d{1,3})\$)?[sd]/g,
      (whole, number?: string) => inserted[number === undefined ? next++ : Number(number) - 1] ?? whole,
    );
  };
  const filled = fill(text);
  return filled === text ? fill(text.replace(/\{[A-Z_]+\}/g, '%s')) : filled;
}

const accountFields: Readonly<Record<string, 'name' | 'email' | 'login'>> = {
  display_name: 'name',
  name: 'name',
  user_login: 'login',
  username: 'login',
  user_nicename: 'login',
  user_email: 'email',
  email: 'email',
};

/** Returns a field of the email. The part being rendered returns its own source. */
function getMailValue({ mail, where }: Rendering, id: string, text: string): string {
  if (id === where) return text.length <= MAX_SELF_REFERENCE_CHARS ? text : '';
  if (id.startsWith('campaign') && mail?.campaignId !== undefined)
    return getValueText({ id: mail.campaignId, mail_id: mail.id }, id.slice('campaign'.length));
  return id === 'campaignId' ? '' : getValueText(mail, id);
}

/** A text that includes itself doubles in each pass. */
const MAX_SELF_REFERENCE_CHARS = 10_000;

const getListName = (list: ListData): string => {
  const displayName = getValueText(list, 'displayName');
  return isTruthy(displayName) ? displayName : getValueText(list, 'name');
};

const joinTexts = (texts: readonly string[], parameters: Parameters): string =>
  texts.join(parameters.has('separator') ? parameters.text('separator') : ', ');

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
function findAttachedList({ mail, lists = [] }: Rendering): ListData | undefined {
  const ids = new Set((mail?.lists ?? []).map(String));
  return lists.find((list) => ids.has(getValueText(list, 'id'))) ?? (ids.size === 0 ? lists[0] : undefined);
}
