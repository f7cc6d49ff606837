import * as vscode from 'vscode';
import { formatNumber, formatPair, plural, t } from '../../l10n.ts';
import type { ApiError } from '../../service/client/errors.ts';
import { isApiError } from '../../service/client/shapes.ts';
import { MAX_PAGE_SIZE } from '../../service/client/paginate.ts';
import { showConnectionPick } from '../documents/recordCommands.ts';
import { buildRootUri } from '../documents/uri.ts';
import { getFields, type CommandArgument, type CommandHandler, type CommandHandlers } from '../../ui/commands.ts';
import { confirm, promptForRequiredText, showError, showInfo, showWarning, withProgress } from '../../ui/messages.ts';
import { joinParts } from '../../service/format.ts';
import { escapeMessage } from '../../service/text.ts';
import { listTakenIds, type Connections } from './connections.ts';
import { copyDiagnostics } from './diagnostics.ts';
import { profileLabels, toServiceRef, type Connection, type ProfileName, type SettingsProblem } from './model.ts';
import { sendsKeyUnencrypted } from '../../service/client/address.ts';
import { openOutboxMessage } from './outbox.ts';
import type { SandboxHost } from './sandbox.ts';
import { isProfileName, suggestId } from './settings.ts';
import { confirmUnencrypted, ConnectionWizard, getKeyProblem, getKeyPrompt, type ConnectionDraft } from './wizard.ts';

/** The result of testing a connection. */
export type ConnectionTestResult =
  | { readonly ok: true; readonly profile: ProfileName; readonly latencyMs: number; readonly lists: number }
  | { readonly ok: false; readonly kind: string; readonly message: string };

/** The text fields of a command's first argument: a tree node, or an object from another extension or a key binding. */
type Arguments = Partial<Readonly<Record<'connection' | 'id' | 'name' | 'baseUrl' | 'apiKey' | 'profile', string>>>;

export function createHandlers(context: vscode.ExtensionContext, connections: Connections, sandbox: SandboxHost) {
  type Handler = (connections: Connections, connection: Connection, args: Arguments) => unknown;
  const onConnection =
    (title: string, includesSandbox: boolean, handler: Handler): CommandHandler =>
    async (argument) => {
      const args = parseArguments(argument);
      const connection = await pickConnection(connections, args, title, includesSandbox);
      return connection && handler(connections, connection, args);
    };
  return {
    'mailing.connection.add': (argument) => addConnection(connections, parseArguments(argument)),
    'mailing.connection.edit': onConnection(t('Edit Connection'), false, editConnection),
    'mailing.connection.setApiKey': onConnection(t('Set API Key'), false, setApiKey),
    'mailing.connection.test': onConnection(t('Test Connection'), true, testAndReport),
    'mailing.connection.remove': onConnection(t('Remove Connection'), false, removeConnection),
    'mailing.connection.openFolder': onConnection(t('Open Connection as Folder'), true, openFolder),
    'mailing.copyDiagnostics': () => copyDiagnostics(context, connections),
    'mailing.sandbox.start': async (argument) => {
      const { profile, templates, subscribers } = getFields(argument);
      // Starting is too short for a notification.
      const connection = await vscode.window.withProgress({ location: { viewId: 'mailing.explorer' } }, () =>
        sandbox.start({
          profile: isProfileName(profile) ? profile : undefined,
          templates: typeof templates === 'number' ? templates : undefined,
          subscribers: typeof subscribers === 'number' ? subscribers : undefined,
        }),
      );
      // Code that passes options continues with its own step.
      if (argument === undefined) await showFirstTemplate(connections, connection);
      return connection;
    },
    'mailing.sandbox.stop': () => sandbox.stop(),
    'mailing.sandbox.reset': async () => {
      const detail = [t('You lose your changes in the sandbox and the messages in its outbox.')];
      const isConfirmed = await confirm(t('Reset the sandbox to its sample data?'), detail, t('Reset'));
      return isConfirmed ? sandbox.reset() : undefined;
    },
    'mailing.sandbox.openOutbox': (argument) => {
      const { id } = getFields(argument);
      return openOutboxMessage(sandbox, typeof id === 'number' ? id : undefined);
    },
  } satisfies CommandHandlers;
}

/** Parses a command's first argument. Ignores empty texts, and anything but an object. */
function parseArguments(argument: CommandArgument): Arguments {
  return Object.fromEntries(
    Object.entries(getFields(argument)).filter(([, value]) => typeof value === 'string' && value !== ''),
  );
}

