import { isObject, type JsonObject } from '../service/client/shapes.ts';
import type { Base, FieldBase } from './fields.ts';
import { SerialQueue } from './exclusive.ts';
import { lockName } from './paths.ts';
import { FileChangedError, type Files } from './files.ts';

/** Version of the lock format. */
const VERSION = 1;
/** Maximum size in UTF-16 units: enough for 10,000 templates, and still fast to parse. */
const MAX_LOCK_CHARS = 8 * 1024 * 1024;

/** The immutable content of `mailing.lock.json`: the bases of the last sync, by folder and connection. */
export class Lock {
  readonly #bases: Bases;

  private constructor(bases: Bases) {
    this.#bases = bases;
  }

  /**
   * Parses a lock. Drops invalid entries, whose fields then have no base. From a file with Git's conflict markers, keeps the entries that
   * are equal in both versions.
   * @throws if the lock has another version or is too large; it must not be overwritten then
   */
  static read(text: string | undefined): Lock {
    if (text === undefined) return new Lock(new Map());
    if (text.length > MAX_LOCK_CHARS)
      throw new Error(`Couldn't read ${lockName}: it's larger than 8 MB. Restore an earlier version.`);
    const [ours, theirs] = splitVersions(text).map((version) => parseBases(version));
    if (ours === undefined) return new Lock(new Map());
    return new Lock(theirs === undefined ? ours : intersectBases(ours, theirs));
  }

  base(folder: string, connection: string): Base {
    return this.#bases.get(folder)?.get(connection) ?? {};
  }

  /** Returns a copy with another base. */
  with(folder: string, connection: string, base: Base | undefined): Lock {
    const bases = new Map(this.#bases);
    const connections = new Map(bases.get(folder));
    if (base === undefined || Object.keys(base).length === 0) connections.delete(connection);
    else connections.set(connection, base);
    if (connections.size === 0) bases.delete(folder);
    else bases.set(folder, connections);
    return new Lock(bases);
  }

  /** Writes one field per line, sorted, so that Git can merge the changes of two people. */
  toString(): string {
    const fields = (base: Base): Readonly<Record<string, string>> =>
      sortEntries(new Map(Object.entries(base)), formatHashes);
    const templates = sortEntries(this.#bases, (connections) => sortEntries(connections, fields));
    return `${JSON.stringify({ version: VERSION, templates }, null, 2)}\n`;
  }
}

function sortEntries<T, U>(map: ReadonlyMap<string, T>, value: (one: T) => U): Readonly<Record<string, U>> {
  const entries = [...map].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, value(one)]));
}

function formatHashes({ local, remote }: FieldBase): string {
  return local === remote ? local : `${local} ${remote}`;
}

/**
 * Splits a file with Git's conflict markers into its two versions, in one pass over its lines. Returns a file with an unclosed conflict
 * unchanged; it then fails to parse.
 */
function splitVersions(text: string): readonly [string, string?] {
  const lines = { ours: [] as string[], base: [] as string[], theirs: [] as string[] };
  let side: keyof typeof lines | 'both' = 'both';
  let hasConflict = false;
  for (const line of text.split('\n')) {
    if (side === 'both' && line.startsWith('<<<<<<< ')) {
      side = 'ours';
      hasConflict = true;
    } else if (side === 'ours' && line.startsWith('||||||| ')) side = 'base';
    else if ((side === 'ours' || side === 'base') && /^={7}\r?$/u.test(line)) side = 'theirs';
    else if (side === 'theirs' && line.startsWith('>>>>>>> ')) side = 'both';
    else for (const to of side === 'both' ? (['ours', 'theirs'] as const) : [side]) lines[to].push(line);
  }
  return hasConflict && side === 'both' ? [lines.ours.join('\n'), lines.theirs.join('\n')] : [text];
}

const HASH_PATTERN = /^[\w-]{43}$/u;
type Bases = Map<string, Map<string, Base>>;

function parseBases(text: string | undefined): Bases | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Map();
  }
  if (!isObject(value)) return new Map();
  const { version = VERSION, templates } = value;
  if (version !== VERSION) {
    const cause = `it has version ${JSON.stringify(version)}, and this version of Mailing Studio reads version ${VERSION}`;
    throw new Error(`Couldn't read ${lockName}: ${cause}. Update Mailing Studio and try again.`);
  }
  if (!isObject(templates)) return new Map();
  return mapEntries(templates, (connections) => mapEntries(isObject(connections) ? connections : {}, readBase));
}

function mapEntries<T>(entries: JsonObject, value: (one: unknown) => T): Map<string, T> {
  return new Map(Object.entries(entries).map(([key, one]) => [key, value(one)]));
}

function readBase(value: unknown): Base {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, hashes]): [string, FieldBase][] => {
      const [local = '', remote = local, ...more] = typeof hashes === 'string' ? hashes.split(' ') : [];
      return more.length === 0 && HASH_PATTERN.test(local) && HASH_PATTERN.test(remote)
        ? [[name, { local, remote }]]
        : [];
    }),
  );
}

function intersectBases(one: Bases, other: Bases): Bases {
  const common = (base: Base, same: Base): Base =>
    Object.fromEntries(
      Object.entries(base).filter(
        ([name, field]) => same[name] !== undefined && formatHashes(same[name]) === formatHashes(field),
      ),
    );
  const connectionsOf = (folder: string, connections: Map<string, Base>): Map<string, Base> =>
    new Map(
      [...connections].map(([connection, base]) => [
        connection,
        common(base, other.get(folder)?.get(connection) ?? {}),
      ]),
    );
  return new Map([...one].map(([folder, connections]) => [folder, connectionsOf(folder, connections)]));
}

/** Limit for retries if another program, such as Git, writes the file at the same time. */
const MAX_ATTEMPTS = 5;

/** The committed `mailing.lock.json`. Changes run one after the other, across windows. */
export class LockFile {
  readonly #files: Files;
  readonly #runExclusively: <T>(task: () => Promise<T>) => Promise<T>;
  readonly #queue = new SerialQueue();
  #changes = 0;

  /** @param runExclusively runs a task while no other window runs one on the same file */
  constructor(files: Files, runExclusively: <T>(task: () => Promise<T>) => Promise<T> = (task) => task()) {
    this.#files = files;
    this.#runExclusively = runExclusively;
  }

  async read(): Promise<Lock> {
    return Lock.read(await this.#files.read(lockName));
  }

  /** Returns a function that reads the file once and then again only after `change`. */
  createCachedReader(): () => Promise<Lock> {
    let last: { readonly after: number; readonly lock: Promise<Lock> } | undefined;
    return () => {
      if (last?.after !== this.#changes) last = { after: this.#changes, lock: this.read() };
      return last.lock;
    };
  }

  change(change: (lock: Lock) => Lock): Promise<void> {
    return this.#queue.run(() => this.#runExclusively(() => this.#change(change)));
  }

  async #change(change: (lock: Lock) => Lock, attempt = 1): Promise<void> {
    const text = await this.#files.read(lockName);
    const before = Lock.read(text);
    const after = change(before).toString();
    if (after === before.toString()) return;
    try {
      await this.#files.write(lockName, after, { text });
      this.#changes += 1;
    } catch (error) {
      if (!(error instanceof FileChangedError) || attempt === MAX_ATTEMPTS) throw error;
      await this.#change(change, attempt + 1);
    }
  }
}
