import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import { parseBaseUrl } from '../../service/client/address.ts';
import type { MailingClient, ProbeResult } from '../../service/client/index.ts';
import type { SentOptions } from '../../email/sent/model.ts';
import { isEditorEmail } from '../../email/sent/visualEditor.ts';
import { isApiError, type Json } from '../../service/client/shapes.ts';
import { once } from '../../ui/async.ts';
import { ConnectionCore, type ConnectionsChange } from './core.ts';
import { ApiKeys, parseConnectionId } from './keys.ts';
import type { EditorStylesheets } from './editorStylesheets.ts';
import type { SitePosts } from '../../email/tags/index.ts';
import { getComposingProfile, type Connection, type ServiceRef, type SettingsProblem } from './model.ts';
import {
  connectionsSetting,
  getIdProblem,
  listIds,
  parseConnections,
  withChangedEntry,
  withConnection,
} from './settings.ts';

type ConnectionChanges = Partial<Pick<Connection, 'name' | 'baseUrl' | 'profile' | 'cms' | 'tags'>>;

// Activation must not load the client.
const openModule = () => import('./open.ts');

/** The connections of this window: those from the settings, and the sandbox while it runs. */
export class Connections extends ConnectionCore {
  readonly #log: vscode.LogOutputChannel;
  readonly #keys: ApiKeys;
  readonly #changes = new vscode.EventEmitter<ConnectionsChange>();
  readonly #additions = new vscode.EventEmitter<string>();
  readonly #didChangeProblems = new vscode.EventEmitter<readonly SettingsProblem[]>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #problems: readonly SettingsProblem[] = [];
  /** By base URL. */
  readonly #customFieldNames = new Map<string, Set<string>>();
  /** By base URL, then by label. */
  readonly #namekeys = new Map<string, Map<string, string>>();
  readonly #openStylesheets: () => Promise<EditorStylesheets>;
  readonly #openPosts = once(async () => (await openModule()).openSitePosts());

  /** Fires with an id when a connection's state changes, and without an id when connections are added, removed or redefined. */
  readonly onDidChange = this.#changes.event;
  /** Fires with the id of a connection that the user added and wants to see. */
  readonly onDidAdd = this.#additions.event;
  /** Fires when the set of invalid entries in the settings changes. */
  readonly onDidChangeProblems = this.#didChangeProblems.event;

