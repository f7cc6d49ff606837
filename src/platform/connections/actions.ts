import * as vscode from 'vscode';
import { isApiError, type ApiError } from '../../service/client/errors.ts';
import { MAX_PAGE_SIZE } from '../../service/client/paginate.ts';
import { confirm, showError, showInfo } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { escapeMessage } from '../ui/text.ts';
import { getArgument, type Arguments } from './arguments.ts';
import { listTakenIds } from './changes.ts';
import type { Connections } from './connections.ts';
import { promptForValue, pickItem } from './input.ts';
import type { Connection, ConnectionState, ProfileName } from './model.ts';
import { suggestId } from './entries.ts';
import { isProfileName } from './settings.ts';
import { sendsKeyUnencrypted } from './url.ts';
import { confirmUnencrypted, ConnectionWizard, getKeyProblem, type ConnectionDraft } from './wizard.ts';

/** The result of testing a connection. */
export type ConnectionTestResult =
  | { readonly ok: true; readonly profile: ProfileName; readonly latencyMs: number; readonly lists: number }
  | { readonly ok: false; readonly kind: string; readonly message: string };

const PROFILE_LABELS: Readonly<Record<ProfileName, string>> = { documented: 'as documented', acymailing: 'AcyMailing' };

/** `mailing.connection.add`: asks for missing values. Returns undefined if the user cancels. */
export async function addConnection(connections: Connections, args: Arguments): Promise<Connection | undefined> {
  const completed = await new ConnectionWizard(connections, 'Connect a Mailing Service', parseDraft(args)).run();
  if (!completed) return undefined;
  const { apiKey, isConnected, ...parts } = completed;
  const id = getArgument(args, 'id') ?? suggestId(parts.name, listTakenIds());
  const connection = await connections.add({ id, ...parts }, apiKey);
  void showInfo(
    isConnected
      ? `“${connection.name}” is connected: profile ${PROFILE_LABELS[connection.profile]}.`
      : `“${connection.name}” is saved. It could not be connected yet.`,
  );
  return connection;
}

/** `mailing.connection.edit`: applies the argument's values, or lets the user pick what to change. */
export async function editConnection(
  connections: Connections,
  connection: Connection,
  args: Arguments,
): Promise<Connection | undefined> {
  const draft = parseDraft(args);
  if (draft.baseUrl !== undefined) return editAddress(connections, connection, draft);
  if (draft.name !== undefined || draft.profile !== undefined)
    return connections.edit(connection.id, { ...pickField(draft, 'name'), ...pickField(draft, 'profile') });
  const edit = await pickItem(`Edit “${escapeMessage(connection.name)}”`, 'What should change?', [
    {
      label: '$(tag) Name',
      description: escapeMessage(connection.name),
      value: () => editName(connections, connection),
    },
    {
      label: '$(link) Address',
      description: connection.baseUrl,
      detail: 'Asks for the API key again: it is never sent to another address by itself.',
      value: () => editAddress(connections, connection, {}),
    },
    {
      label: '$(settings-gear) Profile',
      description: PROFILE_LABELS[connection.profile],
      value: () => editProfile(connections, connection),
    },
  ]);
  return edit?.();
}

async function editName(connections: Connections, { id, name }: Connection): Promise<Connection | undefined> {
  const answer = await promptForValue({
    title: 'Edit Connection',
    prompt: 'Name shown in the tree',
    value: name,
    step: 1,
    totalSteps: 1,
    canGoBack: false,
    validate: (typed) => (typed.trim() === '' ? 'The name is empty.' : undefined),
  });
  return typeof answer === 'string' ? connections.edit(id, { name: answer.trim() }) : undefined;
}

async function editProfile(connections: Connections, { id, profile }: Connection): Promise<Connection | undefined> {
  const chosen = await pickItem<ProfileName>('Edit Connection', 'How does the service answer?', [
    { label: 'As documented', ...(profile === 'documented' ? { description: 'now' } : {}), value: 'documented' },
    {
      label: 'AcyMailing',
      ...(profile === 'acymailing' ? { description: 'now' } : {}),
      detail: 'The Joomla extension and the WordPress plugin',
      value: 'acymailing',
    },
  ]);
  return chosen === undefined ? undefined : connections.edit(id, { profile: chosen });
}

async function editAddress(
  connections: Connections,
  { id, name, baseUrl }: Connection,
  draft: ConnectionDraft,
): Promise<Connection | undefined> {
  const wizard = new ConnectionWizard(
    connections,
    'Edit Connection',
    { baseUrl, name, ...draft },
    draft.baseUrl === undefined ? ['baseUrl'] : [],
  );
  const completed = await wizard.run();
  if (!completed) return undefined;
  const { apiKey, baseUrl: newBaseUrl, name: newName, profile } = completed;
  return connections.edit(id, { baseUrl: newBaseUrl, name: newName, profile }, apiKey);
}

