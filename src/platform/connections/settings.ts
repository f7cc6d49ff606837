import { t } from '../../l10n.ts';
import { parseBaseUrl } from '../../service/client/address.ts';
import { isObject, type Json } from '../../service/client/shapes.ts';
import type { Connection, ProfileName, SettingsProblem, TagsSetting } from './model.ts';

export const connectionsSetting = 'mailing.connections';

/** The id of the embedded service. */
export const sandboxId = 'sandbox';

const profiles: readonly ProfileName[] = ['documented', 'acymailing'];

/** Returns why an id is invalid, or undefined if it is valid. */
export function getIdProblem(id: string): string | undefined {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id))
    return t`The ID "${id}" must consist of lowercase letters, digits and hyphens, and must not begin with a hyphen.`;
  return id === sandboxId ? t`The ID "${sandboxId}" is reserved for the sandbox.` : undefined;
}

function isTagsSetting(value: Json | undefined): value is TagsSetting {
  return value === 'acymailing' || value === 'none' || (isObject(value) && isObject(value['families']));
}

export function isProfileName(value: unknown): value is ProfileName {
  return profiles.some((profile) => profile === value);
}

/** Returns the valid connections in `mailing.connections`, and the problems of the other entries. */
export function parseConnections(value: Json | undefined) {
  const connections: Connection[] = [];
  const problems: SettingsProblem[] = [];
  if (value !== undefined && value !== null && !Array.isArray(value))
    problems.push({ entry: connectionsSetting, message: t('The setting must be a list of connections: [ … ].') });
  for (const [index, raw] of (Array.isArray(value) ? value : []).entries()) {
    const { connection, messages } = parseEntry(raw);
    // Of two entries with the same id, open documents and stored keys belong to the first.
    const isDuplicate = connections.some(({ id }) => id === connection?.id);
    if (connection && !isDuplicate) connections.push(connection);
    const entry = describeEntry(raw, index);
    const duplicate = isDuplicate ? [t`An earlier entry already uses the ID "${String(connection?.id)}".`] : [];
    problems.push(...[...messages, ...duplicate].map((message) => ({ entry, message })));
  }
  return { connections, problems };
}

function describeEntry(raw: Json, index: number) {
  const name = isObject(raw)
    ? [raw['name'], raw['id']].find((text) => typeof text === 'string' && text.trim() !== '')
    : undefined;
  return typeof name === 'string' ? t`"${name}" (entry ${index + 1})` : t`Entry ${index + 1}`;
}

/** Parses one entry. A valid entry can have messages too. */
function parseEntry(raw: Json): { readonly connection?: Connection; readonly messages: readonly string[] } {
  if (!isObject(raw))
    return { messages: [t`A connection must be an object: ${'{ "id": …, "name": …, "baseUrl": … }'}.`] };
  const messages: string[] = [];
  const read = (field: string) => {
    const value = raw[field];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'string') messages.push(t`"${field}" is empty.`);
    else messages.push(value === undefined ? t`"${field}" is missing.` : t`"${field}" must be text.`);
    return undefined;
  };
  const [id, name, address] = [read('id'), read('name'), read('baseUrl')];
  const { id: _, name: __, baseUrl: ___, profile: givenProfile, tags, agents, cms, ...others } = raw;
  const profile = givenProfile ?? 'documented';
  const idProblem = id === undefined ? undefined : getIdProblem(id);
  if (idProblem !== undefined) messages.push(idProblem);
  const baseUrl = address === undefined ? undefined : parseBaseUrl(address);
  if (baseUrl && !baseUrl.ok) messages.push(`"baseUrl": ${baseUrl.problem}`);
  if (!isProfileName(profile)) messages.push(t('"profile" must be "documented" or "acymailing".'));
  const hasTags = isTagsSetting(tags);
  if (!hasTags && (tags ?? undefined) !== undefined)
    messages.push(t`"tags" must be "acymailing", "none" or ${'{ "families": … }'}.`);
  const hasAgents = typeof agents === 'boolean';
  if (!hasAgents && (agents ?? undefined) !== undefined) messages.push(t('"agents" must be true or false.'));
  const hasCms = cms === 'wordpress' || cms === 'joomla';
  if (!hasCms && (cms ?? undefined) !== undefined) messages.push(t('"cms" must be "wordpress" or "joomla".'));
  if (messages.length > 0 || id === undefined || name === undefined || !baseUrl?.ok || !isProfileName(profile))
    return { messages };
  const optional = { ...(hasTags && { tags }), ...(hasAgents && { agents }), ...(hasCms && ({ cms } as const)) };
  const connection = { id, name: name.trim(), baseUrl: baseUrl.url, profile, ...optional };
  return { connection, messages: Object.keys(others).map(describeUnknownField) };
}

/** An unrecognized field may be a typo, or a key that doesn't belong in settings. */
function describeUnknownField(field: string) {
  return /key|token|secret|password/i.test(field)
    ? t`Remove "${field}", because API keys don't belong in settings. Use the command "Set API Key" instead.`
    : t`"${field}" isn't a field of a connection.`;
}

/** Returns an unused id derived from a name. */
export function suggestId(name: string, taken: readonly string[]): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  const base = slug || 'service';
  const isTaken = (id: string) => id === sandboxId || taken.includes(id);
  let id = base;
  for (let number = 2; isTaken(id); number += 1) id = `${base}-${number}`;
  return id;
}

/** Returns the ids of all entries, including invalid ones. */
export function listIds(value: Json | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((raw: Json) => (isObject(raw) ? raw['id'] : undefined)).filter((id) => typeof id === 'string');
}

/** Returns the setting's value with a connection added. Throws if the value isn't a list. */
export function withConnection(value: Json | undefined, connection: Connection): readonly Json[] {
  return [...toList(value), toEntry(connection)];
}

/**
 * Returns the setting's value with the valid entry of an id replaced, or removed if no connection is given; undefined if there is none.
 * Other entries, even invalid ones, stay unchanged.
 */
export function withChangedEntry(
  value: Json | undefined,
  id: string,
  connection?: Connection,
): readonly Json[] | undefined {
  const list = toList(value);
  const index = list.findIndex((raw) => parseEntry(raw).connection?.id === id);
  return index < 0 ? undefined : list.toSpliced(index, 1, ...(connection ? [toEntry(connection)] : []));
}

function toList(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError(t`The setting "${connectionsSetting}" must be a list. Correct it in the settings first.`);
}

function toEntry({ id, name, baseUrl, profile, cms, tags, agents }: Connection): Json {
  return {
    id,
    name,
    baseUrl,
    profile,
    ...(cms && { cms }),
    ...(tags !== undefined && { tags }),
    ...(agents !== undefined && { agents }),
  };
}
