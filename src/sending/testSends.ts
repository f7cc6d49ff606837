import * as vscode from 'vscode';
import type { Campaign, MailingClient, MailingList } from '../api/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { Connection } from '../connections/model.ts';
import type { Envelope } from '../email/compose.ts';
import { marksOf } from './sendNotes.ts';
import { whenAsked } from './news.ts';
import type { SendOutcome, Sends } from './sends.ts';
import { allLists } from '../api/allLists.ts';
import { formatAmount, joinParts } from '../ui/format.ts';
import { confirm, showError, showInfo, showWarning } from '../ui/messages.ts';
import { inMessage } from '../ui/text.ts';
import { withProgress } from '../ui/progress.ts';
import type { RecordRef } from '../connections/record.ts';

/** What a test sends: the text of now, composed. */
export interface TestMessage {
  readonly name: string;
  readonly envelope: Envelope;
  /** The composed body. */
  readonly body: string;
  /** Whether the body was empty before it was composed. */
  readonly isEmpty: boolean;
}

/** The campaign that a test was sent as. */
export interface TestResult extends RecordRef {
  readonly listId: number;
  readonly recipients: number;
  readonly outcome: SendOutcome;
}

interface TestList {
  readonly id: number;
  readonly name: string;
}

const title = 'Send Test E-mail';
const emptySubject = '(no subject)';
const shownAddresses = 5;

/** Sends tests as campaigns to the connection's test list and to nobody else. */
export class TestSends {
  readonly #connections: Connections;
  readonly #sends: Sends;
  /** Records of which a test is under way. */
  readonly #running = new Set<string>();

  constructor(connections: Connections, sends: Sends) {
    this.#connections = connections;
    this.#sends = sends;
  }

