import { isApiError } from '../service/client/errors.ts';
import type { FieldTexts } from './fields.ts';
import { SerialQueue } from './exclusive.ts';
import type { Target } from './mapping.ts';
import { Sync, type CompareOptions, type SyncParts, type TemplateComparison } from './sync.ts';

/** Up to this number of templates per connection, each is read on its own. Above it, the pages of the whole collection are read. */
const MAX_SINGLE_READS = 10;
const MAX_CONCURRENT_COMPARISONS = 16;

/** The result of the last comparison of a template on one connection. */
export type ComparisonStatus =
  | { readonly kind: 'compared'; readonly comparison: TemplateComparison }
  /** The service has no template with this id. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'failed'; readonly error: Error };

/** Compares the templates of a folder with their services and keeps the last result of each. */
export class Comparisons {
  readonly sync: Sync;
  readonly #parts: SyncParts;
  /** Versions are stored one after the other in the background, so that few files are open at once. */
  readonly #storing = new SerialQueue();
  readonly #statuses = new Map<string, ComparisonStatus>();
  /** The last texts read from the service. Has no entry after a failed read or an unconfirmed response. */
  readonly #remote = new Map<string, FieldTexts>();

  constructor(parts: SyncParts) {
    this.#parts = parts;
    const { remote } = parts;
    this.sync = new Sync({
      ...parts,
      remote: {
        ...remote,
        read: async (target, signal) => {
          this.#remote.delete(targetKey(target));
          const texts = await remote.read(target, signal);
          this.#remote.set(targetKey(target), texts);
          return texts;
        },
        store: async (target, decide) => {
          this.#remote.delete(targetKey(target));
          const outcome = await remote.store(target, decide);
          if (outcome.after !== undefined) this.#remote.set(targetKey(target), outcome.after);
          return outcome;
        },
      },
    });
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
    const readLock = this.#parts.lock.createCachedReader();
    await Promise.all(
      connections.map(async (connection) => {
        const wanted = targets.filter((target) => target.connection === connection);
        const pool = new ComparisonPool(({ target, remote }) =>
          this.#compare(target, {
            remote,
            readLock,
            signal,
            storeVersion: (texts) => void this.#storing.run(() => this.#parts.revisions.add(target, texts)),
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
    const readLock = this.#parts.lock.createCachedReader();
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
      await this.#parts.remote.readAll(
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
      if (isCanceled(error, signal)) throw error;
      // The templates are then read individually, which reports the error for each.
    }
    return wanted.filter((target) => !found.has(target));
  }

  async #compare(target: Target, options: CompareOptions): Promise<void> {
    if (options.remote !== undefined) this.#remote.set(targetKey(target), options.remote);
    try {
      const comparison = await this.sync.compare(target, options);
      this.#statuses.set(targetKey(target), { kind: 'compared', comparison });
    } catch (error) {
      if (isCanceled(error, options.signal)) throw error;
      const isDeleted = isApiError(error) && error.kind === 'notFound';
      this.#statuses.set(
        targetKey(target),
        isDeleted
          ? { kind: 'deleted' }
          : { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) },
      );
    }
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

function isCanceled(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || (isApiError(error) && error.kind === 'aborted');
}

export function targetKey({ template, connection, id }: Target): string {
  return JSON.stringify([template.folder, connection, id]);
}
