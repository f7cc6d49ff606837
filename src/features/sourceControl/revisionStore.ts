import { createHash, randomUUID } from 'node:crypto';
import { contentHash, type FieldTexts } from './fields.ts';
import type { VersionStore, Target } from './sync.ts';

/** Limits per template. `MAX_TOTAL_CHARS` counts UTF-16 units of all its texts. */
const MAX_REVISIONS = 20;
const MAX_TOTAL_CHARS = 8_000_000;
/** How long a request without a response may still take effect on the service, in ms. */
const UNCONFIRMED_SEND_MS = 60 * 60 * 1000;
/** Contains one file per request without a response, so that windows never overwrite each other's records. */
const SENDS_FOLDER = 'sent';

/**
 * Private files on this machine, shared by all windows. Names may contain slashes. Reading a missing or unreadable file returns undefined;
 * errors on writing are ignored.
 */
export interface RevisionFiles {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** Returns the names of the files in a folder. */
  list(folder: string): Promise<readonly string[]>;
  delete(name: string): Promise<void>;
}

/** A template on a service, mapped or not. */
export type TemplateRef = Pick<Target, 'connection' | 'id'>;

/** An earlier version of a template. */
export interface Revision {
  /** Time of its first read, in ms since the epoch. */
  readonly at: number;
  readonly texts: FieldTexts;
}

/** The file format: each text is stored once, by its hash. */
interface StoredRevisions {
  readonly states: readonly { readonly at: number; readonly prints: FieldTexts }[];
  readonly texts: Readonly<Record<string, string>>;
}

const NO_REVISIONS: StoredRevisions = { states: [], texts: {} };

/** Stores the last revisions of templates, oldest first. */
export class RevisionStore implements VersionStore {
  readonly #files: RevisionFiles;
  readonly #getService: (connection: string) => string;
  readonly #now: () => number;
  /** The pending task of each file. Tasks on one file run one after the other. */
  readonly #pending = new Map<string, Promise<StoredRevisions>>();
  /** Hashes of each template's last revision, so that adding it again reads no file. */
  readonly #lastHashes = new Map<string, string>();

  /**
   * @param getService returns the identity of a connection's service, which survives a renamed connection
   * @param now returns the time in ms since the epoch
   */
  constructor(files: RevisionFiles, getService: (connection: string) => string, now: () => number = Date.now) {
    this.#files = files;
    this.#getService = getService;
    this.#now = now;
  }

  /** Returns the revisions of a template, newest first. */
  async getRevisions(ref: TemplateRef): Promise<readonly Revision[]> {
    const { states, texts } = await this.#read(ref);
    return states.map(({ at, prints }) => ({ at, texts: mapTexts(prints, (hash) => texts[hash] ?? '') })).toReversed();
  }

  async add(ref: TemplateRef, texts: FieldTexts): Promise<void> {
    const prints = mapTexts(texts, contentHash);
    if (this.#lastHashes.get(this.#fileName(ref)) === JSON.stringify(prints)) return;
    await this.#change(ref, (stored) => {
      if (lastRevisionKey(stored) === JSON.stringify(prints)) return stored;
      const updated = {
        ...stored.texts,
        ...Object.fromEntries(Object.entries(texts).map(([field, text]) => [prints[field] ?? '', text])),
      };
      return limitSize({ ...stored, states: [...stored.states, { at: this.#now(), prints }], texts: updated });
    });
  }

  async getText(ref: TemplateRef, _field: string, hash: string): Promise<string | undefined> {
    return (await this.#read(ref)).texts[hash];
  }

  async recordSend(ref: TemplateRef, fields: FieldTexts): Promise<() => Promise<void>> {
    const name = `${SENDS_FOLDER}/${this.#templateKey(ref)}.${this.#now()}.${randomUUID()}.json`;
    await this.#files.write(name, JSON.stringify(mapTexts(fields, contentHash)));
    return () => this.#files.delete(name);
  }

  async getUnconfirmedHashes(ref: TemplateRef): Promise<ReadonlyMap<string, readonly string[]>> {
    const unconfirmed = new Map<string, string[]>();
    for (const file of await this.#files.list(SENDS_FOLDER)) {
      const name = `${SENDS_FOLDER}/${file}`;
      const [template, at] = file.split('.');
      if (this.#now() - Number(at) >= UNCONFIRMED_SEND_MS) await this.#files.delete(name);
      else if (template === this.#templateKey(ref)) {
        for (const [field, hash] of Object.entries(parseOr<FieldTexts>({}, await this.#files.read(name)))) {
          unconfirmed.set(field, [...(unconfirmed.get(field) ?? []), hash]);
        }
      }
    }
    return unconfirmed;
  }

  #read(ref: TemplateRef): Promise<StoredRevisions> {
    return this.#change(ref, (stored) => stored);
  }

  /** Changes the stored revisions and writes the file if they differ. */
  #change(ref: TemplateRef, change: (stored: StoredRevisions) => StoredRevisions): Promise<StoredRevisions> {
    const name = this.#fileName(ref);
    const task = async (before: StoredRevisions): Promise<StoredRevisions> => {
      const after = change(before);
      if (after !== before) await this.#files.write(name, JSON.stringify(after));
      this.#lastHashes.set(name, lastRevisionKey(after));
      return after;
    };
    const tail = (this.#pending.get(name) ?? this.#files.read(name).then((text) => parseOr(NO_REVISIONS, text))).then(
      task,
    );
    this.#pending.set(name, tail);
    // Keep the texts on disk only.
    const end = (): unknown => this.#pending.get(name) === tail && this.#pending.delete(name);
    void tail.then(end, end);
    return tail;
  }

  #fileName(ref: TemplateRef): string {
    return `${this.#templateKey(ref)}.json`;
  }

  #templateKey({ connection, id }: TemplateRef): string {
    return createHash('sha256')
      .update(`${this.#getService(connection)} ${id}`)
      .digest('base64url');
  }
}

function parseOr<T extends object>(fallback: T, text: string | undefined): T {
  try {
    return text === undefined ? fallback : { ...fallback, ...(JSON.parse(text) as T) };
  } catch {
    return fallback;
  }
}

function limitSize({ states, texts }: StoredRevisions): StoredRevisions {
  let remaining = states.slice(-MAX_REVISIONS);
  const used = (): Set<string> => new Set(remaining.flatMap(({ prints }) => Object.values(prints)));
  const size = (): number => [...used()].reduce((sum, hash) => sum + (texts[hash]?.length ?? 0), 0);
  while (remaining.length > 1 && size() > MAX_TOTAL_CHARS) remaining = remaining.slice(1);
  const needed = used();
  return { states: remaining, texts: Object.fromEntries(Object.entries(texts).filter(([hash]) => needed.has(hash))) };
}

function lastRevisionKey({ states }: StoredRevisions): string {
  return JSON.stringify(states.at(-1)?.prints);
}

function mapTexts(texts: FieldTexts, map: (text: string) => string): FieldTexts {
  return Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, map(text)]));
}