/** Returns the connection of the argument, the only accepted one, or the picked one; undefined if the user cancels. */
async function pickConnection(connections: Connections, args: Arguments, title: string, includesSandbox: boolean) {
  if (args.connection !== undefined) {
    const named = connections.get(args.connection);
    if (!named) throw new Error(t`There is no connection "${args.connection}".`);
    if (named.sandbox && !includesSandbox)
      throw new Error(t('The sandbox belongs to this window. It has no address, key or settings to change.'));
    return named;
  }
  const accepted = connections.all.filter(({ sandbox }) => includesSandbox || sandbox !== true);
  if (accepted.length === 0) {
    const add = t('Connect a Service');
    if ((await showInfo(t('There is no connection yet.'), add)) === add)
      await vscode.commands.executeCommand('mailing.connection.add');
    return undefined;
  }
  const options = { title, placeHolder: t('Select a connection'), ignoreFocusOut: true };
  return accepted.length === 1 ? accepted[0] : showConnectionPick(accepted, options);
}

/** Shows a connection in the tree, and its first template with the preview beside it. */
async function showFirstTemplate(connections: Connections, connection: Connection) {
  const { id } = connection;
  connections.notifyAdded(id);
  const [first] = await connections.run(toServiceRef(connection), (client) => client.getTemplates({ limit: 1 }));
  // The user may have deleted all templates.
  if (!first) return;
  await vscode.commands.executeCommand('mailing.record.open', {
    connection: id,
    collection: 'templates',
    id: first.id,
  });
  await vscode.commands.executeCommand('mailing.preview');
}

/** Shows a warning that names the invalid entries in the settings. */
export async function showSettingsProblems(
  problems: readonly SettingsProblem[],
  log: vscode.LogOutputChannel,
): Promise<void> {
  if (problems.length === 0) return;
  for (const { entry, message } of problems) log.warn(`Settings, mailing.connections: ${entry}: ${message}`);
  const listed = problems.map(({ entry, message }) => formatPair(entry, message));
  const open = t('Open Settings');
  const chosen = await showWarning([t('Your connection settings contain errors.'), ...listed].join(' '), open);
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'mailing.connections');
}

/** `mailing.connection.add`: asks for missing values. Returns undefined if the user cancels. */
async function addConnection(connections: Connections, args: Arguments) {
  const completed = await new ConnectionWizard(t('Connect a Service'), parseDraft(args)).run();
  if (!completed) return undefined;
  const { apiKey, isConnected, ...parts } = completed;
  const id = args.id ?? suggestId(parts.name, listTakenIds());
  const cms = isConnected ? await connections.findCms(parts) : undefined;
  const connection = await connections.add({ id, ...parts, ...(cms && { cms }) }, apiKey);
  if (isConnected) connections.setConnected(id);
  connections.notifyAdded(id);
  void showInfo(
    isConnected
      ? t`Connected to "${connection.name}".`
      : t`"${connection.name}" was saved, but couldn't be connected yet.`,
  );
  return connection;
}

/** `mailing.connection.edit`: applies the argument's values, or lets the user pick what to change. */
async function editConnection(connections: Connections, connection: Connection, args: Arguments) {
  const draft = parseDraft(args);
  if (draft.baseUrl !== undefined) return editAddress(connections, connection, draft);
  const { id, name, profile } = connection;
  if (draft.name !== undefined || draft.profile !== undefined)
    return connections.edit(id, { name: draft.name ?? name, profile: draft.profile ?? profile });
  const title = t`Edit "${escapeMessage(name)}"`;
  const items = [
    { label: `$(tag) ${t('Name')}`, description: escapeMessage(name), edit: editName },
    {
      label: `$(link) ${t('Address')}`,
      description: connection.baseUrl,
      detail: t('Enter the API key again, because Mailing Studio sends a stored key only to its own address.'),
      edit: editAddress,
    },
    { label: `$(settings-gear) ${t('Profile')}`, description: profileLabels[profile], edit: editProfile },
  ];
  const placeHolder = t('Select what to change');
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
  return chosen?.edit(connections, connection, {});
}

async function editName(connections: Connections, { id, name }: Connection) {
  const title = t('Edit Connection');
  const options = { title, prompt: t('Name shown in the tree view'), value: name, ignoreFocusOut: true };
  const newName = await promptForRequiredText(options, t('The name is empty.'));
  return newName === undefined ? undefined : connections.edit(id, { name: newName });
}

async function editProfile(connections: Connections, { id, profile }: Connection) {
  const describe = (value: ProfileName) => ({
    value,
    description: value === profile ? t({ message: 'current', comment: 'Beside the current profile' }) : '',
  });
  const chosen = await vscode.window.showQuickPick(
    [
      { label: t("Other service with AcyMailing's REST API"), ...describe('documented') },
      {
        label: 'AcyMailing',
        detail: t('The Joomla extension and the WordPress plugin'),
        ...describe('acymailing'),
      },
    ],
    { title: t('Edit Connection'), placeHolder: t('Profile of the service'), ignoreFocusOut: true },
  );
  return chosen && connections.edit(id, { profile: chosen.value });
}