  constructor(context: Pick<vscode.ExtensionContext, 'secrets' | 'globalStorageUri'>, log: vscode.LogOutputChannel) {
    super();
    this.#log = log;
    this.#keys = new ApiKeys(context.secrets);
    this.#openStylesheets = once(async () => {
      const { fsPath } = vscode.Uri.joinPath(context.globalStorageUri, 'stylesheets');
      return (await openModule()).openEditorStylesheets(fsPath);
    });
    this.#subscriptions = [
      this.#changes,
      this.#additions,
      this.#didChangeProblems,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(connectionsSetting)) this.#readSettings();
        if (event.affectsConfiguration('mailing.request') || event.affectsConfiguration('http')) this.restart();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#readSettings()),
      context.secrets.onDidChange(async ({ key }) => {
        const id = parseConnectionId(key);
        if (id !== undefined && (await this.#keys.refresh(key))) this.handleKeyChange(id);
      }),
    ];
    this.#readSettings();
  }

  /** Invalid entries in the settings. */
  get problems(): readonly SettingsProblem[] {
    return this.#problems;
  }

  /** Returns the names of the site's custom subscriber fields, as read in this window so far. */
  getCustomFieldNames(id: string): readonly string[] {
    return [...(this.#customFieldNames.get(this.get(id)?.baseUrl ?? '') ?? [])];
  }

  /** Returns the namekeys of custom fields that the user chose in this window, by label. */
  getNamekeys(id: string): Map<string, string> {
    const site = this.get(id)?.baseUrl ?? '';
    const namekeys = this.#namekeys.get(site) ?? new Map<string, string>();
    this.#namekeys.set(site, namekeys);
    return namekeys;
  }

  /** Reads posts and pages of a connection's site without the key, by their paths. */
  getSitePosts = async ({ baseUrl }: Connection, paths: readonly string[]): Promise<SitePosts> =>
    (await this.#openPosts()).get(baseUrl, paths);

  /** Returns how a connection sends a body. If its site styles that, reads the stylesheet without the key. */
  async getSending(id: string, body = ''): Promise<SentOptions> {
    const connection = this.get(id);
    const profile = getComposingProfile(connection);
    if (!connection) return { profile };
    const { baseUrl: site } = connection;
    const sites = profile === 'acymailing' ? await this.#openStylesheets() : undefined;
    const editorStylesheet = isEditorEmail(body) ? await sites?.get(connection, body) : undefined;
    const cms = connection.cms ?? (body.includes('<!-- wp:') ? await sites?.findCms(site) : undefined);
    return { profile, site, cms, editorStylesheet };
  }

  /** Returns the content management system of a site that runs AcyMailing, if its public files show it. */
  async findCms({ baseUrl, profile }: Pick<Connection, 'baseUrl' | 'profile'>): Promise<Connection['cms']> {
    return profile === 'acymailing' ? (await this.#openStylesheets()).findCms(baseUrl) : undefined;
  }

  /**
   * Runs an operation with a service's client. Loads the client on first use and waits for a sandbox that is starting. The client must
   * not be used after the operation's promise settles.
   * @throws {ApiError} from the operation; with kind `unauthorized` if no key is stored
   * @throws {Error} if there is no such connection, or its address has changed
   */
  override async run<T>(service: ServiceRef, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    try {
      return await super.run(service, operation);
    } catch (error) {
      if (isApiError(error) && error.kind !== 'aborted') {
        const status = error.status === undefined ? '' : ` (HTTP ${error.status})`;
        this.#log.warn(`${service.connection}: ${error.operation} failed: ${error.kind}${status}: ${error.message}`);
      }
      throw error;
    }
  }

  /** Shows a connection that the user added in the tree. */
  notifyAdded(id: string): void {
    this.#additions.fire(id);
  }

  /** Redacts the keys of all connections, and their significant parts, in a text of a service. */
  async withoutKeys(text: string): Promise<string> {
    const [keys, { redactKey }] = await Promise.all([this.apiKeys(), openModule()]);
    return keys.reduce((rest, key) => redactKey(rest, key), text);
  }

  /** Stores the key of a service. @throws {Error} if its connection has another address now */
  async setApiKey(service: ServiceRef, key: string): Promise<void> {
    const { id, baseUrl } = await this.resolve(service);
    await this.#keys.set(id, baseUrl, key);
    this.handleKeyChange(id);
  }

  /**
   * Adds a connection and its key to the user settings, or to the workspace settings if these define connections.
   * @throws {Error} if the id is taken or the settings can't be written. Nothing is stored then
   */
  async add(connection: Connection, apiKey?: string): Promise<Connection> {
    const added = { ...connection, baseUrl: requireBaseUrl(connection.baseUrl) };
    const { id, baseUrl } = added;
    const taken = listTakenIds().includes(id) ? t`There is already a connection with the ID "${id}".` : undefined;
    const problem = getIdProblem(id) ?? taken;
    if (problem !== undefined) throw new Error(problem);
    if (apiKey !== undefined) await this.#keys.set(id, baseUrl, apiKey);
    try {
      await this.#writeSettings((value) => withConnection(value, added));
    } catch (error) {
      await this.#keys.delete(id, baseUrl);
      throw error;
    }
    return added;
  }

  /** Changes a connection. A new address deletes the key, unless a new one is given. */
  async edit(id: string, changes: ConnectionChanges, apiKey?: string): Promise<Connection> {
    const old = this.#getDefined(id);
    const baseUrl = requireBaseUrl(changes.baseUrl ?? old.baseUrl);
    const edited = { ...old, ...changes, baseUrl };
    const hasMoved = baseUrl !== old.baseUrl;
    if (apiKey !== undefined) await this.#keys.set(id, baseUrl, apiKey);
    try {
      await this.#writeEntry(id, edited);
    } catch (error) {
      if (apiKey !== undefined && hasMoved) await this.#keys.delete(id, baseUrl);
      throw error;
    }
    if (hasMoved) await this.#keys.delete(id, old.baseUrl);
    if (apiKey !== undefined) this.handleKeyChange(id);
    return edited;
  }

  /**
   * Removes a connection from the settings, with all its keys. A user connection that was hidden by a workspace connection with the same
   * id keeps its key.
   */
  async remove(id: string): Promise<void> {
    await this.#writeEntry(id);
    const remaining = readSettingValues().flatMap((value) => parseConnections(value).connections);
    const hidden = remaining.filter((connection) => connection.id === id);
    await this.#keys.deleteAll(
      id,
      hidden.map(({ baseUrl }) => baseUrl),
    );
    this.handleKeyChange(id);
  }

  /** Probes the address of a connection with its stored key. Returns undefined if there is no key. Throws `ApiError`. */
  async probeStored(id: string, signal: AbortSignal): Promise<ProbeResult | undefined> {
    const { baseUrl } = this.#getDefined(id);
    const key = await this.#keys.get(id, baseUrl);
    return key === undefined ? undefined : (await openModule()).probeAddress(baseUrl, key, signal);
  }

  override dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    super.dispose();
  }

  protected override readKey(id: string, baseUrl: string): Promise<string | undefined> {
    return this.#keys.get(id, baseUrl);
  }

  protected override async openClient(connection: Connection, apiKey: () => Promise<string>): Promise<MailingClient> {
    const names = this.#customFieldNames.get(connection.baseUrl) ?? new Set();
    this.#customFieldNames.set(connection.baseUrl, names);
    return (await openModule()).openClient(connection, apiKey, names);
  }

  protected override handleChange(change: ConnectionsChange): void {
    this.#changes.fire(change);
  }

  #getDefined(id: string) {
    const connection = this.get(id);
    if (!connection) throw new Error(t`There is no connection "${id}".`);
    return connection;
  }

  /** Reads the effective value. In an untrusted workspace, VS Code ignores the workspace's connections. */
  #readSettings() {
    const { connections, problems } = parseConnections(
      vscode.workspace.getConfiguration().get<Json>(connectionsSetting),
    );
    const haveChanged = JSON.stringify(problems) !== JSON.stringify(this.#problems);
    this.#problems = problems;
    this.setConnections(connections);
    if (haveChanged) this.#didChangeProblems.fire(problems);
  }

  /** Replaces the entry of a connection, or removes it. */
  #writeEntry(id: string, connection?: Connection) {
    return this.#writeSettings((value) => {
      const changed = withChangedEntry(value, id, connection);
      if (changed) return changed;
      throw new Error(t`The connection "${id}" isn't in the settings that this window can change.`);
    });
  }

  /** Updates the setting in the scope that is in effect in this window, and reads it without waiting for the change event. */
  async #writeSettings(change: (value: Json | undefined) => readonly Json[]) {
    const [globalValue, workspaceValue] = readSettingValues();
    const inWorkspace = vscode.workspace.isTrusted && workspaceValue !== undefined;
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    const changed = change(inWorkspace ? workspaceValue : globalValue);
    await vscode.workspace.getConfiguration().update(connectionsSetting, changed, target);
    this.#readSettings();
  }
}

/** Returns all ids in the settings, including those of invalid or overridden entries. */
export function listTakenIds(): readonly string[] {
  return readSettingValues().flatMap(listIds);
}

/** Returns the user's and the workspace's value of the setting. */
function readSettingValues(): readonly (Json | undefined)[] {
  const inspected = vscode.workspace.getConfiguration().inspect<Json>(connectionsSetting);
  return [inspected?.globalValue, inspected?.workspaceValue];
}

function requireBaseUrl(baseUrl: string) {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.url;
}
