import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect as connectTcp } from 'node:net';
import type { LookupFunction } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { Dispatcher } from 'undici';
import { MailingClient, createDispatcher, isApiError } from '../../../src/service/client/index.ts';
import type { ApiError } from '../../../src/service/client/index.ts';
import { startSandbox } from '../../support/sandbox/index.ts';
import type { Sandbox, SandboxProfile } from '../../support/sandbox/index.ts';
import { expired, valid, otherHost as foreign } from '../../support/certificates.ts';
import type { Fault, NetworkFault } from '../../support/faults.ts';
import { ManualTimeout } from '../../support/manualTimeout.ts';
import type { SampleRecords, OperationCase } from '../../support/operations.ts';

const KEY = 'k3y/Secret+42';
const NOW = Date.UTC(2026, 4, 20, 10, 0, 0);
/** Of the sample: a list of everybody, one of three testers, two users who are no testers, a campaign that was not sent. */
const [EVERYBODY, TEST, UNSENT] = [6, 8, 7] as const;
const USERS: readonly number[] = [4, 5];
/** Nothing listens there: a port below 1024 that no service uses any more. */
const CLOSED_PORT = '1';

/** What a call came to. */
export type CallResult = { readonly result: unknown } | { readonly error: ApiError };

/** A call under a fault, and the same service right after. */
export interface Evidence {
  readonly result: CallResult;
  /** Requests of the operation that the service received. */
  readonly requests: number;
  /** Connections that were tried, where the fault is one of the network. */
  readonly attempts: number;
  /** Fingerprint of everything the service holds, after the call. */
  readonly stateHash: string;
  /** The next call, without the fault. */
  readonly retryResult: CallResult;
  readonly stateAfterRetry: string;
}

/** A network that fails until it is mended. */
interface Network {
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  readonly attempts: number;
  repair(): void;
  close(): Promise<void>;
}

/** A service of its own, and whatever stands before it. */
export class FaultStage {
  readonly #sandbox: Sandbox;
  /** Looks at the service past all faults. */
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

  /** Everything the service holds when it begins. */
  async resetAndHash(): Promise<string> {
    await this.#reset();
    return this.#hashState();
  }

  /** Plays one case under one fault (none: as it should be), on the sample as it began. */
  async play(one: OperationCase, fault?: Fault): Promise<Evidence> {
    const sandbox = this.#sandbox;
    const known = await this.#reset();
    const network = typeof fault?.rule === 'string' ? await networks[fault.rule](sandbox) : undefined;
    const timeout = fault?.hangsIn === undefined ? undefined : { of: new ManualTimeout(), awaited: fault.hangsIn };
    const client = new MailingClient({
      baseUrl: network?.baseUrl ?? sandbox.baseUrl,
      apiKey: sandbox.apiKey,
      profile: sandbox.profile,
      // Pauses before repeated reads are not waited for.
      wait: () => Promise.resolve(),
      ...(network === undefined ? {} : { dispatcher: network.dispatcher }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout.of.ms }),
    });
    try {
      if (fault !== undefined && typeof fault.rule === 'object')
        sandbox.faults.add({ ...fault.rule, operation: one.operation });
      const from = sandbox.requests.length;
      const received = () => sandbox.requests.slice(from).filter(({ operation }) => operation === one.operation).length;
      const call = captureResult(() => one.call(client, 0, known));
      if (timeout) await Promise.race([call, timeout.of.end(timeout.awaited, () => assert.equal(received(), 1))]);
      const told = await call;
      const requests = received();
      const attempts = network?.attempts ?? 0;
      sandbox.faults.clear();
      network?.repair();
      const state = await this.#hashState();
      // What was done can't be done to the same record again.
      const again = await captureResult(() => one.call(client, fault?.isDone === true ? 1 : 0, known));
      return {
        result: told,
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

  /** The sample, and a second campaign that can be sent. */
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

  /** A fingerprint of all that can be read of the service, and of what it has sent. */
  async #hashState(): Promise<string> {
    const observer = this.#observer;
    const [lists, templates, followUps, campaigns, ...people] = await Promise.all([
      observer.getLists(),
      observer.getTemplates({ limit: 100 }),
      observer.getFollowUps(),
      observer.getCampaigns(),
      ...USERS.map((id) => observer.getUserSubscriptionById(id)),
    ]);
    // A part of these collections is in their single records alone: of those that a case may change.
    const single = await Promise.all([
      observer.getFollowUpById(1),
      ...campaigns.filter(({ draft }) => draft === 1).map(({ id }) => observer.getCampaignById(id)),
    ]);
    const held = JSON.stringify([lists, templates, followUps, campaigns, people, single, this.#sandbox.outbox.count]);
    return createHash('sha256').update(held).digest('hex');
  }
}

/** Whether an error says the key, in whatever it holds. */
export function containsKey(error: ApiError): boolean {
  return [error.message, error.stack ?? '', JSON.stringify(error), String(error)].some((text) => text.includes(KEY));
}

async function captureResult(call: () => Promise<unknown>): Promise<CallResult> {
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

/** A system that does not know a name, as `getaddrinfo` says it. */
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

/** @param brokenPort where connections go as long as the network is broken */
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

/** A server before the service, which shows a bad certificate until it gets a good one. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dispatcher = createDispatcher({
    proxy: false,
    useSystemCertificates: false,
    extraCertificates: [valid.cert, ...trusted],
  });
  return {
    baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
