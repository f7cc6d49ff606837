import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect as connectTcp, type LookupFunction } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { MailingClient, createDispatcher, type ApiError } from '../../../src/service/client/index.ts';
import { isApiError } from '../../../src/service/client/shapes.ts';
import { startSandbox, type Sandbox, type SandboxProfile } from '../../support/sandbox/index.ts';
import { expired, valid, otherHost as foreign } from '../../support/certificates.ts';
import type { Fault, NetworkFault } from '../../support/faults.ts';
import { ManualTimeout } from '../../support/manualTimeout.ts';
import type { SampleRecords, OperationCase } from '../../support/operations.ts';
import { listen } from '../../support/listen.ts';

const KEY = 'k3y/Secret+42';
const NOW = Date.UTC(2026, 4, 20, 10, 0, 0);
/** Sample ids: the list of all contacts, the test list, an unsent campaign, and two users who are not testers. */
const [EVERYBODY, TEST, UNSENT] = [6, 8, 7] as const;
const USERS: readonly number[] = [4, 5];
/** No service listens on this port. */
const CLOSED_PORT = '1';

/** Result of a call. */
export type CallResult = { readonly result: Awaited<ReturnType<OperationCase['call']>> } | { readonly error: ApiError };

/** A call under a fault, and the same call afterwards. */
export interface Evidence {
  readonly result: CallResult;
  /** Requests of the operation that the service received. */
  readonly requests: number;
  /** Attempted connections for network faults. */
  readonly attempts: number;
  /** Hash of all data of the service after the call. */
  readonly stateHash: string;
  /** The next call without the fault. */
  readonly retryResult: CallResult;
  readonly stateAfterRetry: string;
}

/** A network that fails until it is repaired. */
interface Network {
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  readonly attempts: number;
  repair(): void;
  close(): Promise<void>;
}

/** A dedicated service and its network. */
export class FaultStage {
  readonly #sandbox: Sandbox;
  /** Reads the service without faults. */
  readonly #observer: MailingClient;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#observer = new MailingClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey, profile: sandbox.profile });
  }

  /** @param assets folder of small starter templates */
  static async open(profile: SandboxProfile, assets: string): Promise<FaultStage> {
    return new FaultStage(
      await startSandbox({ assets, apiKey: KEY, profile, subscribers: 60, templates: 4, now: () => new Date(NOW) }),
    );
  }

  async close(): Promise<void> {
    await this.#observer.close();
    await this.#sandbox.close();
  }

  /** Resets the service and returns the hash of its data. */
  async resetAndHash(): Promise<string> {
    await this.#reset();
    return this.#hashState();
  }

  /** Runs a case on the sample data, with or without a fault. */
  async play(one: OperationCase, fault?: Fault): Promise<Evidence> {
    const sandbox = this.#sandbox;
    const sampleRecords = await this.#reset();
    const network = typeof fault?.rule === 'string' ? await networks[fault.rule](sandbox) : undefined;
    const timeout = fault?.hangsIn === undefined ? undefined : { of: new ManualTimeout(), awaited: fault.hangsIn };
    const client = new MailingClient({
      baseUrl: network?.baseUrl ?? sandbox.baseUrl,
      apiKey: sandbox.apiKey,
      profile: sandbox.profile,
      // Skips retry delays.
      wait: () => Promise.resolve(),
      ...(network === undefined ? {} : { dispatcher: network.dispatcher }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout.of.ms }),
    });
    try {
      if (fault !== undefined && typeof fault.rule === 'object')
        sandbox.faults.add({ ...fault.rule, operation: one.operation });
      const from = sandbox.requests.length;
      const received = () => sandbox.requests.slice(from).filter(({ operation }) => operation === one.operation).length;
      const call = captureResult(() => one.call(client, 0, sampleRecords));
      if (timeout) await Promise.race([call, timeout.of.end(timeout.awaited, () => assert.equal(received(), 1))]);
      const result = await call;
      const requests = received();
      const attempts = network?.attempts ?? 0;
      sandbox.faults.clear();
      network?.repair();
      const state = await this.#hashState();
      // A performed operation can't be repeated on the same record.
      const again = await captureResult(() => one.call(client, fault?.isDone === true ? 1 : 0, sampleRecords));
      return {
        result,
        requests,
        attempts,
        stateHash: state,
        retryResult: again,
        stateAfterRetry: one.isWrite ? await this.#hashState() : state,
      };
    } finally {
      sandbox.faults.clear();
      await client.close();
      await network?.close();
    }
  }

  /** Restores the sample data and adds a second campaign that can be sent. */
  async #reset(): Promise<SampleRecords> {
    this.#sandbox.reset();
    const [{ mails }, users, { campaignId }] = await Promise.all([
      this.#observer.getFollowUpById(1),
      this.#observer.getSubscribersFromLists([EVERYBODY]),
      this.#observer.createOrUpdateCampaign({
        name: 'Second',
        subject: 'Second',
        body: '<p>Second</p>',
        listIds: [TEST],
      }),
    ]);
    const others = users.filter(({ id }) => USERS.includes(id));
    return {
      mails: mails.map(({ mail_id }) => mail_id),
      emails: others.map(({ email }) => email ?? ''),
      campaigns: [UNSENT, campaignId],
    };
  }

  /** Hashes all readable data of the service and its outbox. */
  async #hashState() {
    const observer = this.#observer;
    const [lists, templates, followUps, campaigns, ...people] = await Promise.all([
      observer.getLists(),
      observer.getTemplates({ limit: 100 }),
      observer.getFollowUps(),
      observer.getCampaigns(),
      ...USERS.map((id) => observer.getUserSubscriptionById(id)),
    ]);
    // Some fields are only in single records: read those that a case may change.
    const single = await Promise.all([
      observer.getFollowUpById(1),
      ...campaigns.filter(({ draft }) => draft === 1).map(({ id }) => observer.getCampaignById(id)),
    ]);
    const held = JSON.stringify([lists, templates, followUps, campaigns, people, single, this.#sandbox.outbox.count]);
    return createHash('sha256').update(held).digest('hex');
  }
}

