import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Collected {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Where a tracker would sit: notes every request and every connection, also one that asks for nothing. */
export interface Collector {
  readonly url: string;
  readonly requests: readonly Collected[];
  /** Connections that were opened so far. */
  readonly connections: number;
  forget(): void;
  close(): Promise<void>;
}

const pixel = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

/** Starts on a free port of this machine. It answers everything: images with a pixel, stylesheets with one that asks for more. */
export async function openCollector(): Promise<Collector> {
  const requests: Collected[] = [];
  let connections = 0;
  const server = createServer(({ method = '', url = '', headers }, response) => {
    requests.push({ method, path: url, headers });
    if (url.includes('.css'))
      response.writeHead(200, { 'Content-Type': 'text/css', 'Set-Cookie': 'tracked=1' }).end('p{color:red}');
    else if (url.includes('.js')) response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('self.ran=1');
    else response.writeHead(200, { 'Content-Type': 'image/gif' }).end(pixel);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // Another host than the workbench's, though the same machine.
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    get connections() {
      return connections;
    },
    forget() {
      requests.length = 0;
      connections = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
