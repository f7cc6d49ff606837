import * as vscode from 'vscode';
import type { Connection } from '../../connections/model.ts';

const defaultLimit = 25;

/** Id of the list that receives a connection's tests. */
export function testListOf({ id, testListId }: Connection): number | undefined {
  const stored = read('testLists')[id];
  return typeof stored === 'number' ? stored : testListId;
}

/** The addresses that a connection's tests went to last. */
export function testRecipientsOf({ id }: Connection): readonly string[] {
  const stored = read('testRecipients')[id];
  return Array.isArray(stored)
    ? stored.filter((address): address is string => typeof address === 'string' && address.trim() !== '')
    : [];
}

export async function rememberTestList(connection: Connection, listId: number): Promise<void> {
  if (listId !== testListOf(connection)) await write('testLists', connection, listId);
}

/** Removes a list that can't receive tests from the user's own settings. Those of a workspace stay. */
export async function forgetTestList(connection: Connection, listId: number): Promise<void> {
  if (readOwn('testLists')[connection.id] === listId) await write('testLists', connection, undefined);
}

export async function rememberTestRecipients(connection: Connection, addresses: readonly string[]): Promise<void> {
  if (JSON.stringify(addresses) !== JSON.stringify(testRecipientsOf(connection)))
    await write('testRecipients', connection, addresses);
}

/** Recipients that a test may have at most. */
export function maxRecipients(): number {
  return vscode.workspace.getConfiguration('mailing').get<number>('test.maxRecipients') ?? defaultLimit;
}

function read(setting: string): Readonly<Record<string, unknown>> {
  return vscode.workspace.getConfiguration('mailing').get<Record<string, unknown>>(setting) ?? {};
}

/** The user's own setting, without what a workspace adds to it. */
function readOwn(setting: string): Readonly<Record<string, unknown>> {
  return vscode.workspace.getConfiguration('mailing').inspect<Record<string, unknown>>(setting)?.globalValue ?? {};
}

async function write(setting: string, { id }: Connection, value: unknown): Promise<void> {
  const { [id]: _before, ...others } = readOwn(setting);
  const all = value === undefined ? others : { ...others, [id]: value };
  await vscode.workspace.getConfiguration('mailing').update(setting, all, vscode.ConfigurationTarget.Global);
}
