import type { MailingClient } from '../../../service/client/index.ts';
import { canSendToSingleUser } from '../../../service/client/probe.ts';
import type { Connection } from '../../connections/model.ts';
import type { ReportProgress } from '../../ui/progress.ts';
import { escapeMessage, MAX_LINE_CHARS } from '../../ui/text.ts';
import { MAX_SENTENCE_CHARS } from '../../ui/errors.ts';
import { formatRequestTime } from '../requestTime.ts';
import type { SendConnections, SendOutcome, CampaignSender } from '../campaignSender.ts';
import type { ListLeases } from './listLeases.ts';
import { createListTestStrategy } from './listTestStrategy.ts';
import {
  normalizeAddress,
  uniqueAddresses,
  formatRecipients,
  type Delivery,
  type TestMessage,
  type TestRequest,
  type TestRecipients,
  type TestStrategy,
} from './model.ts';
import { OWN_LIST_NAME, createOwnListTestStrategy } from './ownListTestStrategy.ts';
import type { SingleTestSender } from './singleTestStrategy.ts';
import type { TestCampaigns } from './testCampaigns.ts';

/** A modal confirmation. `detail` has one entry per line. */
export interface TestConfirmation {
  readonly message: string;
  readonly detail: readonly string[];
  readonly action: string;
}

export interface TestHost {
  confirm(question: TestConfirmation): Promise<boolean>;
  progress<T>(title: string, task: (signal: AbortSignal, report: ReportProgress) => Promise<T>): Promise<T>;
  getMaxRecipients(): number;
}

export interface TestResult extends Delivery {
  readonly connection: string;
  readonly id?: number;
  /** The list that received it, if any. */
  readonly listId?: number;
  /** Number of recipients named in the confirmation. */
  readonly recipients: number;
}

/** The journals of what tests leave on services. */
export interface TestResources {
  readonly singleSender: SingleTestSender;
  readonly campaigns: TestCampaigns;
  readonly leases: ListLeases;
}

/** Sends tests to a list or to addresses, and only to recipients named in the confirmation. Independent of VS Code. */
export class TestSender {
  readonly #connections: SendConnections;
  readonly #campaignSender: CampaignSender;
  readonly #resources: TestResources;
  readonly #host: TestHost;
  /** Subjects of running tests. */
  readonly #running = new Set<string>();
  /** By base URL: whether the service can send to a single user. Each service is checked once. */
  readonly #singleSendSupport = new Map<string, Promise<boolean>>();

  constructor(connections: SendConnections, sends: CampaignSender, records: TestResources, host: TestHost) {
    this.#connections = connections;
    this.#campaignSender = sends;
    this.#resources = records;
    this.#host = host;
  }

