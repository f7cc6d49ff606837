import type { ApiError } from '../../service/client/errors.ts';
import type { MailingClient } from '../../service/client/index.ts';
import { isApiError } from '../../service/client/guards.ts';
import type { ConnectionState, Connection } from './model.ts';

/** A client with its cleanup. */
export interface OpenClient {
  readonly client: MailingClient;
  close(): Promise<void>;
}

/** Address and key of a connection that isn't in the settings (the sandbox). */
export interface Endpoint {
  readonly connection: Connection;
  readonly apiKey: string;
}

/** With an id: the state of that connection changed. Without: the set of connections changed. */
export interface ConnectionsChange {
  readonly id?: string;
}

/** The dependencies on VS Code. */
export interface CoreOptions {
  readonly keys: { get(id: string, baseUrl: string): Promise<string | undefined> };
  /** Creates a client. Each request calls `apiKey`. */
  open(connection: Connection, apiKey: () => Promise<string>): Promise<OpenClient>;
  onChange(change: ConnectionsChange): void;
}

/** There is no connection with this id: it was removed, or its settings are invalid. */
export class UnknownConnectionError extends Error {
  readonly connection: string;

  constructor(id: string) {
    super(`There is no connection “${id}”. It may have been removed, or its entry in the settings can't be read.`);
    this.name = 'UnknownConnectionError';
    this.connection = id;
  }
}

/** A client with the number of operations that use it. A retired client is closed after the last one. */
interface ClientSession {
  readonly opened: Promise<OpenClient>;
  useCount: number;
  isRetired: boolean;
}

interface ConnectionEntry {
  connection: Connection;
  state: ConnectionState;
  session: ClientSession | undefined;
  /** Incremented by every redefinition or change of the key, so that results of older operations don't affect the state. */
  generation: number;
  /** For connections outside of the settings: starts the service, or returns the running one. */
  readonly start?: () => Promise<Endpoint>;
}

/** The connections, their clients and states. A state is the result of the last operation. Independent of VS Code. */
export class ConnectionCore {
  readonly #options: CoreOptions;
  readonly #entries = new Map<string, ConnectionEntry>();
  #disposed = false;

  constructor(parts: CoreOptions) {
    this.#options = parts;
  }

