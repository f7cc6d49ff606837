import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { MailingClient } from '../../../../src/service/client/index.ts';
import { startSandbox, type Sandbox } from '../../../support/sandbox/index.ts';
import { createMovedError } from '../../../../src/platform/connections/model.ts';
import { getSendState } from '../../../../src/features/sending/sendState.ts';
import { Journal } from '../../../../src/sync/requests/journal.ts';
import { sendKind, type SendEntry } from '../../../../src/sync/requests/kinds.ts';
import { StateFiles } from '../../../../src/sync/stateFiles.ts';
import { CampaignSender, type SendRequest, type SendOutcome } from '../../../../src/features/sending/campaignSender.ts';

const testList = 8;

/** A window that sends. The test ends its background pauses. */
export class SendWindow {
  readonly sends: CampaignSender;
  readonly journal: Journal<SendEntry>;
  /** Pauses in ms, in order. */
  readonly pauses: number[] = [];
  readonly settled: (readonly [what: string, outcome: SendOutcome])[] = [];
  /** Number of tree updates. */
  changes = 0;
  /** Runs before each request for a campaign's record, with the number of earlier requests. */
  beforeRead: (readCount: number) => Promise<void> | void = () => undefined;
  baseUrl: string;
  #readCount = 0;
  #runningCalls = 0;
  readonly #stage: SendStage;
  readonly #waiting: (() => void)[] = [];

  constructor(stage: SendStage, client: MailingClient) {
    this.#stage = stage;
    this.baseUrl = stage.sandbox.baseUrl;
    this.journal = new Journal(new StateFiles(stage.folder), sendKind, {
      now: () => stage.now,
      getTimeoutMs: () => stage.timeoutMs,
    });
    const observedClient = this.#countCalls(client, async (name) => {
      if (name === 'getCampaignById') await this.beforeRead(this.#readCount++);
    });
    this.sends = new CampaignSender(
      this.#countCalls(this.journal, () => Promise.resolve()),
      {
        get: () => ({ baseUrl: this.baseUrl }),
        run: async ({ baseUrl }, operation) => {
          if (baseUrl !== this.baseUrl) throw createMovedError('One', this.baseUrl);
          return operation(observedClient);
        },
      },
      {
        wait: (ms, signal) => this.#wait(ms, signal),
        onChanged: () => {
          this.changes += 1;
        },
        onSettled: ({ what }, outcome) => this.settled.push([what, outcome]),
      },
    );
  }

  get readCount(): number {
    return this.#readCount;
  }

  /** Ends the current background pause. Resolves at the next pause or at the end. */
  async tick(): Promise<void> {
    const go = this.#waiting.shift();
    if (go === undefined) throw new Error('Nothing waits.');
    go();
    await this.waitUntilIdle();
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when no background work is left. */
  async waitUntilIdle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#runningCalls > 0);
  }

  /** Counts running calls. */
  #countCalls<T extends object>(counted: T, before: (name: PropertyKey) => Promise<void>) {
    return new Proxy(counted, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (['now', 'start', 'isInFlight'].includes(String(name))) return value.bind(target);
        return async (...args: readonly unknown[]): Promise<unknown> => {
          this.#runningCalls += 1;
          try {
            await before(name);
            return await Reflect.apply(value, target, args);
          } finally {
            this.#runningCalls -= 1;
          }
        };
      },
    });
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    this.pauses.push(ms);
    return new Promise((resolve, reject) => {
      const go = () => {
        this.#stage.now += ms;
        resolve();
      };
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      if (ms <= 1000) go();
      else this.#waiting.push(go);
    });
  }
}

/** A service with a campaign for three recipients, and a machine whose windows send it. */
export class SendStage {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly client: MailingClient;
  campaignId = 0;
  /** The configured timeout of a request. */
  timeoutMs = 30_000;
  readonly #clock: { now: number };

  private constructor(sandbox: Sandbox, folder: string, clock: { now: number }) {
    this.#clock = clock;
    this.sandbox = sandbox;
    this.folder = folder;
    this.client = new MailingClient({
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.apiKey,
      wait: () => Promise.resolve(),
    });
  }

  static async start(): Promise<SendStage> {
    const assets = fileURLToPath(new URL('../../../../media/starters', import.meta.url));
    const folder = join(makeScratch(), 'below');
    const clock = { now: Date.UTC(2026, 4, 20, 10, 0, 0) };
    const stage = new SendStage(
      await startSandbox({ assets, subscribers: 60, now: () => new Date(clock.now) }),
      folder,
      clock,
    );
    ({ campaignId: stage.campaignId } = await stage.client.createOrUpdateCampaign({
      name: 'Autumn',
      subject: 'S',
      body: '<p>x</p>',
      listIds: [testList],
    }));
    return stage;
  }

  /** In ms since the epoch, for both service and windows. */
  get now(): number {
    return this.#clock.now;
  }

  set now(now: number) {
    this.#clock.now = now;
  }

  /** Opens a window whose requests go through `client`. */
  open(client = this.client): SendWindow {
    return new SendWindow(this, client);
  }

  /** The send request of a user who confirmed the campaign. */
  async order(resendOf?: SendEntry): Promise<SendRequest> {
    const before = getSendState(await this.client.getCampaignById(this.campaignId));
    return {
      connection: 'one',
      baseUrl: this.sandbox.baseUrl,
      what: `campaigns/${this.campaignId}`,
      campaignId: this.campaignId,
      name: 'Autumn',
      before,
      resendOf,
      check: () => undefined,
    };
  }

  /** Send requests received by the service. */
  get requests(): number {
    return this.sandbox.requests.filter(({ operation }) => operation === 'sendCampaign').length;
  }

  async end(): Promise<void> {
    await this.client.close();
    await this.sandbox.close();
    removeScratch(join(this.folder, '..'));
  }
}
