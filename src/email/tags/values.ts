import { formatDate, parseDate, months } from './dates.ts';
import { phpTrim } from '../html/stripTags.ts';
import type { FieldValue, ListData, Person, Rendering, TagFamily, TagLanguage } from './model.ts';
import { formatValue, resolveDateFormat } from './parameters.ts';
import type { Parameters } from './parameters.ts';
import { encodeUrl, isTruthy, lowerAscii, toText, toInteger } from './php.ts';

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
    if (parameters.get('info') === 'current') return undefined;
    const id = getId(parameters);
    const name = id === 'acym_language' ? 'language' : id;
    const stored =
      getColumnText(rendering.person, family, name) ||
      (isStored(rendering.person) ? formatField(findField(rendering.person, 'namekey', name), language) : '');
    const value = stored === '' ? toText(parameters.get('default')) : stored;
    return formatValue(translate(addLineBreaks(value), language), parameters, rendering.now);
  },
  account: ({ parameters }, { rendering }) => {
    const whose = parameters.get('info');
    if (whose === 'current') return undefined;
    const account =
      whose === 'sender'
        ? rendering.sender
        : whose === 'receiver' || !isTruthy(whose)
          ? rendering.person['account']
          : undefined;
    return formatValue(getAccountValue(account, getId(parameters)), parameters, rendering.now);
  },
  date: ({ parameters }, { rendering, language }) => {
    const sentAt = isTruthy(parameters.get('senddate'))
      ? parseDate(toStringValue(rendering.mail?.['sending_date']) || 'now', rendering.now)
      : rendering.now;
    const seconds = toInteger(toText(parameters.get('add'))) - toInteger(toText(parameters.get('remove')));
    const format = translate(resolveDateFormat(getId(parameters) || '0'), language);
    return formatDate(new Date((sentAt ?? rendering.now).getTime() + seconds * 1000), format, 'GMT');
  },
  list: ({ parameters }, { rendering }) => {
    const id = lowerAscii(phpTrim(getId(parameters)));
    const method = Object.hasOwn(listValues, id) ? listValues[id] : undefined;
    if (!method) return `Method not found: list${id}`;
    return isStored(rendering.person) ? method(rendering, parameters) : '';
  },
  mail: ({ parameters, text }, { rendering }) => {
    const value = getMailValue(rendering, getId(parameters), text);
    return isTruthy(value) ? formatValue(value, parameters, rendering.now) : toText(parameters.get('default'));
  },
  automail: ({ parameters }, { rendering }) => {
    const value = toStringValue(getOwn(rendering.mail?.['automail'], getId(parameters)));
    return isTruthy(value) ? formatValue(value, parameters, rendering.now) : toText(parameters.get('default'));
  },
  choice: ({ family, parameters, source }, { rendering, choices }) => {
    const id = getId(parameters);
    // The service searches the tag in its canonical notation.
    if (source !== `{${family.name}:${id}}` && source !== encodeUrl(`{${family.name}:${id}}`)) return undefined;
    const cached = choices.get(id);
    if (cached !== undefined) return cached;
    const choicesOffered = id.split(';');
    const formatChoices = rendering.pick?.(choicesOffered) ?? choicesOffered[0] ?? '';
    choices.set(id, formatChoices);
    return formatChoices;
  },
  translation: ({ parameters }, { language }) => {
    const key = phpTrim(getId(parameters));
    if (!isTruthy(key)) return undefined;
    const inserted = [...parameters.keys()]
      .filter((name) => name !== 'id' && name !== 'default')
      .map((name) => `{${name}}`);
    const text = translate(key, language);
    return inserted.length > 0 ? addLineBreaks(insertTexts(text, inserted)) : text;
  },
  site: ({ parameters }, { rendering }) =>
    phpTrim(getId(parameters)) === 'sitename' ? toStringValue(rendering.site?.name) : undefined,
  example: ({ family, parameters }, { rendering }) => {
    const id = getId(parameters);
    const value =
      getColumnText(rendering.person, family, id) ||
      toStringValue(findField(rendering.person, 'namekey', id)?.value) ||
      (family.ids.find((cached) => cached.id === id)?.example ?? '');
    return formatValue(value === '' ? toText(parameters.get('default')) : value, parameters, rendering.now);
  },
};

const getId = (parameters: Parameters): string => toText(parameters.get('id'));
const toStringValue = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
const getOwn = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null && Object.hasOwn(record, name)
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** People who are not stored have no fields and no lists, and no condition holds for them. */
export const isStored = (person: Person): boolean => isTruthy(toStringValue(person.id));

/** Column defaults of the service's subscriber table. */
const columnDefaults: Readonly<Record<string, string>> = { cms_id: '0', tracking: '1', automation: '', language: '' };

