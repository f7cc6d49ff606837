import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from './listen.ts';

/** A request that the proxy received. */
export interface ProxiedRequest {
  readonly method: string;
  /** `host:port` for CONNECT, otherwise an absolute URL. */
  readonly target: string;
  /** `name: value` lines with the received case. */
  readonly headers: string;
  readonly authorization: string | undefined;
}

export interface ForwardProxyOptions {
  /** `user:password`. Default: no authentication. */
  readonly credentials?: string;
  /** Local ports by requested `host:port` or `host`. Others get 502 with a page. */
  readonly routes: Readonly<Record<string, number>>;
  /** Replaces the handling of CONNECT. */
  readonly onConnect?: (socket: Duplex) => void;
  /** Serves the proxy over TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

const badGateway = '<html><body><h1>502 Bad Gateway</h1>The proxy could not connect.</body></html>';

/** A forward proxy with CONNECT, absolute URLs and optional Basic authentication. Records its requests. */
export class ForwardProxy {
  readonly requests: ProxiedRequest[] = [];
  /** Bytes that clients sent through tunnels. */
  readonly tunneledBytes: Buffer[] = [];
  connections = 0;
  port = 0;
  readonly #options: ForwardProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(options: ForwardProxyOptions) {
    this.#options = options;
    const answer = (message: IncomingMessage, response: ServerResponse) => this.#forward(message, response);
    this.#server = options.tls === undefined ? createServer(answer) : createSecureServer(options.tls, answer);
    this.#server.on('connect', (message: IncomingMessage, socket: Duplex, first: Buffer) =>
      this.#tunnel(message, socket, first),
    );
    this.#server.on('connection', (socket: Socket) => this.#trackSocket(socket));
    this.#server.on(options.tls === undefined ? 'connection' : 'secureConnection', () => {
      this.connections += 1;
    });
  }

  static async start(options: ForwardProxyOptions): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(options);
    proxy.port = await listen(proxy.#server);
    return proxy;
  }

  /** URL of the proxy, with optional escaped user info. */
  url(userInfo = ''): string {
    const at = userInfo === '' ? '' : `${userInfo}@`;
    return this.#options.tls === undefined
      ? `http://${at}127.0.0.1:${this.port}`
      : `https://${at}localhost:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #trackSocket(socket: Socket) {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }

  /** Records a request. Returns false if its credentials are invalid. */
  #authorize(message: IncomingMessage) {
    const { method = '', url = '', rawHeaders } = message;
    const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
    const authorization = message.headers['proxy-authorization'];
    this.requests.push({ method, target: url, headers: pairs.join('\r\n'), authorization });
    const { credentials } = this.#options;
    return credentials === undefined || authorization === `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  #forward(message: IncomingMessage, response: ServerResponse) {
    if (!this.#authorize(message)) {
      response
        .writeHead(407, { 'Proxy-Authenticate': 'Basic realm="Company"', 'Content-Type': 'text/html' })
        .end('<h1>Proxy authentication required</h1>');
      return;
    }
    const url = new URL(message.url ?? '');
    const port = this.#options.routes[url.host];
    if (port === undefined) {
      response.writeHead(502, { 'Content-Type': 'text/html' }).end(badGateway);
      return;
    }
    const headers = message.rawHeaders.flatMap((name, index) =>
      index % 2 === 0 && !/^proxy-/i.test(name) ? [[name, message.rawHeaders[index + 1] ?? ''] as const] : [],
    );
    const forwarded = forward(
      { host: '127.0.0.1', port, method: message.method, path: url.pathname + url.search, headers: headers.flat() },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    forwarded.on('error', () => response.destroy());
    message.pipe(forwarded);
  }

  #tunnel(message: IncomingMessage, socket: Duplex, first: Buffer) {
    socket.on('error', () => undefined);
    const isAdmitted = this.#authorize(message);
    const { onConnect, routes } = this.#options;
    if (onConnect !== undefined) return onConnect(socket);
    if (!isAdmitted) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="Company"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const port = routes[message.url ?? ''];
    if (port === undefined) {
      socket.end(
        `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: ${badGateway.length}\r\n\r\n${badGateway}`,
      );
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(first);
      socket.on('data', (chunk: Buffer) => this.tunneledBytes.push(chunk));
      socket.pipe(target).pipe(socket);
    });
    this.#trackSocket(target);
  }
}
