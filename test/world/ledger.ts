import type { Operation, Process } from './process.ts';
import type { NetworkObserver, Traffic } from './network.ts';
import type { Delivered, Reply } from './service.ts';
import { NEWSLETTER, type World } from './world.ts';

/** A request with what came of it. Orders count all facts of a history. */
export interface Fact {
  readonly traffic: Traffic;
  readonly process: Process;
  readonly operation: Operation | undefined;
  readonly sentAt: number;
  /** What its process had read last of the same record. */
  readonly lastRead: ReadFact | undefined;
  /** When its process had counted recipients, for any command. */
  readonly counts: readonly ReadFact[];
  handledAt?: number;
  /** When its process received a response of the service that says what became of the request. */
  answeredAt?: number;
  reply?: Reply;
  readonly deliveries: Delivered[];
}

export interface ReadFact {
  readonly text: string;
  /** When the service read it, and when the process received it. */
  readonly handledAt: number;
  readonly receivedAt: number;
}

/** A unique word that somebody typed into the template. */
const WORD = /w\d+x/gu;
export const findWords = (text: string): readonly string[] => text.match(WORD) ?? [];

/** Kinds of commands that send these requests. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  sendCampaign: ['send', 'test'],
  sendEmailToSingleUser: ['test'],
  createTemplate: ['test'],
  deleteTemplate: ['test'],
  createOrUpdateCampaign: ['test'],
  subscribeUsers: ['test', 'subscribe'],
  unsubscribeUsers: ['test', 'subscribe'],
  updateTemplate: ['push', 'save', 'mailing'],
};

/** Records what happened between processes and the service. */
export class Ledger implements NetworkObserver {
  readonly #world: World;
  readonly facts: Fact[] = [];
  readonly #byTraffic = new Map<Traffic, Fact>();
  readonly #reads = new Map<Process, Map<string, ReadFact>>();
  readonly #counts = new Map<Process, readonly ReadFact[]>();
  /** Ids of the campaigns that tests created. */
  readonly testCampaigns = new Map<number, Operation | undefined>();
  /** Texts of the template that the service had. */
  readonly storedTexts = new Set<string>();
  /** Problems found when a request was sent or handled. */
  readonly problems: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  onSent(traffic: Traffic): void {
    const process = traffic.user as Process;
    const { operation, request } = traffic;
    const operations = (kinds[operation] ?? []).flatMap((kind) => process.running.get(kind) ?? []);
    // Tests change lists of their own.
    const isNewsletter = new RegExp(`"listIds":\\[${NEWSLETTER}\\]`, 'u').test(request.body);
    const owner =
      operation === 'sendCampaign'
        ? (this.testCampaigns.get(getId(traffic, 'campaignId')) ?? operations.find(({ kind }) => kind === 'send'))
        : (operations.find(({ kind }) => (kind === 'subscribe') === isNewsletter) ?? operations[0]);
    const fact: Fact = {
      traffic,
      process,
      operation: owner,
      sentAt: this.#world.tick(),
      lastRead: this.getLastRead(process, getSubject(traffic)),
      counts: this.#counts.get(process) ?? [],
      deliveries: [],
    };
    this.facts.push(fact);
    this.#byTraffic.set(traffic, fact);
    owner?.requests.push(fact.sentAt);
    this.#world.count(process.actor, operation, 'sent');
    if (traffic.request.method !== 'GET') this.#world.log(`${process.name} requests ${describe(traffic)}.`);
  }

  async onHandled(traffic: Traffic, act: () => Promise<Reply>): Promise<Reply> {
    const fact = this.#byTraffic.get(traffic) as Fact;
    const { service } = this.#world;
    const { templateText: textBefore, templateWords: before } = this.#world;
    const count = service.deliveries.length;
    const reply = await act();
    fact.handledAt = this.#world.tick();
    fact.reply = reply;
    fact.deliveries.push(...service.deliveries.slice(count));
    this.storedTexts.add(textBefore).add(this.#world.templateText);
    if (traffic.request.method !== 'GET')
      this.#world.log(`The service handles ${describe(traffic)} of ${fact.process.name}.`);
    if (fact.deliveries.length > 0) {
      const recipients = fact.deliveries.flatMap((each) => each.recipients);
      this.#world.log(`The service sends an email to ${recipients.length} recipients.`);
    }
    if (traffic.operation === 'createOrUpdateCampaign') {
      const { campaignId } = JSON.parse(reply.body.toString('utf8')) as { campaignId?: number };
      if (campaignId !== undefined) {
        this.testCampaigns.set(campaignId, fact.operation);
        this.#world.handleTestCampaign(campaignId);
      }
    }
    if (traffic.operation === 'updateTemplate') this.#checkReplaced(fact, before);
    return reply;
  }

  onAnswered(traffic: Traffic, reply: Reply): void {
    const fact = this.#byTraffic.get(traffic) as Fact;
    const isJson = /json/u.test(reply.headers['content-type'] ?? '');
    if (isJson && reply.status < 500) fact.answeredAt = this.#world.tick();
    if (traffic.request.method !== 'GET' || !isJson || reply.status !== 200 || fact.handledAt === undefined) return;
    const reads = this.#reads.get(fact.process) ?? new Map<string, ReadFact>();
    this.#reads.set(fact.process, reads);
    const read = {
      text: reply.body.toString('utf8'),
      handledAt: fact.handledAt,
      receivedAt: this.#world.tick(),
    };
    reads.set(getSubject(traffic), read);
    // Lists of AcyMailing have a number of subscribers.
    const isCounted = this.#world.connection.profile === 'acymailing' && traffic.operation === 'getLists';
    if (!isCounted && traffic.operation !== 'getSubscribersFromLists') return;
    this.#counts.set(fact.process, [...(this.#counts.get(fact.process) ?? []), read]);
  }

  getLastRead(process: Process, subject: string): ReadFact | undefined {
    return this.#reads.get(process)?.get(subject);
  }

  /** A text of somebody else may only be replaced by the decision of a user who was shown it. */
  #checkReplaced({ lastRead, process, operation }: Fact, before: readonly string[]) {
    const after = new Set(this.#world.templateWords);
    const lost = before.filter((word) => !after.has(word));
    const seen = new Set(findWords(lastRead?.text ?? ''));
    // The service has no conditional update: nobody can know what it stores between a read and an update.
    for (const word of lost) if (!seen.has(word)) this.#world.givenUp.add(word);
    const replaced = lost.filter((word) => seen.has(word));
    if (replaced.length === 0 || this.#world.hasDecided(process, operation, replaced)) return;
    this.problems.push(
      `${process.name} replaced ${replaced.join(', ')} on the service, which it had read, without a decision.`,
    );
  }
}

export function getId({ request }: Traffic, name: string): number {
  const found = new RegExp(`[?&]${name}=(\\d+)`, 'u').exec(request.path)?.[1];
  return Number(found ?? (request.body === '' ? 0 : (JSON.parse(request.body) as Record<string, number>)[name]));
}

/** Reads and writes of the same record have the same subject. */
function getSubject(traffic: Traffic) {
  const { operation } = traffic;
  if (/OneTemplate|updateTemplate/u.test(operation)) return `template ${getId(traffic, 'templateId')}`;
  if (/CampaignById|sendCampaign/u.test(operation)) return `campaign ${getId(traffic, 'campaignId')}`;
  return operation;
}

function describe(traffic: Traffic) {
  const id = traffic.operation === 'sendCampaign' ? ` of campaign ${getId(traffic, 'campaignId')}` : '';
  return `${traffic.operation} (${traffic.number})${id}`;
}
