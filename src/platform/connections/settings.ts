import type { Connection, ProfileName, SettingsProblem, TagsSetting } from './model.ts';
import { parseBaseUrl } from './url.ts';

/** The connections that `mailing.connections` names, and the entries that can't be used. */
interface ParsedSettings {
  readonly connections: readonly Connection[];
  readonly problems: readonly SettingsProblem[];
}

/** The setting that names the connections. */
export const connectionsSetting = 'mailing.connections';

/** The id of this window's embedded service. */
export const sandboxId = 'sandbox';

const idPattern = /^[a-z0-9][a-z0-9-]*$/;
const profiles: readonly ProfileName[] = ['documented', 'acymailing'];
const ENTRY_FIELDS: readonly string[] = ['id', 'name', 'baseUrl', 'profile', 'tags', 'agents'];

/** Why an id can't be a connection's, or nothing where it can. */
export function getIdProblem(id: string): string | undefined {
  if (!idPattern.test(id))
    return `The id “${id}” must consist of lower-case letters, digits and hyphens, and must not begin with a hyphen.`;
  if (id === sandboxId) return `The id “${sandboxId}” is reserved for the sandbox.`;
  return undefined;
}

function isTagsSetting(value: unknown): value is TagsSetting {
  return value === 'acymailing' || value === 'none' || (isPlainObject(value) && isPlainObject(value['families']));
}

export function isProfileName(value: unknown): value is ProfileName {
  return profiles.some((profile) => profile === value);
}

/** Reads the value of `mailing.connections`, whatever somebody has written there: what is wrong is told, the rest works. */
export function parseConnections(value: unknown): ParsedSettings {
  if (value === undefined || value === null) return { connections: [], problems: [] };
  if (!Array.isArray(value)) {
    return {
      connections: [],
      problems: [{ entry: connectionsSetting, message: 'The setting must be a list of connections: [ … ].' }],
    };
  }
  const connections: Connection[] = [];
  const problems: SettingsProblem[] = [];
  value.forEach((raw: unknown, index) => {
    const entry = describeEntry(raw, index);
    const read = parseEntry(raw);
    for (const message of read.messages) problems.push({ entry, message });
    if (!read.connection) return;
    const { id } = read.connection;
    // The first of two is kept: it is the one that open documents and stored keys belong to.
    if (connections.some((other) => other.id === id))
      problems.push({ entry, message: `The id “${id}” is used by an entry before this one.` });
    else connections.push(read.connection);
  });
  return { connections, problems };
}

function describeEntry(raw: unknown, index: number): string {
  const place = `entry ${index + 1}`;
  if (!isPlainObject(raw)) return place;
  const name = [raw['name'], raw['id']].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof name === 'string' ? `“${name}” (${place})` : place;
}

/** Reads one entry. It may be usable although there is something to say about it. */
export function parseEntry(raw: unknown): { readonly connection?: Connection; readonly messages: readonly string[] } {
  if (!isPlainObject(raw))
    return { messages: ['A connection must be an object: { "id": …, "name": …, "baseUrl": … }.'] };
  const messages: string[] = [];
  const id = readTextField(raw, 'id', messages);
  const name = readTextField(raw, 'name', messages);
  const address = readTextField(raw, 'baseUrl', messages);
  const profile = raw['profile'] ?? 'documented';
  if (id !== undefined) {
    const problem = getIdProblem(id);
    if (problem !== undefined) messages.push(problem);
  }
  const baseUrl = address === undefined ? undefined : parseBaseUrl(address);
  if (baseUrl && !baseUrl.ok) messages.push(`"baseUrl": ${baseUrl.problem}`);
  if (!isProfileName(profile))
    messages.push(`"profile" must be ${profiles.map((known) => `"${known}"`).join(' or ')}.`);
  const tags = raw['tags'] ?? undefined;
  const hasTags = isTagsSetting(tags);
  if (tags !== undefined && !hasTags) messages.push('"tags" must be "acymailing", "none" or { "families": … }.');
  const agents = raw['agents'] ?? undefined;
  if (agents !== undefined && typeof agents !== 'boolean') messages.push('"agents" must be true or false.');
  if (messages.length > 0 || id === undefined || name === undefined || !baseUrl?.ok || !isProfileName(profile))
    return { messages };
  // An unknown field breaks nothing, but may be a mistyped one, or a key that doesn't belong here.
  const unknown = Object.keys(raw).filter((field) => !ENTRY_FIELDS.includes(field));
  const optional = { ...(hasTags && { tags }), ...(typeof agents === 'boolean' && { agents }) };
  const connection = { id, name: name.trim(), baseUrl: baseUrl.url, profile, ...optional };
  return { connection, messages: unknown.map(describeUnknownField) };
}

function describeUnknownField(field: string): string {
  return /key|token|secret|password/i.test(field)
    ? `"${field}" is not used: an API key does not belong in settings. Remove it, and use the command “Set API Key”.`
    : `"${field}" is not a field of a connection.`;
}

function readTextField(raw: Readonly<Record<string, unknown>>, field: string, messages: string[]): string | undefined {
  const value = raw[field];
  if (value === undefined) messages.push(`"${field}" is missing.`);
  else if (typeof value !== 'string') messages.push(`"${field}" must be a text.`);
  else if (value.trim() === '') messages.push(`"${field}" is empty.`);
  else return value;
  return undefined;
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