/** Returns a column of the person, or undefined if it doesn't exist or is null. */
export function getColumn(person: Person, family: TagFamily, name: string): string | undefined {
  if (!family.ids.some(({ id }) => id === name)) return undefined;
  const value = getOwn(person, name);
  if (value === undefined && isStored(person))
    return Object.hasOwn(columnDefaults, name) ? columnDefaults[name] : undefined;
  return value === undefined || value === null ? undefined : toStringValue(value);
}

const getColumnText = (person: Person, family: TagFamily, name: string): string =>
  getColumn(person, family, name) ?? '';

export function findField(person: Person, by: 'namekey' | 'label', name: string): FieldValue | undefined {
  return Array.isArray(person.fields)
    ? (person.fields as readonly FieldValue[]).findLast((field) => field?.[by] === name)
    : undefined;
}

/** Formats a custom field's value like the service. */
function formatField(field: FieldValue | undefined, language: TagLanguage): string {
  if (!field) return '';
  const value = toStringValue(field.value);
  const format = Object.hasOwn(fieldFormatters, field.type ?? '') ? fieldFormatters[field.type ?? ''] : undefined;
  return format ? format(value, field, language) : formatJsonList(value);
}

const formatChoices = (value: string, { titles = {} }: FieldValue): string => {
  const values = value.split(',');
  return Object.entries(titles)
    .filter(([choice]) => values.includes(choice))
    .map(([, title]) => title)
    .join(', ');
};

const fieldFormatters: Readonly<Record<string, (value: string, field: FieldValue, language: TagLanguage) => string>> = {
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

function getAccountValue(account: unknown, id: string): string {
  const ownValue = toStringValue(getOwn(account, id));
  return ownValue || (Object.hasOwn(accountFields, id) ? toStringValue(getOwn(account, accountFields[id] ?? '')) : '');
}

/** Returns a field of the email. The part being rendered returns its own source. */
function getMailValue({ mail, where }: Rendering, id: string, text: string): string {
  if (id === where) return text.length <= MAX_SELF_REFERENCE_CHARS ? text : '';
  if (id.startsWith('campaign') && mail?.campaignId !== undefined) {
    const fields: Readonly<Record<string, unknown>> = { id: mail.campaignId, mail_id: mail.id };
    return toStringValue(getOwn(fields, id.slice('campaign'.length)));
  }
  return id === 'campaignId' ? '' : toStringValue(getOwn(mail, id));
}

/** A text that includes itself doubles in each pass. */
const MAX_SELF_REFERENCE_CHARS = 10_000;

type ListValue = (rendering: Rendering, parameters: Parameters) => string;

const getListName = (list: ListData): string =>
  isTruthy(toStringValue(list.displayName)) ? toStringValue(list.displayName) : toStringValue(list.name);
const getSeparator = (parameters: Parameters): string =>
  parameters.has('separator') ? toText(parameters.get('separator')) : ', ';

const listValues: Readonly<Record<string, ListValue>> = {
  name: (rendering) => {
    const list = findAttachedList(rendering);
    return list ? getListName(list) : '';
  },
  names: ({ lists = [] }, parameters) => lists.map(getListName).join(getSeparator(parameters)),
  description: (rendering, parameters) => {
    const target = parameters.get('listid');
    const list = isTruthy(target)
      ? rendering.lists?.find(({ id }) => toInteger(toStringValue(id)) === toInteger(toText(target)))
      : findAttachedList(rendering);
    return toStringValue(list?.description);
  },
  descriptions: ({ lists = [] }, parameters) => {
    const target = isTruthy(parameters.get('listids'))
      ? toText(parameters.get('listids')).split(',').map(toInteger)
      : undefined;
    const listsWithDescription = lists.filter(
      ({ id, description }) =>
        isTruthy(toStringValue(description)) && (!target || target.includes(toInteger(toStringValue(id)))),
    );
    return listsWithDescription.map(({ description }) => toStringValue(description)).join(getSeparator(parameters));
  },
  id: (rendering) => toStringValue(findAttachedList(rendering)?.id),
  owner: (rendering, parameters) => {
    const field = toText(parameters.get('field'));
    if (field !== 'name' && field !== 'email' && field !== 'username') return `Field not found : ${field}`;
    const owner = findAttachedList(rendering)?.owner;
    return field === 'username' ? toStringValue(owner?.login ?? owner?.name) : toStringValue(owner?.[field]);
  },
};

/** Returns the list through which the person receives the email. */
function findAttachedList({ mail, lists = [] }: Rendering): ListData | undefined {
  const ids = new Set((Array.isArray(mail?.lists) ? mail.lists : []).map(String));
  return lists.find(({ id }) => ids.has(toStringValue(id))) ?? (ids.size === 0 ? lists[0] : undefined);
}
