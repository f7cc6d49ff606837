import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listen } from './listen.ts';

/** A request as received. */
export interface WireRequest {
  /** All bytes before the body, as text. */
  readonly head: string;
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  /** Names with the received case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Index of the connection. */
  readonly connection: number;
}

/** Response bytes, or a function that handles the connection. */
export type Reply = string | Buffer | ((socket: Socket, request: WireRequest) => void);

const reasonPhrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  404: 'Not Found',
  500: 'Internal Server Error',
};

/** Creates an HTTP/1.1 response that keeps the connection open. */
export function respond(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ 'Content-Length': String(bytes.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} ${reasonPhrases[status] ?? 'Status'}\r\n${lines.join('')}\r\n`),
    bytes,
  ]);
}

/** Creates a JSON response. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  return respond(status, JSON.stringify(value), { 'Content-Type': 'application/json', ...headers });
}

/** A TCP server that records the bytes of each request and sends arbitrary responses, which an HTTP server would not allow. */
export class WireServer {
  readonly requests: WireRequest[] = [];
  /** Number of accepted connections. */
  connections = 0;
  port = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #secure: boolean;
  readonly #reply: (request: WireRequest, index: number) => Reply;

  private constructor(
    reply: (request: WireRequest, index: number) => Reply,
    tls: { readonly key: string; readonly cert: string } | undefined,
  ) {
    this.#reply = reply;
    this.#secure = tls !== undefined;
    this.#server =
      tls === undefined
        ? createServer((socket) => this.#handleConnection(socket))
        : createTlsServer(tls, (socket) => this.#handleConnection(socket));
    this.#server.on('tlsClientError', () => undefined);
    // With TLS, this event precedes the handshake, which may never finish.
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** Starts on a free local port. `reply` is called for each request with its index. */
  static async start(
    reply: (request: WireRequest, index: number) => Reply,
    tls?: { readonly key: string; readonly cert: string },
  ): Promise<WireServer> {
    const server = new WireServer(reply, tls);
    server.port = await listen(server.#server);
    return server;
  }

  get url(): string {
    return `${this.#secure ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handleConnection(socket: Socket) {
    const connection = this.connections++;
    let pending = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const end = pending.indexOf('\r\n\r\n');
        if (end < 0) return;
        const head = pending.subarray(0, end).toString('latin1');
        const [start = '', ...lines] = head.split('\r\n');
        const headers = new Map(
          lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
        );
        const length = Number([...headers].find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
        if (pending.length < end + 4 + length) return;
        const body = pending.subarray(end + 4, end + 4 + length).toString('utf8');
        pending = pending.subarray(end + 4 + length);
        const [method = '', target = ''] = start.split(' ');
        const request: WireRequest = { head, method, target, headers, body, connection };
        this.requests.push(request);
        const reply = this.#reply(request, this.requests.length - 1);
        if (typeof reply === 'function') reply(socket, request);
        else socket.write(reply);
      }
    });
  }
}
