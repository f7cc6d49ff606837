import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  baseUrl: string,
  rewrites: Rewrites,
): Promise<void> {
  const url = new URL(`${baseUrl}${request.url ?? '/'}`);
  const operation = url.searchParams.get('task') ?? url.searchParams.get('ctrl') ?? '';
  const headers = new Headers({ 'Content-Type': 'application/json' });
  for (const key of [request.headers['api-key'] ?? []].flat()) headers.set('Api-Key', key);
  const body = await text(request);
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(body === '' ? {} : { body }),
  });
  const given = await answer.text();
  const rewrite = Object.hasOwn(rewrites, operation) && answer.ok ? rewrites[operation] : undefined;
  response
    .writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? 'application/json' })
    .end(rewrite ? JSON.stringify(rewrite(JSON.parse(given), url.searchParams)) : given);
}
