import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Exchange, Reply } from './model.ts';
import type { ProfileRules } from './profiles.ts';
import { editorStylesheet, sitePages, STYLESHEET_PATH } from './recipient.ts';
import { getMethod, getRoutes } from './routes/index.ts';
import {
  fail,
  parseQuery,
  readObject,
  readText,
  Refusal,
  type RouteResult,
  type RouteContext,
  type Routes,
} from './routes/route.ts';

/** Limits for one request body, and for all bodies that are read concurrently. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_CONCURRENT_BODY_BYTES = 32 * 1024 * 1024;

/** Creates a JSON reply. `escaped` escapes it as PHP does: `\/` for a slash, `\uXXXX` for non-ASCII characters. */
export function jsonReply({ status, body }: RouteResult, escaped: boolean): Reply {
  const text = JSON.stringify(body);
  const toEscape = (character: string) =>
    character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const written = escaped ? text.replace(/[/\u0080-\uffff]/g, toEscape) : text;
  return { status, type: 'application/json; charset=utf-8', payload: Buffer.from(written) };
}

/** Creates an HTML page for requests outside the API. */
export function htmlReply(status: number, title: string, headers?: Readonly<Record<string, string>>): Reply {
  const page = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>This site is a sandbox. Nothing is sent from here.</p></body>
</html>
`;
  return { status, type: 'text/html; charset=utf-8', payload: Buffer.from(page), headers };
}

export function writeHead(response: ServerResponse, { status, type, payload, headers }: Reply): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': payload.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
}

export function sendReply(response: ServerResponse, reply: Reply): void {
  writeHead(response, reply);
  response.end(reply.payload);
}

/** Answers a request as the service does. */
export async function answer({ response, read, run }: Exchange): Promise<void> {
  await read();
  sendReply(response, run());
}

interface ServerOptions {
  readonly apiKey: string;
  readonly basePath: string;
  readonly profile: ProfileRules;
  readonly hasExtras: boolean;
  readonly intercept?: typeof answer;
  readonly maxBodyBytes?: number;
  run(route: Routes[string], call: Pick<RouteContext, 'query' | 'body'>): RouteResult;
}

/** Creates the HTTP server: URLs, keys and content types. It is independent of the operations. */
export function createApiServer(options: ServerOptions): Server {
  const handler = new RequestHandler(options);
  const server = createServer((request, response) => {
    // An aborted request must not affect other requests.
    handler.handle(request, response).catch(() => response.destroy());
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

/** Answers requests. The bodies that are read at the same time always have a bounded size. */
class RequestHandler {
  readonly #options: ServerOptions;
  readonly #routes: ReturnType<typeof getRoutes>;
  #bufferedBytes = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#routes = getRoutes(options.profile, options.hasExtras);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { apiKey, basePath, profile, intercept = answer, run } = this.#options;
    const [path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(request.url ?? '')?.slice(1) ?? [];
    const query = parseQuery(search);
    const { page, option } = profile.constants;
    const isInterface = path === `${basePath}/index.php` && query['page'] === page && query['option'] === option;
    const isByCtrl = query['ctrl'] !== 'api';
    const routes = isByCtrl ? this.#routes.byCtrl : this.#routes.byTask;
    const name = readText(isByCtrl ? query['ctrl'] : query['task']) ?? '';
    const operation = isInterface && Object.hasOwn(routes, name) ? name : null;
    let text = '';

    const exchange: Exchange = {
      request,
      response,
      operation,
      query,
      escaped: profile.isInstallation,
      read: async () => {
        // Bodies without a valid key are discarded.
        if (this.#getHeader(request, 'Api-Key') === apiKey) text = await this.#readBody(request);
        return text;
      },
      run: () => {
        if (operation === null && (!isInterface || isByCtrl)) {
          if (isInterface) return htmlReply(301, 'Moved permanently', { Location: `${basePath}/` });
          return this.#createPage(path, query['ctrl']);
        }
        try {
          this.#checkAccess(request, operation);
          const route = routes[operation ?? ''] ?? fail(403, 'Task not allowed.');
          return jsonReply(run(route, { query, body: parseBody(text) }), profile.isInstallation);
        } catch (error) {
          return this.#toReply(error);
        }
      },
    };
    await intercept(exchange).catch((error: unknown) => sendReply(response, this.#toReply(error)));
  }

  #toReply(error: unknown) {
    if (!(error instanceof Refusal)) throw error;
    return jsonReply(error, this.#options.profile.isInstallation);
  }

  /** Creates a page of the site outside the API. */
  #createPage(path: string, ctrl: unknown) {
    const { basePath } = this.#options;
    if (path === `${basePath}${STYLESHEET_PATH}`)
      return { status: 200, type: 'text/css', payload: Buffer.from(editorStylesheet) };
    const page = path === `${basePath}/index.php` ? sitePages.get(ctrl) : undefined;
    if (page !== undefined) return htmlReply(200, page);
    const isHome = [`${basePath}/`, basePath].includes(path);
    return isHome ? htmlReply(200, 'Sandbox') : htmlReply(404, 'Page not found');
  }

  /**
   * Reads a request body with bounded memory. Rejects if it is too large or the request is aborted. Discards the rest of a refused body
   * instead of closing the connection, which would lose the response.
   */
  async #readBody(request: IncomingMessage) {
    const { maxBodyBytes = MAX_BODY_BYTES } = this.#options;
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) fail(413, 'Request entity too large.');
      // By default, leaving the loop would close the connection.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#bufferedBytes += chunk.length;
        if (size > maxBodyBytes) fail(413, 'Request entity too large.');
        if (this.#bufferedBytes > MAX_CONCURRENT_BODY_BYTES) fail(503, 'Too much is sent at once.');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      this.#bufferedBytes -= size;
      request.resume();
    }
  }

  /** Throws the error for a request that does not reach a route, in the order of the checks. */
  #checkAccess(request: IncomingMessage, operation: string | null) {
    const { apiKey, profile } = this.#options;
    const key = this.#getHeader(request, 'Api-Key') || fail(401, 'Header Api-Key is missing');
    if (key !== apiKey) fail(401, 'API key is invalid');
    const { method = '' } = request;
    const isAllowed = operation === null ? ['GET', 'POST', 'DELETE'].includes(method) : getMethod(operation) === method;
    if (!isAllowed) fail(405, 'Method not allowed.');
    if (operation === null || method !== 'POST') return;
    const expectedType = operation === 'sendCampaign' ? profile.sendContentType : 'application/json';
    const given = this.#getHeader(request, 'Content-Type');
    const type = profile.isInstallation ? given : given.split(';')[0]?.trim().toLowerCase();
    if (type !== expectedType) fail(415, `Content-Type must be ${expectedType}`);
  }

  /** Returns the value of a header; empty if it is missing. Some installations match names case-sensitively. */
  #getHeader({ headers, rawHeaders }: IncomingMessage, name: string) {
    const isAccepted = !this.#options.profile.isInstallation || rawHeaders.includes(name);
    return isAccepted ? String(headers[name.toLowerCase()] ?? '') : '';
  }
}

/** Parses the object of a body. The service treats any other body as empty. */
function parseBody(text: string) {
  try {
    return readObject(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}
