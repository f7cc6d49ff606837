import { canSendToSingleUser } from '../../../service/client/client.ts';
import type { Connection } from '../../connections/model.ts';
import type { ReportProgress } from '../../ui/progress.ts';
import { escapeMessage, MAX_LINE_CHARS } from '../../ui/text.ts';
import { MAX_SENTENCE_CHARS } from '../../ui/errors.ts';
import { SEND_IN_PROGRESS_MESSAGE, type CampaignSender } from '../campaignSender.ts';
import { formatRequestTime, getSubjectKey, toSubject, type SendConnections } from '../journal.ts';
import { createListTestStrategy, createSingleTestStrategy, type TestContext } from './strategies.ts';
import { OWN_LIST_NAME, createOwnListTestStrategy } from './ownListTest.ts';
import {
  normalizeAddress,
  uniqueAddresses,
  formatRecipients,
  type Delivery,
  type TestMessage,
  type TestRequest,
  type TestStrategy,
} from './model.ts';
import type { TestRecords } from './testRecords.ts';

export interface TestHost {
  /** Shows a modal confirmation. `detail` has one entry per line. */
  confirm(message: string, detail: readonly string[], action: string): Promise<boolean>;
  progress<T>(title: string, task: (signal: AbortSignal, report: ReportProgress) => Promise<T>): Promise<T>;
  getMaxRecipients(): number;
}

export interface TestResult extends Delivery {
  readonly connection: string;
  /** The list that received it, if any. */
  readonly listId?: number;
  /** Number of recipients named in the confirmation. */
  readonly recipients: number;
}

export type TestSender = ReturnType<typeof createTestSender>;

/**
 * Creates a function that sends a test after a modal confirmation, and only to recipients named there. It resolves with
 * undefined if the user cancels. It throws only if nothing was sent: `UnsuitableListError` for a list that may not
 * receive tests, else an error with the reason.
 */
export function createTestSender(
  connections: SendConnections,
  campaignSender: CampaignSender,
  records: TestRecords,
  host: TestHost,
) {
  const { journal } = records;
  /** Subjects of running tests. */
  const running = new Set<string>();
  /** By base URL: whether the service can send to a single user. Each service is checked once. */
  const singleSendSupport = new Map<string, Promise<boolean>>();

  return async (order: TestRequest): Promise<TestResult | undefined> => {
    const key = getSubjectKey({ baseUrl: order.connection.baseUrl, what: order.what });
    if (running.has(key)) throw new Error(SEND_IN_PROGRESS_MESSAGE);
    if (order.message.isEmpty) throw new Error('The email has no text. Nothing was sent.');
    running.add(key);
    try {
      return await send(order);
    } finally {
      running.delete(key);
    }
  };

  async function send(order: TestRequest): Promise<TestResult | undefined> {
    const { connection, what, message, to } = order;
    const single = await journal.find(toSubject(connections, connection.id, what));
    if (single !== undefined && journal.isInFlight(single)) throw new Error(SEND_IN_PROGRESS_MESSAGE);
    const campaign = await campaignSender.findUnconfirmed(connection.id, what);
    const strategy = await host.progress('Checking recipients', (signal) =>
      createStrategy(order, { campaign, single }, signal),
    );
    if (strategy === undefined) return undefined;
    if (!(await host.confirm(...createConfirmation(order, strategy, campaign ?? single)))) return undefined;
    order.assertStillWanted?.();
    const title = `Sending a test of "${escapeMessage(message.name)}"`;
    const delivery = await host.progress(title, (signal, report) => strategy.send(signal, report));
    // The user agreed to repeat the unconfirmed test.
    if (single !== undefined) await journal.release(single).catch(() => undefined);
    return {
      ...delivery,
      connection: connection.id,
      recipients: strategy.addresses.length,
      ...(to.kind === 'list' && { listId: to.list.id }),
    };
  }

  async function createStrategy(
    order: TestRequest,
    unconfirmed: TestContext['unconfirmed'],
    signal: AbortSignal,
  ): Promise<TestStrategy | undefined> {
    const { connection, to } = order;
    const maxRecipients = host.getMaxRecipients();
    const context: TestContext = {
      run: (operation) => connections.run(connection.id, operation),
      connections,
      campaignSender,
      records,
      maxRecipients,
      unconfirmed,
    };
    if (to.kind === 'list') return createListTestStrategy(order, to.list, context, signal);
    const addresses = validateAddresses(to.addresses, maxRecipients);
    if (await canSendToUsers(connection, signal)) return createSingleTestStrategy(order, addresses, context, signal);
    const confirmCreate = (name: string): Promise<boolean> => host.confirm(...createListConfirmation(connection, name));
    return createOwnListTestStrategy(order, addresses, context, confirmCreate, signal);
  }

  function canSendToUsers({ id, baseUrl }: Connection, signal: AbortSignal): Promise<boolean> {
    const cached = singleSendSupport.get(baseUrl);
    if (cached !== undefined) return cached;
    const check = connections.run(id, (client) => canSendToSingleUser(client, { signal }));
    singleSendSupport.set(baseUrl, check);
    // Failed checks run again the next time.
    check.catch(() => singleSendSupport.delete(baseUrl));
    return check;
  }
}

