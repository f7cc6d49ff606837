import type { MailingClient } from '../../../service/client/index.ts';
import { isApiError } from '../../../service/client/shapes.ts';
import type { ReportProgress } from '../../ui/progress.ts';
import { errorText } from '../../ui/errors.ts';
import { SEND_IN_PROGRESS_MESSAGE } from '../campaignSender.ts';
import { toSubject, type Journal, type SendConnections, type TestEntry } from '../journal.ts';
import {
  formatRecipients,
  getSenderFields,
  getTestSubject,
  type Delivery,
  type TestMessage,
  type TestRequest,
  type TestStrategy,
} from './model.ts';
import { describeNonUsers } from './ownListTestStrategy.ts';
import { findTemplate, type TestRecord, type TestRecords } from './testRecords.ts';

type RunOperation = <T>(operation: (client: MailingClient) => Promise<T>) => Promise<T>;

export interface SingleTestContext {
  readonly run: RunOperation;
  readonly connections: SendConnections;
  readonly journal: Journal<TestEntry>;
  readonly records: TestRecords;
  /** The unconfirmed test to addresses that the user agreed to repeat. */
  readonly unconfirmedTest: TestEntry | undefined;
}

/**
 * Creates a strategy that sends a test to single addresses, one request each and none twice, on services that support
 * it. Throws `ApiError`.
 */
export async function createSingleTestStrategy(
  order: TestRequest,
  addresses: readonly string[],
  context: SingleTestContext,
  signal: AbortSignal,
): Promise<TestStrategy> {
  const { message } = order;
  const storedId = await context.run(async (client) => message.findStoredMailId?.(client, signal));
  const [only] = addresses;
  return {
    subject: storedId === undefined ? getTestSubject(message) : message.envelope.subject,
    recipientSummary: addresses.length === 1 && only !== undefined ? only : formatRecipients(addresses.length),
    addresses,
    deliveryNotes: [
      storedId === undefined
        ? 'Sends the text in the editor, saved or not. A temporary template is created for it and deleted afterwards.'
        : 'Sends the stored email, which matches the editor, without a campaign. Its subject is not marked with [Test].',
    ],
    send: (stop, report) => sendToAddresses(order, { addresses, storedId }, context, stop, report),
  };
}

async function sendToAddresses(
  { what, message, connection: { id: connection } }: TestRequest,
  { addresses, storedId }: { readonly addresses: readonly string[]; readonly storedId: number | undefined },
  { run, connections, journal, records, unconfirmedTest }: SingleTestContext,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Delivery> {
  const subject = toSubject(connections, connection, what);
  const entry: TestEntry = { ...subject, asked: journal.now(), name: message.name, addresses };
  if (!(await journal.acquire(entry, unconfirmedTest))) throw new Error(SEND_IN_PROGRESS_MESSAGE);
  const deliver = async (emailId: number): Promise<Delivery> => {
    signal.throwIfAborted();
    report('sending');
    return deliverToEach(run, emailId, addresses, signal);
  };
  try {
    const delivery =
      storedId === undefined
        ? await records.withTemplate(connection, message.name, async (record) => {
            report('creating a temporary template');
            const templateId = await run((client) => createTemplate(client, message, record));
            await record.recordId(templateId);
            return deliver(templateId);
          })
        : await deliverStored(storedId);
    const unconfirmed = { ...entry, addresses: delivery.unknown, isUnconfirmed: true };
    const settling = delivery.unknown.length === 0 ? journal.release(entry) : journal.recordOutcome(unconfirmed);
    await settling.catch(() => undefined);
    return delivery;
  } catch (error) {
    // Nothing was sent now, so the earlier test is still unconfirmed.
    await journal.release(entry, unconfirmedTest).catch(() => undefined);
    throw error;
  }

  async function deliverStored(emailId: number): Promise<Delivery> {
    report('checking the stored email');
    if ((await run(async (client) => message.findStoredMailId?.(client, signal))) !== emailId)
      throw new Error('The email changed on the service after you were asked. Nothing was sent. Send the test again.');
    return deliver(emailId);
  }
}

/** Creates the template of a test. Throws if the creation can't be confirmed. */
async function createTemplate(
  client: MailingClient,
  message: TestMessage,
  { mark }: Pick<TestRecord, 'mark'>,
): Promise<number> {
  const fields = {
    ...getSenderFields(message),
    name: `[Test] ${message.name} ${mark}`,
    subject: getTestSubject(message),
    body: message.body,
  };
  try {
    return (await client.createTemplate(fields)).templateId;
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    const found = await findTemplate(client, mark).catch(() => undefined);
    if (found !== undefined) return found.id;
    throw new Error(`Couldn't create a template for the test: ${errorText(error)} Nothing was sent.`, { cause: error });
  }
}

/** Sends one request per address. Stops at the first lost response. */
async function deliverToEach(
  run: RunOperation,
  emailId: number,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Delivery> {
  const sent: string[] = [];
  const refused: { address: string; reason: string }[] = [];
  const rest = (from: number, reason: string) => addresses.slice(from).map((address) => ({ address, reason }));
  for (const [at, address] of addresses.entries()) {
    if (sent.length === 0) signal.throwIfAborted();
    if (signal.aborted)
      return { outcome: 'sent', sent, unknown: [], refused: [...refused, ...rest(at, 'you canceled it')] };
    try {
      // A running request is not canceled: its response contains the outcome.
      await run((client) => client.sendEmailToSingleUser({ email: address, emailId }));
      sent.push(address);
    } catch (error) {
      const isRefused = isApiError(error) && error.outcome === 'refused';
      if (!isRefused) {
        const others = rest(at + 1, 'the response to an earlier one was lost');
        return { outcome: 'unknown', sent, unknown: [address], refused: [...refused, ...others] };
      }
      if (!isUnknownUser(error)) {
        if (sent.length === 0) throw error;
        return { outcome: 'sent', sent, unknown: [], refused: [...refused, ...rest(at, errorText(error))] };
      }
      refused.push({ address, reason: 'the service has no user with this address' });
    }
  }
  if (sent.length === 0) throw new Error(describeNonUsers(addresses));
  return { outcome: 'sent', sent, unknown: [], refused };
}

/** The service responds with 404 to both "User doesn't exist" and "Email doesn't exist". */
function isUnknownUser({
  kind,
  serverMessage = '',
}: {
  readonly kind: string;
  readonly serverMessage?: string;
}): boolean {
  return kind === 'notFound' && !/^email\b/iu.test(serverMessage);
}
