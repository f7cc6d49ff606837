import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BodyReader } from './bodyReader.ts';
import type { Exchange, Intercept, Query } from './model.ts';
import type { ProfileRules } from './profiles.ts';
import { parseQuery } from './query.ts';
import { sitePages } from './recipient.ts';
import { htmlReply, jsonReply, sendReply } from './reply.ts';
import type { Reply } from './reply.ts';
import type { MutableRequest, RequestLog } from './requestLog.ts';
import { findRoute, getMethod } from './routes/index.ts';
import type { Destination } from './routes/index.ts';
import type { RouteResult, RouteContext, RouteHandler } from './routes/route.ts';
import { fail, readObject } from './routes/route.ts';
import type { JsonObject } from '../client/shapes.ts';

export interface ServerOptions {
  readonly apiKey: string;
  readonly basePath: string;
  readonly profile: ProfileRules;
  readonly log: RequestLog;
  readonly intercept: Intercept | undefined;
  readonly maxBodyBytes: number | undefined;
  run(route: RouteHandler, call: Pick<RouteContext, 'query' | 'body'>): RouteResult;
}

/** Creates the HTTP server: URLs, keys, content types and the request log. It is independent of the operations. */
export function createApiServer(options: ServerOptions): Server {
  const bodies = new BodyReader(options.maxBodyBytes);
  const server = createServer((request, response) => {
    // An aborted request must not affect other requests.
    handleRequest(request, response, options, bodies).catch(() => response.destroy());
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServerOptions,
  bodies: BodyReader,
): Promise<void> {
  const { basePath, profile, intercept, log } = options;
  const [path = '', search = ''] = splitAtFirst(request.url ?? '', '?');
  const query = parseQuery(search);
  const isMoved = path === `${basePath}/moved/index.php`;
  const isInterface =
    (isMoved || path === `${basePath}/index.php`) &&
    query['page'] === profile.constants.page &&
    query['option'] === profile.constants.option;
  const destination: Destination = isInterface
    ? findRoute(asText(query['ctrl']), asText(query['task']), profile)
    : { kind: 'elsewhere' };
  const operation = destination.kind === 'operation' ? destination.operation : null;
  const entry = log.add({
    operation,
    method: request.method ?? '',
    url: request.url ?? '',
    query,
    headers: withoutApiKey(request.rawHeaders),
  });

  const call: { query: Query; body: Readonly<JsonObject> } = { query, body: {} };
  const exchange: Exchange = {
    response,
    movedPath: `${basePath}/moved/index.php?${search}`,
    failure: destination.kind === 'operation' ? destination.route.failure : 'Error.',
    escaped: profile.escapedJson,
    async read() {
      // Bodies without a valid key are discarded.
      const requestBody = checkKey(request, options) ? { text: '' } : await bodies.read(request);
      if ('status' in requestBody)
        return jsonReply(requestBody.status, { message: requestBody.message }, profile.escapedJson);
      call.body = parseAndLogBody(requestBody.text, entry, log);
      return undefined;
    },
    run: () => createReply(request, destination, call, isInterface, options),
  };
  const interception = isMoved ? undefined : intercept?.(operation);
  entry.fault = interception?.name ?? null;
  entry.status = await (interception?.answer(exchange) ?? sendServiceReply(exchange));
}

async function sendServiceReply({ response, read, run }: Exchange): Promise<number> {
  const reply = (await read()) ?? run();
  sendReply(response, reply);
  return reply.status;
}

function createReply(
  request: IncomingMessage,
  destination: Destination,
  call: Pick<RouteContext, 'query' | 'body'>,
  isInterface: boolean,
  options: ServerOptions,
): Reply {
  const { basePath, profile } = options;
  if (destination.kind === 'elsewhere') {
    if (isInterface) return htmlReply(301, 'Moved permanently', { Location: `${basePath}/` });
    const path = splitAtFirst(request.url ?? '', '?')[0];
    const page = path === `${basePath}/index.php` ? sitePages.get(asText(call.query['ctrl']) ?? '') : undefined;
    if (page !== undefined) return htmlReply(200, page);
    const isHome = [`${basePath}/`, basePath].includes(path);
    return isHome ? htmlReply(200, 'Sandbox') : htmlReply(404, 'Page not found');
  }
  const { status, body } = findRefusal(request, destination, options) ?? runRoute(destination, call, options);
  return jsonReply(status, body, profile.escapedJson);
}

function runRoute(
  destination: Destination,
  call: Pick<RouteContext, 'query' | 'body'>,
  options: ServerOptions,
): RouteResult {
  return destination.kind === 'operation' ? options.run(destination.route, call) : fail(403, 'Task not allowed.');
}

function checkKey(
  request: IncomingMessage,
  { apiKey, profile }: Pick<ServerOptions, 'apiKey' | 'profile'>,
): RouteResult | undefined {
  const key = getHeader(request, 'Api-Key', profile);
  if (!key) return fail(401, 'Header Api-Key is missing');
  return key === apiKey ? undefined : fail(401, 'API key is invalid');
}

/** Returns the error for a request that does not reach a route, in the order of the checks. */
function findRefusal(
  request: IncomingMessage,
  destination: Destination,
  options: ServerOptions,
): RouteResult | undefined {
  const { profile } = options;
  const keyError = checkKey(request, options);
  if (keyError) return keyError;
  const { method = '' } = request;
  if (!['GET', 'POST', 'DELETE'].includes(method)) return fail(405, 'Method not allowed.');
  if (destination.kind !== 'operation') return undefined;
  if (getMethod(destination.operation) !== method) return fail(405, 'Method not allowed.');
  if (method !== 'POST') return undefined;
  const expectedType = destination.operation === 'sendCampaign' ? profile.sendContentType : 'application/json';
  const type = getHeader(request, 'Content-Type', profile) ?? '';
  const isExpected = profile.strictHeaders
    ? type === expectedType
    : type.split(';')[0]?.trim().toLowerCase() === expectedType;
  return isExpected ? undefined : fail(415, `Content-Type must be ${expectedType}`);
}

/** Returns the value of a header. Some installations match names case-sensitively. */
function getHeader({ rawHeaders }: IncomingMessage, name: string, { strictHeaders }: ProfileRules): string | undefined {
  const at = rawHeaders.findIndex(
    (header, index) =>
      index % 2 === 0 && (header === name || (!strictHeaders && header.toLowerCase() === name.toLowerCase())),
  );
  return at < 0 ? undefined : rawHeaders[at + 1];
}

function withoutApiKey(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.toLowerCase() !== 'api-key') headers.push([name, rawHeaders[at + 1] ?? '']);
  }
  return headers;
}

/** Logs the body and returns its object. The service treats any other body as empty. */
function parseAndLogBody(text: string, entry: MutableRequest, log: RequestLog): Readonly<JsonObject> {
  if (text === '') return {};
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: the log contains the text.
  }
  log.storeBody(entry, body, text.length);
  return readObject(body) ?? {};
}

function splitAtFirst(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
