import assert from 'node:assert/strict';
import { ApiError, type ApiErrorDetails } from '../../../../src/service/client/errors.ts';
import { MailingClient } from '../../../../src/service/client/index.ts';
import {
  ConnectionCore,
  UnknownConnectionError,
  type ConnectionsChange,
  type Endpoint,
} from '../../../../src/platform/connections/core.ts';
import type { Connection } from '../../../../src/platform/connections/model.ts';

const a: Connection = { id: 'a', name: 'A', baseUrl: 'https://a.example', profile: 'documented' };
const b: Connection = { id: 'b', name: 'B', baseUrl: 'https://b.example', profile: 'acymailing' };
const sandbox: Connection = {
  id: 'sandbox',
  name: 'Sandbox',
  baseUrl: 'http://127.0.0.1',
  profile: 'documented',
  sandbox: true,
};

function failure(details: Partial<ApiErrorDetails>): ApiError {
  return new ApiError({
    kind: 'network',
    operation: 'getLists',
    outcome: 'refused',
    message: 'It failed.',
    ...details,
  });
}

/** Creates a core whose clients send nothing, and logs of its actions. */
function setUp() {
  const keys = new Map([
    ['a https://a.example', 'key-a'],
    ['b https://b.example', 'key-b'],
  ]);
  const opened: string[] = [];
  const closed: string[] = [];
  const changes: ConnectionsChange[] = [];
  const offered: (() => Promise<string>)[] = [];
  const core = new ConnectionCore({
    keys: { get: (id, baseUrl) => Promise.resolve(keys.get(`${id} ${baseUrl}`)) },
    open: (connection, apiKey) => {
      const name = `${connection.id}#${opened.length + 1}`;
      opened.push(name);
      offered.push(apiKey);
      const client = new MailingClient({ baseUrl: connection.baseUrl, apiKey, profile: connection.profile });
      return Promise.resolve({
        client,
        close: () => {
          closed.push(name);
          return client.close();
        },
      });
    },
    onChange: (change) => changes.push(change),
  });
  core.setConnections([a, b]);
  changes.length = 0;
  return { core, keys, opened, closed, changes, offered };
}

const succeed = () => Promise.resolve('done');
const flushTasks = () => new Promise((resolve) => setImmediate(resolve));

