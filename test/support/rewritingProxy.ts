import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** Changes responses by operation name, given the response's records and the query. */
export type Rewrites = Readonly<Record<string, (answer: object, query: URLSearchParams) => object>>;

/** A proxy of a service that changes its responses. */
export interface RewritingProxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts a proxy of `baseUrl` on a free local port that changes responses with `rewrites`. */
export async function openRewritingProxy(baseUrl: string, rewrites: Rewrites): Promise<RewritingProxy> {
  const server = createServer(
    (request, response) => void forward(request, response, baseUrl, rewrites).catch(() => response.destroy()),
  );
  const port = await listen(server);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(request: IncomingMessage, response: ServerResponse, baseUrl: string, rewrites: Rewrites) {
  const url = new URL(`${baseUrl}${request.url ?? '/'}`);
  const operation = url.searchParams.get('task') ?? url.searchParams.get('ctrl') ?? '';
  const body = await read(request);
  const outgoing = send(url, { method: request.method ?? 'GET' });
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? '';
    if (!/^(?:host|connection|content-length|transfer-encoding)$/iu.test(name))
      outgoing.setHeader(name, request.rawHeaders[at + 1] ?? '');
  }
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    outgoing.on('response', resolve).on('error', reject).end(body),
  );
  const bytes = await read(answer);
  const rewrite = Object.hasOwn(rewrites, operation) && answer.statusCode === 200 ? rewrites[operation] : undefined;
  const text = rewrite
    ? Buffer.from(JSON.stringify(rewrite(JSON.parse(bytes.toString('utf8')), url.searchParams)))
    : bytes;
  response
    .writeHead(answer.statusCode ?? 500, {
      'Content-Type': answer.headers['content-type'] ?? 'application/json',
      'Content-Length': text.length,
    })
    .end(text);
}

async function read(stream: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
