import { t } from '../../l10n.ts';
import { isObject, type Row } from '../../service/client/shapes.ts';
import type { Base, FieldBase } from '../fields/fields.ts';
import { SerialQueue } from '../exclusive.ts';
import { lockName } from '../paths.ts';
import { FileChangedError, type Files } from '../files.ts';
import { parseOr } from './revisions.ts';

/** Version of the lock format. */
const VERSION = 1;
/** Maximum size in UTF-16 units: enough for 10,000 templates, and still fast to parse. */
const MAX_LOCK_CHARS = 8 * 1024 * 1024;

/** Bases of the last sync by folder and connection. */
type Bases = ReadonlyMap<string, ReadonlyMap<string, Base>>;

/** The immutable content of `mailing.lock.json`. */
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
  static read(text = ''): Lock {
    if (text.length > MAX_LOCK_CHARS)
      throw new Error(t`Couldn't read ${lockName}: it's larger than 8 MB. Restore an earlier version.`);
    const [ours, theirs] = splitVersions(text).map((version) => new Lock(parseBases(version)));
    return ours && theirs ? ours.#intersect(theirs) : (ours ?? new Lock(new Map()));
  }

  base(folder: string, connection: string): Base {
    return this.#bases.get(folder)?.get(connection) ?? {};
  }

  /** Returns a copy with another base. */
  with(folder: string, connection: string, base: Base = {}): Lock {
    const connections = new Map(this.#bases.get(folder)).set(connection, base);
    return new Lock(new Map(this.#bases).set(folder, connections));
  }

  /** Writes one field per line, sorted, so that Git can merge the changes of two people. Leaves out what has no base. */
  toString(): string {
    const templates = toSortedObject(this.#bases, (connections) =>
      toSortedObject(connections, (base) => toSortedObject(new Map(Object.entries(base)), formatHashes)),
    );
    return `${JSON.stringify({ version: VERSION, templates: templates ?? {} }, null, 2)}\n`;
  }

  #intersect(other: Lock) {
    return new Lock(
      mapValues(this.#bases, (connections, folder) =>
        mapValues(connections, (base, connection) => {
          const same = other.base(folder, connection);
          const isCommon = ([name, field]: [string, FieldBase]) =>
            same[name] !== undefined && formatHashes(same[name]) === formatHashes(field);
          return Object.fromEntries(Object.entries(base).filter(isCommon));
        }),
      ),
    );
  }
}

function mapValues<T, U>(entries: Iterable<readonly [string, T]>, value: (one: T, key: string) => U) {
  return new Map(Array.from(entries, ([key, one]) => [key, value(one, key)]));
}

/** Returns undefined if no entry has a value. */
function toSortedObject<T, U>(map: ReadonlyMap<string, T>, value: (one: T) => U | undefined) {
  const entries = [...map]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, one]) => [key, value(one)] as const);
  const own = entries.filter(([, one]) => one !== undefined);
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

function formatHashes({ local, remote }: FieldBase) {
  return local === remote ? local : `${local} ${remote}`;
}

/**
 * Splits a file with Git's conflict markers into its two versions, in one pass over its lines. Returns a file with an unclosed conflict
 * unchanged; it then fails to parse.
 */
function splitVersions(text: string) {
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

function parseBases(text: string): Bases {
  const { version = VERSION, templates } = parseOr<Row>({}, text);
  if (version !== VERSION)
    throw new Error(
      t`Couldn't read ${lockName}: it has version ${JSON.stringify(version)}, and this version of Mailing Studio reads version ${VERSION}. Update Mailing Studio and try again.`,
    );
  return mapValues(listEntries(templates), (connections) => mapValues(listEntries(connections), parseBase));
}

function listEntries(value: unknown) {
  return isObject(value) ? Object.entries(value) : [];
}

function parseBase(value: unknown): Base {
  const pattern = /^([\w-]{43})(?: ([\w-]{43}))?$/u;
  return Object.fromEntries(
    listEntries(value).flatMap(([name, hashes]) => {
      const [, local, remote = local] = (typeof hashes === 'string' && pattern.exec(hashes)) || [];
      return local === undefined || remote === undefined ? [] : [[name, { local, remote }]];
    }),
  );
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

  async #change(change: (lock: Lock) => Lock, attempt = 1) {
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
