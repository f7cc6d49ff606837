import type { RecordedRequest } from './model.ts';

/** Limits of the log. */
const MAX_REQUESTS = 2000;
const MAX_STORED_BODY_CHARS = 16 * 1024 * 1024;

/** An entry that is updated while the request is processed. */
export type MutableRequest = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

/** The newest requests, oldest first, limited in number and body size. */
export class RequestLog {
  readonly entries: MutableRequest[] = [];
  readonly #sizes = new Map<MutableRequest, number>();
  #characters = 0;
  #number = 0;

  add(request: Omit<MutableRequest, 'number' | 'body' | 'status' | 'fault'>): MutableRequest {
    const entry: MutableRequest = {
      ...request,
      number: (this.#number += 1),
      body: undefined,
      status: null,
      fault: null,
    };
    this.entries.push(entry);
    if (this.entries.length > MAX_REQUESTS) this.#dropBody(this.entries.shift());
    return entry;
  }

  /** Stores a body and drops the oldest bodies if necessary. */
  storeBody(entry: MutableRequest, body: unknown, characters: number): void {
    entry.body = body;
    this.#sizes.set(entry, characters);
    this.#characters += characters;
    for (const old of this.#sizes.keys()) {
      if (this.#characters <= MAX_STORED_BODY_CHARS || old === entry) break;
      this.#dropBody(old);
    }
  }

  clear(): void {
    this.entries.length = 0;
    this.#sizes.clear();
    this.#characters = 0;
    this.#number = 0;
  }

  #dropBody(entry: MutableRequest | undefined): void {
    if (!entry) return;
    this.#characters -= this.#sizes.get(entry) ?? 0;
    this.#sizes.delete(entry);
    entry.body = undefined;
  }
}
