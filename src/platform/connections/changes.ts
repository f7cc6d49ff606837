import * as vscode from 'vscode';
import type { Json } from '../../service/client/shapes.ts';
import type { ApiKeys } from './keys.ts';
import type { Connection } from './model.ts';
import { hasConnection, listIds, withConnection, withoutConnection, withReplacedConnection } from './entries.ts';
import { connectionsSetting, getIdProblem, parseConnections } from './settings.ts';
import { parseBaseUrl } from './url.ts';

export type ConnectionChanges = Partial<Pick<Connection, 'name' | 'baseUrl' | 'profile'>>;

/**
 * Adds a connection and its key to the user settings, or to the workspace settings if these define connections.
 * @throws {Error} if the id is taken or the settings can't be written. Nothing is stored then
 */
export async function storeConnection(
  keys: ApiKeys,
  connection: Connection,
  apiKey: string | undefined,
): Promise<Connection> {
  const added = { ...connection, baseUrl: normalizeBaseUrl(connection.baseUrl) };
  const problem =
    getIdProblem(added.id) ??
    (listTakenIds().includes(added.id) ? `There is a connection of the id “${added.id}” already.` : undefined);
  if (problem !== undefined) throw new Error(problem);
  if (apiKey !== undefined) await keys.set(added.id, added.baseUrl, apiKey);
  try {
    await writeConnections((value) => withConnection(value, added));
  } catch (error) {
    await keys.delete(added.id, added.baseUrl);
    throw error;
  }
  return added;
}

/** Changes a connection's settings. A new address deletes the key of the old one. Throws if the settings can't be written. */
export async function updateConnection(
  keys: ApiKeys,
  old: Connection,
  changes: ConnectionChanges,
  apiKey: string | undefined,
): Promise<Connection> {
  const edited = { ...old, ...changes, baseUrl: normalizeBaseUrl(changes.baseUrl ?? old.baseUrl) };
  const hasMoved = edited.baseUrl !== old.baseUrl;
  if (apiKey !== undefined) await keys.set(old.id, edited.baseUrl, apiKey);
  try {
    await writeConnections((value) => withReplacedConnection(value, edited), old.id);
  } catch (error) {
    if (apiKey !== undefined && hasMoved) await keys.delete(old.id, edited.baseUrl);
    throw error;
  }
  if (hasMoved) await keys.delete(old.id, old.baseUrl);
  return edited;
}

/**
 * Removes a connection from the settings, with its keys. A user connection that was hidden by a workspace connection with the same id keeps
 * its key.
 */
export async function deleteConnection(keys: ApiKeys, id: string): Promise<void> {
  await writeConnections((value) => withoutConnection(value, id), id);
  const hidden = readSettingValues()
    .flatMap((value) => parseConnections(value).connections)
    .filter((connection) => connection.id === id);
  await keys.deleteAll(
    id,
    hidden.map(({ baseUrl }) => baseUrl),
  );
}

/** Returns all ids in the settings, including those of invalid or overridden entries. */
export function listTakenIds(): readonly string[] {
  return readSettingValues().flatMap(listIds);
}

/** Updates the setting in the scope that is in effect in this window. */
async function writeConnections(change: (value: Json | undefined) => readonly Json[], id?: string): Promise<void> {
  const [globalValue, workspaceValue] = readSettingValues();
  const inWorkspace = vscode.workspace.isTrusted && workspaceValue !== undefined;
  const value = inWorkspace ? workspaceValue : globalValue;
  if (id !== undefined && !hasConnection(value, id))
    throw new Error(`The connection “${id}” is not in the settings that can be changed from here.`);
  const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(connectionsSetting, change(value), target);
}

/** Returns the user's and the workspace's value of the setting. */
function readSettingValues(): readonly (Json | undefined)[] {
  const inspected = vscode.workspace.getConfiguration().inspect<Json>(connectionsSetting);
  return [inspected?.globalValue, inspected?.workspaceValue];
}

function normalizeBaseUrl(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.url;
}
