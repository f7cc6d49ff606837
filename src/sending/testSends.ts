import * as vscode from 'vscode';
import type { Campaign, MailingClient, MailingList } from '../api/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { Connection } from '../connections/model.ts';
import type { Envelope } from '../email/compose.ts';
import { allLists } from '../api/allLists.ts';
import { formatAmount } from '../ui/format.ts';
import { confirm, showError, showInfo, showWarning } from '../ui/messages.ts';
import { inMessage } from '../ui/text.ts';
import { withProgress } from '../ui/progress.ts';
import type { RecordRef } from '../connections/record.ts';
import { sendOnce, type SendOutcome } from './sendOnce.ts';

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
  /** Records of which a test is under way. */
  readonly #running = new Set<string>();

  constructor(connections: Connections) {
    this.#connections = connections;
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
      return await this.#sendOn(connection, message);
    } finally {
      this.#running.delete(key);
    }
  }

  async #sendOn(connection: Connection, message: TestMessage): Promise<TestResult | undefined> {
    const run = <T>(operation: (client: MailingClient) => Promise<T>) => this.#connections.run(connection.id, operation);
    const chosen = await this.#chooseList(connection);
    if (chosen === undefined) return undefined;
    const { list, recipients } = chosen;
    const subject = `[Test] ${message.envelope.subject.trim() || emptySubject}`;
    const others = recipients.length - shownAddresses;
    const agreed = await confirm(
      `Send a test of "${message.name}" to ${people(recipients.length)} of the list "${list.name}" on ${connection.name}?`,
      [
        `Subject: ${subject}`,
        `To: ${recipients.slice(0, shownAddresses).join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
        'What is in the editor now is sent, saved or not.',
      ],
      'Send Test',
    );
    if (!agreed) return undefined;

    const result = await withProgress(`Sending a test of "${inMessage(message.name)}"`, async (signal, report) => {
      report('making the campaign');
      const campaign = await run((client) => makeCampaign(client, message, subject, list, signal));
      try {
        // The list may have grown while the question stood.
        const now = await run((client) => recipientsOf(client, list, signal));
        if (now.length > recipients.length) {
          throw new Error(
            `The list "${list.name}" has grown to ${people(now.length)} since you were asked. Nothing was sent: send the test again.`,
          );
        }
        signal.throwIfAborted();
      } catch (error) {
        await run((client) => client.deleteCampaign(campaign.id));
        throw error;
      }
      report('sending');
      const outcome = await run((client) => sendOnce(client, campaign));
      return { connection: connection.id, id: campaign.id, listId: list.id, recipients: recipients.length, outcome };
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
    const [statistics, remove, outbox] = ['Show Statistics', 'Delete Test Campaign', 'Open Outbox'];
    const buttons = [...(connection.sandbox ? [outbox] : []), statistics, remove];
    const target = { connection: result.connection, id: result.id };
    const choice = await (result.outcome === 'sent' ? showInfo : showWarning)(
      outcomes[result.outcome](people(result.recipients), list.name),
      ...buttons,
    );
    try {
      if (choice === outbox) await vscode.commands.executeCommand('mailing.sandbox.openOutbox');
      if (choice === statistics) await vscode.commands.executeCommand('mailing.campaign.showStatistics', target);
      if (choice === remove) await this.#connections.run(connection.id, (client) => client.deleteCampaign(result.id));
    } catch (error) {
      void showError(error, { title: choice, connection: connection.id });
    }
    await vscode.commands.executeCommand('mailing.explorer.refresh', { connection: connection.id, collection: 'campaigns' });
  }
}

const outcomes: Readonly<Record<SendOutcome, (count: string, list: string) => string>> = {
  sent: (count, list) => `The test was sent to ${count} of the list "${list}".`,
  notSent: (_, list) =>
    `The answer to sending was lost. The service says that the test was not sent to "${list}". Look at its statistics before you send it again.`,
  unknown: (_, list) =>
    `The answer to sending was lost, and it is not known whether the test went out to "${list}". Look at its statistics before you send it again.`,
};

function people(count: number): string {
  return formatAmount(count, 'recipient');
}

/** A list that may not receive tests. The message says why. */
class UnsuitableList extends Error {}

async function pickList(connection: Connection, lists: readonly MailingList[], stored: unknown): Promise<TestList | undefined> {
  const picked = await vscode.window.showQuickPick(
    lists.map((list) => ({
      label: inMessage(list.name ?? '') || `List ${list.id}`,
      description: `#${list.id}${typeof list.subscribers === 'string' || typeof list.subscribers === 'number' ? ` · ${people(Number(list.subscribers))}` : ''}`,
      list: { id: list.id, name: list.name ?? '' },
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
        `The list "${list.name}" has more than ${people(limit)} (mailing.test.maxRecipients): it is too large for a test list. Nothing was sent.`,
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
  const { from_name, from_email, reply_to_name, reply_to_email } = message.envelope;
  const sender = Object.fromEntries(
    Object.entries({ from_name, from_email, reply_to_name, reply_to_email }).filter(([, value]) => value !== undefined && value !== ''),
  );
  const name = `[Test] ${message.name} ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`;
  const { campaignId, errors } = await client.createOrUpdateCampaign(
    { ...sender, subject, name, body: message.body, sending_type: 'now', listIds: [list.id] },
    { signal },
  );
  const campaign = await client.getCampaignById(campaignId, { signal });
  const { listIds } = campaign;
  const elsewhere = Array.isArray(listIds) && (listIds.length !== 1 || Number(listIds[0]) !== list.id);
  if (elsewhere || (errors !== undefined && errors.length > 0)) {
    await client.deleteCampaign(campaignId);
    throw new Error(
      `The service did not address the test to the list "${list.name}" alone. Nothing was sent.${errors?.[0] === undefined ? '' : ` ${errors[0]}`}`,
    );
  }
  return campaign;
}
