import type { ApiError } from '../../service/client/errors.ts';
import type { MailingClient } from '../../service/client/index.ts';
import { isApiError } from '../../service/client/guards.ts';
import type { ConnectionState, Connection } from './model.ts';

/** A client that is ready for requests, and how it ends. */
export interface OpenClient {
  readonly client: MailingClient;
  close(): Promise<void>;
}

/** Where a connection that isn't in the settings (the sandbox) answers, with its key. */
export interface Endpoint {
  readonly connection: Connection;
  readonly apiKey: string;
}

/** What changed: the state of one connection, or (without an id) which connections there are and where they lead. */
export interface ConnectionsChange {
  readonly id?: string;
}

/** What the core needs from outside: all of VS Code that it knows. */
interface CoreOptions {
  readonly keys: { get(id: string, baseUrl: string): Promise<string | undefined> };
  /** Makes the client of a connection. `apiKey` is asked at each request. */
  open(connection: Connection, apiKey: () => Promise<string>): Promise<OpenClient>;
  onChange(change: ConnectionsChange): void;
}

/** There is no connection of this id: it was removed, or its entry in the settings can't be used. */
export class UnknownConnectionError extends Error {
  readonly connection: string;

  constructor(id: string) {
    super(`There is no connection “${id}”. It may have been removed, or its entry in the settings can't be read.`);
    this.name = 'UnknownConnectionError';
    this.connection = id;
  }
}

/** A client with the number of operations that use it: one that was replaced is closed after the last of them. */
interface ClientSession {
  readonly opened: Promise<OpenClient>;
  useCount: number;
  isRetired: boolean;
}

interface ConnectionEntry {
  connection: Connection;
  state: ConnectionState;
  session: ClientSession | undefined;
  /** Counts redefinitions and changes of the key: an operation begun before one says nothing about the state after it. */
  generation: number;
  /** Of connections that aren't in the settings: starts the service, or gives the one that runs. */
  readonly start?: () => Promise<Endpoint>;
}

/** Which services there are, one client for each, and what their last operation told of them. Knows nothing of VS Code. */
export class ConnectionCore {
  readonly #options: CoreOptions;
  readonly #entries = new Map<string, ConnectionEntry>();
  #disposed = false;

  constructor(parts: CoreOptions) {
    this.#options = parts;
  }

