import { isObject, type Json } from '../../service/client/shapes.ts';
import type { Connection, ProfileName, SettingsProblem, TagsSetting } from './model.ts';
import { parseBaseUrl } from './url.ts';

/** The valid connections in `mailing.connections`, and problems of the other entries. */
interface ParsedSettings {
  readonly connections: readonly Connection[];
  readonly problems: readonly SettingsProblem[];
}

export const connectionsSetting = 'mailing.connections';

/** The id of the embedded service. */
export const sandboxId = 'sandbox';

const idPattern = /^[a-z0-9][a-z0-9-]*$/;
const profiles: readonly ProfileName[] = ['documented', 'acymailing'];
const ENTRY_FIELDS: readonly string[] = ['id', 'name', 'baseUrl', 'profile', 'tags', 'agents'];

/** Returns why an id is invalid, or undefined if it is valid. */
export function getIdProblem(id: string): string | undefined {
  if (!idPattern.test(id))
    return `The id “${id}” must consist of lower-case letters, digits and hyphens, and must not begin with a hyphen.`;
  if (id === sandboxId) return `The id “${sandboxId}” is reserved for the sandbox.`;
  return undefined;
}

function isTagsSetting(value: Json | undefined): value is TagsSetting {
  return value === 'acymailing' || value === 'none' || (isObject(value) && isObject(value['families']));
}

export function isProfileName(value: unknown): value is ProfileName {
  return profiles.some((profile) => profile === value);
}

/** Parses the value of `mailing.connections`. Invalid entries are reported and skipped. */
export function parseConnections(value: Json | undefined): ParsedSettings {
  if (value === undefined || value === null) return { connections: [], problems: [] };
  if (!Array.isArray(value)) {
    return {
      connections: [],
      problems: [{ entry: connectionsSetting, message: 'The setting must be a list of connections: [ … ].' }],
    };
  }
  const connections: Connection[] = [];
  const problems: SettingsProblem[] = [];
  value.forEach((raw: Json, index) => {
    const entry = describeEntry(raw, index);
    const parsed = parseEntry(raw);
    for (const message of parsed.messages) problems.push({ entry, message });
    if (!parsed.connection) return;
    const { id } = parsed.connection;
    // Of two entries with the same id, open documents and stored keys belong to the first.
    if (connections.some((other) => other.id === id))
      problems.push({ entry, message: `The id “${id}” is used by an entry before this one.` });
    else connections.push(parsed.connection);
  });
  return { connections, problems };
}

function describeEntry(raw: Json, index: number): string {
  const position = `entry ${index + 1}`;
  if (!isObject(raw)) return position;
  const name = [raw['name'], raw['id']].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof name === 'string' ? `“${name}” (${position})` : position;
}

/** Parses one entry. A valid entry can have messages too. */
export function parseEntry(raw: Json): { readonly connection?: Connection; readonly messages: readonly string[] } {
  if (!isObject(raw)) return { messages: ['A connection must be an object: { "id": …, "name": …, "baseUrl": … }.'] };
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
  if (!isProfileName(profile)) messages.push(`"profile" must be ${profiles.map((name) => `"${name}"`).join(' or ')}.`);
  const tags = raw['tags'] ?? undefined;
  const hasTags = isTagsSetting(tags);
  if (tags !== undefined && !hasTags) messages.push('"tags" must be "acymailing", "none" or { "families": … }.');
  const agents = raw['agents'] ?? undefined;
  if (agents !== undefined && typeof agents !== 'boolean') messages.push('"agents" must be true or false.');
  if (messages.length > 0 || id === undefined || name === undefined || !baseUrl?.ok || !isProfileName(profile))
    return { messages };
  // An unrecognized field may be a typo, or a key that doesn't belong in settings.
  const unrecognized = Object.keys(raw).filter((field) => !ENTRY_FIELDS.includes(field));
  const optional = { ...(hasTags && { tags }), ...(typeof agents === 'boolean' && { agents }) };
  const connection = { id, name: name.trim(), baseUrl: baseUrl.url, profile, ...optional };
  return { connection, messages: unrecognized.map(describeUnknownField) };
}

function describeUnknownField(field: string): string {
  return /key|token|secret|password/i.test(field)
    ? `"${field}" is not used: an API key does not belong in settings. Remove it, and use the command “Set API Key”.`
    : `"${field}" is not a field of a connection.`;
}

function readTextField(raw: { readonly [field: string]: Json }, field: string, messages: string[]): string | undefined {
  const value = raw[field];
  if (value === undefined) messages.push(`"${field}" is missing.`);
  else if (typeof value !== 'string') messages.push(`"${field}" must be a text.`);
  else if (value.trim() === '') messages.push(`"${field}" is empty.`);
  else return value;
  return undefined;
}
