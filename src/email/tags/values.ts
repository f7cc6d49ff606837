import { formatDate, readDate, months } from './dates.ts';
import type { FieldValue, ListFacts, Person, Rendering, TagFamily, TagLanguage } from './model.ts';
import { formatValue, siteFormat } from './parameters.ts';
import type { Parameters } from './parameters.ts';
import { encodeUrl, isSet, lowerAscii, textOf, toInteger, trim } from './php.ts';

/** What a tag's value may be looked up in. */
export interface Scene {
  readonly to: Rendering;
  readonly language: TagLanguage;
  /** What was chosen for each `{rand:…}` of this email. */
  readonly choices: Map<string, string>;
}

export interface TagCall {
  readonly family: TagFamily;
  readonly parameters: Parameters;
  /** The tag as it stands in the text, and the text. */
  readonly written: string;
  readonly text: string;
}

/** The value of a tag; undefined: the service leaves the tag as it is. */
export function valueOf(call: TagCall, scene: Scene): string | undefined {
  return sources[call.family.source](call, scene);
}

type Source = (call: TagCall, scene: Scene) => string | undefined;

const sources: Readonly<Record<TagFamily['source'], Source>> = {
  subscriber: ({ family, parameters }, { to, language }) => {
    if (parameters.get('info') === 'current') return undefined;
    const id = idOf(parameters);
    const name = id === 'acym_language' ? 'language' : id;
    const found =
      columnOf(to.person, family, name) ||
      (isStored(to.person) ? shownField(fieldOf(to.person, 'namekey', name), language) : '');
    const value = found === '' ? textOf(parameters.get('default')) : found;
    return formatValue(translate(withBreaks(value), language), parameters, to.now);
  },
  account: ({ parameters }, { to }) => {
    const whose = parameters.get('info');
    if (whose === 'current') return undefined;
    const account =
      whose === 'sender' ? to.sender : whose === 'receiver' || !isSet(whose) ? to.person['account'] : undefined;
    return formatValue(accountValue(account, idOf(parameters)), parameters, to.now);
  },
  date: ({ parameters }, { to, language }) => {
    const sentAt = isSet(parameters.get('senddate'))
      ? readDate(stringOf(to.mail?.['sending_date']) || 'now', to.now)
      : to.now;
    const seconds = toInteger(textOf(parameters.get('add'))) - toInteger(textOf(parameters.get('remove')));
    const format = translate(siteFormat(idOf(parameters) || '0'), language);
    return formatDate(new Date((sentAt ?? to.now).getTime() + seconds * 1000), format, 'GMT');
  },
  list: ({ parameters }, { to }) => {
    const id = lowerAscii(trim(idOf(parameters)));
    const method = Object.hasOwn(listValues, id) ? listValues[id] : undefined;
    if (!method) return `Method not found: list${id}`;
    return isStored(to.person) ? method(to, parameters) : '';
  },
  mail: ({ parameters, text }, { to }) => {
    const value = mailValue(to, idOf(parameters), text);
    return isSet(value) ? formatValue(value, parameters, to.now) : textOf(parameters.get('default'));
  },
  automail: ({ parameters }, { to }) => {
    const value = stringOf(ownOf(to.mail?.['automail'], idOf(parameters)));
    return isSet(value) ? formatValue(value, parameters, to.now) : textOf(parameters.get('default'));
  },
  choice: ({ family, parameters, written }, { to, choices }) => {
    const id = idOf(parameters);
    // The service looks for the tag as it would write it itself.
    if (written !== `{${family.name}:${id}}` && written !== encodeUrl(`{${family.name}:${id}}`)) return undefined;
    const known = choices.get(id);
    if (known !== undefined) return known;
    const offered = id.split(';');
    const chosen = to.pick?.(offered) ?? offered[0] ?? '';
    choices.set(id, chosen);
    return chosen;
  },
  translation: ({ parameters }, { language }) => {
    const key = trim(idOf(parameters));
    if (!isSet(key)) return undefined;
    const inserted = [...parameters.keys()]
      .filter((name) => name !== 'id' && name !== 'default')
      .map((name) => `{${name}}`);
    const text = translate(key, language);
    return inserted.length > 0 ? withBreaks(insert(text, inserted)) : text;
  },
  site: ({ parameters }, { to }) => (trim(idOf(parameters)) === 'sitename' ? stringOf(to.site?.name) : undefined),
  example: ({ family, parameters }, { to }) => {
    const id = idOf(parameters);
    const value =
      columnOf(to.person, family, id) ||
      stringOf(fieldOf(to.person, 'namekey', id)?.value) ||
      (family.ids.find((known) => known.id === id)?.example ?? '');
    return formatValue(value === '' ? textOf(parameters.get('default')) : value, parameters, to.now);
  },
};

const idOf = (parameters: Parameters): string => textOf(parameters.get('id'));
const stringOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
const ownOf = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null && Object.hasOwn(record, name)
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Whether the service knows the person: one it does not has neither fields nor lists, and no condition holds. */
export const isStored = (person: Person): boolean => isSet(stringOf(person.id));

/** What the service's table has in columns of a stored person where nothing was said. */
const columnDefaults: Readonly<Record<string, string>> = { cms_id: '0', tracking: '1', automation: '', language: '' };

/** A column of the person; undefined where there is none of that name, or it is empty in the service's sense. */
export function columnValue(person: Person, family: TagFamily, name: string): string | undefined {
  if (!family.ids.some(({ id }) => id === name)) return undefined;
  const value = ownOf(person, name);
  if (value === undefined && isStored(person))
    return Object.hasOwn(columnDefaults, name) ? columnDefaults[name] : undefined;
  return value === undefined || value === null ? undefined : stringOf(value);
}

