import { parseBaseUrl } from './url.ts';

/** The part of `vscode.SecretStorage` that keys need. */
export interface Secrets {
  keys(): PromiseLike<string[]>;
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

const getKeyPrefix = (id: string): string => `apiKey/${id}@`;

/**
 * The name a connection's key is stored under: its id and the normal form of its address. A connection redefined with another
 * address (by a workspace's settings, say) so has no key, and none is sent there.
 */
export function getKeyName(id: string, baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) throw new TypeError(parsed.problem);
  return getKeyPrefix(id) + parsed.url;
}

/** The id a stored key belongs to, or nothing where the name isn't a key's. */
export function parseConnectionId(name: string): string | undefined {
  return /^apiKey\/([^@]+)@/.exec(name)?.[1];
}

/** The API keys, in the system's secret store and nowhere else. Read once, then kept in memory until they change. */
export class ApiKeys {
  readonly #secrets: Secrets;
  readonly #cache = new Map<string, Promise<string | undefined>>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  get(id: string, baseUrl: string): Promise<string | undefined> {
    const name = getKeyName(id, baseUrl);
    const known = this.#cache.get(name);
    if (known) return known;
    const reading = Promise.resolve(this.#secrets.get(name)).then((key) => (key === '' ? undefined : key));
    this.#cache.set(name, reading);
    // A secret store that fails now (locked, say) may answer the next time.
    reading.catch(() => this.#cache.delete(name));
    return reading;
  }

  async set(id: string, baseUrl: string, key: string): Promise<void> {
    const name = getKeyName(id, baseUrl);
    await this.#secrets.store(name, key);
    this.#cache.set(name, Promise.resolve(key));
  }

  /** Deletes the key stored for one address of a connection. */
  async delete(id: string, baseUrl: string): Promise<void> {
    const name = getKeyName(id, baseUrl);
    await this.#secrets.delete(name);
    this.#cache.set(name, Promise.resolve(undefined));
  }

  /** Deletes every key of a connection, also those of addresses it had before, but for those that are still in use. */
  async deleteAll(id: string, stillUsed: readonly string[] = []): Promise<void> {
    const kept = stillUsed.map((baseUrl) => getKeyName(id, baseUrl));
    for (const name of await this.#secrets.keys()) {
      if (!name.startsWith(getKeyPrefix(id)) || kept.includes(name)) continue;
      await this.#secrets.delete(name);
      this.#cache.set(name, Promise.resolve(undefined));
    }
  }

  /**
   * To be called when the secret store says that an entry changed, in this window or another. True where it holds another key than
   * the one that was in use: what this window stored itself is no news.
   */
  async refresh(name: string): Promise<boolean> {
    const known = this.#cache.get(name);
    if (!known) return false;
    const now = Promise.resolve(this.#secrets.get(name));
    const [before, after] = await Promise.all([known, now]);
    if (before === after || this.#cache.get(name) !== known) return false;
    this.#cache.set(name, now);
    return true;
  }
}