describe('ConnectionCore', () => {
  it('creates one client per connection at first use, and reuses it', async () => {
    const { core, opened } = setUp();
    assert.deepEqual(opened, []);
    const clients = [
      await core.run('a', (client) => Promise.resolve(client)),
      await core.run('a', (client) => Promise.resolve(client)),
      await core.run('b', (client) => Promise.resolve(client)),
    ];
    assert.deepEqual(opened, ['a#1', 'b#2']);
    assert.equal(clients[0], clients[1]);
    assert.notEqual(clients[0], clients[2]);
  });

  it('creates one client for simultaneous operations', async () => {
    const { core, opened } = setUp();
    await Promise.all([core.run('a', succeed), core.run('a', succeed), core.run('a', succeed)]);
    assert.deepEqual(opened, ['a#1']);
  });

  it('rejects an id without a connection', async () => {
    const { core } = setUp();
    await assert.rejects(
      core.run('c', succeed),
      (error) => error instanceof UnknownConnectionError && error.connection === 'c',
    );
  });

  const outcomes: readonly (readonly [string, ApiErrorDetails['kind'], Partial<ApiErrorDetails>, string])[] = [
    ['a wrong key', 'unauthorized', { status: 401 }, 'failed'],
    [
      'an interface that is switched off',
      'forbidden',
      { status: 403, serverMessage: 'The REST API is not activated.' },
      'failed',
    ],
    [
      "something that isn't allowed",
      'forbidden',
      { status: 403, serverMessage: "You can't edit this template." },
      'connected',
    ],
    ['no network', 'network', {}, 'failed'],
    ['no answer in time', 'timeout', {}, 'failed'],
    ['a bad certificate', 'tls', {}, 'failed'],
    ['a redirect', 'redirect', { status: 301 }, 'failed'],
    ['an HTML page', 'notJson', { status: 200 }, 'failed'],
    ['a record with an odd field', 'notJson', { status: 200, field: 'headers' }, 'connected'],
    ['a deleted record', 'notFound', { status: 404 }, 'connected'],
    ['refused fields', 'invalid', { status: 422 }, 'connected'],
    ['arguments refused before sending', 'invalid', {}, 'unknown'],
    ["a proxy's address that can't be read", 'invalid', { operation: 'connect' }, 'failed'],
    ['an error in the service', 'server', { status: 500 }, 'connected'],
    ['a gateway without its service', 'server', { status: 502 }, 'failed'],
    ['a service that is down', 'server', { status: 503 }, 'failed'],
    ['too many requests', 'rateLimited', { status: 429 }, 'connected'],
    ['a canceled request', 'aborted', {}, 'unknown'],
  ];
  for (const [what, kind, details, expected] of outcomes) {
    it(`sets the state after ${what}: ${expected}`, async () => {
      const { core, changes } = setUp();
      const error = failure({ kind, ...details });
      await assert.rejects(
        core.run('a', () => Promise.reject(error)),
        (thrown) => thrown === error,
      );
      const state = core.state('a');
      assert.equal(state.kind, expected);
      if (state.kind === 'failed') assert.equal(state.error, error);
      assert.deepEqual(changes, expected === 'unknown' ? [] : [{ id: 'a' }]);
      assert.equal(core.state('b').kind, 'unknown');
    });
  }

  it('keeps the state after an error other than ApiError', async () => {
    const { core } = setUp();
    await core.run('a', succeed);
    await assert.rejects(
      core.run('a', () => Promise.reject(new TypeError('ours'))),
      TypeError,
    );
    assert.equal(core.state('a').kind, 'connected');
  });

  it('reports a state only when it changes', async () => {
    const { core, changes } = setUp();
    await core.run('a', succeed);
    await core.run('a', succeed);
    assert.equal(changes.length, 1);
    for (const message of ['one', 'one', 'two'])
      await assert.rejects(core.run('a', () => Promise.reject(failure({ message }))));
    assert.equal(changes.length, 3);
    await core.run('a', succeed);
    assert.equal(core.state('a').kind, 'connected');
    assert.equal(changes.length, 4);
  });

  it('reports a missing key without sending a request', async () => {
    const { core, keys, opened, changes } = setUp();
    keys.clear();
    await assert.rejects(
      core.run('a', succeed),
      (error) =>
        error instanceof ApiError &&
        error.kind === 'unauthorized' &&
        error.message.includes('No API key is stored for “A”'),
    );
    assert.equal(core.state('a').kind, 'keyMissing');
    assert.deepEqual([opened, changes], [[], [{ id: 'a' }]]);
    keys.set('a https://a.example', 'new');
    core.handleKeyChange('a');
    assert.equal(core.state('a').kind, 'unknown');
    await core.run('a', succeed);
    assert.equal(core.state('a').kind, 'connected');
  });

  it('reads the key for each request, so that a new key applies immediately', async () => {
    const { core, keys, offered } = setUp();
    await core.run('a', succeed);
    keys.set('a https://a.example', 'new');
    assert.equal(await offered[0]?.(), 'new');
  });

  it('ignores results from before a change of the key', async () => {
    const { core } = setUp();
    let refuse = (_error: Error): void => undefined;
    const running = core.run(
      'a',
      () =>
        new Promise((_, reject) => {
          refuse = reject;
        }),
    );
    await flushTasks();
    core.handleKeyChange('a');
    refuse(failure({ kind: 'unauthorized' }));
    await assert.rejects(running);
    assert.equal(core.state('a').kind, 'unknown');
  });

  it('keeps client and state of unchanged connections, and reports a new name', async () => {
    const { core, opened, closed, changes } = setUp();
    await core.run('a', succeed);
    changes.length = 0;
    core.setConnections([a, b]);
    assert.deepEqual(changes, []);
    core.setConnections([{ ...a, name: 'Renamed' }, b]);
    assert.deepEqual(changes, [{}]);
    assert.equal(core.get('a')?.name, 'Renamed');
    await core.run('a', succeed);
    assert.deepEqual([core.state('a').kind, opened, closed], ['connected', ['a#1'], []]);
  });

  for (const [what, changed] of [
    ['address', { ...a, baseUrl: 'https://evil.example' }],
    ['profile', { ...a, profile: 'acymailing' }],
  ] as const) {
    it(`resets a connection when its ${what} changes`, async () => {
      const { core, closed, keys } = setUp();
      await core.run('a', succeed);
      core.setConnections([changed, b]);
      assert.equal(core.state('a').kind, 'unknown');
      await flushTasks();
      assert.deepEqual(closed, ['a#1']);
      keys.set(`a ${changed.baseUrl}`, 'another');
      const client = await core.run('a', (given) => Promise.resolve(given));
      assert.ok(client instanceof MailingClient);
    });
  }

  it('sends no key to a redefined address', async () => {
    const { core, opened } = setUp();
    core.setConnections([{ ...a, baseUrl: 'https://evil.example' }]);
    await assert.rejects(core.run('a', succeed), /No API key/);
    assert.deepEqual(opened, []);
  });

  it('closes and forgets removed connections', async () => {
    const { core, closed } = setUp();
    await core.run('a', succeed);
    core.setConnections([b]);
    await flushTasks();
    assert.deepEqual([core.get('a'), closed, core.all], [undefined, ['a#1'], [b]]);
  });

  it('closes a client after its last running operation', async () => {
    const { core, closed } = setUp();
    let finish = (_value: string): void => undefined;
    const running = core.run(
      'a',
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    await flushTasks();
    core.restart();
    await core.run('a', succeed);
    assert.deepEqual(closed, []);
    finish('late');
    assert.equal(await running, 'late');
    await flushTasks();
    assert.deepEqual(closed, ['a#1']);
  });

  it('replaces clients and resets failures when network settings change', async () => {
    const { core, opened, changes } = setUp();
    await assert.rejects(core.run('a', () => Promise.reject(failure({}))));
    await core.run('b', succeed);
    changes.length = 0;
    core.restart();
    assert.deepEqual([core.state('a').kind, core.state('b').kind, changes], ['unknown', 'connected', [{ id: 'a' }]]);
    await core.run('a', succeed);
    assert.deepEqual(opened, ['a#1', 'b#2', 'a#3']);
  });

  it('retries creating a client after a failure', async () => {
    let broken = true;
    const core = new ConnectionCore({
      keys: { get: () => Promise.resolve('k') },
      open: (connection, apiKey) =>
        broken
          ? Promise.reject(new Error('no bundle'))
          : Promise.resolve({
              client: new MailingClient({ baseUrl: connection.baseUrl, apiKey }),
              close: () => Promise.resolve(),
            }),
      onChange: () => undefined,
    });
    core.setConnections([a]);
    await assert.rejects(core.run('a', succeed), /no bundle/);
    broken = false;
    assert.equal(await core.run('a', succeed), 'done');
  });

  it('closes all clients and rejects operations after dispose', async () => {
    const { core, closed } = setUp();
    await core.run('a', succeed);
    await core.run('b', succeed);
    core.dispose();
    await flushTasks();
    assert.deepEqual(closed, ['a#1', 'b#2']);
    await assert.rejects(core.run('a', succeed), UnknownConnectionError);
  });
});

describe('ConnectionCore.register', () => {
  const endpoint: Endpoint = { connection: { ...sandbox, baseUrl: 'http://127.0.0.1:4711' }, apiKey: 'random' };

  it('lists window connections after those from the settings', () => {
    const { core } = setUp();
    core.register(sandbox, () => Promise.resolve(endpoint));
    core.setConnections([b, a]);
    assert.deepEqual(
      core.all.map(({ id }) => id),
      ['b', 'a', 'sandbox'],
    );
  });

  it('starts the service with the first operation, and makes operations wait', async () => {
    const { core, offered } = setUp();
    let started = (_endpoint: Endpoint): void => undefined;
    let starts = 0;
    const starting = new Promise<Endpoint>((resolve) => {
      started = resolve;
    });
    core.register(sandbox, () => {
      starts += 1;
      return starting;
    });
    assert.equal(starts, 0);
    const running = [
      core.run('sandbox', (client) => Promise.resolve(client)),
      core.run('sandbox', (client) => Promise.resolve(client)),
    ];
    started(endpoint);
    const clients = await Promise.all(running);
    assert.equal(clients[0], clients[1]);
    assert.equal(core.get('sandbox')?.baseUrl, 'http://127.0.0.1:4711');
    assert.equal(await offered[0]?.(), 'random');
    assert.equal(core.state('sandbox').kind, 'connected');
  });

  it('retries a failed start', async () => {
    const { core } = setUp();
    let broken = true;
    core.register(sandbox, () => (broken ? Promise.reject(new Error('no port')) : Promise.resolve(endpoint)));
    await assert.rejects(core.run('sandbox', succeed), /no port/);
    broken = false;
    assert.equal(await core.run('sandbox', succeed), 'done');
  });

  it('removes the connection and its client once', async () => {
    const { core, closed, changes } = setUp();
    const unregister = core.register(sandbox, () => Promise.resolve(endpoint));
    await core.run('sandbox', succeed);
    changes.length = 0;
    unregister.dispose();
    unregister.dispose();
    await flushTasks();
    assert.deepEqual([core.get('sandbox'), closed, changes], [undefined, ['sandbox#1'], [{}]]);
  });
});
