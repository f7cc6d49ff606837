import { formatPair, t } from '../../l10n.ts';
import type { MailingClient } from '../../service/client/index.ts';
import type { ApiError } from '../../service/client/errors.ts';
import { isApiError } from '../../service/client/shapes.ts';
import { createMovedError, toServiceRef, type Connection, type ConnectionState, type ServiceRef } from './model.ts';

/** Address and key of a connection that isn't in the settings (the sandbox). */
export interface Endpoint {
  readonly connection: Connection;
  readonly apiKey: string;
}

/** With an id: the state of that connection changed. Without: the set of connections changed. */
export interface ConnectionsChange {
  readonly id?: string;
}

/** A client with the number of operations that use it. A retired client is closed after the last one. */
interface ClientSession {
  readonly client: Promise<MailingClient>;
  useCount: number;
  isRetired: boolean;
}

interface ConnectionEntry {
  connection: Connection;
  state: ConnectionState;
  session?: ClientSession | undefined;
  /** Incremented by every redefinition or change of the key, so that results of older operations don't affect the state. */
  generation: number;
  /** For connections outside of the settings: starts the service, or returns the running one. */
  readonly start?: () => Promise<Endpoint>;
  /** The key of such a service, once it has started. Asking it again would start a stopped one. */
  apiKey?: string;
  /** The address of such a connection until its service has started. */
  readonly pendingUrl?: string;
}

/** The connections, their clients and states. A state is the result of the last operation. Independent of VS Code. */
export abstract class ConnectionCore {
  readonly #entries = new Map<string, ConnectionEntry>();

  /** Returns the stored key of a connection for an address. */
  protected abstract readKey(id: string, baseUrl: string): Promise<string | undefined>;
  /** Creates a client. Each request calls `apiKey`. */
  protected abstract openClient(connection: Connection, apiKey: () => Promise<string>): Promise<MailingClient>;
  protected abstract handleChange(change: ConnectionsChange): void;

