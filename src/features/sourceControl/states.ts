import { isApiError } from '../../service/client/errors.ts';
import { errorText, isCancelled } from '../../platform/ui/errors.ts';
import type { Texts } from './fields.ts';
import {
  Sync,
  type FolderSide,
  type LockFile,
  type Look,
  type Looking,
  type Merge,
  type Seen,
  type ServiceSide,
  type Target,
} from './sync.ts';
import { Turns } from './turns.ts';

/** So many templates of a connection are read one by one; of more, the service is asked for pages of all. */
const readSingly = 10;
/** Templates whose files are read at the same time, at most. */
const atOnce = 16;

/** What is known of a template on one connection. */
export type Known =
  | { readonly kind: 'looked'; readonly look: Look }
  /** It was deleted on the service, or never was there. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly message: string };

/** The services' side, which also gives all templates of a connection. */
export interface ServicesSide extends ServiceSide {
  /**
   * Reads pages of all templates of a connection, until `take` says that it has what it wanted.
   * @param take gets an id, and its texts where the page has them all. Resolves with whether that was the last one
   */
  readAll(
    connection: string,
    take: (id: number, texts: Texts | undefined) => Promise<boolean>,
    signal?: AbortSignal,
  ): Promise<void>;
}

/** What is known of the templates of a folder on their services. */
export class States {
  readonly sync: Sync;
  readonly #services: ServicesSide;
  readonly #lock: LockFile;
  readonly #seen: Seen;
  /** What was seen is kept one after the other: nobody waits for it, and it opens few files. */
  readonly #keeping = new Turns();
  readonly #known = new Map<string, Known>();
  /** What each template was last seen to be on its service; nothing after a read that failed, or an answer that was lost. */
  readonly #remote = new Map<string, Texts>();

  constructor(folder: FolderSide, services: ServicesSide, lock: LockFile, seen: Seen, merge: Merge) {
    this.#services = services;
    this.#lock = lock;
    this.#seen = seen;
    const noted: ServiceSide = {
      read: (target, signal) => this.#noted(target, () => services.read(target, signal)),
      store: (target, fieldsFor) => this.#noted(target, () => services.store(target, fieldsFor)),
    };
    this.sync = new Sync(folder, noted, lock, seen, merge);
  }

  known(target: Target): Known | undefined {
    return this.#known.get(keyOf(target));
  }

  /** Whether it is known what a service has. */
  isRead(target: Target): boolean {
    return this.#remote.has(keyOf(target));
  }

  /** Forgets all templates but these. */
  keep(targets: readonly Target[]): void {
    const keys = new Set(targets.map(keyOf));
    for (const kept of [this.#known, this.#remote]) for (const key of kept.keys()) if (!keys.has(key)) kept.delete(key);
  }

  /** Looks at both sides of templates. What can't be read is told for itself. */
  async refresh(targets: readonly Target[], signal?: AbortSignal): Promise<void> {
    const connections = [...new Set(targets.map(({ connection }) => connection))];
    const lock = this.#lock.shared();
    await Promise.all(
      connections.map(async (connection) => {
        const wanted = targets.filter((target) => target.connection === connection);
        const looks = new Looks(({ target, remote }) =>
          this.#look(target, {
            remote,
            lock,
            signal,
            remember: (texts) => void this.#keeping.next(() => this.#seen.remember(target, texts)),
          }),
        );
        const left = wanted.length > readSingly ? await this.#lookAtAll(connection, wanted, looks, signal) : wanted;
        await looks.end();
        for (const target of left) await this.#look(target, { lock, signal });
      }),
    );
  }

  /** Ends when all that was seen of the services is kept. */
  async kept(): Promise<void> {
    await this.#keeping.next(() => Promise.resolve());
  }

  /** Compares the files with what was read of the services last. */
  async compareAgain(targets: readonly Target[]): Promise<void> {
    const lock = this.#lock.shared();
    const looks = new Looks(({ target, remote }) => this.#look(target, { remote, lock, remember: () => undefined }));
    for (const target of targets) {
      const remote = this.#remote.get(keyOf(target));
      if (remote !== undefined) await looks.add({ target, remote });
    }
    await looks.end();
  }

  /** Looks at templates as they come in pages of all, while the next page is read. Resolves with those that no page had. */
  async #lookAtAll(
    connection: string,
    wanted: readonly Target[],
    looks: Looks,
    signal?: AbortSignal,
  ): Promise<readonly Target[]> {
    const missing = new Map(wanted.map((target) => [target.id, target]));
    const found = new Set<Target>();
    try {
      await this.#services.readAll(
        connection,
        async (id, remote) => {
          const target = missing.get(id);
          missing.delete(id);
          // A service may give less of a record in its pages: that one is read by itself.
          if (target !== undefined && remote !== undefined) {
            found.add(target);
            await looks.add({ target, remote });
          }
          return missing.size === 0;
        },
        signal,
      );
    } catch (error) {
      if (isCancelled(error)) throw error;
      // Why it fails is told for each template.
    }
    return wanted.filter((target) => !found.has(target));
  }

  async #look(target: Target, looking: Looking): Promise<void> {
    if (looking.remote !== undefined) this.#remote.set(keyOf(target), looking.remote);
    try {
      const look = await this.sync.look(target, looking);
      this.#known.set(keyOf(target), { kind: 'looked', look });
    } catch (error) {
      if (isCancelled(error)) throw error;
      const isGone = isApiError(error) && error.kind === 'notFound';
      this.#known.set(keyOf(target), isGone ? { kind: 'gone' } : { kind: 'failed', message: errorText(error) });
    }
  }

  async #noted(target: Target, ask: () => Promise<Texts>): Promise<Texts> {
    this.#remote.delete(keyOf(target));
    const texts = await ask();
    this.#remote.set(keyOf(target), texts);
    return texts;
  }
}

/** A template, and what its service has. */
interface Read {
  readonly target: Target;
  readonly remote: Texts;
}

/** Looks at templates, some at a time. */
class Looks {
  readonly #look: (read: Read) => Promise<void>;
  readonly #running = new Set<Promise<void>>();

  constructor(look: (read: Read) => Promise<void>) {
    this.#look = look;
  }

  /** Begins a look, and waits while there are too many. Rejects where one was cancelled. */
  async add(read: Read): Promise<void> {
    while (this.#running.size >= atOnce) await Promise.race(this.#running);
    const look = this.#look(read).finally(() => this.#running.delete(look));
    this.#running.add(look);
    // Whoever waits for it gets its error.
    look.catch(() => undefined);
  }

  /** Waits for all that was begun. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }
}

export function keyOf({ template, connection, id }: Target): string {
  return JSON.stringify([template.folder, connection, id]);
}