  /** Connections from the settings in their order, then those of this window. */
  get all(): readonly Connection[] {
    const entries = [...this.#entries.values()];
    return [...entries.filter((entry) => !entry.start), ...entries.filter((entry) => entry.start)].map(
      (entry) => entry.connection,
    );
  }

  get(id: string): Connection | undefined {
    return this.#entries.get(id)?.connection;
  }

  state(id: string): ConnectionState {
    return this.#entries.get(id)?.state ?? { kind: 'unknown' };
  }

  /** Sets the connections from the settings. Unchanged ones keep their client and state. */
  setConnections(connections: readonly Connection[]): void {
    const before = JSON.stringify(this.all);
    const old = new Map(this.#entries);
    const windowEntries = [...old].filter(([, entry]) => entry.start);
    this.#entries.clear();
    for (const connection of connections) {
      const entry = old.get(connection.id);
      if (entry && !entry.start) {
        if (!isSameService(entry.connection, connection)) this.#reset(entry);
        entry.connection = connection;
        this.#entries.set(connection.id, entry);
      } else {
        this.#entries.set(connection.id, { connection, state: { kind: 'unknown' }, session: undefined, generation: 0 });
      }
    }
    for (const [id, entry] of windowEntries) this.#entries.set(id, entry);
    for (const [id, entry] of old) if (this.#entries.get(id) !== entry) this.#retire(entry);
    if (JSON.stringify(this.all) !== before) this.#options.onChange({});
  }

  /**
   * Adds a connection that exists only in this window. Its first operation calls `start`, and all operations wait for it. Its key is only
   * stored in memory. Disposing the result removes the connection.
   */
  register(connection: Connection, start: () => Promise<Endpoint>): { dispose(): void } {
    const replaced = this.#entries.get(connection.id);
    if (replaced) this.#retire(replaced);
    const entry: ConnectionEntry = { connection, state: { kind: 'unknown' }, session: undefined, generation: 0, start };
    this.#entries.set(connection.id, entry);
    this.#options.onChange({});
    return {
      dispose: () => {
        if (this.#entries.get(connection.id) !== entry) return;
        this.#entries.delete(connection.id);
        this.#retire(entry);
        this.#options.onChange({});
      },
    };
  }

  /**
   * Runs an operation with a connection's client and updates the state by its result.
   * @throws {ApiError} from the operation; with kind `unauthorized` if no key is stored
   * @throws {UnknownConnectionError} if there is no such connection
   */
  async run<T>(id: string, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    const entry = this.#entries.get(id);
    if (!entry || this.#disposed) throw new UnknownConnectionError(id);
    const { generation } = entry;
    const settle = (state: ConnectionState): void => {
      if (entry.generation === generation && this.#entries.get(entry.connection.id) === entry)
        this.#setState(entry, state);
    };
    const apiKey = await (entry.start ? this.#startAndGetKey(entry, entry.start) : this.#getKey(entry));
    if (apiKey === undefined) {
      settle({ kind: 'keyMissing' });
      throw await createMissingKeyError(entry.connection);
    }
    const session = (entry.session ??= this.#open(entry));
    session.useCount += 1;
    try {
      const { client } = await session.opened;
      const result = await operation(client);
      settle({ kind: 'connected' });
      return result;
    } catch (error) {
      settle(getStateAfter(error, entry.state));
      throw error;
    } finally {
      session.useCount -= 1;
      if (session.isRetired && session.useCount === 0) void close(session);
    }
  }

  /** Returns the keys of all connections. Doesn't start a service to get its key. */
  async apiKeys(): Promise<readonly string[]> {
    const entries = [...this.#entries.values()].filter(({ start, session }) => start === undefined || session);
    return (await Promise.all(entries.map((entry) => this.#getKey(entry)))).filter((key) => key !== undefined);
  }

  /** Resets the state after a connection's key was stored or deleted. */
  handleKeyChange(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.start) return;
    entry.generation += 1;
    this.#setState(entry, { kind: 'unknown' });
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
    this.#disposed = true;
    for (const { session } of this.#entries.values()) if (session) void close(session);
    this.#entries.clear();
  }

  async #getKey({ connection: { id, baseUrl }, start }: ConnectionEntry): Promise<string | undefined> {
    return start === undefined ? this.#options.keys.get(id, baseUrl) : (await start()).apiKey;
  }

  /** Starts the service if necessary, and applies its address. */
  async #startAndGetKey(entry: ConnectionEntry, start: () => Promise<Endpoint>): Promise<string> {
    const { connection, apiKey } = await start();
    if (!isSameService(entry.connection, connection)) {
      entry.connection = connection;
      this.#retire(entry);
      this.#options.onChange({});
    }
    return apiKey;
  }

  #open(entry: ConnectionEntry): ClientSession {
    const { connection } = entry;
    const apiKey = async (): Promise<string> => {
      // The client keeps its address, so it must not get the key of a redefined connection.
      const key = await this.#getKey({ ...entry, connection });
      if (key === undefined) throw await createMissingKeyError(connection);
      return key;
    };
    const session: ClientSession = { opened: this.#options.open(connection, apiKey), useCount: 0, isRetired: false };
    // If creating the client fails (such as loading its bundle), the next operation tries again.
    session.opened.catch(() => {
      if (entry.session === session) entry.session = undefined;
    });
    return session;
  }

  #reset(entry: ConnectionEntry): void {
    this.#retire(entry);
    entry.generation += 1;
    entry.state = { kind: 'unknown' };
  }

  #retire(entry: ConnectionEntry): void {
    const { session } = entry;
    entry.session = undefined;
    if (!session) return;
    session.isRetired = true;
    if (session.useCount === 0) void close(session);
  }

  #setState(entry: ConnectionEntry, state: ConnectionState): void {
    if (isSameState(entry.state, state)) return;
    entry.state = state;
    this.#options.onChange({ id: entry.connection.id });
  }
}

async function close(session: ClientSession): Promise<void> {
  const opened = await session.opened.catch(() => undefined);
  await opened?.close();
}

/** Returns whether the same client and key work for both. */
function isSameService(one: Connection, other: Connection): boolean {
  return one.baseUrl === other.baseUrl && one.profile === other.profile;
}

/** Imported lazily: activation must not load the client's errors. */
async function createMissingKeyError(connection: Connection): Promise<ApiError> {
  const { ApiError } = await import('../../service/client/errors.ts');
  return new ApiError({
    kind: 'unauthorized',
    reason: 'noKey',
    operation: 'connect',
    outcome: 'refused',
    message: `No API key is stored for “${connection.name}”. Set it with the command “Set API Key”.`,
  });
}

/** Returns the state after a failed operation. Errors other than `ApiError` are our own and don't change it. */
export function getStateAfter(error: unknown, state: ConnectionState): ConnectionState {
  if (!isApiError(error) || error.info.connection === 'nothing') return state;
  return error.info.connection === 'connected' ? { kind: 'connected' } : { kind: 'failed', error };
}

/** Returns whether the user sees two states as the same. */
function isSameState(one: ConnectionState, other: ConnectionState): boolean {
  if (one.kind !== 'failed' || other.kind !== 'failed') return one.kind === other.kind;
  return (
    one.error.kind === other.error.kind &&
    one.error.status === other.error.status &&
    one.error.message === other.error.message
  );
}