/** `mailing.connection.setApiKey`: stores a key and tests it. Returns the connection's new state, or undefined if the user cancels. */
export async function setApiKey(
  connections: Connections,
  connection: Connection,
  args: Arguments,
): Promise<ConnectionState | undefined> {
  const apiKey = getArgument(args, 'apiKey') ?? (await askApiKey(connection));
  if (apiKey === undefined) return undefined;
  const problem = getKeyProblem(apiKey);
  if (problem !== undefined) throw new Error(problem);
  if (sendsKeyUnencrypted(connection.baseUrl) && !(await confirmUnencrypted(connection.baseUrl))) return undefined;
  await connections.setApiKey(connection.id, apiKey.trim());
  const result = await testConnection(connections, connection);
  if (result?.ok === true) void showInfo(`The API key of “${connection.name}” works.`);
  return connections.state(connection.id);
}

/** The prompt shows the address, because a workspace can redefine a familiar name with another one. */
async function askApiKey({ name, baseUrl }: Connection): Promise<string | undefined> {
  const answer = await promptForValue({
    title: `API Key of “${escapeMessage(name)}”`,
    prompt: `For ${escapeMessage(baseUrl)}, from its configuration page, tab License. It is kept in the secret store of your system.`,
    password: true,
    step: 1,
    totalSteps: 1,
    canGoBack: false,
    validate: getKeyProblem,
  });
  return typeof answer === 'string' ? answer : undefined;
}

/** `mailing.connection.test`: shows the result, or the error with a button that fixes it. */
export async function testAndReport(
  connections: Connections,
  connection: Connection,
): Promise<ConnectionTestResult | undefined> {
  const result = await testConnection(connections, connection);
  if (result?.ok === true) {
    const lists = `${result.lists}${result.lists >= MAX_PAGE_SIZE ? ' or more' : ''} ${result.lists === 1 ? 'list' : 'lists'}`;
    void showInfo(
      `“${connection.name}” answers: profile ${PROFILE_LABELS[result.profile]}, ${result.latencyMs} ms, ${lists}.`,
    );
  }
  return result;
}

async function testConnection(
  connections: Connections,
  connection: Connection,
): Promise<ConnectionTestResult | undefined> {
  const { id, name, profile } = connection;
  try {
    return await withProgress(`Testing “${escapeMessage(name)}”…`, (signal) =>
      connections.run(id, async (client) => {
        const lists = (await client.getLists({ offset: 0, limit: MAX_PAGE_SIZE }, { signal })).length;
        // The first request includes connecting. The second shows the latency of later requests.
        const start = performance.now();
        await client.getLists({ offset: 0, limit: 1 }, { signal });
        return { ok: true, profile, latencyMs: Math.round(performance.now() - start), lists } as const;
      }),
    );
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.kind === 'aborted') return undefined;
    void explainFailure(connections, connection, error);
    return { ok: false, kind: error.kind, message: error.message };
  }
}

/** A wrong profile looks like a missing service: offers the right profile if that is the cause. */
async function explainFailure(connections: Connections, connection: Connection, error: ApiError): Promise<void> {
  const { id, name, profile } = connection;
  const probed =
    connection.sandbox === true || error.kind === 'unauthorized'
      ? undefined
      : await connections.probeStored(id, AbortSignal.timeout(10_000)).catch(() => undefined);
  if (probed === undefined || probed.profile === profile) {
    const title = `Couldn't connect to “${name}”`;
    await showError(error, { title, connection: id, retry: () => testAndReport(connections, connection) });
    return;
  }
  const use = `Use Profile ${PROFILE_LABELS[probed.profile]}`;
  const chosen = await vscode.window.showErrorMessage(
    escapeMessage(`“${name}” answers with another profile: ${PROFILE_LABELS[probed.profile]}.`, 300),
    use,
  );
  if (chosen !== use) return;
  await testAndReport(connections, await connections.edit(id, { profile: probed.profile }));
}

/** `mailing.connection.remove`: removes the connection and its key after a confirmation. Returns undefined if the user cancels. */
export async function removeConnection(
  connections: Connections,
  { id, name, baseUrl }: Connection,
): Promise<true | undefined> {
  const detail = [
    `${baseUrl} is taken out of your settings, and its API key is deleted from this machine.`,
    'Nothing changes on the service.',
  ];
  if (!(await confirm(`Remove the connection “${name}”?`, detail, 'Remove'))) return undefined;
  await connections.remove(id);
  return true;
}

/** `mailing.connection.openFolder`: adds the connection as a workspace folder. Returns the folder's URI. */
export function openFolder({ id, name }: Connection): vscode.Uri {
  const uri = vscode.Uri.from({ scheme: 'mailing', authority: id, path: '/' });
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.some((folder) => folder.uri.toString() === uri.toString())) return uri;
  if (!vscode.workspace.updateWorkspaceFolders(folders.length, 0, { uri, name }))
    throw new Error(`VS Code did not add “${name}” to the workspace.`);
  return uri;
}

function parseDraft(args: Arguments): ConnectionDraft {
  const profile = getArgument(args, 'profile');
  if (profile !== undefined && !isProfileName(profile)) throw new Error(`There is no profile “${profile}”.`);
  return {
    ...pickField(args, 'baseUrl'),
    ...pickField(args, 'apiKey'),
    ...pickField(args, 'name'),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** Returns one field as an object to spread, empty if it is undefined. */
function pickField<T extends object, K extends keyof T & string>(from: T, field: K): { readonly [P in K]?: T[P] } {
  return from[field] === undefined ? {} : ({ [field]: from[field] } as { readonly [P in K]: T[P] });
}
