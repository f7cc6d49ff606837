import { t } from '@vscode/l10n';
import { toServiceRef } from '../../../platform/connections/model.ts';
import type { Campaign, MailingClient } from '../../../service/client/index.ts';
import { plural } from '../../../l10n.ts';
import type { ReportProgress } from '../../../ui/messages.ts';
import { type CampaignSender, createSendInProgressError } from '../campaignSender.ts';
import type { SendEntry, TestEntry } from '../../../sync/requests/kinds.ts';
import { isSameEntry, type JournalEntry } from '../../../sync/requests/journal.ts';
import { requestOnce } from '../../../sync/requests/requestOnce.ts';
import { getSendState } from '../sendState.ts';
import {
  getSenderFields,
  getTestSubject,
  excludeAddresses,
  type Delivery,
  type TestList,
  type TestRequest,
  type TestStrategy,
  readRecipients,
  describeNonUsers,
} from './recipients.ts';
import { findTemplate, type RecordCampaign, type TestRecord, type TestRecords } from './testRecords.ts';
import { type ApiFailure, isRefused } from '../../../service/client/shapes.ts';
import { errorText } from '../../../ui/errors.ts';
import type { TestMessage } from '../../../platform/documents/recordCollections.ts';

/** What a strategy works with. */
export interface TestContext {
  run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T>;
  readonly campaignSender: CampaignSender;
  readonly records: TestRecords;
  readonly maxRecipients: number;
  /** The unconfirmed test of this email, as a campaign or to addresses, that the user agreed to repeat. */
  readonly unconfirmed: { readonly campaign: SendEntry | undefined; readonly single: TestEntry | undefined };
}

export function getEditorTextNote(): string {
  return t('Sends the text in the editor, saved or not.');
}

/** Creates a strategy that sends a test to a list, as its own campaign. */
export async function createListTestStrategy(
  order: TestRequest,
  list: TestList,
  context: TestContext,
  signal: AbortSignal,
): Promise<TestStrategy> {
  const addresses = await context.run((client) => readRecipients(client, list, context.maxRecipients, { signal }));
  return {
    subject: getTestSubject(order.message),
    listName: list.name,
    addresses,
    deliveryNotes: [getEditorTextNote()],
    send: (stop, report) => sendToList(order, { list, confirmedAddresses: addresses }, context, stop, report),
  };
}

/** Subscribers of a list, restricted to those the user confirmed. */
interface ListAudience {
  readonly list: TestList;
  readonly confirmedAddresses: readonly string[];
  /** Set if the list is reserved for this test. */
  readonly recordCampaign?: RecordCampaign;
}

