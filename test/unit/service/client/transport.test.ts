import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { Agent, buildConnector } from 'undici';
import {
  MailingClient,
  type ApiErrorKind,
  type MailingClientOptions,
  type Outcome,
} from '../../../../src/service/client/index.ts';
import { ManualTimeout, type ResponsePhase } from '../../../support/manualTimeout.ts';
import { WireServer, json, respond, type Reply } from '../../../support/wire.ts';
import { KEY, getFailure, useAnswers, withService } from './setup.ts';
import { listen } from '../../../support/listen.ts';

const read = (client: MailingClient) => client.getLists();
const write = (client: MailingClient) => client.createTemplate({ name: 'T' });
/** HTTP clients may retry DELETE because it is idempotent; sending has no body. */
const writes = [
  write,
  (client: MailingClient) => client.deleteTemplate(1),
  (client: MailingClient) => client.sendCampaign(1),
];

/** Creates a client whose connections a test controls. */
const connect = (dispatcher: Agent, options: Partial<MailingClientOptions> = {}) =>
  new MailingClient({
    baseUrl: 'http://service.example',
    apiKey: KEY,
    dispatcher,
    wait: () => Promise.resolve(),
    ...options,
  });

interface Fault {
  readonly name: string;
  readonly reply: Reply;
  readonly kind: ApiErrorKind;
  /** Applies to writes, default `unknown`; reads are always `refused`. */
  readonly outcome?: Outcome;
  /** Number of requests for one read. Default 1. */
  readonly reads?: number;
  readonly words?: RegExp;
  /** The phase of the request in which the timeout ends. */
  readonly hangs?: ResponsePhase;
}

const status = (code: number, kind: ApiErrorKind, reads = 1): Fault => ({
  name: `status ${code}`,
  reply: json(code, { message: `It is ${code}` }),
  kind,
  outcome: code >= 500 ? 'unknown' : 'refused',
  reads,
  words: new RegExp(`It is ${code}`),
});

