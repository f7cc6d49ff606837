import * as vscode from 'vscode';
import { isApiError } from '../../service/client/guards.ts';
import type { MailingClient, ProbeResult } from '../../service/client/index.ts';
import type { Json } from '../../service/client/shapes.ts';
import type { ConnectionChanges } from './changes.ts';
import { ConnectionCore, type ConnectionsChange } from './core.ts';
import { ApiKeys, parseConnectionId } from './keys.ts';
import type { Connection, SettingsProblem } from './model.ts';
import { connectionsSetting, parseConnections } from './settings.ts';

export { UnknownConnectionError, type ConnectionsChange, type Endpoint } from './core.ts';

/** The connections of this window: those from the settings, and the sandbox while it runs. */
export class Connections extends ConnectionCore {
  readonly #log: vscode.LogOutputChannel;
  readonly #keys: ApiKeys;
  readonly #didChangeProblems = new vscode.EventEmitter<readonly SettingsProblem[]>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #problems: readonly SettingsProblem[] = [];
  readonly #customFieldNames: ReadonlyMap<string, ReadonlySet<string>>;

  /** Fires with an id when a connection's state changes, and without an id when connections are added, removed or redefined. */
  readonly onDidChange: vscode.Event<ConnectionsChange>;
  /** Fires when the set of invalid entries in the settings changes. */
  readonly onDidChangeProblems = this.#didChangeProblems.event;

  constructor(context: Pick<vscode.ExtensionContext, 'secrets'>, log: vscode.LogOutputChannel) {
    const changes = new vscode.EventEmitter<ConnectionsChange>();
    const keys = new ApiKeys(context.secrets);
    /** By base URL. */
    const fieldNames = new Map<string, Set<string>>();
    super({
      keys,
      // Activation must not load the client.
      open: async (connection, apiKey) => {
        const names = fieldNames.get(connection.baseUrl) ?? new Set<string>();
        fieldNames.set(connection.baseUrl, names);
        return (await import('./open.ts')).openClient(connection, apiKey, names);
      },
      onChange: (change) => changes.fire(change),
    });
    this.#log = log;
    this.#keys = keys;
    this.#customFieldNames = fieldNames;
    this.onDidChange = changes.event;
    this.#subscriptions = [
      changes,
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

  /**
   * Runs an operation with a connection's client. Loads the client on first use and waits for a sandbox that is starting. The client must
   * not be used after the operation's promise settles.
   * @throws {ApiError} from the operation; with kind `unauthorized` if no key is stored
   * @throws {UnknownConnectionError} if there is no such connection
   */
  override async run<T>(id: string, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    try {
      return await super.run(id, operation);
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
    const connection = this.get(id);
    if (!connection) return false;
    return connection.sandbox === true || (await this.#keys.get(id, connection.baseUrl)) !== undefined;
  }

  /** Redacts the keys of all connections, and their significant parts, in a text of a service. */
  async withoutKeys(text: string): Promise<string> {
    const [keys, { redactKey }] = await Promise.all([this.apiKeys(), import('../../service/client/redact.ts')]);
    return keys.reduce((rest, key) => redactKey(rest, key), text);
  }

  /** Stores the key of a connection for its current address. */
  async setApiKey(id: string, key: string): Promise<void> {
    const connection = this.#getSettingsConnection(id);
    await this.#keys.set(id, connection.baseUrl, key);
    this.handleKeyChange(id);
  }

  /**
   * Adds a connection and its key to the user settings, or to the workspace settings if these define connections.
   * @throws {Error} if the id is taken or the settings can't be written. Nothing is stored then
   */
  async add(connection: Connection, apiKey?: string): Promise<Connection> {
    const { storeConnection } = await import('./changes.ts');
    return this.#readSettingsAfter(storeConnection(this.#keys, connection, apiKey));
  }

  /** Changes a connection's name, address or profile. A new address deletes the key, unless a new one is given. */
  async edit(id: string, changes: ConnectionChanges, apiKey?: string): Promise<Connection> {
    const { updateConnection } = await import('./changes.ts');
    const edited = await this.#readSettingsAfter(
      updateConnection(this.#keys, this.#getSettingsConnection(id), changes, apiKey),
    );
    if (apiKey !== undefined) this.handleKeyChange(id);
    return edited;
  }

  /** Removes a connection from the settings, with all its keys. */
  async remove(id: string): Promise<void> {
    const { deleteConnection } = await import('./changes.ts');
    await this.#readSettingsAfter(deleteConnection(this.#keys, this.#getSettingsConnection(id).id));
    this.handleKeyChange(id);
  }

  /** Probes a URL for a mailing service and its profile. Stores nothing. Throws `ApiError`. */
  async probe(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<ProbeResult> {
    return (await import('./open.ts')).probeAddress(baseUrl, apiKey, signal);
  }

  /** Probes with a connection's stored key. Returns undefined if there is no key. */
  async probeStored(id: string, signal: AbortSignal): Promise<ProbeResult | undefined> {
    const connection = this.#getSettingsConnection(id);
    const key = await this.#keys.get(id, connection.baseUrl);
    return key === undefined ? undefined : this.probe(connection.baseUrl, key, signal);
  }

  override dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    super.dispose();
  }

  #getSettingsConnection(id: string): Connection {
    const connection = this.get(id);
    if (!connection) throw new Error(`There is no connection “${id}”.`);
    if (connection.sandbox) throw new Error('The sandbox belongs to this window: it has no settings to change.');
    return connection;
  }

  /** Reads the effective value. In an untrusted workspace, VS Code ignores the workspace's connections. */
  #readSettings(): void {
    const { connections, problems } = parseConnections(
      vscode.workspace.getConfiguration().get<Json>(connectionsSetting),
    );
    const haveChanged = JSON.stringify(problems) !== JSON.stringify(this.#problems);
    this.#problems = problems;
    this.setConnections(connections);
    if (haveChanged) this.#didChangeProblems.fire(problems);
  }

  /** Reads the settings after a change, without waiting for the change event. */
  async #readSettingsAfter<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    this.#readSettings();
    return result;
  }
}
