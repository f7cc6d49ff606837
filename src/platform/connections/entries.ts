import type { Connection } from './model.ts';
import { isObject, type Json } from '../../service/client/shapes.ts';
import { connectionsSetting, parseConnections, parseEntry, sandboxId } from './settings.ts';

/** Returns an unused id derived from a name. */
export function suggestId(name: string, taken: Iterable<string>): string {
  const used = new Set([...taken, sandboxId]);
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  const base = slug === '' ? 'service' : slug;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!used.has(id)) return id;
  }
}

/** Returns the ids of all entries, including invalid ones. */
export function listIds(value: Json | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((raw: Json) => (isObject(raw) ? raw['id'] : undefined)).filter((id) => typeof id === 'string');
}

/** Returns the setting's value with a connection added. Throws if the value isn't a list. */
export function withConnection(value: Json | undefined, connection: Connection): readonly Json[] {
  return [...toList(value), toSettingsEntry(connection)];
}

/** Returns the setting's value with one connection replaced. Other entries, even invalid ones, stay unchanged. */
export function withReplacedConnection(value: Json | undefined, connection: Connection): readonly Json[] {
  const list = toList(value);
  const index = findEntryIndex(list, connection.id);
  return list.map((raw, at) => (at === index ? toSettingsEntry(connection) : raw));
}

/** Returns the setting's value without one connection. */
export function withoutConnection(value: Json | undefined, id: string): readonly Json[] {
  const list = toList(value);
  const index = findEntryIndex(list, id);
  return list.filter((_, at) => at !== index);
}

/** Returns whether the setting's value has a valid entry with this id. */
export function hasConnection(value: Json | undefined, id: string): boolean {
  return parseConnections(value).connections.some((connection) => connection.id === id);
}

/** Returns the index of the entry that `parseConnections` uses for an id: the first valid one. */
function findEntryIndex(list: readonly Json[], id: string): number {
  return list.findIndex((raw) => parseEntry(raw).connection?.id === id);
}

function toList(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`The setting “${connectionsSetting}” must be a list. Correct it in the settings first.`);
}

function toSettingsEntry({ id, name, baseUrl, profile, tags, agents }: Connection): Json {
  const required = { id, name, baseUrl, profile };
  const tagged = tags === undefined ? required : { ...required, tags };
  return agents === undefined ? tagged : { ...tagged, agents };
}
