import * as vscode from 'vscode';
import type { ApiKeys } from './keys.ts';
import type { Connection } from './model.ts';
import { hasConnection, listIds, withConnection, withoutConnection, withReplacedConnection } from './entries.ts';
import { connectionsSetting, getIdProblem, parseConnections } from './settings.ts';
import { parseBaseUrl } from './url.ts';

/** What may change of a connection. */
export type ConnectionChanges = Partial<Pick<Connection, 'name' | 'baseUrl' | 'profile'>>;

/**
 * Adds a connection to the settings (the user's, or the workspace's where that has connections of its own), with its key.
 * Throws where the id is taken or the settings can't be written; nothing is kept then.
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

/** Changes a connection's entry. With another address the key of the former one is deleted. Throws where the settings can't be written. */
export async function updateConnection(
  keys: ApiKeys,
  old: Connection,
  changes: ConnectionChanges,
  apiKey: string | undefined,
): Promise<Connection> {
  const edited = { ...old, ...changes, baseUrl: normalizeBaseUrl(changes.baseUrl ?? old.baseUrl) };
  const moved = edited.baseUrl !== old.baseUrl;
  if (apiKey !== undefined) await keys.set(old.id, edited.baseUrl, apiKey);
  try {
    await writeConnections((value) => withReplacedConnection(value, edited), old.id);
  } catch (error) {
    if (apiKey !== undefined && moved) await keys.delete(old.id, edited.baseUrl);
    throw error;
  }
  if (moved) await keys.delete(old.id, old.baseUrl);
  return edited;
}

/**
 * Removes a connection from the settings, and every key that was stored for it. A user's connection that the workspace's one of the
 * same id hid keeps its own.
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

/** Ids of the settings that a new connection can't have, also those of entries that can't be used or aren't in effect here. */
export function listTakenIds(): readonly string[] {
  return readSettingValues().flatMap(listIds);
}

/** Rewrites the setting where it is in effect, so that what was added is seen in this window. */
async function writeConnections(change: (value: unknown) => readonly unknown[], id?: string): Promise<void> {
  const [globalValue, workspaceValue] = readSettingValues();
  const inWorkspace = vscode.workspace.isTrusted && workspaceValue !== undefined;
  const value = inWorkspace ? workspaceValue : globalValue;
  if (id !== undefined && !hasConnection(value, id))
    throw new Error(`The connection “${id}” is not in the settings that can be changed from here.`);
  const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(connectionsSetting, change(value), target);
}

/** The user's and the workspace's own value of the setting. */
function readSettingValues(): readonly unknown[] {
  const inspected = vscode.workspace.getConfiguration().inspect<unknown>(connectionsSetting);
  return [inspected?.globalValue, inspected?.workspaceValue];
}

function normalizeBaseUrl(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.url;
}
