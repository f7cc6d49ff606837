import { t } from '@vscode/l10n';
import { canSendToSingleUser } from '../../../service/client/client.ts';
import { formatList, plural } from '../../../l10n.ts';
import { toServiceRef, type Connection } from '../../../platform/connections/model.ts';
import type { ReportProgress } from '../../../ui/messages.ts';
import { escapeMessage, MAX_LINE_CHARS } from '../../../service/text.ts';
import { MAX_SENTENCE_CHARS } from '../../../ui/errors.ts';
import { createSendInProgressError, type CampaignSender } from '../campaignSender.ts';
import { formatRequestTime, getSubjectKey } from '../../../sync/requests/journal.ts';
import type { SendConnections } from '../sendState.ts';
import { createListTestStrategy, createSingleTestStrategy, type TestContext } from './strategies.ts';
import { OWN_LIST_NAME, createOwnListTestStrategy } from './viaOwnList.ts';
import { normalizeAddress, uniqueAddresses, type Delivery, type TestRequest, type TestStrategy } from './recipients.ts';
import type { TestRecords } from './testRecords.ts';
import type { TestMessage } from '../../../platform/documents/recordCollections.ts';

interface TestPrompts {
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

/** Sends tests after a modal confirmation, and only to recipients named there. Each email has at most one running test. */
export class TestSender {
  readonly #connections: SendConnections;
  readonly #campaignSender: CampaignSender;
  readonly #records: TestRecords;
  readonly #prompts: TestPrompts;
  /** Subjects of running tests. */
  readonly #running = new Set<string>();
  /** By base URL: whether the service can send to a single user. Each service is checked once. */
  readonly #singleSendSupport = new Map<string, Promise<boolean>>();

  constructor(
    connections: SendConnections,
    campaignSender: CampaignSender,
    records: TestRecords,
    prompts: TestPrompts,
  ) {
    this.#connections = connections;
    this.#campaignSender = campaignSender;
    this.#records = records;
    this.#prompts = prompts;
  }