function validateAddresses(addresses: readonly string[], limit: number): readonly string[] {
  const each = uniqueAddresses(addresses);
  if (each.length === 0) throw new Error('The test has no recipient address. Nothing was sent.');
  if (each.length > limit)
    throw new Error(
      `A test can have at most ${formatRecipients(limit)} (mailing.test.maxRecipients), but this one has ${each.length}. Nothing was sent.`,
    );
  return each;
}

type Confirmation = Parameters<TestHost['confirm']>;

function createConfirmation(
  { connection, message, remark }: TestRequest,
  strategy: TestStrategy,
  unconfirmed: { readonly asked: number } | undefined,
): Confirmation {
  const test = `of "${message.name}"`;
  const to = `to ${strategy.recipientSummary} on ${connection.name}`;
  const detail = [
    `Subject: ${strategy.subject}`,
    ...wrapAddresses('To: ', strategy.addresses),
    ...createPersonLines(message, strategy.addresses),
    ...strategy.deliveryNotes,
    ...(remark === undefined ? [] : [remark]),
  ];
  if (unconfirmed === undefined) return [`Send a test ${test} ${to}?`, detail, 'Send Test'];
  return [
    `A test ${test} may have been sent at ${formatRequestTime(unconfirmed)}: the response was lost. Send a test again ${to}?`,
    ['The service may still be sending the earlier test. These people may get two.', ...detail],
    'Send Again',
  ];
}

const UNCONFIRMED_TEST_NOTE = `An earlier test is unconfirmed, and may still be sent to the subscribers of "${OWN_LIST_NAME}". This test needs another list.`;

function createListConfirmation({ name }: Connection, list: string): Confirmation {
  return [
    `Create the list "${list}" on ${name}?`,
    [
      ...(list === OWN_LIST_NAME ? [] : [UNCONFIRMED_TEST_NOTE]),
      `${name} can only send to lists. Tests to addresses use a list of their own, which contains only these addresses.`,
      'The list is created once. It appears in no form, sends no welcome email and triggers nothing.',
    ],
    'Create List',
  ];
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

/** Names the recipients that the preview can show, because the service replaces the tags for each recipient. */
function createPersonLines({ persons = [] }: TestMessage, addresses: readonly string[]): readonly string[] {
  const reached = new Set(addresses.map(normalizeAddress));
  const met = persons.filter(({ email }) => reached.has(normalizeAddress(email)));
  const shown = persons.find((person) => person.isShown && !met.includes(person));
  const each = 'The service replaces the tags for each recipient';
  const names = met.map(({ title, email }) => `${email} is "${title}"`).join(', ');
  return [
    ...(met.length === 0 ? [] : [`In the preview, ${names}. ${each}.`]),
    ...(shown === undefined ? [] : [`The preview shows "${shown.title}", who is not a recipient. ${each}.`]),
  ];
}

/** Formats the result of a test for a notification. */
export function formatTestResult(
  { outcome, sent, unknown, refused, recipients }: TestResult,
  list: string | undefined,
): string {
  const others = refused.map(({ address, reason }) => `Not sent to ${address}: ${reason}.`);
  const sentences = [
    sent.length > 0 || outcome === 'sent'
      ? `The test was sent to ${list === undefined ? formatAddresses(sent) : `${formatRecipients(recipients)} of the list "${list}"`}.`
      : '',
    outcome === 'sent'
      ? ''
      : `The test may have been sent to ${list === undefined ? formatAddresses(unknown) : `"${list}"`}: the response was lost, and the service may still be sending it.`,
    ...others,
    outcome === 'sent'
      ? ''
      : list === undefined
        ? 'Check the inbox before you send it again.'
        : 'Mailing Studio keeps checking. Check its statistics before you send it again.',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function formatAddresses(addresses: readonly string[]): string {
  return addresses.length > 3 ? formatRecipients(addresses.length) : addresses.join(', ');
}
