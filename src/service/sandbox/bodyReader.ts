import type { IncomingMessage } from 'node:http';

/** Bytes of a request's body, and of all bodies that are read at one time, at most. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
export const MAX_CONCURRENT_BODY_BYTES = 32 * 1024 * 1024;

/** A body as text, or the status and the message that answer it where it is not read to its end. */
export type RequestBody = { readonly text: string } | { readonly status: 413 | 503; readonly message: string };

const tooLarge = { status: 413, message: 'Request entity too large.' } as const;
const busy = { status: 503, message: 'Too much is sent at once.' } as const;

/** Reads requests' bodies, and holds no more of them than it may. */
export class BodyReader {
  readonly #maxBytes: number;
  #bufferedBytes = 0;

  constructor(largest = MAX_BODY_BYTES) {
    this.#maxBytes = largest;
  }

  /**
   * Rejects where the request breaks off. What is not taken is thrown away as it comes: to end the connection would take the answer with
   * it.
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
      // Without this, to stop reading would end the connection.
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