  /**
   * Sends a test. Resolves with undefined if the user cancels. Throws only if nothing was sent: `UnsuitableListError` for
   * a list that may not receive tests, else an error with the reason.
   */
  async send(order: TestRequest): Promise<TestResult | undefined> {
    const key = getSubjectKey({ baseUrl: order.connection.baseUrl, what: order.what });
    if (this.#running.has(key)) throw createSendInProgressError();
    if (order.message.isEmpty) throw new Error(t('The email has no text. Nothing was sent.'));
    this.#running.add(key);
    try {
      return await this.#confirmAndSend(order);
    } finally {
      this.#running.delete(key);
    }
  }

  async #confirmAndSend(order: TestRequest): Promise<TestResult | undefined> {
    const { connection, what, message, to } = order;
    const service = toServiceRef(connection);
    const single = await this.#records.findUnconfirmed(service, what);
    const campaign = await this.#campaignSender.findUnconfirmed(service, what);
    const strategy = await this.#prompts.progress(t('Checking recipients'), (signal) =>
      this.#createStrategy(order, { campaign, single }, signal),
    );
    if (strategy === undefined) return undefined;
    if (!(await this.#prompts.confirm(...createConfirmation(order, strategy, campaign ?? single)))) return undefined;
    order.assertStillWanted?.();
    const title = t`Sending a test of "${escapeMessage(message.name)}"`;
    const delivery = await this.#prompts.progress(title, (signal, report) => strategy.send(signal, report));
    // The user agreed to repeat the unconfirmed test.
    if (single !== undefined) await this.#records.journal.release(single).catch(() => undefined);
    return {
      ...delivery,
      connection: connection.id,
      recipients: strategy.addresses.length,
      ...(to.kind === 'list' && { listId: to.list.id }),
    };
  }

  async #createStrategy(order: TestRequest, unconfirmed: TestContext['unconfirmed'], signal: AbortSignal) {
    const { connection, to } = order;
    const maxRecipients = this.#prompts.getMaxRecipients();
    const context: TestContext = {
      run: (operation) => this.#connections.run(toServiceRef(connection), operation),
      campaignSender: this.#campaignSender,
      records: this.#records,
      maxRecipients,
      unconfirmed,
    };
    if (to.kind === 'list') return createListTestStrategy(order, to.list, context, signal);
    const addresses = validateAddresses(to.addresses, maxRecipients);
    if (await this.#canSendToUsers(connection, signal))
      return createSingleTestStrategy(order, addresses, context, signal);
    const confirmCreate = (name: string) => this.#prompts.confirm(...createListConfirmation(connection, name));
    return createOwnListTestStrategy(order, addresses, context, confirmCreate, signal);
  }

  #canSendToUsers(connection: Connection, signal: AbortSignal) {
    const { baseUrl } = connection;
    const cached = this.#singleSendSupport.get(baseUrl);
    if (cached !== undefined) return cached;
    const check = this.#connections.run(toServiceRef(connection), (client) => canSendToSingleUser(client, { signal }));
    this.#singleSendSupport.set(baseUrl, check);
    // Failed checks run again the next time.
    check.catch(() => this.#singleSendSupport.delete(baseUrl));
    return check;
  }
}

function validateAddresses(addresses: readonly string[], limit: number) {
  const each = uniqueAddresses(addresses);
  if (each.length === 0) throw new Error(t('The test has no recipient address. Nothing was sent.'));
  if (each.length > limit)
    throw new Error(
      plural(
        limit,
        t(
          'A test can have at most {0} recipient (mailing.test.maxRecipients), but this one has {1}. Nothing was sent.',
        ),
        t(
          'A test can have at most {0} recipients (mailing.test.maxRecipients), but this one has {1}. Nothing was sent.',
        ),
        each.length,
      ),
    );
  return each;
}

type Confirmation = Parameters<TestPrompts['confirm']>;

function createConfirmation(
  { connection, message, remark }: TestRequest,
  strategy: TestStrategy,
  unconfirmed: { readonly asked: number } | undefined,
): Confirmation {
  const question = formatQuestion(message.name, connection.name, strategy);
  const detail = [
    t`Subject: ${strategy.subject}`,
    ...wrapAddresses(`${t({ message: 'To:', comment: 'Email addresses follow.' })} `, strategy.addresses),
    ...createPersonLines(message, strategy.addresses),
    ...strategy.deliveryNotes,
    ...(remark === undefined ? [] : [remark]),
  ];
  if (unconfirmed === undefined) return [question, detail, t('Send Test')];
  const earlier = t`A test may have been sent on ${formatRequestTime(unconfirmed)}: the response was lost.`;
  return [
    `${earlier} ${question}`,
    [t('The service may still be sending the earlier test, so its recipients may get two.'), ...detail],
    t('Send Again'),
  ];
}

function formatQuestion(name: string, service: string, { listName, addresses }: TestStrategy) {
  const [only = ''] = addresses;
  if (listName !== undefined)
    return plural(
      addresses.length,
      t('Send a test of "{1}" to {0} recipient of the list "{2}" on {3}?'),
      t('Send a test of "{1}" to {0} recipients of the list "{2}" on {3}?'),
      name,
      listName,
      service,
    );
  if (addresses.length === 1) return t`Send a test of "${name}" to ${only} on ${service}?`;
  return plural(
    addresses.length,
    t('Send a test of "{1}" to {0} recipient on {2}?'),
    t('Send a test of "{1}" to {0} recipients on {2}?'),
    name,
    service,
  );
}

function createListConfirmation({ name }: Connection, list: string): Confirmation {
  return [
    t`Create the list "${list}" on ${name}?`,
    [
      ...(list === OWN_LIST_NAME
        ? []
        : [
            t`An earlier test is unconfirmed, and may still be sent to the subscribers of "${OWN_LIST_NAME}". This test needs another list.`,
          ]),
      t`${name} can only send to lists. Tests to addresses use a list of their own, which contains only these addresses.`,
      t('The list is created once. It appears in no form, sends no welcome email and triggers nothing.'),
    ],
    t('Create List'),
  ];
}

/** Wraps all addresses into lines that are shown in full. */
function wrapAddresses(label: string, addresses: readonly string[]) {
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
function createPersonLines({ persons = [] }: TestMessage, addresses: readonly string[]) {
  const reached = new Set(addresses.map(normalizeAddress));
  const met = persons.filter(({ email }) => reached.has(normalizeAddress(email)));
  const shown = persons.find((person) => person.isShown && !met.includes(person));
  if (met.length === 0 && shown === undefined) return [];
  return [
    ...met.map(({ title, email }) => t`${email} is "${title}" in the preview.`),
    ...(shown === undefined ? [] : [t`The preview shows "${shown.title}", who is not a recipient.`]),
    t('The service replaces the tags for each recipient.'),
  ];
}

/** Formats the result of a test for a notification. */
export function formatTestResult(
  { outcome, sent, unknown, refused, recipients }: TestResult,
  list: string | undefined,
): string {
  const others = refused.map(({ address, reason }) => t`Not sent to ${address}: ${reason}`);
  const isUnknown = outcome !== 'sent';
  const sentences = [
    ...(sent.length > 0 || !isUnknown ? [formatSent(sent, recipients, list)] : []),
    ...(isUnknown ? [formatUnknown(unknown, list)] : []),
    ...others,
    ...(isUnknown && list === undefined ? [t('Check the inbox before you send it again.')] : []),
    ...(isUnknown && list !== undefined
      ? [t('Mailing Studio keeps checking. Check the statistics before you send it again.')]
      : []),
  ];
  return sentences.join(' ');
}

/** More addresses are only counted. */
const MAX_NAMED_ADDRESSES = 3;

function formatSent(addresses: readonly string[], recipients: number, list: string | undefined) {
  if (list !== undefined)
    return plural(
      recipients,
      t('The test was sent to {0} recipient of the list "{1}".'),
      t('The test was sent to {0} recipients of the list "{1}".'),
      list,
    );
  return addresses.length <= MAX_NAMED_ADDRESSES
    ? t`The test was sent to ${formatList(addresses)}.`
    : plural(addresses.length, t('The test was sent to {0} recipient.'), t('The test was sent to {0} recipients.'));
}

function formatUnknown(addresses: readonly string[], list: string | undefined) {
  if (list !== undefined)
    return t`The test may have been sent to the list "${list}": the response was lost, and the service may still be sending it.`;
  return addresses.length <= MAX_NAMED_ADDRESSES
    ? t`The test may have been sent to ${formatList(addresses)}: the response was lost, and the service may still be sending it.`
    : plural(
        addresses.length,
        t(
          'The test may have been sent to {0} recipient: the response was lost, and the service may still be sending it.',
        ),
        t(
          'The test may have been sent to {0} recipients: the response was lost, and the service may still be sending it.',
        ),
      );
}
