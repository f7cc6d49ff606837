import * as vscode from 'vscode';
import { isApiError, type ApiError } from '../../service/client/errors.ts';
import { MAX_PAGE_SIZE } from '../../service/client/paginate.ts';
import { confirm, promptForRequiredText, showError, showInfo } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { escapeMessage } from '../ui/text.ts';
import { listTakenIds } from './changes.ts';
import type { Connections } from './connections.ts';
import { profileLabels, type Connection, type ConnectionState, type ProfileName } from './model.ts';
import { suggestId } from './entries.ts';
import { isProfileName } from './settings.ts';
import { sendsKeyUnencrypted } from './url.ts';
import { confirmUnencrypted, ConnectionWizard, getKeyProblem, type ConnectionDraft } from './wizard.ts';

/** The result of testing a connection. */
export type ConnectionTestResult =
  | { readonly ok: true; readonly profile: ProfileName; readonly latencyMs: number; readonly lists: number }
  | { readonly ok: false; readonly kind: string; readonly message: string };

/** The text fields of a command's first argument: a tree node, or an object from another extension or a key binding. */
export type Arguments = Partial<
  Readonly<Record<'connection' | 'id' | 'name' | 'baseUrl' | 'apiKey' | 'profile', string>>
>;

/** `mailing.connection.add`: asks for missing values. Returns undefined if the user cancels. */
export async function addConnection(connections: Connections, args: Arguments): Promise<Connection | undefined> {
  const completed = await new ConnectionWizard(connections, 'Connect a Mailing Service', parseDraft(args)).run();
  if (!completed) return undefined;
  const { apiKey, isConnected, ...parts } = completed;
  const id = args.id ?? suggestId(parts.name, listTakenIds());
  const connection = await connections.add({ id, ...parts }, apiKey);
  void showInfo(
    isConnected
      ? `“${connection.name}” is connected: profile ${profileLabels[connection.profile]}.`
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
  const { id, name, profile } = connection;
  if (draft.name !== undefined || draft.profile !== undefined)
    return connections.edit(id, { name: draft.name ?? name, profile: draft.profile ?? profile });
  const title = `Edit “${escapeMessage(name)}”`;
  const items = [
    { label: '$(tag) Name', description: escapeMessage(name), edit: () => editName(connections, connection) },
    {
      label: '$(link) Address',
      description: connection.baseUrl,
      detail: 'Asks for the API key again. Mailing Studio sends a stored key only to its own address.',
      edit: () => editAddress(connections, connection, {}),
    },
    {
      label: '$(settings-gear) Profile',
      description: profileLabels[profile],
      edit: () => editProfile(connections, connection),
    },
  ];
  const placeHolder = 'What do you want to change?';
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.edit();
}

async function editName(connections: Connections, { id, name }: Connection): Promise<Connection | undefined> {
  const options = { title: 'Edit Connection', prompt: 'Name shown in the tree', value: name, ignoreFocusOut: true };
  const newName = await promptForRequiredText(options, 'The name is empty.');
  return newName === undefined ? undefined : connections.edit(id, { name: newName });
}

async function editProfile(connections: Connections, { id, profile }: Connection): Promise<Connection | undefined> {
  const choices: readonly (vscode.QuickPickItem & { readonly value: ProfileName })[] = [
    { label: 'As documented', value: 'documented' },
    { label: 'AcyMailing', detail: 'The Joomla extension and the WordPress plugin', value: 'acymailing' },
  ];
  const chosen = await vscode.window.showQuickPick(
    choices.map((choice) => ({ ...choice, description: choice.value === profile ? 'current' : '' })),
    { title: 'Edit Connection', placeHolder: 'Profile of the service', ignoreFocusOut: true },
  );
  return chosen && connections.edit(id, { profile: chosen.value });
}

async function editAddress(
  connections: Connections,
  { id, name, baseUrl }: Connection,
  draft: ConnectionDraft,
): Promise<Connection | undefined> {
  const wizard = new ConnectionWizard(
    connections,
    'Edit Connection',
    { ...draft, baseUrl: draft.baseUrl ?? baseUrl, name: draft.name ?? name },
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
  const apiKey = args.apiKey ?? (await askApiKey(connection));
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
  return vscode.window.showInputBox({
    title: `API Key of “${escapeMessage(name)}”`,
    prompt: `For ${escapeMessage(baseUrl)}, from its configuration page, tab License. Your system's secret storage will store it.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text === '' ? undefined : getKeyProblem(text)),
  });
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
      `“${connection.name}” answers: profile ${profileLabels[result.profile]}, ${result.latencyMs} ms, ${lists}.`,
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

/** A wrong profile has the same symptoms as a missing service. Offers the right profile if that is the cause. */
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
  const use = `Use Profile ${profileLabels[probed.profile]}`;
  const chosen = await vscode.window.showErrorMessage(
    escapeMessage(`“${name}” uses another profile: ${profileLabels[probed.profile]}.`, 300),
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
    `Removes ${baseUrl} from your settings and deletes its API key from this machine.`,
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

function parseDraft({ baseUrl, apiKey, name, profile }: Arguments): ConnectionDraft {
  if (profile !== undefined && !isProfileName(profile)) throw new Error(`There is no profile “${profile}”.`);
  return { baseUrl, apiKey, name, profile };
}
