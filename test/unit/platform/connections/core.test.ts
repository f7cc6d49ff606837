import assert from 'node:assert/strict';
import { ApiError, type ApiErrorDetails } from '../../../../src/service/client/errors.ts';
import { MailingClient } from '../../../../src/service/client/index.ts';
import { ConnectionCore, type ConnectionsChange, type Endpoint } from '../../../../src/platform/connections/core.ts';
import { toServiceRef, type Connection } from '../../../../src/platform/connections/model.ts';

const a: Connection = { id: 'a', name: 'A', baseUrl: 'https://a.example', profile: 'documented' };
const b: Connection = { id: 'b', name: 'B', baseUrl: 'https://b.example', profile: 'acymailing' };

const [aService, bService] = [toServiceRef(a), toServiceRef(b)];

/** Connections whose clients send nothing, with logs of what happens. */
class Stage extends ConnectionCore {
  readonly keys = new Map([
    ['a https://a.example', 'key-a'],
    ['b https://b.example', 'key-b'],
  ]);
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  readonly changes: ConnectionsChange[] = [];
  readonly keyReaders: (() => Promise<string>)[] = [];
  /** Reading keys waits for it. */
  gate: Promise<void> | undefined;
  /** Why no client can be created. */
  problem: Error | undefined;

  constructor() {
    super();
    this.setConnections([a, b]);
    this.changes.length = 0;
  }

  protected override readKey = async (id: string, baseUrl: string) => {
    await this.gate;
    return this.keys.get(`${id} ${baseUrl}`);
  };
  protected override handleChange = (change: ConnectionsChange) => void this.changes.push(change);
  protected override async openClient({ id, baseUrl }: Connection, apiKey: () => Promise<string>) {
    if (this.problem) throw this.problem;
    const name = `${id}#${this.opened.push('')}`;
    this.opened.splice(-1, 1, name);
    this.keyReaders.push(apiKey);
    return Object.assign(new MailingClient({ baseUrl, apiKey }), { close: async () => void this.closed.push(name) });
  }
}

const succeed = () => Promise.resolve('done');
const getClient = (client: MailingClient) => Promise.resolve(client);
const failWith = (details: Partial<ApiErrorDetails>) => () =>
  Promise.reject(
    new ApiError({ kind: 'network', operation: 'getLists', outcome: 'refused', message: 'It failed.', ...details }),
  );
const flushTasks = () => new Promise((resolve) => setImmediate(resolve));

