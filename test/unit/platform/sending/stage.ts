import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { MailingClient } from '../../../../src/service/client/index.ts';
import { startSandbox, type Sandbox } from '../../../support/sandbox/index.ts';
import { getSendState } from '../../../../src/platform/sending/sendJournal.ts';
import { SendJournal, type SendEntry } from '../../../../src/platform/sending/sendJournal.ts';
import { CampaignSender, type SendRequest, type SendOutcome } from '../../../../src/platform/sending/campaignSender.ts';

const testList = 8;

/** A window that sends: its waiting in the background is ended by the test. */
export class SendWindow {
  readonly sends: CampaignSender;
  readonly notes: SendJournal;
  /** Pauses in ms, in order. */
  readonly pauses: number[] = [];
  readonly settled: (readonly [what: string, outcome: SendOutcome])[] = [];
  /** How often the tree was told to draw again. */
  changes = 0;
  /** Runs before each request for a campaign's record, with the number of those before it. */
  beforeLook: (looks: number) => unknown = () => undefined;
  baseUrl: string;
  #looks = 0;
  #underWay = 0;
  readonly #stage: SendStage;
  readonly #waiting: (() => void)[] = [];

  constructor(stage: SendStage, client: MailingClient) {
    this.#stage = stage;
    this.baseUrl = stage.sandbox.baseUrl;
    this.notes = new SendJournal(stage.folder, () => stage.now);
    const looking = this.#counted(client, async (name) => {
      if (name === 'getCampaignById') await this.beforeLook(this.#looks++);
    });
    this.sends = new CampaignSender(
      this.#counted(this.notes, () => Promise.resolve()),
      { get: () => ({ baseUrl: this.baseUrl }), run: (_id, operation) => operation(looking) },
      {
        wait: (ms, signal) => this.#wait(ms, signal),
        now: () => stage.now,
        onChanged: () => {
          this.changes += 1;
        },
        onSettled: ({ what }, outcome) => this.settled.push([what, outcome]),
      },
    );
  }

  get looks(): number {
    return this.#looks;
  }

  /** Ends the pause that the background is in. Resolves when it is in the next, or at its end. */
  async tick(): Promise<void> {
    const go = this.#waiting.shift();
    if (go === undefined) throw new Error('Nothing waits.');
    go();
    await this.quiet();
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when nothing happens any more by itself. */
  async quiet(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#underWay > 0);
  }

  /** Counts the calls of something that are under way. */
  #counted<T extends object>(counted: T, before: (name: PropertyKey) => Promise<void>): T {
    return new Proxy(counted, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          this.#underWay += 1;
          try {
            await before(name);
            return await Reflect.apply(value, target, given);
          } finally {
            this.#underWay -= 1;
          }
        };
      },
    });
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    this.pauses.push(ms);
    return new Promise((resolve, reject) => {
      const go = (): void => {
        this.#stage.now += ms;
        resolve();
      };
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      if (ms <= 1000) go();
      else this.#waiting.push(go);
    });
  }
}

/** A service with a campaign for three people, and a machine whose windows send it. */
export class SendStage {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly client: MailingClient;
  campaignId = 0;
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

  /** In ms since the epoch: of the service as of the windows. */
  get now(): number {
    return this.#clock.now;
  }

  set now(now: number) {
    this.#clock.now = now;
  }

  /** Opens a window; `client` is what it reaches the service with. */
  open(client = this.client): SendWindow {
    return new SendWindow(this, client);
  }

  /** What a user who agreed to send the campaign has agreed to. */
  async order(resendOf?: SendEntry): Promise<SendRequest> {
    const before = getSendState(await this.client.getCampaignById(this.campaignId));
    return {
      connection: 'one',
      what: `campaigns/${this.campaignId}`,
      campaignId: this.campaignId,
      name: 'Autumn',
      before,
      resendOf,
      check: () => undefined,
    };
  }

  /** Requests to send that the service got. */
  get requests(): number {
    return this.sandbox.requests.filter(({ operation }) => operation === 'sendCampaign').length;
  }

  async end(): Promise<void> {
    await this.client.close();
    await this.sandbox.close();
    removeScratch(join(this.folder, '..'));
  }
}