  /** Sends a test of a record after a modal question; undefined where the user cancels or it is refused with the reason told. */
  async send(ref: RecordRef, collection: string, message: TestMessage): Promise<TestResult | undefined> {
    const key = `${ref.connection}/${collection}/${ref.id}`;
    if (this.#running.has(key)) throw new Error('A test of this e-mail is being sent already. Wait until it is done.');
    if (message.isEmpty) throw new Error('The e-mail has no text. Nothing was sent.');
    const connection = this.#connections.get(ref.connection);
    if (connection === undefined) throw new Error(`There is no connection "${ref.connection}".`);
    this.#running.add(key);
    try {
      return await this.#sendOn(connection, `tests/${collection}/${ref.id}`, message);
    } finally {
      this.#running.delete(key);
    }
  }

  /** `what`: what it is a test of. */
  async #sendOn(connection: Connection, what: string, message: TestMessage): Promise<TestResult | undefined> {
    const run = <T>(operation: (client: MailingClient) => Promise<T>) => this.#connections.run(connection.id, operation);
    const chosen = await this.#chooseList(connection);
    if (chosen === undefined) return undefined;
    const { list, recipients } = chosen;
    const subject = `[Test] ${message.envelope.subject.trim() || emptySubject}`;
    const others = recipients.length - shownAddresses;
    const lost = await this.#sends.lost(connection.id, what);
    const to = `to ${people(recipients.length)} of the list "${list.name}" on ${connection.name}`;
    const detail = [
      ...(lost === undefined ? [] : [twice]),
      `Subject: ${subject}`,
      `To: ${recipients.slice(0, shownAddresses).join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
      'What is in the editor now is sent, saved or not.',
    ];
    const test = `of "${message.name}"`;
    const agreed = await (lost === undefined
      ? confirm(`Send a test ${test} ${to}?`, detail, 'Send Test')
      : confirm(`A test ${test} was told to go out at ${whenAsked(lost)}, and no answer came. Send a test AGAIN ${to}?`, detail, again));
    if (!agreed) return undefined;

    const result = await withProgress(`Sending a test of "${inMessage(message.name)}"`, async (signal, report) => {
      report('making the campaign');
      const campaign = await run((client) => makeCampaign(client, message, subject, list, signal));
      const name = campaign.name ?? subject;
      const order = { connection: connection.id, what, campaignId: campaign.id, name, before: marksOf(campaign), again: lost };
      const check = (now: Campaign): void => mustReach(now, list);
      try {
        // The list may have grown while the question stood.
        const now = await run((client) => recipientsOf(client, list, signal));
        if (now.length > recipients.length) {
          throw new Error(
            `The list "${list.name}" has grown to ${people(now.length)} since you were asked. Nothing was sent: send the test again.`,
          );
        }
        signal.throwIfAborted();
        report('sending');
        const outcome = await this.#sends.send({ ...order, check });
        return { connection: connection.id, id: campaign.id, listId: list.id, recipients: recipients.length, outcome };
      } catch (error) {
        // It is known that it was not sent. What is left where it can't be deleted is a draft, and the reason is what matters.
        await run((client) => client.deleteCampaign(campaign.id)).catch(() => undefined);
        throw error;
      }
    });
    void this.#tell(connection, list, result);
    return result;
  }

  /** The list of the setting, or else the one picked now, with its recipients. One that may not be a test list is not remembered. */
  async #chooseList(connection: Connection): Promise<{ list: TestList; recipients: readonly string[] } | undefined> {
    const run = <T>(operation: (client: MailingClient) => Promise<T>) => this.#connections.run(connection.id, operation);
    const lists = await withProgress(`Reading the lists of ${inMessage(connection.name)}`, (signal) =>
      run((client) => allLists(client, signal)),
    );
    const stored = testLists()[connection.id];
    const known = lists.find(({ id }) => id === stored);
    const list = known === undefined ? await pickList(connection, lists, stored) : { id: known.id, name: known.name ?? '' };
    if (list === undefined) return undefined;
    try {
      const recipients = await withProgress('Counting the recipients of the test', (signal) =>
        run((client) => recipientsOf(client, list, signal)),
      );
      if (known === undefined) await remember(connection, list);
      return { list, recipients };
    } catch (error) {
      if (!(error instanceof UnsuitableList)) throw error;
      const another = 'Choose Another List';
      if ((await showWarning(error.message, another)) !== another) return undefined;
      await remember(connection, undefined);
      return this.#chooseList(connection);
    }
  }

  async #tell(connection: Connection, list: TestList, result: TestResult): Promise<void> {
    const [statistics, remove, outbox, stop] = ['Show Statistics', 'Delete Test Campaign', 'Open Outbox', 'Stop Watching'];
    // Without its record nobody could see what came of a test whose answer was lost.
    const buttons = [...(connection.sandbox ? [outbox] : []), statistics, result.outcome === 'unknown' ? stop : remove];
    const target = { connection: result.connection, id: result.id };
    const choice = await (result.outcome === 'sent' ? showInfo : showWarning)(
      outcomes[result.outcome](people(result.recipients), list.name),
      ...buttons,
    );
    try {
      if (choice === outbox) await vscode.commands.executeCommand('mailing.sandbox.openOutbox');
      if (choice === statistics) await vscode.commands.executeCommand('mailing.campaign.showStatistics', target);
      if (choice === stop) await this.#sends.stopWatching(result.connection, result.id);
      if (choice === remove) await this.#connections.run(connection.id, (client) => client.deleteCampaign(result.id));
    } catch (error) {
      void showError(error, { title: choice, connection: connection.id });
    }
    await vscode.commands.executeCommand('mailing.explorer.refresh', { connection: connection.id, collection: 'campaigns' });
  }
}

const outcomes: Readonly<Record<SendOutcome, (count: string, list: string) => string>> = {
  sent: (count, list) => `The test was sent to ${count} of the list "${list}".`,
  unknown: (_, list) =>
    `The answer to sending was lost, and it is not known whether the test went out to "${list}": the service may still be at it. ` +
    'It is watched, and you will be told. Look at its statistics before you send it again.',
};

const again = 'Send Again';
const twice = 'It is not known whether it went out, and the service may still be at it: if it goes out after all, these people get two.';

function people(count: number): string {
  return formatAmount(count, 'recipient');
}

/** A list that may not receive tests. The message says why. */
class UnsuitableList extends Error {}

async function pickList(connection: Connection, lists: readonly MailingList[], stored: unknown): Promise<TestList | undefined> {
  const picked = await vscode.window.showQuickPick(
    lists.map(({ id, name, subscribers }) => ({
      label: inMessage(name ?? '') || `List ${id}`,
      description: joinParts([`#${id}`, typeof subscribers === 'number' && people(subscribers)]),
      list: { id, name: name ?? '' },
    })),
    {
      title: `${title}: the test list of ${inMessage(connection.name)}`,
      placeHolder:
        stored === undefined
          ? 'Which list receives tests? It is remembered.'
          : `The test list #${String(stored)} is gone. Which list receives tests now?`,
    },
  );
  return picked?.list;
}

