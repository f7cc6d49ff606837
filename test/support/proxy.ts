import { createServer, request as forward } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request as a proxy got it. */
export interface ProxiedRequest {
  readonly method: string;
  /** `host:port` of CONNECT, an absolute address else. */
  readonly target: string;
  /** Names with the case they were sent in, as `name: value` lines. */
  readonly headers: string;
  readonly authorization: string | undefined;
}

export interface ForwardProxyOptions {
  /** `user:password`; left out: the proxy asks for none. */
  readonly credentials?: string;
  /** Ports of this machine, by the `host:port` or `host` that is asked for. Others can't be reached: 502, with a page. */
  readonly routes: Readonly<Record<string, number>>;
  /** What is done with a CONNECT instead of what it asks for. */
  readonly onConnect?: (socket: Duplex) => void;
  /** The proxy itself is reached over TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

const badGateway = '<html><body><h1>502 Bad Gateway</h1>The proxy could not connect.</body></html>';

/** A forward proxy as companies have them: CONNECT and absolute addresses, with or without Basic authentication. Records what it gets. */
export class ForwardProxy {
  readonly requests: ProxiedRequest[] = [];
  /** Bytes that clients sent through tunnels. */
  readonly tunneledBytes: Buffer[] = [];
  connections = 0;
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
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Its address, with user name and password as they are to be written in it. */
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

  #trackSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }

  /** Records a request. False where it has not the right credentials. */
  #authorize(message: IncomingMessage): boolean {
    const { method = '', url = '', rawHeaders } = message;
    const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
    const authorization = message.headers['proxy-authorization'];
    this.requests.push({ method, target: url, headers: pairs.join('\r\n'), authorization });
    const { credentials } = this.#options;
    return credentials === undefined || authorization === `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  #forward(message: IncomingMessage, response: ServerResponse): void {
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
    const onward = forward(
      { host: '127.0.0.1', port, method: message.method, path: url.pathname + url.search, headers: headers.flat() },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    message.pipe(onward);
  }

  #tunnel(message: IncomingMessage, socket: Duplex, first: Buffer): void {
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
