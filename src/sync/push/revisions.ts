import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '../exclusive.ts';
import { contentHash, hashFields, type FieldTexts } from '../fields/fields.ts';
import type { Target } from '../mapping/mapping.ts';
import { StateFiles } from '../stateFiles.ts';

/** Limits per template. `MAX_TOTAL_CHARS` counts UTF-16 units of all its texts. */
const MAX_REVISIONS = 20;
const MAX_TOTAL_CHARS = 8_000_000;
/** Above this size of all files, those with the oldest changes are deleted. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Newer files are never deleted, because a push just promised that they can be restored. */
const PROTECTED_AGE_MS = 60 * 60 * 1000;

/** A template on a service, mapped or not. */
export type TemplateRef = Pick<Target, 'connection' | 'id'>;

/** An earlier version of a template. */
interface Revision {
  /** When it was added, in ms since the epoch. */
  readonly at: number;
  readonly texts: FieldTexts;
  /** Has texts of the folder or of an editor that were replaced, instead of the service's. */
  readonly isLocal?: boolean | undefined;
}

/** The file format: each text is stored once, by its hash. */
interface StoredRevisions {
  readonly states: readonly (Omit<Revision, 'texts'> & { readonly prints: FieldTexts })[];
  readonly texts: Readonly<Record<string, string>>;
}

const NO_REVISIONS: StoredRevisions = { states: [], texts: {} };

/** Stores the last revisions of templates, oldest first. */
export class RevisionStore {
  readonly #files: StateFiles;
  readonly #getService: (connection: string) => string;
  readonly #now: () => number;
  readonly #maxBytes: number;
  /** Other windows write too, so the size is counted with the first file and again after every eighth of the limit. */
  #sinceCounted = Infinity;
  /** By file. */
  readonly #queues = new Map<string, SerialQueue>();
  /** Hashes of each template's last revision, so that adding it again reads no file. */
  readonly #lastHashes = new Map<string, string | undefined>();

  /**
   * @param files of this store alone
   * @param getService returns the identity of a connection's service, which survives a renamed connection
   * @param now returns the time in ms since the epoch
   */
  constructor(
    files: StateFiles,
    getService: (connection: string) => string,
    now: () => number = Date.now,
    maxBytes: number = MAX_TOTAL_BYTES,
  ) {
    this.#files = files;
    this.#getService = getService;
    this.#now = now;
    this.#maxBytes = maxBytes;
  }

  /** Opens the revisions in a folder, where no other files are. See the constructor. */
  static open(folder: string, getService: (connection: string) => string): RevisionStore {
    return new RevisionStore(new StateFiles(folder), getService);
  }

  /** Returns the revisions of a template, newest first. */
  async getRevisions(ref: TemplateRef): Promise<readonly Revision[]> {
    const { states, texts } = await this.#read(ref);
    const read = (prints: FieldTexts) =>
      Object.fromEntries(Object.entries(prints).map(([field, hash]) => [field, texts[hash] ?? '']));
    return states.map(({ prints, ...state }) => ({ ...state, texts: read(prints) })).toReversed();
  }