async function remember(connection: Connection, list: TestList | undefined): Promise<void> {
  const { [connection.id]: previous, ...others } = testLists();
  if (previous === list?.id) return;
  const value = list === undefined ? others : { ...others, [connection.id]: list.id };
  await vscode.workspace.getConfiguration('mailing').update('testLists', value, vscode.ConfigurationTarget.Global);
}

function testLists(): Readonly<Record<string, unknown>> {
  return vscode.workspace.getConfiguration('mailing').get<Record<string, unknown>>('testLists') ?? {};
}

function maxRecipients(): number {
  return vscode.workspace.getConfiguration('mailing').get<number>('test.maxRecipients') ?? 25;
}

/** E-mail addresses of a list's subscribers. Refuses a list without any, and one with more than a test may reach. */
async function recipientsOf(client: MailingClient, list: TestList, signal: AbortSignal): Promise<readonly string[]> {
  const { paginate } = await import('../api/index.ts');
  const limit = maxRecipients();
  const addresses: string[] = [];
  const pages = paginate((page, options) => client.getSubscribersFromLists([list.id], page, options), { pageSize: limit + 1, signal });
  for await (const subscriber of pages) {
    addresses.push(subscriber.email ?? `user ${subscriber.id}`);
    if (addresses.length > limit) {
      throw new UnsuitableList(
        `The list "${list.name}" has more than ${people(limit)} (mailing.test.maxRecipients): it is too large for a test list. ` +
          'Nothing was sent.',
      );
    }
  }
  if (addresses.length === 0)
    throw new UnsuitableList(
      `The list "${list.name}" has no subscribers. Nothing was sent: subscribe yourself to it, or choose another list.`,
    );
  return addresses;
}

async function makeCampaign(
  client: MailingClient,
  message: TestMessage,
  subject: string,
  list: TestList,
  signal: AbortSignal,
): Promise<Campaign> {
  const { subject: _, preheader: __, ...envelope } = message.envelope;
  const sender = Object.fromEntries(Object.entries(envelope).filter(([, value]) => value !== undefined && value !== ''));
  const name = `[Test] ${message.name} ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`;
  const { campaignId, errors } = await client.createOrUpdateCampaign(
    { ...sender, subject, name, body: message.body, sending_type: 'now', listIds: [list.id] },
    { signal },
  );
  try {
    const campaign = await client.getCampaignById(campaignId, { signal });
    mustReach(campaign, list, errors);
    return campaign;
  } catch (error) {
    await client.deleteCampaign(campaignId).catch(() => undefined);
    throw error;
  }
}

/** Throws where a test would go to anybody else than the test list. */
function mustReach({ listIds }: Campaign, list: TestList, [problem]: readonly string[] = []): void {
  const elsewhere = Array.isArray(listIds) && (listIds.length !== 1 || Number(listIds[0]) !== list.id);
  if (!elsewhere && problem === undefined) return;
  throw new Error(`The service did not address the test to the list "${list.name}" alone. Nothing was sent. ${problem ?? ''}`.trim());
}
