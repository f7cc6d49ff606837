import type { Secrets } from '../../../src/platform/connections/keys.ts';

/** A secret store in memory that counts reads and can delay them. */
export class MemorySecrets implements Secrets {
  readonly stored = new Map<string, string>();
  reads = 0;
  gate: Promise<void> = Promise.resolve();
  keys = () => Promise.resolve([...this.stored.keys()]);
  async get(key: string): Promise<string | undefined> {
    this.reads += 1;
    await this.gate;
    return this.stored.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    this.stored.set(key, value);
  }
  async delete(key: string): Promise<void> {
    this.stored.delete(key);
  }
}
