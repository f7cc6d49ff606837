import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { MailingClient } from '../api/index.ts';
import { ConnectionCore, type ConnectionsChange, type Endpoint, type OpenClient } from './core.ts';
import { ApiKeys, idOfKeyName } from './keys.ts';
import type { Connection, ConnectionState, ProfileName, SettingsProblem } from './model.ts';
import { routeTo, type NetworkSettings, type Route } from './network.ts';
import { definesConnection, idProblem, idsIn, parseConnections, withConnection, withoutConnection, withReplaced } from './settings.ts';
import { parseBaseUrl } from './url.ts';

export { UnknownConnectionError, type ConnectionsChange, type Endpoint } from './core.ts';

/** What a probe found out. */
export interface Probed {
  readonly profile: ProfileName;
  /** The site's own name, where it tells it. Hostile text. */
  readonly siteName?: string;
}

const section = 'mailing.connections';

/** The mailing services of this window: those of the settings, and the sandbox while it runs. */
export class Connections implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #core: ConnectionCore;
  readonly #keys: ApiKeys;
  readonly #changes = new vscode.EventEmitter<ConnectionsChange>();
  readonly #problemChanges = new vscode.EventEmitter<readonly SettingsProblem[]>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #problems: readonly SettingsProblem[] = [];

  /** Fires when a connection's state changed (with its id), and when connections came, went or were redefined (without). */
  readonly onDidChange = this.#changes.event;
  /** Fires when the unusable entries of the settings are others than before. */
  readonly onDidChangeProblems = this.#problemChanges.event;

  constructor(context: Pick<vscode.ExtensionContext, 'secrets'>, log: vscode.LogOutputChannel) {
    this.#log = log;
    this.#keys = new ApiKeys(context.secrets);
    this.#core = new ConnectionCore({
      keys: this.#keys,
      open: (connection, apiKey) => openClient(connection, apiKey, this.route(connection.baseUrl)),
      changed: (change) => this.#changes.fire(change),
    });
    this.#subscriptions = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) this.#readSettings();
        if (event.affectsConfiguration('mailing.request') || event.affectsConfiguration('http')) this.#core.restart();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#readSettings()),
      context.secrets.onDidChange(async ({ key }) => {
        const id = idOfKeyName(key);
        if (id !== undefined && (await this.#keys.changed(key))) this.#core.keyChanged(id);
      }),
    ];
    this.#readSettings();
  }

  /** Those of the settings in their order, then the sandbox. */
  get all(): readonly Connection[] {
    return this.#core.all;
  }

  /** Entries of the settings that can't be used. */
  get problems(): readonly SettingsProblem[] {
    return this.#problems;
  }

  get(id: string): Connection | undefined {
    return this.#core.get(id);
  }

  state(id: string): ConnectionState {
    return this.#core.state(id);
  }

  /**
   * Runs an operation on a connection's client, loading it where it is the first. Waits for a sandbox that is about to come back.
   * The client is the operation's only until its promise settles. Throws what the operation throws (an `ApiError`), also one of
   * kind `unauthorized` where no key is stored, and an `UnknownConnectionError` where there is no such connection.
   */
  async run<T>(id: string, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    try {
      return await this.#core.run(id, operation);
    } catch (error) {
      if (isApiError(error) && error.kind !== 'aborted') {
        this.#log.warn(`${id}: ${error.operation} failed: ${error.kind}${error.status === undefined ? '' : ` (HTTP ${error.status})`}: ${error.message}`);
      }
      throw error;
    }
  }

  async hasApiKey(id: string): Promise<boolean> {
    const connection = this.#core.get(id);
    if (!connection) return false;
    return connection.sandbox === true || (await this.#keys.get(id, connection.baseUrl)) !== undefined;
  }

  /** Stores the key of a connection for its present address. */
  async setApiKey(id: string, key: string): Promise<void> {
    const connection = this.#settingsConnection(id);
    await this.#keys.set(id, connection.baseUrl, key);
    this.#core.keyChanged(id);
  }

  /**
   * Adds a connection to the settings (the user's, or the workspace's where that has connections of its own), with its key.
   * Throws where the id is taken or the settings can't be written; nothing is kept then.
   */
  async add(connection: Connection, apiKey?: string): Promise<Connection> {
    const added = { ...connection, baseUrl: checkedBaseUrl(connection.baseUrl) };
    const problem = idProblem(added.id) ?? (this.takenIds().includes(added.id) ? `There is a connection of the id “${added.id}” already.` : undefined);
    if (problem !== undefined) throw new Error(problem);
    if (apiKey !== undefined) await this.#keys.set(added.id, added.baseUrl, apiKey);
    try {
      await this.#write((value) => withConnection(value, added));
    } catch (error) {
      await this.#keys.delete(added.id, added.baseUrl);
      throw error;
    }
    return added;
  }

  /** Changes a connection's name, address or profile. With another address its key is gone, unless a new one is given. */
  async edit(id: string, changes: Partial<Pick<Connection, 'name' | 'baseUrl' | 'profile'>>, apiKey?: string): Promise<Connection> {
    const old = this.#settingsConnection(id);
    const edited = { ...old, ...changes, baseUrl: checkedBaseUrl(changes.baseUrl ?? old.baseUrl) };
    if (apiKey !== undefined) await this.#keys.set(id, edited.baseUrl, apiKey);
    try {
      await this.#write((value) => withReplaced(value, edited), id);
    } catch (error) {
      if (apiKey !== undefined && edited.baseUrl !== old.baseUrl) await this.#keys.delete(id, edited.baseUrl);
      throw error;
    }
    if (edited.baseUrl !== old.baseUrl) await this.#keys.delete(id, old.baseUrl);
    return edited;
  }

  /** Removes a connection from the settings, and every key that was stored for it. A user's connection that the workspace's one of the same id hid keeps its own. */
  async remove(id: string): Promise<void> {
    this.#settingsConnection(id);
    await this.#write((value) => withoutConnection(value, id), id);
    const hidden = settingValues().flatMap((value) => parseConnections(value).connections).filter((connection) => connection.id === id);
    await this.#keys.deleteAll(id, hidden.map(({ baseUrl }) => baseUrl));
    this.#core.keyChanged(id);
  }

  /**
   * Adds a connection of this window, which isn't in the settings. `start` is called by the first operation on it, and each
   * operation waits for it. Its key is kept in memory only.
   */
  register(connection: Connection, start: () => Promise<Endpoint>): vscode.Disposable {
    return new vscode.Disposable(this.#core.register(connection, start));
  }

  /** Ids that a new connection can't have, also those of entries that can't be used or aren't in effect here. */
  takenIds(): readonly string[] {
    return [...this.all.map((connection) => connection.id), ...settingValues().flatMap(idsIn)];
  }

  /** Finds out whether a mailing service answers at an address, and which profile it has. Throws an `ApiError`. Stores nothing. */
  async probe(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<Probed> {
    const { probe, createDispatcher } = await import('../api/index.ts');
    const route = this.route(baseUrl);
    const dispatcher = createDispatcher(route);
    try {
      return await probe({ baseUrl, apiKey, timeoutMs: route.timeoutMs, dispatcher, signal });
    } finally {
      await dispatcher.destroy();
    }
  }

  /** Like `probe`, for a connection and its stored key. Undefined where there is no key. */
  async probeStored(id: string, signal: AbortSignal): Promise<Probed | undefined> {
    const connection = this.#settingsConnection(id);
    const key = await this.#keys.get(id, connection.baseUrl);
    return key === undefined ? undefined : this.probe(connection.baseUrl, key, signal);
  }

  /** How an address is reached with the present settings. It may hold the proxy's password: not for logs. */
  route(baseUrl: string): Route {
    return routeTo(baseUrl, networkSettings(), process.env);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#core.dispose();
    this.#changes.dispose();
    this.#problemChanges.dispose();
  }

  #settingsConnection(id: string): Connection {
    const connection = this.#core.get(id);
    if (!connection) throw new Error(`There is no connection “${id}”.`);
    if (connection.sandbox) throw new Error('The sandbox belongs to this window: it has no settings to change.');
    return connection;
  }

  /** Takes over the effective value only: in an untrusted workspace VS Code leaves the workspace's own connections out of it. */
  #readSettings(): void {
    const { connections, problems } = parseConnections(vscode.workspace.getConfiguration().get<unknown>(section));
    const changed = JSON.stringify(problems) !== JSON.stringify(this.#problems);
    this.#problems = problems;
    this.#core.define(connections);
    if (changed) this.#problemChanges.fire(problems);
  }

  /** Rewrites the setting where it is in effect, so that what was added is seen in this window. */
  async #write(change: (value: unknown) => readonly unknown[], id?: string): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    const inspected = configuration.inspect<unknown>(section);
    const inWorkspace = vscode.workspace.isTrusted && inspected?.workspaceValue !== undefined;
    const value = inWorkspace ? inspected.workspaceValue : inspected?.globalValue;
    if (id !== undefined && !definesConnection(value, id)) throw new Error(`The connection “${id}” is not in the settings that can be changed from here.`);
    await configuration.update(section, change(value), inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
    this.#readSettings();
  }
}

/** The user's and the workspace's own value of the setting. */
function settingValues(): readonly unknown[] {
  const inspected = vscode.workspace.getConfiguration().inspect<unknown>(section);
  return [inspected?.globalValue, inspected?.workspaceValue];
}

function checkedBaseUrl(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.url;
}

/** Loads the client's code: activation does without it. */
async function openClient(connection: Connection, apiKey: () => Promise<string>, route: Route): Promise<OpenClient> {
  const { MailingClient, createDispatcher } = await import('../api/index.ts');
  const dispatcher = createDispatcher(route);
  const client = new MailingClient({ baseUrl: connection.baseUrl, apiKey, profile: connection.profile, timeoutMs: route.timeoutMs, dispatcher });
  return {
    client,
    close: async () => {
      await client.close();
      await dispatcher.destroy();
    },
  };
}

/** VS Code's own settings are read tolerantly: what is written there may be anything. */
function networkSettings(): NetworkSettings {
  const configuration = vscode.workspace.getConfiguration();
  const timeout = configuration.get<unknown>('mailing.request.timeout');
  const text = (name: string): string => {
    const value = configuration.get<unknown>(name);
    return typeof value === 'string' ? value : '';
  };
  const noProxy = configuration.get<unknown>('http.noProxy');
  return {
    timeout: typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, 600) : 30,
    proxy: text('http.proxy'),
    proxyAuthorization: text('http.proxyAuthorization') || undefined,
    proxySupport: text('http.proxySupport'),
    strictSSL: configuration.get<unknown>('http.proxyStrictSSL') !== false,
    noProxy: Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [],
    systemCertificates: configuration.get<unknown>('http.systemCertificates') !== false,
  };
}