const faults: readonly Fault[] = [
  status(400, 'invalid'),
  status(401, 'unauthorized'),
  status(403, 'forbidden'),
  status(404, 'notFound'),
  status(405, 'invalid'),
  status(408, 'timeout'),
  status(410, 'notFound'),
  status(415, 'invalid'),
  status(422, 'invalid'),
  status(429, 'rateLimited', 3),
  status(500, 'server'),
  status(501, 'server'),
  status(502, 'server', 3),
  status(503, 'server', 3),
  status(504, 'server', 3),
  // Statuses without a supported redirect leave the outcome of a write uncertain.
  { name: 'status 300', reply: respond(300, ''), kind: 'notJson' },
  { name: 'status 304', reply: respond(304, ''), kind: 'notJson' },
  {
    name: 'an HTML page',
    reply: respond(200, '<html><body>Welcome</body></html>'),
    kind: 'notJson',
    words: /web page.*"Welcome"/,
  },
  {
    name: 'an HTML page of a gateway',
    reply: respond(502, '<h1>Bad Gateway</h1>'),
    kind: 'server',
    reads: 3,
    words: /Bad Gateway/,
  },
  {
    name: 'broken JSON',
    reply: respond(200, '[{"id":"1","na'),
    kind: 'notJson',
    words: /isn't JSON.*\[\{"id":"1","na/,
  },
  {
    name: 'words before the JSON',
    reply: respond(200, 'Warning: x in y.php [] '),
    kind: 'notJson',
    words: /Warning: x/,
  },
  {
    name: 'a cut answer',
    kind: 'network',
    reads: 3,
    words: /connection was lost/,
    reply: (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{"id":"1"');
    },
  },
  {
    name: 'a cut chunked answer',
    kind: 'network',
    reads: 3,
    reply: (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[{"id');
    },
  },
  {
    name: 'a cut head',
    reply: (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nConte');
    },
    kind: 'network',
    reads: 3,
  },
  {
    name: 'a reset after the request was read',
    reply: (socket) => {
      socket.resetAndDestroy();
    },
    kind: 'network',
    reads: 3,
  },
  {
    name: 'an end after the request was read',
    reply: (socket) => {
      socket.end();
    },
    kind: 'network',
    reads: 3,
  },
  {
    name: 'a hang',
    reply: () => undefined,
    kind: 'timeout',
    words: /didn't respond in time/,
    hangs: 'head',
  },
  {
    name: 'a hang within the answer',
    reply: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[');
    },
    kind: 'timeout',
    words: /didn't end in time/,
    hangs: 'body',
  },
  {
    name: 'an answer that drips for ever',
    kind: 'timeout',
    words: /didn't end in time/,
    hangs: 'body',
    reply: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const timer = setInterval(() => socket.write('1\r\n \r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    },
  },
  {
    name: 'something that is not HTTP',
    reply: 'SSH-2.0-OpenSSH_9.6\r\n',
    kind: 'notJson',
    words: /isn't HTTP/,
  },
  {
    name: 'a broken compression',
    reply: respond(200, 'not gzip', { 'Content-Encoding': 'gzip' }),
    kind: 'notJson',
  },
];

describe('the transport', () => {
  const answering = useAnswers();
  for (const fault of faults) {
    const timeout = new ManualTimeout();
    /** Returns the failure of a call. If the service hangs, the timeout ends after the given number of requests. */
    const failing = async (call: () => Promise<object>, server: WireServer, requests: number) => {
      const failure = getFailure(call);
      if (fault.hangs)
        await Promise.race([failure, timeout.end(fault.hangs, () => assert.equal(server.requests.length, requests))]);
      return failure;
    };

    it(`${fault.name}: reports reads, and sends writes exactly once`, () =>
      withService(
        () => fault.reply,
        async (client, server) => {
          const { kind, reads = 1 } = fault;
          const error = await failing(() => read(client), server, 1);
          assert.deepEqual([error.kind, error.operation, error.outcome], [kind, 'getLists', 'refused']);
          assert.match(error.message, fault.words ?? /^Couldn't read the lists\. /);
          assert.equal(server.requests.length, reads);
          for (const [index, call] of writes.entries()) {
            const failure = await failing(() => call(client), server, reads + index + 1);
            assert.deepEqual([failure.kind, failure.outcome], [kind, fault.outcome ?? 'unknown']);
            assert.equal(server.requests.length, reads + index + 1);
          }
        },
        { timeoutMs: timeout.ms },
      ));
  }

  it('retries a read with increasing delays', () =>
    withService(
      (_request, index) =>
        [respond(503, ''), (socket: { destroy(): void }) => socket.destroy(), json(200, [{ id: 4 }])][index] as Reply,
      async (client, server, pauses) => {
        assert.equal((await client.getLists())[0]?.id, 4);
        assert.equal(server.requests.length, 3);
        const [first = 0, second = 0] = pauses;
        assert.ok(first >= 225 && first <= 375 && second >= 675 && second <= 1125, String(pauses));
      },
    ));

  it('waits as long as Retry-After says', () =>
    withService(
      (_request, index) =>
        index === 0
          ? json(429, {}, { 'Retry-After': '7' })
          : index === 1
            ? json(503, {}, { 'Retry-After': new Date(0).toUTCString() })
            : json(200, []),
      async (client, server, pauses) => {
        await client.getLists();
        assert.deepEqual(pauses, [7000, 0]);
        assert.equal(server.requests.length, 3);
      },
    ));

  it('gives up and reports the delay if Retry-After is too long', () =>
    withService(
      () => json(429, {}, { 'Retry-After': '3600' }),
      async (client, server, pauses) => {
        const error = await getFailure(() => client.getLists());
        assert.deepEqual(
          [error.kind, error.retryAfterMs, pauses.length, server.requests.length],
          ['rateLimited', 3_600_000, 0, 1],
        );
        assert.match(error.message, /3,600 seconds/);
      },
    ));

  it('reads an empty response as no records, even if it is declared as compressed', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const client = answering(respond(200, '', { 'Content-Encoding': encoding }));
      assert.deepEqual([await client.getLists(), await client.deleteList(1)], [[], {}]);
    }
  });

  it('quotes the first 200 characters of a response that is not JSON', async () => {
    const error = await getFailure(() => answering(respond(200, 'x'.repeat(199) + 'yz')).getLists());
    assert.ok(error.message.includes(`"${'x'.repeat(199)}y…"`), error.message);
  });

  describe('redirects', () => {
    const to = (code: number, location: string) => respond(code, '<p>moved</p>', { Location: location });

    for (const code of [301, 302, 303, 307, 308]) {
      it(`follows ${code} for a read to the same origin only, and never for a write`, async () => {
        const other = await WireServer.start(() => json(200, []));
        const elsewhere = `${other.url}/site/index.php?token=1#x`;
        try {
          await withService(
            ({ target, method }) => {
              if (method !== 'GET') return to(code, '/new/index.php?a=b');
              if (target.includes('getTemplates')) return to(code, elsewhere);
              return target.startsWith('/new/') ? json(200, [{ id: 1 }]) : to(code, `/new${target}`);
            },
            async (client, server) => {
              assert.equal((await client.getLists()).length, 1);
              assert.deepEqual(
                server.requests.map((request) => [request.method, request.headers.get('Api-Key')]),
                Array(2).fill(['GET', KEY]),
              );
              const error = await getFailure(() => client.getTemplates());
              assert.deepEqual(
                [error.kind, error.location, error.outcome],
                ['redirect', `${other.url}/site`, 'refused'],
              );
              assert.ok(error.message.includes(`${other.url}/site`));
              assert.deepEqual([server.requests.length, other.connections], [3, 0]);
              for (const [index, call] of writes.entries()) {
                const failure = await getFailure(() => call(client));
                assert.deepEqual(
                  [failure.kind, failure.status, failure.location, failure.outcome],
                  ['redirect', code, `${server.url}/new`, 'unknown'],
                );
                assert.equal(server.requests.length, 4 + index);
              }
            },
          );
        } finally {
          await other.close();
        }
      });
    }

    it('follows three redirects', () =>
      withService(
        () => to(302, '/again'),
        async (client, server) => {
          assert.equal((await getFailure(() => client.getLists())).kind, 'redirect');
          assert.equal(server.requests.length, 4);
        },
      ));

    it('reports a web page behind a redirect', () =>
      withService(
        (request) => (request.target === '/home' ? respond(200, '<html>') : to(301, '/home')),
        async (client) => {
          assert.equal((await getFailure(() => client.getFollowUps())).kind, 'notJson');
        },
      ));

    it('reports the location without key and password, and none that is not a web address', async () => {
      const key = encodeURIComponent(KEY);
      for (const [given, location] of [
        ['', undefined],
        ['javascript:alert(1)', undefined],
        ['http://[', undefined],
        ['file:///etc/passwd', undefined],
        [`https://me:pass@other.example/${key}/index.php?k=${key}`, 'https://other.example/•••'],
      ] as const) {
        const error = await getFailure(() => answering(to(302, given)).getLists());
        assert.deepEqual([error.kind, error.location], ['redirect', location]);
      }
    });
  });

  describe('connections', () => {
    it('does not retry a write after a reset before the request is read', async () => {
      let connections = 0;
      const server: Server = createServer((socket) => {
        connections++;
        socket.on('error', () => undefined);
        socket.resetAndDestroy();
      });
      const client = new MailingClient({
        baseUrl: `http://127.0.0.1:${await listen(server)}`,
        apiKey: KEY,
        wait: () => Promise.resolve(),
      });
      try {
        assert.equal((await getFailure(() => client.sendCampaign(1))).kind, 'network');
        assert.equal(connections, 1);
        assert.equal((await getFailure(() => client.getLists())).kind, 'network');
        assert.equal(connections, 4);
      } finally {
        await client.close();
        server.close();
      }
    });

    const failing = (code: string) =>
      new Agent({
        connect: (_options, callback) => callback(Object.assign(new Error(`${code} ${KEY}`), { code }), null),
      });
    const codes: readonly (readonly [code: string, kind: ApiErrorKind, words: RegExp])[] = [
      ['ENOTFOUND', 'network', /No host of that name/],
      ['EAI_AGAIN', 'network', /No host of that name/],
      ['ECONNREFUSED', 'network', /Nothing responds/],
      ['EHOSTUNREACH', 'network', /can't be reached/],
      ['CERT_HAS_EXPIRED', 'tls', /has expired/],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', /another host/],
      ['SELF_SIGNED_CERT_IN_CHAIN', 'tls', /not trusted/],
      ['EPROTO', 'tls', /encrypted/],
      ['EWHATEVER', 'network', /lost/],
    ];
    for (const [code, kind, words] of codes) {
      it(`reports ${code} while connecting as refused`, async () => {
        const dispatcher = failing(code);
        const client = connect(dispatcher);
        for (const call of [read, write]) {
          const error = await getFailure(() => call(client));
          assert.deepEqual([error.kind, error.outcome, error.code], [kind, 'refused', code]);
          assert.match(error.message, words);
        }
        await dispatcher.destroy();
      });
    }

    it('retries only reads after a connection timeout and reports writes as refused', async () => {
      for (const [call, attempts] of [
        [read, 3],
        [write, 1],
      ] as const) {
        let tried = 0;
        const dispatcher = new Agent({ connect: () => void tried++ });
        const client = connect(dispatcher, { timeoutMs: 30 });
        const error = await getFailure(() => call(client));
        assert.deepEqual([error.kind, error.outcome, tried], ['timeout', 'refused', attempts]);
        void dispatcher.destroy();
      }
    });

    it('does not send a request that was aborted while connecting', async () => {
      const server = await WireServer.start(() => json(200, []));
      const gate: { open?: () => void } = {};
      const opened = new Promise<void>((resolve) => {
        gate.open = resolve;
      });
      const connector = buildConnector({});
      const dispatcher = new Agent({
        connect: (options, callback) => void opened.then(() => connector(options, callback)),
      });
      const client = new MailingClient({ baseUrl: server.url, apiKey: KEY, dispatcher });
      const stop = new AbortController();
      const call = getFailure(() => client.sendCampaign(1, { signal: stop.signal }));
      await new Promise(setImmediate);
      stop.abort();
      const error = await call;
      assert.deepEqual([error.kind, error.outcome], ['aborted', 'refused']);
      gate.open?.();
      await client.getLists();
      await client.getLists();
      assert.deepEqual(
        server.requests.map((request) => request.method),
        ['GET', 'GET'],
      );
      await dispatcher.destroy();
      await server.close();
    });
  });

  describe('large responses', () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');

    it('rejects more than 64 MiB and quotes the beginning', () =>
      withService(
        () => (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${66 * chunk.length + 4}\r\n\r\n["a"`);
          for (let i = 0; i < 66; i++) socket.write(chunk);
        },
        async (client, server) => {
          const error = await getFailure(() => client.createTemplate({ name: 'T' }));
          assert.deepEqual([error.kind, error.outcome, error.serverMessage], ['notJson', 'unknown', '["a"']);
          assert.match(error.message, /64 MiB/);
          assert.equal(server.requests.length, 1);
        },
      ));

    it('accepts 64 MiB', () =>
      withService(
        () => (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${64 * chunk.length}\r\n\r\n[{"id":"1"}]`);
          for (let i = 0; i < 63; i++) socket.write(chunk);
          socket.write(chunk.subarray(12));
        },
        async (client) => assert.equal((await client.getLists())[0]?.id, 1),
      ));
  });

  it('reports that its connections were closed by their owner', async () => {
    const dispatcher = new Agent();
    await dispatcher.destroy();
    const client = connect(dispatcher, { wait: () => Promise.reject(new Error('was repeated')) });
    const error = await getFailure(() => client.getLists());
    assert.deepEqual([error.kind, error.outcome], ['network', 'refused']);
    assert.match(error.message, /were closed/);
  });
});
