import type { MailingClient } from '../../../service/client/index.ts';
import { isApiError } from '../../../service/client/guards.ts';
import type { ReportProgress } from '../../ui/progress.ts';
import { errorText } from '../../ui/errors.ts';
import type { SendConnections } from '../campaignSender.ts';
import {
  formatRecipients,
  getTestSubject,
  type Delivery,
  type TestMessage,
  type TestRequest,
  type TestStrategy,
  type TestStrategyContext,
} from './model.ts';
import { describeNonUsers } from './ownListTestStrategy.ts';
import { TemporaryTemplates } from './temporaryTemplates.ts';
import type { TestEntry, TestJournal } from './testJournal.ts';

export interface SingleTestContext extends Pick<TestStrategyContext, 'run'> {
  /** The unconfirmed test to addresses that the user agreed to repeat. */
  readonly unconfirmedTest: TestEntry | undefined;
}

/** Sends tests to single addresses, one request each and none twice, on services that support it. */
export class SingleTestSender {
  readonly #journal: TestJournal;
  readonly #connections: SendConnections;
  readonly #now: () => number;
  readonly #templates: TemporaryTemplates;

  constructor(journal: TestJournal, connections: SendConnections, now: () => number = Date.now) {
    this.#journal = journal;
    this.#connections = connections;
    this.#now = now;
    this.#templates = new TemporaryTemplates(journal, connections, now);
  }

  /** Returns the unconfirmed test of an email. */
  findUnconfirmed(connection: string, what: string): Promise<TestEntry | undefined> {
    return this.#journal.find({ connection, baseUrl: this.#baseUrl(connection), what });
  }

  /** Removes an unconfirmed test that was superseded. */
  async forget(entry: TestEntry): Promise<void> {
    await this.#journal.release(entry);
  }

  /** Deletes templates left by tests. */
  cleanUp(): Promise<void> {
    return this.#templates.cleanUpAll();
  }

  /** Throws `ApiError`. */
  async createStrategy(
    order: TestRequest,
    addresses: readonly string[],
    parts: SingleTestContext,
    signal: AbortSignal,
  ): Promise<TestStrategy> {
    const { message } = order;
    const stored = await parts.run((client) => findStoredMailId(message, client, signal));
    const [only] = addresses;
    return {
      subject: stored === undefined ? getTestSubject(message) : message.envelope.subject,
      recipientSummary: addresses.length === 1 && only !== undefined ? only : formatRecipients(addresses.length),
      addresses,
      deliveryNotes:
        stored === undefined
          ? [
              'What is in the editor now is sent, saved or not: by a template that is made for it, and deleted afterwards.',
            ]
          : [
              'It is sent as it is stored, which is what the editor shows, without a campaign: its subject is not marked with [Test].',
            ],
      send: (stop, report) => this.#send(order, { addresses, stored }, parts, stop, report),
    };
  }

  async #send(
    { what, message, connection: { id: connection } }: TestRequest,
    { addresses, stored }: { readonly addresses: readonly string[]; readonly stored: number | undefined },
    { run, unconfirmedTest }: SingleTestContext,
    signal: AbortSignal,
    report: ReportProgress,
  ): Promise<Delivery> {
    const entry: TestEntry = {
      connection,
      baseUrl: this.#baseUrl(connection),
      what,
      asked: this.#now(),
      name: message.name,
      addresses,
    };
    if (!(await this.#journal.acquire(entry, unconfirmedTest))) throw new Error(testInProgressMessage);
    // If nothing is sent now, the earlier test is still unconfirmed.
    let settle = () => this.#journal.release(entry, unconfirmedTest);
    try {
      const deliver = async (emailId: number): Promise<Delivery> => {
        signal.throwIfAborted();
        report('sending');
        return deliverToEach(run, emailId, addresses, signal);
      };
      report(stored === undefined ? 'making a template for it' : 'looking at it once more');
      if (stored !== undefined) await assertStored(run, message, stored, signal);
      const delivery = await (stored === undefined
        ? this.#templates.withTemplate(connection, message, deliver)
        : deliver(stored));
      const { unknown } = delivery;
      settle = () =>
        unknown.length === 0
          ? this.#journal.release(entry)
          : this.#journal.recordOutcome({ ...entry, addresses: unknown });
      return delivery;
    } finally {
      await settle().catch(() => undefined);
    }
  }

  #baseUrl(connection: string): string {
    return this.#connections.get(connection)?.baseUrl ?? '';
  }
}

const testInProgressMessage =
  'A test of this email is being sent already, from here or from another window. Nothing more was sent.';

/** Sends one request per address. Stops at the first lost response. */
async function deliverToEach(
  run: SingleTestContext['run'],
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
      return { outcome: 'sent', sent, unknown: [], refused: [...refused, ...rest(at, 'you stopped it')] };
    try {
      // A running request is not canceled: its response contains the outcome.
      await run((client) => client.sendEmailToSingleUser({ email: address, emailId }));
      sent.push(address);
    } catch (error) {
      const isRefused = isApiError(error) && error.outcome === 'refused';
      if (!isRefused) {
        const others = rest(at + 1, 'the answer to another one was lost before it');
        return { outcome: 'unknown', sent, unknown: [address], refused: [...refused, ...others] };
      }
      if (!isUnknownUser(error)) {
        if (sent.length === 0) throw error;
        return { outcome: 'sent', sent, unknown: [], refused: [...refused, ...rest(at, errorText(error))] };
      }
      refused.push({ address, reason: 'no user of the service has this address' });
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

async function assertStored(
  run: SingleTestContext['run'],
  message: TestMessage,
  stored: number,
  signal: AbortSignal,
): Promise<void> {
  if ((await run((client) => findStoredMailId(message, client, signal))) === stored) return;
  throw new Error('It was changed on the service since you were asked. Nothing was sent: send the test again.');
}

async function findStoredMailId(
  message: TestMessage,
  client: MailingClient,
  signal: AbortSignal,
): Promise<number | undefined> {
  return message.findStoredMailId?.(client, signal);
}
