import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { ApiErrorKind, MailingClient } from '../../../src/service/client/index.ts';
import { json, respond, type Reply } from '../../support/wire.ts';
import { getFailure, withService } from '../service/client/setup.ts';

const lists = '[{"id":"1","name":"Néws 😀"}]';
const name = async (client: MailingClient) => (await client.getLists())[0]?.name;
const encoded = (body: Buffer, encoding: string) => respond(200, body, { 'Content-Encoding': encoding });
const close =
  (text: string | Buffer): Reply =>
  (socket) =>
    void socket.end(text);

const drip: Reply = (socket) => {
  const bytes = Buffer.from(
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${[...Buffer.from(lists)].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('')}0\r\n\r\n`,
    'latin1',
  );
  socket.setNoDelay(true);
  const next = (at: number) => {
    if (at >= bytes.length) return;
    socket.write(bytes.subarray(at, at + 1));
    setImmediate(() => next(at + 1));
  };
  next(0);
};

/** Responses that are read correctly. */
const readable: readonly (readonly [name: string, reply: Reply])[] = [
  [
    'HTTP/1.0, ended by the end of the connection',
    close(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${lists}`),
  ],
  ['HTTP/1.0 with a length', close(`HTTP/1.0 200 OK\r\nContent-Length: ${Buffer.byteLength(lists)}\r\n\r\n${lists}`)],
  ['HTTP/1.1 without a length', close(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${lists}`)],
  ['no words behind the status', close(`HTTP/1.1 200\r\nContent-Length: ${Buffer.byteLength(lists)}\r\n\r\n${lists}`)],
  ['chunked, byte by byte', drip],
  [
    'chunked, with extensions and trailers',
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(lists).toString(16)};a=b\r\n${lists}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  ],
  ['gzip', encoded(gzipSync(lists), 'gzip')],
  ['gzip under its old name', encoded(gzipSync(lists), 'X-GZIP')],
  ['brotli', encoded(brotliCompressSync(lists), 'br')],
  ['deflate, not asked for', encoded(deflateSync(lists), 'deflate')],
  ['deflate without its head, as some servers write it', encoded(deflateRawSync(lists), 'deflate')],
  ['zstd, not asked for', encoded(zstdCompressSync(lists), 'zstd')],
  ['compressed twice', encoded(gzipSync(deflateSync(lists)), 'deflate, gzip')],
  [
    'not compressed, as two headers say',
    `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: identity\r\nContent-Encoding: identity\r\nContent-Length: ${Buffer.byteLength(lists)}\r\n\r\n${lists}`,
  ],
  [
    'compressed and chunked',
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n${gzipSync(lists).length.toString(16)}\r\n`,
      ),
      gzipSync(lists),
      Buffer.from('\r\n0\r\n\r\n'),
    ]),
  ],
  ['behind a byte order mark', respond(200, `\uFEFF${lists}`)],
  ['behind two byte order marks and empty lines', respond(200, `\uFEFF\uFEFF\n\n${lists}\n`)],
  ['UTF-8 declared as Latin 1', respond(200, lists, { 'Content-Type': 'application/json; charset=ISO-8859-1' })],
  ['an unsupported charset', respond(200, lists, { 'Content-Type': 'application/json; charset=x-other' })],
  ['no type', respond(200, lists)],
  ['the content type of a web page', respond(200, lists, { 'Content-Type': 'text/html' })],
  [
    'names of headers in lower case',
    `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(lists)}\r\ncontent-type: application/json\r\n\r\n${lists}`,
  ],
  [
    'headers that come twice',
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Type: application/json\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: ${Buffer.byteLength(lists)}\r\n\r\n${lists}`,
  ],
  ['a long header', respond(200, lists, { 'Set-Cookie': 'x'.repeat(12_000) })],
  [
    'early hints before it',
    Buffer.concat([
      Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'),
      respond(200, lists),
    ]),
  ],
  [
    'processing (102) before it',
    Buffer.concat([Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)), respond(200, lists)]),
  ],
  ['garbage after it', Buffer.concat([respond(200, lists), Buffer.from('\r\ngarbage\r\n')])],
];

const length = (body: string, stated: number) =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${stated}\r\nConnection: close\r\n\r\n${body}`;

/** Responses that are not JSON. With `network`, reads are retried. */
const unreadable: readonly (readonly [name: string, reply: Reply, words: RegExp, kind?: ApiErrorKind])[] = [
  [
    'an unsupported compression',
    respond(200, 'xx', { 'Content-Encoding': 'compress' }),
    /compression of the response isn't supported/,
  ],
  [
    'a compression named like a part of an object',
    respond(200, lists, { 'Content-Encoding': 'constructor' }),
    /compression of the response isn't supported/,
  ],
  [
    'a compression named __proto__',
    respond(200, lists, { 'Content-Encoding': '__proto__' }),
    /compression of the response isn't supported/,
  ],
  [
    'a tower of compressions',
    respond(200, gzipSync(lists), { 'Content-Encoding': 'gzip, gzip, gzip, gzip' }),
    /compression of the response/,
  ],
  ['a cut compression', encoded(gzipSync(lists).subarray(0, 20), 'gzip'), /can't be decompressed/],
  ['a bomb', encoded(gzipSync(Buffer.alloc(70 * 1024 * 1024)), 'gzip'), /larger than 64 MiB/],
  [
    'a bomb within a bomb',
    encoded(gzipSync(gzipSync(Buffer.alloc(70 * 1024 * 1024))), 'gzip, gzip'),
    /larger than 64 MiB/,
  ],
  ['a brotli bomb', encoded(brotliCompressSync(Buffer.alloc(70 * 1024 * 1024)), 'br'), /larger than 64 MiB/],
  ['less than its length', close(length('[{"id":"1"', 40)), /connection was lost/, 'network'],
  ['a length that is none', close('HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\n[]'), /isn't HTTP/],
  [
    'two lengths',
    close('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n[  ]'),
    /connection was lost/,
    'network',
  ],
  [
    'a length and chunks',
    close('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n'),
    /connection was lost/,
    'network',
  ],
  ['a chunk without a size', close('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'), /isn't HTTP/],
  ['a head that is too long', json(200, [], { 'X-Long': 'x'.repeat(20_000) }), /headers of the response are too long/],
  [
    'a head that never ends',
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`);
    },
    /headers of the response are too long/,
  ],
  ['words behind the JSON', respond(200, `${lists}<br>Notice: x`), /isn't JSON/],
  [
    'an unexpected 100',
    Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), json(200, [])]),
    /isn't valid HTTP/,
  ],
  [
    'another protocol',
    close('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    /isn't valid HTTP/,
  ],
  ['HTTP/2', close(Buffer.from('000006040000000000000300000064', 'hex')), /isn't HTTP/],
];

describe('Responses', () => {
  for (const [what, reply] of readable) {
    it(`reads ${what}`, () =>
      withService(
        () => reply,
        async (client, server) => {
          assert.equal(await name(client), 'Néws 😀');
          // The next response must not contain remains of this one.
          assert.equal(await name(client), 'Néws 😀');
          assert.equal(server.requests.length, 2);
        },
      ));
  }

  it('reads Latin-1 declared by the headers', () =>
    withService(
      () =>
        respond(200, Buffer.from('[{"id":1,"name":"Néws"}]', 'latin1'), {
          'Content-Type': 'application/json; charset="iso-8859-1"',
        }),
      async (client) => assert.equal(await name(client), 'Néws'),
    ));

  for (const [what, reply, words, kind = 'notJson'] of unreadable) {
    it(`reports ${what}, and does not retry a write`, () =>
      withService(
        () => reply,
        async (client, server) => {
          const error = await getFailure(() => client.getLists());
          assert.equal(error.kind, kind);
          assert.match(error.message, words);
          const reads = server.requests.length;
          assert.equal(reads, kind === 'network' ? 3 : 1);
          const failure = await getFailure(() => client.sendCampaign(1));
          assert.deepEqual([failure.kind, failure.outcome], [kind, 'unknown']);
          assert.match(failure.message, /may have succeeded/);
          assert.equal(server.requests.length, reads + 1);
        },
        { timeoutMs: 5000 },
      ));
  }

  it('requests only widely supported encodings', () =>
    withService(
      () => json(200, []),
      async (client, server) => {
        await client.getLists();
        assert.equal(server.requests[0]?.headers.get('Accept-Encoding'), 'gzip, br');
      },
    ));
});