const columnOf = (person: Person, family: TagFamily, name: string): string => columnValue(person, family, name) ?? '';

export function fieldOf(person: Person, by: 'namekey' | 'label', name: string): FieldValue | undefined {
  return Array.isArray(person.fields)
    ? (person.fields as readonly FieldValue[]).findLast((field) => field?.[by] === name)
    : undefined;
}

/** A custom field's value as the service writes it. */
function shownField(field: FieldValue | undefined, language: TagLanguage): string {
  if (!field) return '';
  const value = stringOf(field.value);
  const show = Object.hasOwn(fieldTypes, field.type ?? '') ? fieldTypes[field.type ?? ''] : undefined;
  return show ? show(value, field, language) : listed(value);
}

const chosen = (value: string, { titles = {} }: FieldValue): string => {
  const values = value.split(',');
  return Object.entries(titles)
    .filter(([choice]) => values.includes(choice))
    .map(([, title]) => title)
    .join(', ');
};

const fieldTypes: Readonly<Record<string, (value: string, field: FieldValue, language: TagLanguage) => string>> = {
  radio: chosen,
  checkbox: chosen,
  single_dropdown: chosen,
  multiple_dropdown: chosen,
  phone: (value) =>
    !isSet(value) ? '' : value.startsWith(',') ? value.replaceAll(',', '') : `+${value.replaceAll(',', ' ')}`,
  /** Day, month and year: the order of a field whose format nobody changed. */
  date: (value) => {
    const [year = '', month = '', day = ''] = value.split('-');
    const name = months[Number(month) - 1];
    return [isSet(trimZeros(day)) ? day : '', name ?? '', isSet(trimZeros(year)) ? year : ''].filter(Boolean).join(' ');
  },
};

const trimZeros = (digits: string): string => digits.replace(/^0+/, '');

/** A value that is a list in JSON. */
function listed(value: string): string {
  if (!value.startsWith('[')) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed.map(stringOf).join(', ') : value;
  } catch {
    return value;
  }
}

const withBreaks = (text: string): string => text.replace(/\r\n|\n\r|\n|\r/g, (end) => `<br />${end}`);

/** The text that a key stands for; any other text is its own. Backslashes act in both. */
export function translate(key: string, { translations }: TagLanguage): string {
  const text = Object.hasOwn(translations, key) ? (translations[key] ?? key) : key;
  return text.includes('\\') ? text.replaceAll('\\\\', '\\').replaceAll('\\t', '\t').replaceAll('\\n', '\n') : text;
}

/** Puts texts into a translation's `%s` and `%1$s`, or else into its words in braces. */
function insert(text: string, inserted: readonly string[]): string {
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

function accountValue(account: unknown, id: string): string {
  const own = stringOf(ownOf(account, id));
  return own || (Object.hasOwn(accountFields, id) ? stringOf(ownOf(account, accountFields[id] ?? '')) : '');
}

/** A field of the email. The part that is rendered is itself, tags and all. */
function mailValue({ mail, where }: Rendering, id: string, text: string): string {
  if (id === where) return text.length <= longestOwnText ? text : '';
  if (id.startsWith('campaign') && mail?.campaignId !== undefined) {
    const fields: Readonly<Record<string, unknown>> = { id: mail.campaignId, mail_id: mail.id };
    return stringOf(ownOf(fields, id.slice('campaign'.length)));
  }
  return id === 'campaignId' ? '' : stringOf(ownOf(mail, id));
}

/** A text that names itself grows by its own length each time. */
const longestOwnText = 10_000;

type ListValue = (to: Rendering, parameters: Parameters) => string;

const shownName = (list: ListFacts): string =>
  isSet(stringOf(list.displayName)) ? stringOf(list.displayName) : stringOf(list.name);
const separatorOf = (parameters: Parameters): string =>
  parameters.has('separator') ? textOf(parameters.get('separator')) : ', ';

const listValues: Readonly<Record<string, ListValue>> = {
  name: (to) => {
    const list = attached(to);
    return list ? shownName(list) : '';
  },
  names: ({ lists = [] }, parameters) => lists.map(shownName).join(separatorOf(parameters)),
  description: (to, parameters) => {
    const wanted = parameters.get('listid');
    const list = isSet(wanted)
      ? to.lists?.find(({ id }) => toInteger(stringOf(id)) === toInteger(textOf(wanted)))
      : attached(to);
    return stringOf(list?.description);
  },
  descriptions: ({ lists = [] }, parameters) => {
    const wanted = isSet(parameters.get('listids'))
      ? textOf(parameters.get('listids')).split(',').map(toInteger)
      : undefined;
    const shown = lists.filter(
      ({ id, description }) => isSet(stringOf(description)) && (!wanted || wanted.includes(toInteger(stringOf(id)))),
    );
    return shown.map(({ description }) => stringOf(description)).join(separatorOf(parameters));
  },
  id: (to) => stringOf(attached(to)?.id),
  owner: (to, parameters) => {
    const field = textOf(parameters.get('field'));
    if (field !== 'name' && field !== 'email' && field !== 'username') return `Field not found : ${field}`;
    const owner = attached(to)?.owner;
    return field === 'username' ? stringOf(owner?.login ?? owner?.name) : stringOf(owner?.[field]);
  },
};

/** The list through which the person gets the email. */
function attached({ mail, lists = [] }: Rendering): ListFacts | undefined {
  const ids = new Set((Array.isArray(mail?.lists) ? mail.lists : []).map(String));
  return lists.find(({ id }) => ids.has(stringOf(id))) ?? (ids.size === 0 ? lists[0] : undefined);
}