  /**
   * Sends a test after a modal confirmation; undefined if the user cancels. Throws only if nothing was sent:
   * `UnsuitableListError` for a list that may not receive tests, else an error with the reason.
   */
  async send(order: TestRequest): Promise<TestResult | undefined> {
    const { connection, what, message } = order;
    const key = `${connection.baseUrl}\n${what}`;
    if (this.#running.has(key)) throw new Error('A test of this email is being sent already. Wait until it is done.');
    if (message.isEmpty) throw new Error('The email has no text. Nothing was sent.');
    this.#running.add(key);
    try {
      return await this.#send(order);
    } finally {
      this.#running.delete(key);
    }
  }

  async #send(order: TestRequest): Promise<TestResult | undefined> {
    const { connection, what, message } = order;
    const lost = {
      campaign: await this.#campaignSender.findUnconfirmed(connection.id, what),
      single: await this.#resources.singleSender.findUnconfirmed(connection.id, what),
    };
    const strategy = await this.#host.progress('Looking at whom the test goes to', (signal) =>
      this.#createStrategy(order, lost, signal),
    );
    if (strategy === undefined) return undefined;
    const unconfirmedEntry = lost.campaign ?? lost.single;
    if (!(await this.#host.confirm(createConfirmation(order, strategy, unconfirmedEntry)))) return undefined;
    order.assertStillWanted?.();
    const title = `Sending a test of "${escapeMessage(message.name)}"`;
    const delivery = await this.#host.progress(title, (signal, report) => strategy.send(signal, report));
    // The user agreed to repeat the unconfirmed test.
    if (lost.single !== undefined) await this.#resources.singleSender.forget(lost.single).catch(() => undefined);
    return {
      ...delivery,
      connection: connection.id,
      recipients: strategy.addresses.length,
      ...(delivery.campaignId !== undefined && { id: delivery.campaignId }),
      ...(order.to.kind === 'list' && { listId: order.to.list.id }),
    };
  }

  async #createStrategy(
    order: TestRequest,
    lost: UnconfirmedSends,
    signal: AbortSignal,
  ): Promise<TestStrategy | undefined> {
    const { connection, to } = order;
    const run = <T>(operation: (client: MailingClient) => Promise<T>): Promise<T> =>
      this.#connections.run(connection.id, operation);
    const limit = this.#host.getMaxRecipients();
    const { campaigns, leases } = this.#resources;
    const parts = { run, unconfirmedSend: lost.campaign, maxRecipients: limit, campaigns, leases };
    if (to.kind === 'list') return createListTestStrategy(order, to.list, this.#campaignSender, parts, signal);
    const addresses = validateAddresses(to, limit);
    const { singleSender } = this.#resources;
    if (await this.#canSendToSingleUser(connection, signal))
      return singleSender.createStrategy(order, addresses, { run, unconfirmedTest: lost.single }, signal);
    const confirmCreate = (name: string): Promise<boolean> =>
      this.#host.confirm(createListConfirmation(connection, name));
    return createOwnListTestStrategy(order, addresses, this.#campaignSender, parts, { confirmCreate }, signal);
  }

  #canSendToSingleUser({ id, baseUrl }: Connection, signal: AbortSignal): Promise<boolean> {
    const cached = this.#singleSendSupport.get(baseUrl);
    if (cached !== undefined) return cached;
    const check = this.#connections.run(id, (client) => canSendToSingleUser(client, { signal }));
    this.#singleSendSupport.set(baseUrl, check);
    // Failed checks run again the next time.
    check.catch(() => this.#singleSendSupport.delete(baseUrl));
    return check;
  }
}

interface UnconfirmedSends {
  readonly campaign: Awaited<ReturnType<CampaignSender['findUnconfirmed']>>;
  readonly single: Awaited<ReturnType<SingleTestSender['findUnconfirmed']>>;
}

function validateAddresses(
  { addresses }: Extract<TestRecipients, { kind: 'addresses' }>,
  limit: number,
): readonly string[] {
  const each = uniqueAddresses(addresses);
  if (each.length === 0) throw new Error('There is no address to send the test to. Nothing was sent.');
  if (each.length > limit)
    throw new Error(
      `A test goes to ${formatRecipients(limit)} at most (mailing.test.maxRecipients), and these are ${each.length}. Nothing was sent.`,
    );
  return each;
}

const duplicateWarning =
  'It is not known whether it went out, and the service may still be at it: if it goes out after all, these people get two.';

function createConfirmation(
  { connection, message, remark }: TestRequest,
  strategy: TestStrategy,
  lost: { readonly asked: number } | undefined,
): TestConfirmation {
  const test = `of "${message.name}"`;
  const to = `to ${strategy.recipientSummary} on ${connection.name}`;
  return {
    message:
      lost === undefined
        ? `Send a test ${test} ${to}?`
        : `A test ${test} was told to go out at ${formatRequestTime(lost)}, and no answer came. Send a test AGAIN ${to}?`,
    detail: [
      ...(lost === undefined ? [] : [duplicateWarning]),
      `Subject: ${strategy.subject}`,
      ...wrapAddresses('To: ', strategy.addresses),
      ...createPersonLines(message, strategy.addresses),
      ...strategy.deliveryNotes,
      ...(remark === undefined ? [] : [remark]),
    ],
    action: lost === undefined ? 'Send Test' : 'Send Again',
  };
}

const unconfirmedTestNote = `An earlier test is unconfirmed, and may still go out to whoever is on "${OWN_LIST_NAME}". This test needs another list.`;

function createListConfirmation({ name }: Connection, list: string): TestConfirmation {
  return {
    message: `Make the list "${list}" on ${name}?`,
    detail: [
      ...(list === OWN_LIST_NAME ? [] : [unconfirmedTestNote]),
      `${name} sends to lists alone. Tests to addresses go by a list of their own, which has just these addresses on it.`,
      'No form shows it, nobody gets a welcome mail, and nothing is triggered. It is made once.',
    ],
    action: 'Make List',
  };
}

/** Wraps all addresses into lines that are shown in full. */
function wrapAddresses(label: string, addresses: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const address of addresses.map((each) => escapeMessage(each, MAX_LINE_CHARS * 2))) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + address.length + 2 < MAX_SENTENCE_CHARS)
      lines[lines.length - 1] = `${last}, ${address}`;
    else lines.push(last === undefined ? label + address : address);
  }
  return lines;
}

/** Names the recipients that the preview knows, because the service replaces the tags for each recipient. */
function createPersonLines({ persons = [] }: TestMessage, addresses: readonly string[]): readonly string[] {
  const reached = new Set(addresses.map(normalizeAddress));
  const met = persons.filter(({ email }) => reached.has(normalizeAddress(email)));
  const shown = persons.find((person) => person.isShown && !met.includes(person));
  const each = 'The service replaces the tags for each recipient';
  const names = met.map(({ title, email }) => `${email} is "${title}"`).join(', ');
  return [
    ...(met.length === 0 ? [] : [`As whom: ${names} of the preview. ${each}.`]),
    ...(shown === undefined ? [] : [`The preview shows "${shown.title}", who is no recipient. ${each}.`]),
  ];
}

/** Formats the result of a test for a notification. */
export function formatTestResult(
  { outcome, sent, unknown, refused, recipients }: TestResult,
  list: string | undefined,
): string {
  const to = list === undefined ? undefined : `${formatRecipients(recipients)} of the list "${list}"`;
  const others = refused.map(({ address, reason }) => `${address} got none: ${reason}.`).join(' ');
  const words: Readonly<Record<SendOutcome, () => string>> = {
    sent: () => `The test was sent to ${to ?? formatAddresses(sent)}. ${others}`,
    unknown: () =>
      list === undefined
        ? `The answer to sending was lost, and it is not known whether the test went out to ${formatAddresses(unknown)}: the service may still ` +
          `be at it. ${sent.length > 0 ? `It was sent to ${formatAddresses(sent)}. ` : ''}${others} Look for it before you send it again.`
        : `The answer to sending was lost, and it is not known whether the test went out to "${list}": the service may still be at it. ` +
          'It is watched, and you will be told. Look at its statistics before you send it again.',
  };
  return words[outcome]().replace(/ +/g, ' ').trim();
}

function formatAddresses(addresses: readonly string[]): string {
  return addresses.length > 3 ? formatRecipients(addresses.length) : addresses.join(', ');
}
