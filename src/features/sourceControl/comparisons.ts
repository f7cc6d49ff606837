import { isApiError } from '../../service/client/errors.ts';
import { errorText, isCancelled } from '../../platform/ui/errors.ts';
import type { FieldTexts } from './fields.ts';
import {
  Sync,
  type LocalTemplates,
  type LockFile,
  type Comparison,
  type CompareOptions,
  type Merge,
  type VersionStore,
  type RemoteTemplates,
  type Target,
} from './sync.ts';
import { SerialQueue } from './serialQueue.ts';

/** So many templates of a connection are read one by one; of more, the service is asked for pages of all. */
const MAX_SINGLE_READS = 10;
/** Templates whose files are read at the same time, at most. */
const MAX_CONCURRENT_COMPARISONS = 16;

/** What is known of a template on one connection. */
export type ComparisonStatus =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  /** It was deleted on the service, or never was there. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'failed'; readonly message: string };

/** The services' side, which also gives all templates of a connection. */
export interface RemoteTemplateSource extends RemoteTemplates {
  /**
   * Reads pages of all templates of a connection, until `take` says that it has what it wanted.
   * @param take gets an id, and its texts where the page has them all. Resolves with whether that was the last one
   */
  readAll(
    connection: string,
    take: (id: number, texts: FieldTexts | undefined) => Promise<boolean>,
    signal?: AbortSignal,
  ): Promise<void>;
}

/** What is known of the templates of a folder on their services. */
export class Comparisons {
  readonly sync: Sync;
  readonly #services: RemoteTemplateSource;
  readonly #lock: LockFile;
  readonly #versions: VersionStore;
  /** What was seen is kept one after the other: nobody waits for it, and it opens few files. */
  readonly #storing = new SerialQueue();
  readonly #statuses = new Map<string, ComparisonStatus>();
  /** What each template was last seen to be on its service; nothing after a read that failed, or an answer that was lost. */
  readonly #remote = new Map<string, FieldTexts>();

  constructor(
    folder: LocalTemplates,
    services: RemoteTemplateSource,
    lock: LockFile,
    seen: VersionStore,
    merge: Merge,
  ) {
    this.#services = services;
    this.#lock = lock;
    this.#versions = seen;
    const noted: RemoteTemplates = {
      read: (target, signal) => this.#trackRemote(target, () => services.read(target, signal)),
      store: (target, selectFields) => this.#trackRemote(target, () => services.store(target, selectFields)),
    };
    this.sync = new Sync(folder, noted, lock, seen, merge);
  }

  getStatus(target: Target): ComparisonStatus | undefined {
    return this.#statuses.get(targetKey(target));
  }

  /** Whether it is known what a service has. */
  hasRemote(target: Target): boolean {
    return this.#remote.has(targetKey(target));
  }

  /** Forgets all templates but these. */
  retain(targets: readonly Target[]): void {
    const keys = new Set(targets.map(targetKey));
    for (const kept of [this.#statuses, this.#remote])
      for (const key of kept.keys()) if (!keys.has(key)) kept.delete(key);
  }

  /** Looks at both sides of templates. What can't be read is told for itself. */
  async refresh(targets: readonly Target[], signal?: AbortSignal): Promise<void> {
    const connections = [...new Set(targets.map(({ connection }) => connection))];
    const lock = this.#lock.createCachedReader();
    await Promise.all(
      connections.map(async (connection) => {
        const wanted = targets.filter((target) => target.connection === connection);
        const looks = new ComparisonPool(({ target, remote }) =>
          this.#compare(target, {
            remote,
            lock,
            signal,
            storeVersion: (texts) => void this.#storing.run(() => this.#versions.add(target, texts)),
          }),
        );
        const left =
          wanted.length > MAX_SINGLE_READS ? await this.#compareAll(connection, wanted, looks, signal) : wanted;
        await looks.end();
        for (const target of left) await this.#compare(target, { lock, signal });
      }),
    );
  }

  /** Ends when all that was seen of the services is kept. */
  async whenStored(): Promise<void> {
    await this.#storing.run(() => Promise.resolve());
  }

  /** Compares the files with what was read of the services last. */
  async compareAgain(targets: readonly Target[]): Promise<void> {
    const lock = this.#lock.createCachedReader();
    const looks = new ComparisonPool(({ target, remote }) =>
      this.#compare(target, { remote, lock, storeVersion: () => undefined }),
    );
    for (const target of targets) {
      const remote = this.#remote.get(targetKey(target));
      if (remote !== undefined) await looks.add({ target, remote });
    }
    await looks.end();
  }

  /** Looks at templates as they come in pages of all, while the next page is read. Resolves with those that no page had. */
  async #compareAll(
    connection: string,
    wanted: readonly Target[],
    looks: ComparisonPool,
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

  async #compare(target: Target, looking: CompareOptions): Promise<void> {
    if (looking.remote !== undefined) this.#remote.set(targetKey(target), looking.remote);
    try {
      const look = await this.sync.compare(target, looking);
      this.#statuses.set(targetKey(target), { kind: 'compared', comparison: look });
    } catch (error) {
      if (isCancelled(error)) throw error;
      const isGone = isApiError(error) && error.kind === 'notFound';
      this.#statuses.set(
        targetKey(target),
        isGone ? { kind: 'deleted' } : { kind: 'failed', message: errorText(error) },
      );
    }
  }

  async #trackRemote(target: Target, ask: () => Promise<FieldTexts>): Promise<FieldTexts> {
    this.#remote.delete(targetKey(target));
    const texts = await ask();
    this.#remote.set(targetKey(target), texts);
    return texts;
  }
}

/** A template, and what its service has. */
interface ReadTemplate {
  readonly target: Target;
  readonly remote: FieldTexts;
}

/** Looks at templates, some at a time. */
class ComparisonPool {
  readonly #compare: (read: ReadTemplate) => Promise<void>;
  readonly #running = new Set<Promise<void>>();

  constructor(look: (read: ReadTemplate) => Promise<void>) {
    this.#compare = look;
  }

  /** Begins a look, and waits while there are too many. Rejects where one was cancelled. */
  async add(read: ReadTemplate): Promise<void> {
    while (this.#running.size >= MAX_CONCURRENT_COMPARISONS) await Promise.race(this.#running);
    const look = this.#compare(read).finally(() => this.#running.delete(look));
    this.#running.add(look);
    // Whoever waits for it gets its error.
    look.catch(() => undefined);
  }

  /** Waits for all that was begun. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }
}

export function targetKey({ template, connection, id }: Target): string {
  return JSON.stringify([template.folder, connection, id]);
}