async function editAddress(connections: Connections, connection: Connection, draft: ConnectionDraft) {
  const { id, name, baseUrl } = connection;
  const completed = await new ConnectionWizard(
    t('Edit Connection'),
    { ...draft, baseUrl: draft.baseUrl ?? baseUrl, name: draft.name ?? name },
    draft.baseUrl === undefined ? ['baseUrl'] : [],
  ).run();
  if (!completed) return undefined;
  const { apiKey, isConnected, ...parts } = completed;
  const cms = isConnected ? await connections.findCms(parts) : undefined;
  return connections.edit(
    id,
    { ...parts, cms: cms ?? (parts.baseUrl === baseUrl ? connection.cms : undefined) },
    apiKey,
  );
}

/** `mailing.connection.setApiKey`: stores a key and tests it. Returns the connection's new state, or undefined if the user cancels. */
async function setApiKey(connections: Connections, connection: Connection, args: Arguments) {
  const apiKey = args.apiKey ?? (await askApiKey(connection));
  if (apiKey === undefined) return undefined;
  const problem = getKeyProblem(apiKey);
  if (problem !== undefined) throw new Error(problem);
  if (sendsKeyUnencrypted(connection.baseUrl) && !(await confirmUnencrypted(connection.baseUrl))) return undefined;
  await connections.setApiKey(toServiceRef(connection), apiKey.trim());
  const result = await testConnection(connections, connection);
  if (result?.ok) void showInfo(t`The API key of "${connection.name}" works.`);
  return connections.state(connection.id);
}

/** The prompt shows the address, because a workspace can redefine a familiar name with another one. */
function askApiKey({ name, baseUrl }: Connection) {
  return vscode.window.showInputBox({
    title: t`API Key of "${escapeMessage(name)}"`,
    prompt: formatPair(escapeMessage(baseUrl), getKeyPrompt()),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text === '' ? undefined : getKeyProblem(text)),
  });
}

/** `mailing.connection.test`: shows the result, or the error with a button that fixes it. */
async function testAndReport(
  connections: Connections,
  connection: Connection,
): Promise<ConnectionTestResult | undefined> {
  const result = await testConnection(connections, connection);
  if (result?.ok) {
    const { lists, profile, latencyMs } = result;
    void showInfo(
      joinParts([
        t`Connected to "${connection.name}"`,
        profileLabels[profile],
        t`${formatNumber(latencyMs)} ms`,
        lists >= MAX_PAGE_SIZE
          ? plural(lists, t('at least {0} list'), t('at least {0} lists'))
          : plural(lists, t('{0} list'), t('{0} lists')),
      ]),
    );
  }
  return result;
}

async function testConnection(
  connections: Connections,
  connection: Connection,
): Promise<ConnectionTestResult | undefined> {
  const { name, profile } = connection;
  try {
    return await withProgress(t`Testing "${escapeMessage(name)}"…`, (signal) =>
      connections.run(toServiceRef(connection), async (client) => {
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
async function explainFailure(connections: Connections, connection: Connection, error: ApiError) {
  const { id, name, profile } = connection;
  const probed =
    connection.sandbox || error.kind === 'unauthorized'
      ? undefined
      : await connections.probeStored(id, AbortSignal.timeout(10_000)).catch(() => undefined);
  if (!probed || probed.profile === profile) {
    const title = t`Couldn't connect to "${name}"`;
    error.message = error.message.replace(formatPair(name, ''), '');
    await showError(error, { title, retry: () => testAndReport(connections, connection) });
    return;
  }
  const [message, use] =
    probed.profile === 'acymailing'
      ? [t`"${name}" uses the AcyMailing profile.`, t('Use AcyMailing Profile')]
      : [t`"${name}" is another service with AcyMailing's REST API.`, t('Use Its Profile')];
  if ((await vscode.window.showErrorMessage(escapeMessage(message, 300), use)) !== use) return;
  await testAndReport(connections, await connections.edit(id, { profile: probed.profile }));
}

/** `mailing.connection.remove`: removes the connection and its key after a confirmation. Returns undefined if the user cancels. */
async function removeConnection(connections: Connections, { id, name, baseUrl }: Connection) {
  const detail = [
    t`Removes ${baseUrl} from your settings and deletes its API key from this computer.`,
    t('Nothing changes on the service.'),
  ];
  if (!(await confirm(t`Remove the connection "${name}"?`, detail, t('Remove')))) return undefined;
  await connections.remove(id);
  return true;
}

/** `mailing.connection.openFolder`: adds the connection as a workspace folder. Returns the folder's URI. */
function openFolder(_: Connections, { id, name }: Connection) {
  const uri = buildRootUri(id);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.some((folder) => folder.uri.toString() === uri.toString())) return uri;
  if (!vscode.workspace.updateWorkspaceFolders(folders.length, 0, { uri, name }))
    throw new Error(t`VS Code couldn't add "${name}" to the workspace.`);
  return uri;
}

function parseDraft({ baseUrl, apiKey, name, profile }: Arguments): ConnectionDraft {
  if (profile !== undefined && !isProfileName(profile)) throw new Error(t`There is no profile "${profile}".`);
  return { baseUrl, apiKey, name, profile };
}