describe('ConnectionCore', () => {
  let core: Stage;
  beforeEach(() => {
    core = new Stage();
  });

  it('creates one client per connection at first use, and reuses it', async () => {
    assert.deepEqual(core.opened, []);
    const [one, other] = await Promise.all([core.run(aService, getClient), core.run(aService, getClient)]);
    assert.equal(one, other);
    assert.notEqual(await core.run(bService, getClient), one);
    assert.deepEqual(core.opened, ['a#1', 'b#2']);
  });

  describe('after a connection was edited', () => {
    const moved = { ...a, baseUrl: 'https://other.example' };
    const notSent = {
      message:
        '"A" has another URL now: https://other.example. Nothing was sent there. Open the record again to use it.',
    };

    it('runs nothing on the new address for who has read the old one', async () => {
      core.keys.set('a https://other.example', 'key-other');
      core.setConnections([moved, b]);
      await assert.rejects(core.run(aService, succeed), notSent);
      await assert.rejects(core.resolve(aService), notSent);
      assert.deepEqual(core.opened, []);
      assert.equal(await core.run(core.getService('a'), succeed), 'done');
    });

    it('runs nothing if it was edited while its key was being read', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      core.gate = promise;
      const running = core.run(aService, succeed);
      core.setConnections([moved, b]);
      core.keys.set('a https://other.example', 'key-other');
      resolve();
      await assert.rejects(running, notSent);
      assert.deepEqual(core.opened, []);
    });

    it('runs nothing if it was removed while its key was being read', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      core.gate = promise;
      const running = core.run(aService, succeed);
      core.setConnections([b]);
      resolve();
      await assert.rejects(running, /There is no connection "a"/u);
      assert.deepEqual(core.opened, []);
    });

    it('finishes an operation that has begun on the old address', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const running = core.run(aService, () => promise);
      await flushTasks();
      core.setConnections([moved, b]);
      assert.deepEqual(core.closed, []);
      resolve();
      await running;
      await flushTasks();
      assert.deepEqual([core.opened, core.closed], [['a#1'], ['a#1']]);
    });
  });

  it('tries again to create a client after a failure', async () => {
    core.problem = new Error('no bundle');
    await assert.rejects(core.run(aService, succeed), /no bundle/);
    core.problem = undefined;
    assert.equal(await core.run(aService, succeed), 'done');
  });

  const outcomes: readonly (readonly [string, ApiErrorDetails['kind'], string, Partial<ApiErrorDetails>?])[] = [
    ['a wrong key', 'unauthorized', 'failed', { status: 401 }],
    [
      'an interface that is switched off',
      'forbidden',
      'failed',
      { status: 403, serverMessage: 'The REST API is not activated.' },
    ],
    [
      "something that isn't allowed",
      'forbidden',
      'connected',
      { status: 403, serverMessage: "You can't edit this template." },
    ],
    ['no network', 'network', 'failed'],
    ['no answer in time', 'timeout', 'failed'],
    ['a bad certificate', 'tls', 'failed'],
    ['a redirect', 'redirect', 'failed', { status: 301 }],
    ['an HTML page', 'notJson', 'failed', { status: 200 }],
    ['a record with an odd field', 'notJson', 'connected', { status: 200, field: 'headers' }],
    ['a deleted record', 'notFound', 'connected', { status: 404 }],
    ['refused fields', 'invalid', 'connected', { status: 422 }],
    ['arguments refused before sending', 'invalid', 'unknown'],
    ["a proxy's address that can't be read", 'invalid', 'failed', { operation: 'connect' }],
    ['an error in the service', 'server', 'connected', { status: 500 }],
    ['a gateway without its service', 'server', 'failed', { status: 502 }],
    ['a service that is down', 'server', 'failed', { status: 503 }],
    ['too many requests', 'rateLimited', 'connected', { status: 429 }],
    ['a canceled request', 'aborted', 'unknown'],
  ];
  for (const [what, kind, expected, details] of outcomes) {
    it(`sets the state after ${what}: ${expected}`, async () => {
      const error: unknown = await core
        .run(aService, failWith({ kind, ...details }))
        .catch((thrown: unknown) => thrown);
      assert.deepEqual(core.state('a'), expected === 'failed' ? { kind: 'failed', error } : { kind: expected });
      assert.deepEqual(core.changes, expected === 'unknown' ? [] : [{ id: 'a' }]);
      assert.equal(core.state('b').kind, 'unknown');
    });
  }

  it('reports a state only when it changes, and ignores errors of its own', async () => {
    await core.run(aService, succeed);
    await core.run(aService, succeed);
    const ours = core.run(aService, () => Promise.reject(new TypeError('ours')));
    await assert.rejects(ours, TypeError);
    assert.deepEqual([core.state('a').kind, core.changes.length], ['connected', 1]);
    for (const message of ['one', 'one', 'two']) await assert.rejects(core.run(aService, failWith({ message })));
    assert.equal(core.changes.length, 3);
    await core.run(aService, succeed);
    assert.deepEqual([core.state('a').kind, core.changes.length], ['connected', 4]);
  });

  it('reports a missing key without sending a request, and reads the key for each request', async () => {
    core.keys.clear();
    await assert.rejects(core.run(aService, succeed), {
      kind: 'unauthorized',
      message: /No API key is stored for "A"/,
    });
    assert.deepEqual([core.state('a').kind, core.opened, core.changes], ['keyMissing', [], [{ id: 'a' }]]);
    core.keys.set('a https://a.example', 'new');
    core.handleKeyChange('a');
    assert.equal(core.state('a').kind, 'unknown');
    await core.run(aService, succeed);
    assert.equal(core.state('a').kind, 'connected');
    core.keys.set('a https://a.example', 'newer');
    assert.equal(await core.keyReaders[0]?.(), 'newer');
  });

  it('ignores results from before a change of the key', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = core.run(aService, () => promise.then(failWith({ kind: 'unauthorized' })));
    await flushTasks();
    core.handleKeyChange('a');
    resolve();
    await assert.rejects(running);
    assert.equal(core.state('a').kind, 'unknown');
  });

  it('keeps client and state of unchanged connections, and reports a new name', async () => {
    await core.run(aService, succeed);
    core.changes.length = 0;
    core.setConnections([a, b]);
    assert.deepEqual(core.changes, []);
    core.setConnections([{ ...a, name: 'Renamed' }, b]);
    assert.deepEqual([core.changes, core.get('a')?.name], [[{}], 'Renamed']);
    await core.run(aService, succeed);
    assert.deepEqual([core.state('a').kind, core.opened, core.closed], ['connected', ['a#1'], []]);
  });

  it('resets a connection when its address or profile changes', async () => {
    for (const change of [{ profile: 'acymailing' }, { baseUrl: 'https://evil.example' }] as const) {
      const before = await core.run(aService, getClient);
      core.setConnections([{ ...a, ...change }, b]);
      assert.equal(core.state('a').kind, 'unknown');
      core.keys.set('a https://evil.example', 'another');
      assert.notEqual(await core.run(core.getService('a'), getClient), before);
    }
    assert.deepEqual(core.closed, ['a#1', 'a#2']);
  });

  it('closes and forgets removed connections', async () => {
    await core.run(aService, succeed);
    core.setConnections([b]);
    await flushTasks();
    assert.deepEqual([core.get('a'), core.closed, core.all], [undefined, ['a#1'], [b]]);
  });

  it('closes a client after its last running operation', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = core.run(aService, () => promise);
    await flushTasks();
    core.restart();
    await core.run(aService, succeed);
    assert.deepEqual(core.closed, []);
    resolve('late');
    assert.equal(await running, 'late');
    await flushTasks();
    assert.deepEqual(core.closed, ['a#1']);
  });

  it('replaces clients and resets failures when network settings change', async () => {
    await assert.rejects(core.run(aService, failWith({})));
    await core.run(bService, succeed);
    core.changes.length = 0;
    core.restart();
    assert.deepEqual([core.state('a').kind, core.state('b').kind], ['unknown', 'connected']);
    assert.deepEqual(core.changes, [{ id: 'a' }]);
    await core.run(aService, succeed);
    assert.deepEqual(core.opened, ['a#1', 'b#2', 'a#3']);
  });

  it('closes all clients and rejects operations after dispose', async () => {
    await core.run(aService, succeed);
    await core.run(bService, succeed);
    core.dispose();
    await flushTasks();
    assert.deepEqual(core.closed, ['a#1', 'b#2']);
    await assert.rejects(core.run(aService, succeed), /There is no connection "a"/);
  });

  describe('register', () => {
    const sandbox: Connection = { id: 'sandbox', name: 'Sandbox', baseUrl: 'http://127.0.0.1', profile: 'documented' };
    const endpoint: Endpoint = { connection: { ...sandbox, baseUrl: 'http://127.0.0.1:4711' }, apiKey: 'random' };

    it('lists window connections after those from the settings', () => {
      core.register(sandbox, () => Promise.resolve(endpoint));
      core.setConnections([b, a]);
      assert.deepEqual(core.all, [b, a, sandbox]);
    });

    // The address before the start: restored tabs have it.
    const pending = toServiceRef(sandbox);

    it('resolves to its address, and starts the service for it', async () => {
      core.register(sandbox, () => Promise.resolve(endpoint));
      assert.deepEqual(await core.resolve({ connection: 'sandbox' }), endpoint.connection);
      assert.equal(await core.run(core.getService('sandbox'), succeed), 'done');
    });

    it('starts the service with the first operation, and makes operations wait', async () => {
      const { promise, resolve } = Promise.withResolvers<Endpoint>();
      let starts = 0;
      core.register(sandbox, () => {
        starts += 1;
        return promise;
      });
      assert.equal(starts, 0);
      const running = Promise.all([core.run(pending, getClient), core.run(pending, getClient)]);
      resolve(endpoint);
      const [one, other] = await running;
      assert.equal(one, other);
      assert.deepEqual([core.get('sandbox'), core.state('sandbox').kind], [endpoint.connection, 'connected']);
      assert.equal(await core.keyReaders[0]?.(), 'random');
    });

    it('retries a failed start', async () => {
      let isBroken = true;
      core.register(sandbox, () => (isBroken ? Promise.reject(new Error('no port')) : Promise.resolve(endpoint)));
      await assert.rejects(core.run(pending, succeed), /no port/);
      isBroken = false;
      assert.equal(await core.run(pending, succeed), 'done');
    });

    it('does not start the service again for a request that is sent after it was removed', async () => {
      let starts = 0;
      const registration = core.register(sandbox, () => {
        starts += 1;
        return Promise.resolve(endpoint);
      });
      const key = await core.run(pending, () => {
        registration.dispose();
        return core.keyReaders[0]?.() ?? assert.fail('There is no client.');
      });
      assert.deepEqual([starts, key], [1, 'random']);
    });

    it('removes the connection and its client once', async () => {
      const registration = core.register(sandbox, () => Promise.resolve(endpoint));
      await core.run(pending, succeed);
      core.changes.length = 0;
      registration.dispose();
      registration.dispose();
      await flushTasks();
      assert.deepEqual([core.get('sandbox'), core.closed, core.changes], [undefined, ['sandbox#1'], [{}]]);
    });
  });
});
