import type { Connection } from './model.ts';
import { connectionsSetting, isPlainObject, parseConnections, parseEntry, sandboxId } from './settings.ts';

/** An id made of a name, that none of the taken ones equals. */
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

/** The ids that entries of the setting have, also those of entries that can't be used. */
export function listIds(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .map((raw: unknown) => (isPlainObject(raw) ? raw['id'] : undefined))
    .filter((id) => typeof id === 'string');
}

/** The setting's value with a connection added. Throws where the value isn't a list. */
export function withConnection(value: unknown, connection: Connection): readonly unknown[] {
  return [...toList(value), toSettingsEntry(connection)];
}

/** The setting's value with one connection's entry replaced, all others (also unusable ones) as they are. */
export function withReplacedConnection(value: unknown, connection: Connection): readonly unknown[] {
  const list = toList(value);
  const index = findEntryIndex(list, connection.id);
  return list.map((raw, at) => (at === index ? toSettingsEntry(connection) : raw));
}

/** The setting's value without one connection's entry. */
export function withoutConnection(value: unknown, id: string): readonly unknown[] {
  const list = toList(value);
  const index = findEntryIndex(list, id);
  return list.filter((_, at) => at !== index);
}

/** True where the setting's value has a usable entry of this id. */
export function hasConnection(value: unknown, id: string): boolean {
  return parseConnections(value).connections.some((connection) => connection.id === id);
}

/** The entry that `parseConnections` took for this id: the first usable one. */
function findEntryIndex(list: readonly unknown[], id: string): number {
  return list.findIndex((raw) => parseEntry(raw).connection?.id === id);
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`The setting “${connectionsSetting}” must be a list. Correct it in the settings first.`);
}

function toSettingsEntry({ id, name, baseUrl, profile, tags, agents }: Connection): Readonly<Record<string, unknown>> {
  return { id, name, baseUrl, profile, ...(tags !== undefined && { tags }), ...(agents !== undefined && { agents }) };
}
