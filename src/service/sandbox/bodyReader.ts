import type { IncomingMessage } from 'node:http';

/** Limits for one request body, and for all bodies that are read concurrently. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
export const MAX_CONCURRENT_BODY_BYTES = 32 * 1024 * 1024;

/** A body, or the error response if it was not read completely. */
export type RequestBody = { readonly text: string } | { readonly status: 413 | 503; readonly message: string };

const tooLarge = { status: 413, message: 'Request entity too large.' } as const;
const busy = { status: 503, message: 'Too much is sent at once.' } as const;

/** Reads request bodies with bounded memory. */
export class BodyReader {
  readonly #maxBytes: number;
  #bufferedBytes = 0;

  constructor(largest = MAX_BODY_BYTES) {
    this.#maxBytes = largest;
  }

  /**
   * Rejects if the request is aborted. Discards the rest of a refused body instead of closing the connection, which would lose the
   * response.
   */
  async read(request: IncomingMessage): Promise<RequestBody> {
    const body =
      Number(request.headers['content-length'] ?? 0) > this.#maxBytes ? tooLarge : await this.#collect(request);
    if ('status' in body) request.resume();
    return body;
  }

  async #collect(request: IncomingMessage): Promise<RequestBody> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      // By default, leaving the loop would close the connection.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#bufferedBytes += chunk.length;
        if (size > this.#maxBytes) return tooLarge;
        if (this.#bufferedBytes > MAX_CONCURRENT_BODY_BYTES) return busy;
        chunks.push(chunk);
      }
      return { text: Buffer.concat(chunks).toString('utf8') };
    } finally {
      this.#bufferedBytes -= size;
    }
  }
}