/** Creates and sends the campaign of a test. Throws only if nothing was sent; the campaign is deleted then. */
export async function sendToList(
  { connection, what, message }: TestRequest,
  { list, confirmedAddresses, recordCampaign }: ListAudience,
  { run, campaignSender, unconfirmed, maxRecipients, records }: TestContext,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Delivery> {
  report(t('Creating the campaign'));
  const subject = getTestSubject(message);
  const fields = {
    ...getSenderFields(message),
    subject,
    body: message.body,
    sending_type: 'now' as const,
    listIds: [list.id],
  };
  const service = toServiceRef(connection);
  return records.withCampaign(service, message.name, async (draft) => {
    const campaign = await run((client) =>
      createTestCampaign(client, { ...fields, name: draft.name }, { list, draft }, signal),
    );
    signal.throwIfAborted();
    report(t({ message: 'Sending', comment: 'Progress of a test' }));
    const outcome = await campaignSender.send({
      ...service,
      what,
      campaignId: campaign.id,
      name: campaign.name ?? subject,
      before: getSendState(campaign),
      resendOf: unconfirmed.campaign,
      // Campaign and list may have changed during the confirmation, so both are read right before the request.
      check: async (now, client) => {
        assertAgreed(await records.findUnconfirmed(service, what), unconfirmed.single);
        await recordCampaign?.(now);
        assertAddressedToList(now, list);
        assertConfirmed(
          list,
          await readRecipients(client, list, maxRecipients, { expectedCount: confirmedAddresses.length }),
          confirmedAddresses,
        );
      },
    });
    const reached =
      outcome === 'sent' ? { sent: confirmedAddresses, unknown: [] } : { sent: [], unknown: confirmedAddresses };
    return { outcome, ...reached, refused: [], id: campaign.id };
  });
}

/**
 * Throws if there is an unconfirmed test that the user wasn't asked about. Tests to a list and to addresses have an entry
 * each, and look for the other one once they have their own: of two windows, at most one sends.
 */
function assertAgreed<E extends JournalEntry>(now: E | undefined, shown: E | undefined) {
  if (now === undefined || (shown !== undefined && isSameEntry(now, shown))) return;
  throw new Error(
    t(
      'Another test of this email may have been sent during the confirmation: the response was lost. Nothing was sent now. Send the test again.',
    ),
  );
}

async function createTestCampaign(
  client: MailingClient,
  fields: Parameters<MailingClient['createOrUpdateCampaign']>[0],
  { list, draft }: { readonly list: TestList; readonly draft: TestRecord },
  signal: AbortSignal,
) {
  const { campaignId, errors } = await client.createOrUpdateCampaign(fields, { signal });
  await draft.recordId(campaignId);
  const campaign = await client.getCampaignById(campaignId, { signal });
  assertAddressedToList(campaign, list, errors);
  return campaign;
}

/** Throws if the campaign would reach another list. */
function assertAddressedToList({ listIds }: Campaign, list: TestList, [problem]: readonly string[] = []) {
  const elsewhere = Array.isArray(listIds) && (listIds.length !== 1 || Number(listIds[0]) !== list.id);
  if (!elsewhere && problem === undefined) return;
  const message = t`The service didn't address the test to the list "${list.name}" alone. Nothing was sent.`;
  throw new Error(problem === undefined ? message : `${message} ${problem}`);
}

/** Throws if the list has subscribers that the confirmation did not name. */
function assertConfirmed(list: TestList, now: readonly string[], agreed: readonly string[]) {
  const [stranger, ...others] = excludeAddresses(now, agreed);
  if (stranger === undefined) return;
  const changed =
    now.length > agreed.length
      ? plural(
          now.length,
          t('The list "{1}" has grown to {0} recipient during the confirmation.'),
          t('The list "{1}" has grown to {0} recipients during the confirmation.'),
          list.name,
        )
      : others.length === 0
        ? t`The list "${list.name}" now also contains ${stranger}.`
        : plural(
            others.length,
            t('The list "{1}" now also contains {2} and {0} more recipient.'),
            t('The list "{1}" now also contains {2} and {0} more recipients.'),
            list.name,
            stranger,
          );
  throw new Error(`${changed} ${t('Nothing was sent. Send the test again.')}`);
}

/**
 * Creates a strategy that sends a test to single addresses, one request each and none twice, on services that support
 * it. Throws `ApiError`.
 */
export async function createSingleTestStrategy(
  order: TestRequest,
  addresses: readonly string[],
  context: TestContext,
  signal: AbortSignal,
): Promise<TestStrategy> {
  const { message } = order;
  const storedId = await context.run(async (client) => message.findStoredMailId?.(client, signal));
  return {
    subject: storedId === undefined ? getTestSubject(message) : message.envelope.subject,
    addresses,
    deliveryNotes: [
      storedId === undefined
        ? t(
            'Sends the text in the editor, saved or not. A temporary template is created for it and deleted afterwards.',
          )
        : t('Sends the stored email without a campaign. Its subject is not marked with [Test].'),
    ],
    send: (stop, report) => sendToAddresses(order, { addresses, storedId }, context, stop, report),
  };
}

async function sendToAddresses(
  { what, message, connection }: TestRequest,
  { addresses, storedId }: { readonly addresses: readonly string[]; readonly storedId: number | undefined },
  { run, campaignSender, records, unconfirmed }: TestContext,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Delivery> {
  const { journal } = records;
  const service = toServiceRef(connection);
  const entry: TestEntry = { ...service, what, ...journal.start(), name: message.name, addresses };
  if (!(await journal.acquire(entry, unconfirmed.single))) throw createSendInProgressError();
  const deliver = async (emailId: number, record?: TestRecord) => {
    signal.throwIfAborted();
    report(t({ message: 'Sending', comment: 'Progress of a test' }));
    const renew = async () => {
      await record?.renew();
      // Last, because another window may take over while the disk writes.
      await journal.renew(entry);
    };
    return deliverToEach(run, emailId, addresses, renew, signal);
  };
  try {
    assertAgreed(await campaignSender.findUnconfirmed(service, what), unconfirmed.campaign);
    const delivery =
      storedId === undefined
        ? await records.withTemplate(service, message.name, async (record) => {
            report(t('Creating a temporary template'));
            const templateId = await run((client) => createTemplate(client, message, record));
            await record.recordId(templateId);
            return deliver(templateId, record);
          })
        : await deliverStored(storedId);
    const { unknown } = delivery;
    const settling = unknown.length === 0 ? journal.release(entry) : journal.settle(entry, { addresses: unknown });
    await settling.catch(() => undefined);
    return delivery;
  } catch (error) {
    // Nothing was sent now, so the earlier test is still unconfirmed.
    await journal.release(entry, unconfirmed.single).catch(() => undefined);
    throw error;
  }

  async function deliverStored(emailId: number) {
    report(t('Checking the stored email'));
    if ((await run(async (client) => message.findStoredMailId?.(client, signal))) !== emailId)
      throw new Error(
        t('The email changed on the service during the confirmation. Nothing was sent: send the test again.'),
      );
    return deliver(emailId);
  }
}

/** Creates the template of a test. Throws if the creation can't be confirmed. */
async function createTemplate(client: MailingClient, message: TestMessage, { name, mark }: TestRecord) {
  const fields = {
    ...getSenderFields(message),
    name,
    subject: getTestSubject(message),
    body: message.body,
  };
  const create = async () => (await client.createTemplate(fields)).templateId;
  return requestOnce(create, async (error) => {
    const found = await findTemplate(client, mark).catch(() => undefined);
    if (found !== undefined) return found.id;
    throw new Error(t`Couldn't create a template for the test: ${errorText(error)} Nothing was sent.`, {
      cause: error,
    });
  });
}

/** Sends one request per address. Stops at the first lost response. */
async function deliverToEach(
  run: TestContext['run'],
  emailId: number,
  addresses: readonly string[],
  renew: () => Promise<void>,
  signal: AbortSignal,
): Promise<Delivery> {
  const sent: string[] = [];
  const refused: { address: string; reason: string }[] = [];
  const end = (unknown: readonly string[] = [], from = addresses.length, reason = ''): Delivery => {
    const rest = addresses.slice(from).map((address) => ({ address, reason }));
    return { outcome: unknown.length === 0 ? 'sent' : 'unknown', sent, unknown, refused: [...refused, ...rest] };
  };
  for (const [at, address] of addresses.entries()) {
    if (sent.length === 0) signal.throwIfAborted();
    if (signal.aborted) return end([], at, t('You canceled the test.'));
    try {
      await renew();
    } catch (error) {
      if (sent.length === 0) throw error;
      return end([], at, errorText(error));
    }
    try {
      // A running request is not canceled: its response contains the outcome.
      await run((client) => client.sendEmailToSingleUser({ email: address, emailId }));
      sent.push(address);
    } catch (error) {
      if (!isRefused(error)) return end([address], at + 1, t('The response to an earlier email was lost.'));
      if (!isUnknownUser(error)) {
        if (sent.length === 0) throw error;
        return end([], at, errorText(error));
      }
      refused.push({ address, reason: t('The service has no user with this address.') });
    }
  }
  if (sent.length === 0) throw new Error(describeNonUsers(addresses));
  return end();
}

/** The service responds with 404 to both "User doesn't exist" and "Email doesn't exist". */
function isUnknownUser({ kind, serverMessage = '' }: ApiFailure) {
  return kind === 'notFound' && !/^email\b/iu.test(serverMessage);
}
