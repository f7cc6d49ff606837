import {
  createServer,
  request as send,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { listen } from '../listen.ts';

/** A received request. */
export interface EchoRequest {
  readonly method: string;
  readonly url: string;
  /** Alternating names and values, in their original case. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A response that leaks the key of its request. */
interface LeakResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string;
}

/** The context of a leak: the key, the request, and the URL of a foreign server. */
interface LeakContext {
  readonly key: string;
  readonly received: EchoRequest;
  readonly foreignUrl: string;
}

const forms = (key: string) =>
  [
    key,
    key.toLowerCase(),
    key.toUpperCase(),
    encodeURIComponent(key),
    JSON.stringify(key),
    Buffer.from(key).toString('base64'),
    Buffer.from(`Api-Key: ${key}`).toString('base64url'),
    Buffer.from(`a:${key}`).toString('base64'),
    `${key.slice(0, 12)}…`,
  ].join(' ');

const parseHeaders = ({ rawHeaders }: EchoRequest): Record<string, string> =>
  Object.fromEntries(rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [])));
const redirect = (status: number, Location: string, body = ''): LeakResponse => ({
  status,
  headers: { Location },
  body,
});
const say = (status: number, message: string): LeakResponse => ({ status, body: JSON.stringify({ message }) });

/** Ways in which services leak keys, by name. */
export const leaks: Readonly<Record<string, (context: LeakContext) => LeakResponse>> = {
  'an error that dumps the request': ({ received }) => ({
    status: 500,
    body: JSON.stringify({
      message: `Exception in api.php: ${JSON.stringify({ url: received.url, headers: parseHeaders(received) })}`,
      errors: [JSON.stringify(parseHeaders(received))],
      trace: parseHeaders(received),
    }),
  }),
  'a refusal that names the key': ({ key }) =>
    say(
      401,
      `The key ${key.slice(0, 12)}… (ends in ${key.slice(-12)}) is not registered here. Keys like ${forms(key)} are refused.`,
    ),
  'a refusal that quotes the request': ({ key }) => say(422, `Invalid: ${forms(key)}`),
  'a web page of a debugger': ({ received, key }) => ({
    status: 200,
    headers: { 'Content-Type': 'text/html' },
    body: `<html><title>${key}</title><pre>${Object.entries(parseHeaders(received))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')}</pre>${forms(key)}</html>`,
  }),
  "a gateway's page": ({ key }) => ({
    status: 502,
    headers: { 'Content-Type': 'text/html' },
    body: `<h1>${key.toUpperCase()}</h1>${forms(key)}`,
  }),
  'text before the answer': ({ key }) => ({ status: 200, body: `Notice: Api-Key ${key} in /srv/api.php on line 3 []` }),
  'a message in place of records': ({ key }) => say(200, `Hello ${forms(key)}`),
  'a record that is none': ({ key }) => ({
    status: 200,
    body: JSON.stringify([{ id: key, message: forms(key), [key]: { [key]: key } }]),
  }),
  'a redirect to a foreign server': ({ key, foreignUrl }) => {
    const escaped = encodeURIComponent(key);
    return redirect(302, `${foreignUrl}/${escaped}/index.php?key=${escaped}#${key.slice(0, 12)}`, key);
  },
  'a redirect to a host of its name': ({ key }) =>
    redirect(302, `http://${key.replace(/[^\da-z]/giu, '')}.localhost:1/index.php`),
  'a redirect to itself': ({ key }) => redirect(307, `/new/index.php?key=${encodeURIComponent(key)}`, key),
  'a redirect to the page before': ({ key, foreignUrl }) =>
    redirect(301, `//${new URL(foreignUrl).host}/?${Buffer.from(key).toString('base64')}`, key),
  'headers of its answer': ({ key }) => ({
    status: 503,
    headers: {
      'X-Api-Key': key,
      'Set-Cookie': `key=${encodeURIComponent(key)}`,
      'Retry-After': '0',
      'Content-Type': `text/plain; ${encodeURIComponent(key)}`,
    },
    body: '',
  }),
};

/** A proxy for a service that records all requests and can leak the key. */
export interface Echo {
  readonly baseUrl: string;
  readonly requests: readonly EchoRequest[];
  /** Sets how each response leaks the key; undefined passes responses on unchanged. */
  setLeak(how: string | undefined): void;
  close(): Promise<void>;
}

/** Starts the proxy on a free local port. `foreignUrl`: target of its redirects. */
export async function openEcho(target: string, foreignUrl: string): Promise<Echo> {
  const requests: EchoRequest[] = [];
  let leakName: string | undefined;
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '', rawHeaders } = request;
    const body = await read(request);
    const received: EchoRequest = { method, url, rawHeaders, body: body.toString('latin1') };
    requests.push(received);
    const key = parseHeaders(received)['Api-Key'] ?? '';
    const leak = leakName === undefined ? undefined : leaks[leakName];
    if (leak === undefined) return pass(target, received, body, response);
    const { status, headers, body: leakedBody } = leak({ key, received, foreignUrl });
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(leakedBody);
  }
  const port = await listen(server);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    setLeak(how) {
      if (how !== undefined && !Object.hasOwn(leaks, how)) throw new Error(`There is no leak “${how}”.`);
      leakName = how;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function pass(target: string, { method, url, rawHeaders }: EchoRequest, body: Buffer, response: ServerResponse) {
  const { origin } = new URL(target);
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !/^(?:host|connection|transfer-encoding)$/iu.test(name) ? [name, rawHeaders[at + 1] ?? ''] : [],
  );
  const inner = await new Promise<IncomingMessage>((resolve, reject) => {
    send(origin + url, { method, headers: [...headers, 'Host', new URL(origin).host] }, resolve)
      .on('error', reject)
      .end(body);
  });
  const bytes = await read(inner);
  response
    .writeHead(inner.statusCode ?? 500, {
      'Content-Type': inner.headers['content-type'] ?? 'application/json',
      'Content-Length': bytes.length,
    })
    .end(bytes);
}

async function read(stream: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
