import { createHash, randomUUID } from 'node:crypto';
import { contentHash, type FieldTexts } from './fields.ts';
import type { VersionStore, Target } from './sync.ts';

/** States of a template that are kept, and UTF-16 units of all their texts together, at most. */
const MAX_REVISIONS = 20;
const MAX_TOTAL_CHARS = 8_000_000;
/** How long a request whose answer was lost may still do something, in ms. */
const UNCONFIRMED_SEND_MS = 60 * 60 * 1000;
/** Has a file for each request without a response, so that no window overwrites what another one notes. */
const SENDS_FOLDER = 'sent';

/**
 * Files of this machine that are no one else's, by name, with slashes. All windows share them. What can't be read is not there; what can't
 * be written is lost.
 */
export interface RevisionFiles {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** The names of the files in a folder. */
  list(folder: string): Promise<readonly string[]>;
  delete(name: string): Promise<void>;
}

/** A template of a service, whether it is mapped or not. */
export type TemplateRef = Pick<Target, 'connection' | 'id'>;

/** A state of a template that was seen on the service. */
export interface Revision {
  /** When it was first seen, in ms since the epoch. */
  readonly at: number;
  readonly texts: FieldTexts;
}

/** As it is stored: texts once each, by their fingerprints. */
interface StoredRevisions {
  readonly states: readonly { readonly at: number; readonly prints: FieldTexts }[];
  readonly texts: Readonly<Record<string, string>>;
}

const NO_REVISIONS: StoredRevisions = { states: [], texts: {} };

/** The last states of templates that were seen on their services, newest last. */
export class RevisionStore implements VersionStore {
  readonly #files: RevisionFiles;
  readonly #getService: (connection: string) => string;
  readonly #now: () => number;
  /** The last task on the file of each template. */
  readonly #pending = new Map<string, Promise<StoredRevisions>>();
  /** Hashes of the last state of each template, so that no file is read to remember it again. */
  readonly #lastHashes = new Map<string, string>();

  /**
   * @param serviceOf what tells services apart, whatever their connections are called
   * @param now ms since the epoch
   */
  constructor(storage: RevisionFiles, serviceOf: (connection: string) => string, now: () => number = Date.now) {
    this.#files = storage;
    this.#getService = serviceOf;
    this.#now = now;
  }

  /** Newest first. */
  async getRevisions(ref: TemplateRef): Promise<readonly Revision[]> {
    const { states, texts } = await this.#read(ref);
    return states
      .map(({ at, prints }) => ({ at, texts: mapTexts(prints, (print) => texts[print] ?? '') }))
      .toReversed();
  }

  async add(ref: TemplateRef, texts: FieldTexts): Promise<void> {
    const prints = mapTexts(texts, contentHash);
    if (this.#lastHashes.get(this.#fileName(ref)) === JSON.stringify(prints)) return;
    await this.#change(ref, (stored) => {
      if (lastRevisionKey(stored) === JSON.stringify(prints)) return stored;
      const known = {
        ...stored.texts,
        ...Object.fromEntries(Object.entries(texts).map(([field, text]) => [prints[field] ?? '', text])),
      };
      return limitSize({ ...stored, states: [...stored.states, { at: this.#now(), prints }], texts: known });
    });
  }

  async getText(ref: TemplateRef, _field: string, print: string): Promise<string | undefined> {
    return (await this.#read(ref)).texts[print];
  }

  async recordSend(ref: TemplateRef, fields: FieldTexts): Promise<() => Promise<void>> {
    const name = `${SENDS_FOLDER}/${this.#templateKey(ref)}.${this.#now()}.${randomUUID()}.json`;
    await this.#files.write(name, JSON.stringify(mapTexts(fields, contentHash)));
    return () => this.#files.delete(name);
  }

  async getUnconfirmedHashes(ref: TemplateRef): Promise<ReadonlyMap<string, readonly string[]>> {
    const lost = new Map<string, string[]>();
    for (const file of await this.#files.list(SENDS_FOLDER)) {
      const name = `${SENDS_FOLDER}/${file}`;
      const [template, at] = file.split('.');
      if (this.#now() - Number(at) >= UNCONFIRMED_SEND_MS) await this.#files.delete(name);
      else if (template === this.#templateKey(ref)) {
        for (const [field, print] of Object.entries(parseOr<FieldTexts>({}, await this.#files.read(name)))) {
          lost.set(field, [...(lost.get(field) ?? []), print]);
        }
      }
    }
    return lost;
  }

  #read(ref: TemplateRef): Promise<StoredRevisions> {
    return this.#change(ref, (stored) => stored);
  }

  /** Writes what is different. Tasks on one file follow each other. */
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
    // The texts stay on the disk, and not in memory too.
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
  let kept = states.slice(-MAX_REVISIONS);
  const used = (): Set<string> => new Set(kept.flatMap(({ prints }) => Object.values(prints)));
  const size = (): number => [...used()].reduce((sum, print) => sum + (texts[print]?.length ?? 0), 0);
  while (kept.length > 1 && size() > MAX_TOTAL_CHARS) kept = kept.slice(1);
  const needed = used();
  return { states: kept, texts: Object.fromEntries(Object.entries(texts).filter(([print]) => needed.has(print))) };
}

function lastRevisionKey({ states }: StoredRevisions): string {
  return JSON.stringify(states.at(-1)?.prints);
}

function mapTexts(texts: FieldTexts, map: (text: string) => string): FieldTexts {
  return Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, map(text)]));
}
