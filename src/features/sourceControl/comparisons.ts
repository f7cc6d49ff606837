import { isApiError } from '../../service/client/errors.ts';
import { errorText, isCanceled } from '../../platform/ui/errors.ts';
import type { FieldTexts } from './fields.ts';
import {
  Sync,
  type LocalTemplates,
  type LockFile,
  type TemplateComparison,
  type CompareOptions,
  type Merge,
  type VersionStore,
  type RemoteTemplates,
  type Target,
} from './sync.ts';
import { SerialQueue } from './serialQueue.ts';

/** Up to this number of templates per connection, each is read on its own. Above it, the pages of the whole collection are read. */
const MAX_SINGLE_READS = 10;
const MAX_CONCURRENT_COMPARISONS = 16;

/** The result of the last comparison of a template on one connection. */
export type ComparisonStatus =
  | { readonly kind: 'compared'; readonly comparison: TemplateComparison }
  /** The service has no template with this id. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'failed'; readonly message: string };

export interface RemoteTemplateSource extends RemoteTemplates {
  /**
   * Reads all templates of a connection page by page.
   * @param onTemplate receives an id, and the texts if the page has all of them. Resolves with true to stop reading
   */
  readAll(
    connection: string,
    onTemplate: (id: number, texts: FieldTexts | undefined) => Promise<boolean>,
    signal?: AbortSignal,
  ): Promise<void>;
}

/** Compares the templates of a folder with their services and keeps the last result of each. */
export class Comparisons {
  readonly sync: Sync;
  readonly #services: RemoteTemplateSource;
  readonly #lock: LockFile;
  readonly #versions: VersionStore;
  /** Versions are stored one after the other in the background, so that few files are open at once. */
  readonly #storing = new SerialQueue();
  readonly #statuses = new Map<string, ComparisonStatus>();
  /** The last texts read from the service. Has no entry after a failed read or an unconfirmed response. */
  readonly #remote = new Map<string, FieldTexts>();

  constructor(
    folder: LocalTemplates,
    services: RemoteTemplateSource,
    lock: LockFile,
    versions: VersionStore,
    merge: Merge,
  ) {
    this.#services = services;
    this.#lock = lock;
    this.#versions = versions;
    const tracked: RemoteTemplates = {
      read: (target, signal) => this.#trackRemote(target, () => services.read(target, signal)),
      store: (target, selectFields) => this.#trackRemote(target, () => services.store(target, selectFields)),
    };
    this.sync = new Sync(folder, tracked, lock, versions, merge);
  }

  getStatus(target: Target): ComparisonStatus | undefined {
    return this.#statuses.get(targetKey(target));
  }

  /** Returns whether the service's texts were read. */
  hasRemote(target: Target): boolean {
    return this.#remote.has(targetKey(target));
  }

  /** Removes the results of all other templates. */
  retain(targets: readonly Target[]): void {
    const keys = new Set(targets.map(targetKey));
    for (const map of [this.#statuses, this.#remote]) for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
  }

  /** Reads and compares both sides. A template that can't be read gets the status `failed`. */
  async refresh(targets: readonly Target[], signal?: AbortSignal): Promise<void> {
    const connections = [...new Set(targets.map(({ connection }) => connection))];
    const readLock = this.#lock.createCachedReader();
    await Promise.all(
      connections.map(async (connection) => {
        const wanted = targets.filter((target) => target.connection === connection);
        const pool = new ComparisonPool(({ target, remote }) =>
          this.#compare(target, {
            remote,
            readLock,
            signal,
            storeVersion: (texts) => void this.#storing.run(() => this.#versions.add(target, texts)),
          }),
        );
        const remaining =
          wanted.length > MAX_SINGLE_READS ? await this.#compareAll(connection, wanted, pool, signal) : wanted;
        await pool.end();
        for (const target of remaining) await this.#compare(target, { readLock, signal });
      }),
    );
  }

  /** Resolves when all versions read so far are stored. */
  async whenStored(): Promise<void> {
    await this.#storing.run(() => Promise.resolve());
  }

  /** Compares the files with the last texts read from the services. */
  async compareAgain(targets: readonly Target[]): Promise<void> {
    const readLock = this.#lock.createCachedReader();
    const pool = new ComparisonPool(({ target, remote }) =>
      this.#compare(target, { remote, readLock, storeVersion: () => undefined }),
    );
    for (const target of targets) {
      const remote = this.#remote.get(targetKey(target));
      if (remote !== undefined) await pool.add({ target, remote });
    }
    await pool.end();
  }

  /** Compares templates page by page, while the next page is read. Resolves with the templates that no page had in full. */
  async #compareAll(
    connection: string,
    wanted: readonly Target[],
    pool: ComparisonPool,
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
          // A page may leave fields out. Such a template is read on its own.
          if (target !== undefined && remote !== undefined) {
            found.add(target);
            await pool.add({ target, remote });
          }
          return missing.size === 0;
        },
        signal,
      );
    } catch (error) {
      if (isCanceled(error)) throw error;
      // The templates are then read one by one, which reports the error for each.
    }
    return wanted.filter((target) => !found.has(target));
  }

  async #compare(target: Target, options: CompareOptions): Promise<void> {
    if (options.remote !== undefined) this.#remote.set(targetKey(target), options.remote);
    try {
      const comparison = await this.sync.compare(target, options);
      this.#statuses.set(targetKey(target), { kind: 'compared', comparison });
    } catch (error) {
      if (isCanceled(error)) throw error;
      const isDeleted = isApiError(error) && error.kind === 'notFound';
      this.#statuses.set(
        targetKey(target),
        isDeleted ? { kind: 'deleted' } : { kind: 'failed', message: errorText(error) },
      );
    }
  }

  async #trackRemote(target: Target, request: () => Promise<FieldTexts>): Promise<FieldTexts> {
    this.#remote.delete(targetKey(target));
    const texts = await request();
    this.#remote.set(targetKey(target), texts);
    return texts;
  }
}

interface ReadTemplate {
  readonly target: Target;
  readonly remote: FieldTexts;
}

/** Runs a limited number of comparisons at the same time. */
class ComparisonPool {
  readonly #compare: (template: ReadTemplate) => Promise<void>;
  readonly #running = new Set<Promise<void>>();

  constructor(compare: (template: ReadTemplate) => Promise<void>) {
    this.#compare = compare;
  }

  /** Starts a comparison as soon as fewer than the limit are running. Rejects if a running one was canceled. */
  async add(template: ReadTemplate): Promise<void> {
    while (this.#running.size >= MAX_CONCURRENT_COMPARISONS) await Promise.race(this.#running);
    const comparison = this.#compare(template).finally(() => this.#running.delete(comparison));
    this.#running.add(comparison);
    // `add` and `end` report the error.
    comparison.catch(() => undefined);
  }

  /** Waits for all running comparisons. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }
}

export function targetKey({ template, connection, id }: Target): string {
  return JSON.stringify([template.folder, connection, id]);
}
