import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from './listen.ts';

export interface Collected {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A server that records all requests and connections, like a tracker. Connections without a request count too. */
export interface Collector {
  readonly url: string;
  readonly requests: readonly Collected[];
  /** Connections that were opened so far. */
  readonly connections: number;
  forget(): void;
  close(): Promise<void>;
}

const pixel = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

/** Starts on a free local port. Responds to image requests with a pixel, and to stylesheet requests with a stylesheet that requests more. */
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
  const port = await listen(server);
  return {
    // On the same machine, but with another host name than the workbench.
    url: `http://localhost:${port}`,
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
