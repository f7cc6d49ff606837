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

/** The mailing services of this window: those of the settings, and the sandbox while it runs. */
export class Connections implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #core: ConnectionCore;
  readonly #keys: ApiKeys;
  readonly #didChange = new vscode.EventEmitter<ConnectionsChange>();
  readonly #didChangeProblems = new vscode.EventEmitter<readonly SettingsProblem[]>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #problems: readonly SettingsProblem[] = [];
  /** By the address of the service. */
  readonly #customFieldNames = new Map<string, Set<string>>();

  /** Fires when a connection's state changed (with its id), and when connections came, went or were redefined (without). */
  readonly onDidChange = this.#didChange.event;
  /** Fires when the unusable entries of the settings are others than before. */
  readonly onDidChangeProblems = this.#didChangeProblems.event;

  constructor(context: Pick<vscode.ExtensionContext, 'secrets'>, log: vscode.LogOutputChannel) {
    this.#log = log;
    this.#keys = new ApiKeys(context.secrets);
    this.#core = new ConnectionCore({
      keys: this.#keys,
      // Activation does without the client's code.
      open: async (connection, apiKey) => {
        const seen = new Set(this.getCustomFieldNames(connection.id));
        this.#customFieldNames.set(connection.baseUrl, seen);
        return (await import('./open.ts')).openClient(connection, apiKey, seen);
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

  /** Names of fields that the site has given its subscribers, as far as they were read in this window. */
  getCustomFieldNames(id: string): readonly string[] {
    return [...(this.#customFieldNames.get(this.get(id)?.baseUrl ?? '') ?? [])];
  }

  state(id: string): ConnectionState {
    return this.#core.getState(id);
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

  /** Stores the key of a connection for its present address. */
  async setApiKey(id: string, key: string): Promise<void> {
    const connection = this.#getSettingsConnection(id);
    await this.#keys.set(id, connection.baseUrl, key);
    this.#core.handleKeyChange(id);
  }

  /**
   * Adds a connection to the settings (the user's, or the workspace's where that has connections of its own), with its key.
   * Throws where the id is taken or the settings can't be written; nothing is kept then.
   */
  async add(connection: Connection, apiKey?: string): Promise<Connection> {
    const { storeConnection: addConnection } = await import('./changes.ts');
    return this.#readSettingsAfter(addConnection(this.#keys, connection, apiKey));
  }

  /** Changes a connection's name, address or profile. With another address its key is gone, unless a new one is given. */
  async edit(id: string, changes: ConnectionChanges, apiKey?: string): Promise<Connection> {
    const { updateConnection: editConnection } = await import('./changes.ts');
    const edited = await this.#readSettingsAfter(
      editConnection(this.#keys, this.#getSettingsConnection(id), changes, apiKey),
    );
    if (apiKey !== undefined) this.#core.handleKeyChange(id);
    return edited;
  }

  /** Removes a connection from the settings, and every key that was stored for it. */
  async remove(id: string): Promise<void> {
    const { deleteConnection: removeConnection } = await import('./changes.ts');
    await this.#readSettingsAfter(removeConnection(this.#keys, this.#getSettingsConnection(id).id));
    this.#core.handleKeyChange(id);
  }

  /**
   * Adds a connection of this window, which isn't in the settings. `start` is called by the first operation on it, and each
   * operation waits for it. Its key is kept in memory only.
   */
  register(connection: Connection, start: () => Promise<Endpoint>): vscode.Disposable {
    return new vscode.Disposable(this.#core.register(connection, start));
  }

  /** Finds out whether a mailing service answers at an address, and which profile it has. Throws an `ApiError`. Stores nothing. */
  async probe(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<ProbedService> {
    return (await import('./open.ts')).probeAddress(baseUrl, apiKey, signal);
  }

  /** Like `probe`, for a connection and its stored key. Undefined where there is no key. */
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

  /** Takes over the effective value only: in an untrusted workspace VS Code leaves the workspace's own connections out of it. */
  #readSettings(): void {
    const { connections, problems } = parseConnections(
      vscode.workspace.getConfiguration().get<unknown>(connectionsSetting),
    );
    const changed = JSON.stringify(problems) !== JSON.stringify(this.#problems);
    this.#problems = problems;
    this.#core.setConnections(connections);
    if (changed) this.#didChangeProblems.fire(problems);
  }

  /** Takes over what was written to the settings, without waiting to be told that they changed. */
  async #readSettingsAfter<T>(written: Promise<T>): Promise<T> {
    const result = await written;
    this.#readSettings();
    return result;
  }
}
