import * as vscode from 'vscode';
import type { JsonObject } from '../../../service/client/shapes.ts';
import type { Connection } from '../../connections/model.ts';

const DEFAULT_MAX_RECIPIENTS = 25;

/** Returns the id of the connection's test list. */
export function getTestListId({ id, testListId }: Connection): number | undefined {
  const stored = readTestSetting('testLists')[id];
  return typeof stored === 'number' ? stored : testListId;
}

/** Returns the addresses of the connection's last test. */
export function getTestRecipients({ id }: Connection): readonly string[] {
  const stored = readTestSetting('testRecipients')[id];
  return Array.isArray(stored)
    ? stored.filter((address): address is string => typeof address === 'string' && address.trim() !== '')
    : [];
}

export async function storeTestListId(connection: Connection, listId: number): Promise<void> {
  if (listId !== getTestListId(connection)) await writeSetting('testLists', connection, listId);
}

/** Removes a list that can't receive tests from the user settings, but not from workspace settings. */
export async function clearTestListId(connection: Connection, listId: number): Promise<void> {
  if (readUserSetting('testLists')[connection.id] === listId) await writeSetting('testLists', connection, undefined);
}

export async function storeTestRecipients(connection: Connection, addresses: readonly string[]): Promise<void> {
  if (JSON.stringify(addresses) !== JSON.stringify(getTestRecipients(connection)))
    await writeSetting('testRecipients', connection, addresses);
}

export function getMaxRecipients(): number {
  return vscode.workspace.getConfiguration('mailing').get<number>('test.maxRecipients') ?? DEFAULT_MAX_RECIPIENTS;
}

function readTestSetting(setting: string): Readonly<JsonObject> {
  return vscode.workspace.getConfiguration('mailing').get<JsonObject>(setting) ?? {};
}

/** Reads a user setting without workspace overrides. */
function readUserSetting(setting: string): Readonly<JsonObject> {
  return vscode.workspace.getConfiguration('mailing').inspect<JsonObject>(setting)?.globalValue ?? {};
}

async function writeSetting(setting: string, { id }: Connection, value: JsonObject[string]): Promise<void> {
  const { [id]: _before, ...others } = readUserSetting(setting);
  const all = value === undefined ? others : { ...others, [id]: value };
  await vscode.workspace.getConfiguration('mailing').update(setting, all, vscode.ConfigurationTarget.Global);
}