  /** Connections from the settings in their order, then those of this window. */
  get all(): readonly Connection[] {
    const entries = [...this.#entries.values()].sort((one, other) => Number(!!one.start) - Number(!!other.start));
    return entries.map(({ connection }) => connection);
  }

  get(id: string): Connection | undefined {
    return this.#entries.get(id)?.connection;
  }

  /** Returns the service that a connection's id identifies now. Throws if there is no such connection. */
  getService(id: string): ServiceRef {
    return toServiceRef(this.#getEntry(id).connection);
  }

  /**
   * Returns a connection with its address, and starts its service if that has none before.
   * @param baseUrl the address that the caller expects, if any
   * @throws {Error} if there is no such connection, or its address has changed
   */
  async resolve({
    connection: id,
    baseUrl,
  }: Partial<ServiceRef> & Pick<ServiceRef, 'connection'>): Promise<Connection> {
    const entry = baseUrl === undefined ? this.#getEntry(id) : this.#findEntry({ connection: id, baseUrl });
    await this.#start(entry);
    return entry.connection;
  }

  state(id: string): ConnectionState {
    return this.#entries.get(id)?.state ?? { kind: 'unknown' };
  }

  /** Sets the connections from the settings. Unchanged ones keep their client and state. */
  setConnections(connections: readonly Connection[]): void {
    const before = JSON.stringify(this.all);
    const old = new Map(this.#entries);
    this.#entries.clear();
    for (const connection of connections) {
      const entry = old.get(connection.id);
      const existing = entry?.start ? undefined : entry;
      if (existing && !usesSameClient(existing.connection, connection)) this.#reset(existing);
      this.#entries.set(connection.id, Object.assign(existing ?? createEntry(connection), { connection }));
    }
    for (const [id, entry] of old) if (entry.start) this.#entries.set(id, entry);
    for (const [id, entry] of old) if (this.#entries.get(id) !== entry) this.#retire(entry);
    if (JSON.stringify(this.all) !== before) this.handleChange({});
  }

  /**
   * Adds a connection that exists only in this window. Its first operation calls `start`, and all operations wait for it. Its key is only
   * stored in memory. Disposing the result removes the connection.
   */
  register(connection: Connection, start: () => Promise<Endpoint>): { dispose(): void } {
    const { id } = connection;
    const replaced = this.#entries.get(id);
    if (replaced) this.#retire(replaced);
    const entry: ConnectionEntry = { ...createEntry(connection), start, pendingUrl: connection.baseUrl };
    this.#entries.set(id, entry);
    this.handleChange({});
    return {
      dispose: () => {
        if (this.#entries.get(id) !== entry) return;
        this.#entries.delete(id);
        this.#retire(entry);
        this.handleChange({});
      },
    };
  }

  /**
   * Runs an operation with a service's client and updates the state by its result. Errors of a connection that doesn't work name it.
   * @throws {ApiError} from the operation; with kind `unauthorized` if no key is stored
   * @throws {Error} if there is no such connection, or its address has changed: nothing is sent to another service
   */
  async run<T>(service: ServiceRef, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    const entry = this.#findEntry(service);
    const { id } = entry.connection;
    const { generation } = entry;
    const settle = (state: ConnectionState) => {
      if (entry.generation === generation && this.#entries.get(id) === entry) this.#setState(entry, state);
    };
    let session: ClientSession | undefined;
    try {
      await this.#start(entry);
      await this.#getKey(entry);
      // The settings may have changed meanwhile.
      this.#findEntry(service);
      session = entry.session ??= this.#open(entry);
      session.useCount += 1;
      const result = await operation(await session.client);
      settle({ kind: 'connected' });
      return result;
    } catch (error) {
      const { name } = entry.connection;
      if (isApiError(error)) {
        error.connection = id;
        if (isOutage(error) && !error.message.startsWith(formatPair(name, '')))
          error.message = formatPair(name, error.message);
      }
      settle(getStateAfter(error, entry.state));
      throw error;
    } finally {
      if (session) {
        session.useCount -= 1;
        if (session.isRetired && session.useCount === 0) void close(session);
      }
    }
  }

  /** Returns the keys of all connections, except for services that haven't started. */
  async apiKeys(): Promise<readonly string[]> {
    const keys = [...this.#entries.values()].map((entry) => this.#findKey(entry));
    return (await Promise.all(keys)).filter((key) => key !== undefined);
  }

  /** Resets the state after a connection's key was stored or deleted. Always reported: reads with the old key may be running. */
  handleKeyChange(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.start) return;
    entry.generation += 1;
    entry.state = { kind: 'unknown' };
    this.handleChange({ id });
  }

  /** Records that a connection responded to a request of another client. */
  setConnected(id: string): void {
    const entry = this.#entries.get(id);
    if (entry) this.#setState(entry, { kind: 'connected' });
  }

  /** Replaces all clients after a change of network settings. */
  restart(): void {
    for (const entry of this.#entries.values()) {
      this.#retire(entry);
      entry.generation += 1;
      if (entry.state.kind === 'failed') this.#setState(entry, { kind: 'unknown' });
    }
  }

  /** Closes all clients and refuses new operations. Running operations fail or finish. */
  dispose(): void {
    for (const { session } of this.#entries.values()) if (session) void close(session);
    this.#entries.clear();
  }

  #getEntry(id: string) {
    const entry = this.#entries.get(id);
    if (entry) return entry;
    throw new Error(
      t`There is no connection "${id}". It may have been removed, or its entry in the settings is invalid.`,
    );
  }

  /** Throws if the connection was removed or has another address now. */
  #findEntry({ connection: id, baseUrl }: ServiceRef) {
    const entry = this.#getEntry(id);
    const { name, baseUrl: current } = entry.connection;
    if ([current, entry.pendingUrl].includes(baseUrl)) return entry;
    throw createMovedError(name, current);
  }

  /** Starts a connection's service and applies its address. */
  async #start(entry: ConnectionEntry) {
    const endpoint = await entry.start?.();
    if (!endpoint) return;
    entry.apiKey = endpoint.apiKey;
    if (usesSameClient(entry.connection, endpoint.connection)) return;
    entry.connection = endpoint.connection;
    this.#retire(entry);
    this.handleChange({});
  }

  async #findKey({ connection: { id, baseUrl }, start, apiKey }: ConnectionEntry) {
    return start ? apiKey : this.readKey(id, baseUrl);
  }

  async #getKey(entry: ConnectionEntry) {
    const key = await this.#findKey(entry);
    if (key !== undefined) return key;
    // Activation must not load the client's errors.
    const { ApiError } = await import('../../service/client/errors.ts');
    throw new ApiError({
      kind: 'unauthorized',
      reason: 'noKey',
      operation: 'connect',
      outcome: 'refused',
      message: t`No API key is stored for "${entry.connection.name}". Set it with the command "Set API Key".`,
    });
  }

  #open(entry: ConnectionEntry) {
    // The client keeps its address, so it must not get the key of a redefined connection.
    const opened = { ...entry };
    const session: ClientSession = {
      client: this.openClient(entry.connection, () => this.#getKey(opened)),
      useCount: 0,
      isRetired: false,
    };
    // If creating the client fails (such as loading its bundle), the next operation tries again.
    session.client.catch(() => {
      if (entry.session === session) entry.session = undefined;
    });
    return session;
  }

  #reset(entry: ConnectionEntry) {
    this.#retire(entry);
    entry.generation += 1;
    entry.state = { kind: 'unknown' };
  }

  #retire(entry: ConnectionEntry) {
    const { session } = entry;
    entry.session = undefined;
    if (!session) return;
    session.isRetired = true;
    if (session.useCount === 0) void close(session);
  }

  #setState(entry: ConnectionEntry, state: ConnectionState) {
    if (describeState(entry.state) === describeState(state)) return;
    entry.state = state;
    this.handleChange({ id: entry.connection.id });
  }
}

function createEntry(connection: Connection): ConnectionEntry {
  return { connection, state: { kind: 'unknown' }, generation: 0 };
}

async function close(session: ClientSession) {
  const client = await session.client.catch(() => undefined);
  await client?.close();
}

/** Returns whether the same client and key work for both. */
function usesSameClient(one: Connection, other: Connection) {
  return one.baseUrl === other.baseUrl && one.profile === other.profile;
}

/** Returns the state after a failed operation. Errors other than `ApiError` are our own and don't change it. */
export function getStateAfter(error: unknown, state: ConnectionState): ConnectionState {
  if (!isApiError(error) || error.info.connection === 'nothing') return state;
  if (error.reason === 'noKey') return { kind: 'keyMissing' };
  return isOutage(error) ? { kind: 'failed', error } : { kind: 'connected' };
}

/** Returns whether an error means that the connection doesn't work. */
function isOutage({ info, reason }: ApiError) {
  return !['nothing', 'connected'].includes(info.connection) && reason !== 'noKey';
}

/** Returns what the user sees of a state. */
function describeState(state: ConnectionState) {
  if (state.kind !== 'failed') return state.kind;
  const { kind, status, message } = state.error;
  return JSON.stringify([kind, status, message]);
}
