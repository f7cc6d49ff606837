import type { ServerResponse } from 'node:http';

/** A response to send. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly payload: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Creates a JSON reply. `escaped` escapes it as PHP does: `\/` for a slash, `\uXXXX` for non-ASCII characters. */
export function jsonReply(status: number, body: unknown, escaped: boolean): Reply {
  const text = JSON.stringify(body);
  const written = escaped
    ? text
        .replaceAll('/', '\\/')
        .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
  return { status, type: JSON_TYPE, payload: Buffer.from(written) };
}

/** Creates an HTML page for requests outside the API. */
export function htmlReply(status: number, title: string, headers?: Readonly<Record<string, string>>): Reply {
  const page = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>This site is a sandbox. Nothing is sent from here.</p></body>
</html>
`;
  return { status, type: 'text/html; charset=utf-8', payload: Buffer.from(page), ...(headers && { headers }) };
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