  /** Those of the settings in their order, then this window's own. */
  get all(): readonly Connection[] {
    const entries = [...this.#entries.values()];
    return [...entries.filter((entry) => !entry.start), ...entries.filter((entry) => entry.start)].map(
      (entry) => entry.connection,
    );
  }

  get(id: string): Connection | undefined {
    return this.#entries.get(id)?.connection;
  }

  getState(id: string): ConnectionState {
    return this.#entries.get(id)?.state ?? { kind: 'unknown' };
  }

  /** Takes over the connections of the settings. One that stays as it was keeps its client and its state. */
  setConnections(connections: readonly Connection[]): void {
    const before = JSON.stringify(this.all);
    const old = new Map(this.#entries);
    const kept = [...old].filter(([, entry]) => entry.start);
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
    for (const [id, entry] of kept) this.#entries.set(id, entry);
    for (const [id, entry] of old) if (this.#entries.get(id) !== entry) this.#retire(entry);
    if (JSON.stringify(this.all) !== before) this.#options.onChange({});
  }

  /**
   * Adds a connection that isn't in the settings. `start` is called by the first operation on it, and until it has answered
   * every operation waits. Returns the removal.
   */
  register(connection: Connection, start: () => Promise<Endpoint>): () => void {
    const replaced = this.#entries.get(connection.id);
    if (replaced) this.#retire(replaced);
    const entry: ConnectionEntry = { connection, state: { kind: 'unknown' }, session: undefined, generation: 0, start };
    this.#entries.set(connection.id, entry);
    this.#options.onChange({});
    return () => {
      if (this.#entries.get(connection.id) !== entry) return;
      this.#entries.delete(connection.id);
      this.#retire(entry);
      this.#options.onChange({});
    };
  }

  /**
   * Runs an operation on a connection's client, and learns from its outcome. Throws what the operation throws, an `ApiError` of
   * kind `unauthorized` where no key is stored, and an `UnknownConnectionError` where there is no such connection.
   */
  async run<T>(id: string, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    const entry = this.#entries.get(id);
    if (!entry || this.#disposed) throw new UnknownConnectionError(id);
    const { generation } = entry;
    const settle = (outcome: Outcome): void => {
      if (entry.generation === generation && this.#entries.get(entry.connection.id) === entry)
        this.#setState(entry, getNextState(entry.state, outcome));
    };
    const apiKey = entry.start ? await this.#startAndGetKey(entry, entry.start) : await this.#getStoredKey(entry);
    if (apiKey === undefined) {
      if (entry.generation === generation) this.#setState(entry, { kind: 'keyMissing' });
      throw await createMissingKeyError(entry.connection);
    }
    const session = (entry.session ??= this.#open(entry));
    session.useCount += 1;
    try {
      const { client } = await session.opened;
      const result = await operation(client);
      settle({ ok: true });
      return result;
    } catch (error) {
      settle({ ok: false, error });
      throw error;
    } finally {
      session.useCount -= 1;
      if (session.isRetired && session.useCount === 0) void close(session);
    }
  }

  /** The keys that are known or stored for all connections. One that isn't in the settings is not started for it. */
  async apiKeys(): Promise<readonly string[]> {
    const keys = [...this.#entries.values()].map(async ({ connection: { id, baseUrl }, start, session }) =>
      start === undefined ? this.#options.keys.get(id, baseUrl) : session && (await start()).apiKey,
    );
    return (await Promise.all(keys)).filter((key) => key !== undefined);
  }

  /** To be called when a connection's key was stored or deleted: what was known of it no longer holds. */
  handleKeyChange(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.start) return;
    entry.generation += 1;
    this.#setState(entry, { kind: 'unknown' });
  }

  /** To be called when network settings changed: the next operations get new clients. */
  restart(): void {
    for (const entry of this.#entries.values()) {
      this.#retire(entry);
      entry.generation += 1;
      if (entry.state.kind === 'failed') this.#setState(entry, { kind: 'unknown' });
    }
  }

  /** Ends all clients. Operations that still run fail or finish; none begins any more. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    const sessions = [...this.#entries.values()]
      .map((entry) => entry.session)
      .filter((session) => session !== undefined);
    this.#entries.clear();
    await Promise.all(sessions.map(close));
  }

  async #getStoredKey(entry: ConnectionEntry): Promise<string | undefined> {
    return this.#options.keys.get(entry.connection.id, entry.connection.baseUrl);
  }

  /** Starts the service where it doesn't run yet, and takes over its address. */
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
      const key = entry.start
        ? (await entry.start()).apiKey
        : await this.#options.keys.get(connection.id, connection.baseUrl);
      if (key === undefined) throw await createMissingKeyError(connection);
      return key;
    };
    const session: ClientSession = { opened: this.#options.open(connection, apiKey), useCount: 0, isRetired: false };
    // A client that couldn't be made (its bundle can't be read, say) is made anew by the next operation.
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

/** True where one client and one key serve both. */
function isSameService(one: Connection, other: Connection): boolean {
  return one.baseUrl === other.baseUrl && one.profile === other.profile;
}

/** Activation does without the client's errors. */
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

/** How an operation on a connection ended. */
type Outcome = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** The state of a connection after an operation on it. An error that isn't an `ApiError` is our own, and tells nothing of it. */
export function getNextState(state: ConnectionState, outcome: Outcome): ConnectionState {
  if (outcome.ok) return { kind: 'connected' };
  const { error } = outcome;
  if (!isApiError(error)) return state;
  const { connection } = error.info;
  if (connection === 'nothing') return state;
  return connection === 'connected' ? { kind: 'connected' } : { kind: 'failed', error };
}

/** True where nothing that is shown differs. */
function isSameState(one: ConnectionState, other: ConnectionState): boolean {
  if (one.kind !== 'failed' || other.kind !== 'failed') return one.kind === other.kind;
  return (
    one.error.kind === other.error.kind &&
    one.error.status === other.error.status &&
    one.error.message === other.error.message
  );
}