  /**
   * Adds the texts as the last revision. An earlier equal one gives way to it.
   * @param isLocal whether the service may never have had them
   * @throws if the stored ones can't be read, or the new one can't be written
   */
  async add(ref: TemplateRef, texts: FieldTexts, isLocal?: true): Promise<void> {
    const [name, prints] = [this.#fileName(ref), hashFields(texts)];
    const key = JSON.stringify(prints);
    if (this.#lastHashes.get(name) === key) return;
    const add = async () => {
      const stored = parseRevisions(await this.#files.read(name));
      if (lastRevisionKey(stored) === key) return stored;
      const isSame = (state: { readonly prints: FieldTexts }) => JSON.stringify(state.prints) === key;
      const earlier = stored.states.find(isSame);
      const wasStored = earlier !== undefined && !earlier.isLocal;
      const state = { at: this.#now(), prints, isLocal: wasStored ? undefined : isLocal };
      const states = [...stored.states.filter((other) => !isSame(other)), state];
      const added = Object.fromEntries(Object.entries(texts).map(([field, text]) => [prints[field] ?? '', text]));
      const after = limitSize({ states, texts: { ...stored.texts, ...added } });
      await this.#write(name, JSON.stringify(after));
      return after;
    };
    // Another window may add one at the same time.
    const last = await this.#inOrder(name, () => this.#files.withLock(`${name}.lock`, add));
    this.#lastHashes.set(name, lastRevisionKey(last));
  }

  /** Returns a text by its hash; undefined if it is not stored. */
  async getText(ref: TemplateRef, hash: string): Promise<string | undefined> {
    return (await this.#read(ref)).texts[hash];
  }

  /** Returns no revisions if they can't be read. */
  async #read(ref: TemplateRef) {
    const name = this.#fileName(ref);
    return parseRevisions(await this.#inOrder(name, () => this.#files.read(name)).catch(() => undefined));
  }

  /** Runs a task after the earlier ones of this window for a file. */
  #inOrder<T>(name: string, task: () => Promise<T>) {
    const queue = this.#queues.get(name) ?? new SerialQueue();
    this.#queues.set(name, queue);
    return queue.run(task);
  }

  async #write(name: string, text: string) {
    await this.#files.write(name, text);
    this.#sinceCounted += Buffer.byteLength(text);
    if (this.#sinceCounted < this.#maxBytes / 8) return;
    this.#sinceCounted = 0;
    // Another window may delete the same files.
    await removeOldest(this.#files.folder, this.#maxBytes, this.#now() - PROTECTED_AGE_MS).catch(() => undefined);
  }

  #fileName(ref: TemplateRef) {
    return `${hashTemplate(this.#getService, ref)}.json`;
  }
}

/** Returns a key of a template that survives a renamed connection. */
function hashTemplate(getService: (connection: string) => string, { connection, id }: TemplateRef) {
  return createHash('sha256')
    .update(`${getService(connection)} ${id}`)
    .digest('base64url');
}

/** Drops texts that don't match their hash, which a repository may contain. */
function parseRevisions(file: string | undefined): StoredRevisions {
  const { states, texts: all } = parseOr(NO_REVISIONS, file);
  const texts = Object.fromEntries(Object.entries(all).filter(([hash, text]) => contentHash(text) === hash));
  return {
    texts,
    states: states.filter(({ prints }) => Object.values(prints).every((hash) => Object.hasOwn(texts, hash))),
  };
}

export function parseOr<T extends object>(fallback: T, text: string | undefined): T {
  try {
    return text === undefined ? fallback : { ...fallback, ...(JSON.parse(text) as T) };
  } catch {
    return fallback;
  }
}

function limitSize({ states, texts }: StoredRevisions): StoredRevisions {
  let remaining = states.slice(-MAX_REVISIONS);
  const used = () => new Set(remaining.flatMap(({ prints }) => Object.values(prints)));
  const size = () => [...used()].reduce((sum, hash) => sum + (texts[hash]?.length ?? 0), 0);
  while (remaining.length > 1 && size() > MAX_TOTAL_CHARS) remaining = remaining.slice(1);
  const needed = used();
  return { states: remaining, texts: Object.fromEntries(Object.entries(texts).filter(([hash]) => needed.has(hash))) };
}

/** Returns a key of the last texts of the service, if no others follow. */
function lastRevisionKey({ states }: StoredRevisions) {
  const last = states.at(-1);
  return last?.isLocal ? undefined : JSON.stringify(last?.prints);
}

/** @param before ms since the epoch: newer files stay */
async function removeOldest(folder: string, maxBytes: number, before: number) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path);
      return { path, size, mtimeMs };
    }),
  );
  files.sort((one, other) => one.mtimeMs - other.mtimeMs);
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size, mtimeMs } of files) {
    if (total <= maxBytes || mtimeMs > before) return;
    await rm(path, { force: true });
    total -= size;
  }
}
