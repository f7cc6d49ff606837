import * as vscode from 'vscode';
import { isApiError } from '../../service/client/guards.ts';
import type { MailingClient } from '../../service/client/index.ts';
import type { ConnectionChanges } from './changes.ts';
import { ConnectionCore, type ConnectionsChange, type Endpoint } from './core.ts';
import { ApiKeys, parseConnectionId } from './keys.ts';
import type { Connection, ConnectionState, SettingsProblem } from './model.ts';
import type { ProbedService } from './open.ts';
import { connectionsSetting, parseConnections } from './settings.ts';

export { UnknownConnectionError, type ConnectionsChange, type Endpoint } from './core.ts';

/** The connections of this window: those from the settings, and the sandbox while it runs. */
export class Connections implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #core: ConnectionCore;
  readonly #keys: ApiKeys;
  readonly #didChange = new vscode.EventEmitter<ConnectionsChange>();
  readonly #didChangeProblems = new vscode.EventEmitter<readonly SettingsProblem[]>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #problems: readonly SettingsProblem[] = [];
  /** By base URL. */
  readonly #customFieldNames = new Map<string, Set<string>>();

  /** Fires with an id when a connection's state changes, and without an id when connections are added, removed or redefined. */
  readonly onDidChange = this.#didChange.event;
  /** Fires when the set of invalid entries in the settings changes. */
  readonly onDidChangeProblems = this.#didChangeProblems.event;

  constructor(context: Pick<vscode.ExtensionContext, 'secrets'>, log: vscode.LogOutputChannel) {
    this.#log = log;
    this.#keys = new ApiKeys(context.secrets);
    this.#core = new ConnectionCore({
      keys: this.#keys,
      // Activation must not load the client.
      open: async (connection, apiKey) => {
        const fieldNames = new Set(this.getCustomFieldNames(connection.id));
        this.#customFieldNames.set(connection.baseUrl, fieldNames);
        return (await import('./open.ts')).openClient(connection, apiKey, fieldNames);
      },
      onChange: (change) => this.#didChange.fire(change),
    });
    this.#subscriptions = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(connectionsSetting)) this.#readSettings();
        if (event.affectsConfiguration('mailing.request') || event.affectsConfiguration('http')) this.#core.restart();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#readSettings()),
      context.secrets.onDidChange(async ({ key }) => {
        const id = parseConnectionId(key);
        if (id !== undefined && (await this.#keys.refresh(key))) this.#core.handleKeyChange(id);
      }),
    ];
    this.#readSettings();
  }

  /** Connections from the settings in their order, then the sandbox. */
  get all(): readonly Connection[] {
    return this.#core.all;
  }

  /** Invalid entries in the settings. */
  get problems(): readonly SettingsProblem[] {
    return this.#problems;
  }

  get(id: string): Connection | undefined {
    return this.#core.get(id);
  }

  /** Returns the names of the site's custom subscriber fields, as read in this window so far. */
  getCustomFieldNames(id: string): readonly string[] {
    return [...(this.#customFieldNames.get(this.get(id)?.baseUrl ?? '') ?? [])];
  }

  state(id: string): ConnectionState {
    return this.#core.getState(id);
  }

  /**
   * Runs an operation with a connection's client. Loads the client on first use and waits for a sandbox that is starting. The client must
   * not be used after the operation's promise settles.
   * @throws {ApiError} from the operation; with kind `unauthorized` if no key is stored
   * @throws {UnknownConnectionError} if there is no such connection
   */
  async run<T>(id: string, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    try {
      return await this.#core.run(id, operation);
    } catch (error) {
      if (isApiError(error) && error.kind !== 'aborted') {
        this.#log.warn(
          `${id}: ${error.operation} failed: ${error.kind}${error.status === undefined ? '' : ` (HTTP ${error.status})`}: ${error.message}`,
        );
      }
      throw error;
    }
  }

  async hasApiKey(id: string): Promise<boolean> {
    const connection = this.#core.get(id);
    if (!connection) return false;
    return connection.sandbox === true || (await this.#keys.get(id, connection.baseUrl)) !== undefined;
  }

  /** A text without the keys of all connections and their telling parts: for whoever may not learn one, whatever a service says. */
  async withoutKeys(text: string): Promise<string> {
    const [keys, { redactKey: withoutKey }] = await Promise.all([
      this.#core.apiKeys(),
      import('../../service/client/redact.ts'),
    ]);
    return keys.reduce((rest, key) => withoutKey(rest, key), text);
  }

  /** Stores the key of a connection for its current address. */
  async setApiKey(id: string, key: string): Promise<void> {
    const connection = this.#getSettingsConnection(id);
    await this.#keys.set(id, connection.baseUrl, key);
    this.#core.handleKeyChange(id);
  }

  /**
   * Adds a connection and its key to the user settings, or to the workspace settings if these define connections.
   * @throws {Error} if the id is taken or the settings can't be written. Nothing is stored then
   */
  async add(connection: Connection, apiKey?: string): Promise<Connection> {
    const { storeConnection: addConnection } = await import('./changes.ts');
    return this.#readSettingsAfter(addConnection(this.#keys, connection, apiKey));
  }

  /** Changes a connection's name, address or profile. A new address deletes the key, unless a new one is given. */
  async edit(id: string, changes: ConnectionChanges, apiKey?: string): Promise<Connection> {
    const { updateConnection: editConnection } = await import('./changes.ts');
    const edited = await this.#readSettingsAfter(
      editConnection(this.#keys, this.#getSettingsConnection(id), changes, apiKey),
    );
    if (apiKey !== undefined) this.#core.handleKeyChange(id);
    return edited;
  }

  /** Removes a connection from the settings, with all its keys. */
  async remove(id: string): Promise<void> {
    const { deleteConnection: removeConnection } = await import('./changes.ts');
    await this.#readSettingsAfter(removeConnection(this.#keys, this.#getSettingsConnection(id).id));
    this.#core.handleKeyChange(id);
  }

  /**
   * Adds a connection that exists only in this window. Its first operation calls `start`, and all operations wait for it. Its key is only
   * kept in memory.
   */
  register(connection: Connection, start: () => Promise<Endpoint>): vscode.Disposable {
    return new vscode.Disposable(this.#core.register(connection, start));
  }

  /** Probes a URL for a mailing service and its profile. Stores nothing. Throws `ApiError`. */
  async probe(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<ProbedService> {
    return (await import('./open.ts')).probeAddress(baseUrl, apiKey, signal);
  }

  /** Probes with a connection's stored key. Returns undefined if there is no key. */
  async probeStored(id: string, signal: AbortSignal): Promise<ProbedService | undefined> {
    const connection = this.#getSettingsConnection(id);
    const key = await this.#keys.get(id, connection.baseUrl);
    return key === undefined ? undefined : this.probe(connection.baseUrl, key, signal);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#core.dispose();
    this.#didChange.dispose();
    this.#didChangeProblems.dispose();
  }

  #getSettingsConnection(id: string): Connection {
    const connection = this.#core.get(id);
    if (!connection) throw new Error(`There is no connection “${id}”.`);
    if (connection.sandbox) throw new Error('The sandbox belongs to this window: it has no settings to change.');
    return connection;
  }

  /** Reads the effective value. In an untrusted workspace, VS Code ignores the workspace's connections. */
  #readSettings(): void {
    const { connections, problems } = parseConnections(
      vscode.workspace.getConfiguration().get<unknown>(connectionsSetting),
    );
    const haveChanged = JSON.stringify(problems) !== JSON.stringify(this.#problems);
    this.#problems = problems;
    this.#core.setConnections(connections);
    if (haveChanged) this.#didChangeProblems.fire(problems);
  }

  /** Reads the settings after a change, without waiting for the change event. */
  async #readSettingsAfter<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    this.#readSettings();
    return result;
  }
}
