import { createHash, randomUUID } from 'node:crypto';
import { printOf, type Texts } from './fields.ts';
import type { Seen, Target } from './sync.ts';

/** States of a template that are kept, and UTF-16 units of all their texts together, at most. */
const mostStates = 20;
const mostText = 8_000_000;
/** How long a request whose answer was lost may still do something, in ms. */
const LOST_MS = 60 * 60 * 1000;
/** Has a file for each request without a response, so that no window overwrites what another one notes. */
const SENT_FOLDER = 'sent';

/**
 * Files of this machine that are no one else's, by name, with slashes. All windows share them. What can't be read is not there; what can't
 * be written is lost.
 */
export interface Storage {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** The names of the files in a folder. */
  list(folder: string): Promise<readonly string[]>;
  delete(name: string): Promise<void>;
}

/** A template of a service, whether it is mapped or not. */
export type TemplateRef = Pick<Target, 'connection' | 'id'>;

/** A state of a template that was seen on the service. */
export interface State {
  /** When it was first seen, in ms since the epoch. */
  readonly at: number;
  readonly texts: Texts;
}

/** As it is stored: texts once each, by their fingerprints. */
interface Stored {
  readonly states: readonly { readonly at: number; readonly prints: Texts }[];
  readonly texts: Readonly<Record<string, string>>;
}

const nothing: Stored = { states: [], texts: {} };

/** The last states of templates that were seen on their services, newest last. */
export class History implements Seen {
  readonly #storage: Storage;
  readonly #serviceOf: (connection: string) => string;
  readonly #now: () => number;
  /** The last task on the file of each template. */
  readonly #tails = new Map<string, Promise<Stored>>();
  /** Hashes of the last state of each template, so that no file is read to remember it again. */
  readonly #last = new Map<string, string>();

  /**
   * @param serviceOf what tells services apart, whatever their connections are called
   * @param now ms since the epoch
   */
  constructor(storage: Storage, serviceOf: (connection: string) => string, now: () => number = Date.now) {
    this.#storage = storage;
    this.#serviceOf = serviceOf;
    this.#now = now;
  }

  /** Newest first. */
  async states(ref: TemplateRef): Promise<readonly State[]> {
    const { states, texts } = await this.#read(ref);
    return states.map(({ at, prints }) => ({ at, texts: mapped(prints, (print) => texts[print] ?? '') })).toReversed();
  }

  async remember(ref: TemplateRef, texts: Texts): Promise<void> {
    const prints = mapped(texts, printOf);
    if (this.#last.get(this.#fileOf(ref)) === JSON.stringify(prints)) return;
    await this.#change(ref, (stored) => {
      if (lastOf(stored) === JSON.stringify(prints)) return stored;
      const known = {
        ...stored.texts,
        ...Object.fromEntries(Object.entries(texts).map(([field, text]) => [prints[field] ?? '', text])),
      };
      return capped({ ...stored, states: [...stored.states, { at: this.#now(), prints }], texts: known });
    });
  }

  async text(ref: TemplateRef, _field: string, print: string): Promise<string | undefined> {
    return (await this.#read(ref)).texts[print];
  }

  async sending(ref: TemplateRef, fields: Texts): Promise<() => Promise<void>> {
    const name = `${SENT_FOLDER}/${this.#nameOf(ref)}.${this.#now()}.${randomUUID()}.json`;
    await this.#storage.write(name, JSON.stringify(mapped(fields, printOf)));
    return () => this.#storage.delete(name);
  }

  async lost(ref: TemplateRef): Promise<ReadonlyMap<string, readonly string[]>> {
    const lost = new Map<string, string[]>();
    for (const file of await this.#storage.list(SENT_FOLDER)) {
      const name = `${SENT_FOLDER}/${file}`;
      const [template, at] = file.split('.');
      if (this.#now() - Number(at) >= LOST_MS) await this.#storage.delete(name);
      else if (template === this.#nameOf(ref)) {
        for (const [field, print] of Object.entries(parsedOr<Texts>({}, await this.#storage.read(name)))) {
          lost.set(field, [...(lost.get(field) ?? []), print]);
        }
      }
    }
    return lost;
  }

  #read(ref: TemplateRef): Promise<Stored> {
    return this.#change(ref, (stored) => stored);
  }

  /** Writes what is different. Tasks on one file follow each other. */
  #change(ref: TemplateRef, change: (stored: Stored) => Stored): Promise<Stored> {
    const name = this.#fileOf(ref);
    const task = async (before: Stored): Promise<Stored> => {
      const after = change(before);
      if (after !== before) await this.#storage.write(name, JSON.stringify(after));
      this.#last.set(name, lastOf(after));
      return after;
    };
    const tail = (this.#tails.get(name) ?? this.#storage.read(name).then((text) => parsedOr(nothing, text))).then(task);
    this.#tails.set(name, tail);
    // The texts stay on the disk, and not in memory too.
    const end = (): unknown => this.#tails.get(name) === tail && this.#tails.delete(name);
    void tail.then(end, end);
    return tail;
  }

  #fileOf(ref: TemplateRef): string {
    return `${this.#nameOf(ref)}.json`;
  }

  #nameOf({ connection, id }: TemplateRef): string {
    return createHash('sha256')
      .update(`${this.#serviceOf(connection)} ${id}`)
      .digest('base64url');
  }
}

function parsedOr<T extends object>(fallback: T, text: string | undefined): T {
  try {
    return text === undefined ? fallback : { ...fallback, ...(JSON.parse(text) as T) };
  } catch {
    return fallback;
  }
}

function capped({ states, texts }: Stored): Stored {
  let kept = states.slice(-mostStates);
  const used = (): Set<string> => new Set(kept.flatMap(({ prints }) => Object.values(prints)));
  const size = (): number => [...used()].reduce((sum, print) => sum + (texts[print]?.length ?? 0), 0);
  while (kept.length > 1 && size() > mostText) kept = kept.slice(1);
  const needed = used();
  return { states: kept, texts: Object.fromEntries(Object.entries(texts).filter(([print]) => needed.has(print))) };
}

function lastOf({ states }: Stored): string {
  return JSON.stringify(states.at(-1)?.prints);
}

function mapped(texts: Texts, map: (text: string) => string): Texts {
  return Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, map(text)]));
}