/** Returns whether an error contains the key. */
export function containsKey(error: ApiError): boolean {
  return [error.message, error.stack ?? '', JSON.stringify(error), String(error)].some((text) => text.includes(KEY));
}

async function captureResult(call: () => ReturnType<OperationCase['call']>): Promise<CallResult> {
  try {
    return { result: await call() };
  } catch (error) {
    if (isApiError(error)) return { error };
    throw error;
  }
}

const networks: Readonly<Record<NetworkFault, (sandbox: Sandbox) => Promise<Network>>> = {
  unknownHost: (sandbox) =>
    Promise.resolve(createTcpNetwork(sandbox, 'service.invalid', (isBroken) => ({ lookup: createLookup(isBroken) }))),
  refusedConnection: (sandbox) => Promise.resolve(createTcpNetwork(sandbox, '127.0.0.1', () => ({}), CLOSED_PORT)),
  untrustedCertificate: (sandbox) => createTlsNetwork(sandbox, foreign, []),
  expiredCertificate: (sandbox) => createTlsNetwork(sandbox, expired, [expired.cert]),
  wrongHost: (sandbox) => createTlsNetwork(sandbox, foreign, [foreign.cert]),
};

/** Simulates a failed lookup as `getaddrinfo` reports it. */
function createLookup(isBroken: () => boolean): LookupFunction {
  return (host, options, callback) => {
    if (isBroken())
      return callback(
        Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
          code: 'ENOTFOUND',
          syscall: 'getaddrinfo',
          hostname: host,
        }),
        [],
      );
    return options.all === true
      ? callback(null, [{ address: '127.0.0.1', family: 4 }])
      : callback(null, '127.0.0.1', 4);
  };
}

/** @param brokenPort port of connections while the network is broken */
function createTcpNetwork(
  sandbox: Sandbox,
  host: string,
  options: (isBroken: () => boolean) => object,
  brokenPort?: string,
): Network {
  let broken = true;
  let attempts = 0;
  const connector = buildConnector(options(() => broken));
  const dispatcher = new Agent({
    connect: (target, callback) => {
      attempts += 1;
      connector(broken && brokenPort !== undefined ? { ...target, port: brokenPort } : target, callback);
    },
  });
  return {
    baseUrl: `http://${host}:${new URL(sandbox.baseUrl).port}`,
    dispatcher,
    get attempts() {
      return attempts;
    },
    repair: () => {
      broken = false;
    },
    close: () => dispatcher.destroy(),
  };
}

/** Creates a TLS proxy for the service with an invalid certificate until it is repaired. */
async function createTlsNetwork(
  sandbox: Sandbox,
  bad: { readonly key: string; readonly cert: string },
  trusted: readonly string[],
): Promise<Network> {
  let attempts = 0;
  const server = createTlsServer(bad, (socket) => {
    const inner = connectTcp(Number(new URL(sandbox.baseUrl).port), '127.0.0.1');
    for (const end of [socket, inner]) end.on('error', () => undefined);
    socket.pipe(inner).pipe(socket);
    socket.on('close', () => inner.destroy());
  });
  server.on('tlsClientError', () => undefined);
  server.on('connection', () => (attempts += 1));
  const port = await listen(server);
  const dispatcher = createDispatcher({
    proxy: false,
    useSystemCertificates: false,
    extraCertificates: [valid.cert, ...trusted],
  });
  return {
    baseUrl: `https://127.0.0.1:${port}`,
    dispatcher,
    get attempts() {
      return attempts;
    },
    repair: () => server.setSecureContext(valid),
    close: async () => {
      await dispatcher.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
