import type * as vscode from 'vscode';
import { parseBaseUrl } from '../../service/client/address.ts';

export type Secrets = Pick<vscode.SecretStorage, 'keys' | 'get' | 'store' | 'delete'>;

const getKeyPrefix = (id: string) => `apiKey/${id}@`;

/**
 * Returns the storage name of a connection's key: its id and normalized address. If settings (such as a workspace's) redefine the address,
 * the connection has no key, and none is sent there.
 */
export function getKeyName(id: string, baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) throw new TypeError(parsed.problem);
  return getKeyPrefix(id) + parsed.url;
}

/** Returns the id of the connection that a stored key belongs to, or undefined for other names. */
export function parseConnectionId(name: string): string | undefined {
  return /^apiKey\/([^@]+)@/.exec(name)?.[1];
}

/** The API keys in the secret store. Each is read once and cached until it changes. */
export class ApiKeys {
  readonly #secrets: Secrets;
  readonly #cache = new Map<string, Promise<string | undefined>>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  get(id: string, baseUrl: string): Promise<string | undefined> {
    const name = getKeyName(id, baseUrl);
    return this.#cache.get(name) ?? this.#read(name);
  }

  async set(id: string, baseUrl: string, key: string): Promise<void> {
    const name = getKeyName(id, baseUrl);
    await this.#secrets.store(name, key);
    this.#cache.set(name, Promise.resolve(key));
  }

  /** Deletes the key for one address of a connection. */
  delete(id: string, baseUrl: string): Promise<void> {
    return this.#delete(getKeyName(id, baseUrl));
  }

  /** Deletes all keys of a connection, including those for earlier addresses, but not those in `stillUsed`. */
  async deleteAll(id: string, stillUsed: readonly string[] = []): Promise<void> {
    const keptNames = stillUsed.map((baseUrl) => getKeyName(id, baseUrl));
    for (const name of await this.#secrets.keys())
      if (name.startsWith(getKeyPrefix(id)) && !keptNames.includes(name)) await this.#delete(name);
  }

  /**
   * Reads a key again after the secret store reported a change, from this or another window. Returns whether the key differs from the
   * cached one, or can't be read.
   */
  async refresh(name: string): Promise<boolean> {
    const cached = this.#cache.get(name);
    if (!cached) return false;
    const reading = this.#read(name);
    const [before, after] = await Promise.all([cached, reading].map((key) => key.catch(() => null)));
    // A key that this window stored meanwhile is reported by itself.
    return before !== after && [reading, undefined].includes(this.#cache.get(name));
  }

  #read(name: string) {
    const reading = Promise.resolve(this.#secrets.get(name)).then((key) => (key === '' ? undefined : key));
    this.#cache.set(name, reading);
    // If reading fails (such as for a locked store), the next call tries again.
    reading.catch(() => this.#cache.get(name) === reading && this.#cache.delete(name));
    return reading;
  }

  async #delete(name: string) {
    await this.#secrets.delete(name);
    this.#cache.set(name, Promise.resolve(undefined));
  }
}
