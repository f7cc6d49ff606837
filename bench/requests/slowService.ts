import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the service. Times are in ms. */
export interface Asked {
  readonly operation: string;
  readonly began: number;
  /** Time at which the response was sent; undefined until then. */
  readonly ended: number | undefined;
}

/** A proxy that delays every response of a service. */
export class SlowService {
  readonly asked: { readonly operation: string; readonly began: number; ended: number | undefined }[] = [];
  readonly #target: number;
  readonly #delayMs: number;
  readonly #server: Server;

  /**
   * @param target port of the service on this machine
   * @param delayMs how long each answer takes
   */
  constructor(target: number, delayMs: number) {
    this.#target = target;
    this.#delayMs = delayMs;
    this.#server = createServer((asked, answer) => this.#handle(asked, answer));
  }

  /** Starts the proxy and returns its URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = asked;
    const operation = new URL(url, 'http://service').searchParams.get('task') ?? url;
    const entry: (typeof this.asked)[number] = { operation, began: performance.now(), ended: undefined };
    this.asked.push(entry);
    answer.on('finish', () => {
      entry.ended = performance.now();
    });
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      setTimeout(() => {
        const inner = request({ port: this.#target, host: '127.0.0.1', method, path: url, headers }, (reply) => {
          answer.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(answer);
        });
        inner.on('error', () => answer.destroy());
        inner.end(Buffer.concat(chunks));
      }, this.#delayMs);
    });
  }
}

/** Returns the length of the longest chain of requests that waited for each other. 1 if all were sent at once. */
export function depthOf(asked: readonly Asked[]): number {
  const depths = new Map<Asked, number>();
  for (const one of [...asked].sort((a, b) => a.began - b.began)) {
    const before = asked.filter(({ ended = Infinity }) => ended <= one.began).map((other) => depths.get(other) ?? 0);
    depths.set(one, 1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths.values());
}
