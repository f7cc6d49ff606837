import type { Campaign, MailingClient } from '../../../service/client/index.ts';
import type { ReportProgress } from '../../ui/progress.ts';
import type { CampaignSender } from '../campaignSender.ts';
import { getSendState, type SendEntry } from '../journal.ts';
import type { ListLease, ListLeases } from './listLeases.ts';
import {
  formatRecipients,
  getSenderFields,
  getTestSubject,
  excludeAddresses,
  type Delivery,
  type TestList,
  type TestRequest,
  type TestStrategy,
} from './model.ts';
import { readRecipients } from './testLists.ts';
import type { TestRecord, TestRecords } from './testRecords.ts';

export interface ListTestContext {
  run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T>;
  readonly campaignSender: CampaignSender;
  /** The unconfirmed test of this email that the user agreed to repeat. */
  readonly unconfirmedSend: SendEntry | undefined;
  readonly maxRecipients: number;
  readonly records: TestRecords;
  readonly leases: ListLeases;
}

export const EDITOR_TEXT_NOTE = 'Sends the text in the editor, saved or not.';

/** Creates a strategy that sends a test to a list, as its own campaign. */
export async function createListTestStrategy(
  order: TestRequest,
  list: TestList,
  context: ListTestContext,
  signal: AbortSignal,
): Promise<TestStrategy> {
  const addresses = await context.run((client) => readRecipients(client, list, context.maxRecipients, { signal }));
  return {
    subject: getTestSubject(order.message),
    recipientSummary: `${formatRecipients(addresses.length)} of the list "${list.name}"`,
    addresses,
    deliveryNotes: [EDITOR_TEXT_NOTE],
    send: (stop, report) => sendToList(order, { list, confirmedAddresses: addresses }, context, stop, report),
  };
}

/** Subscribers of a list, restricted to those the user confirmed. */
interface ListAudience {
  readonly list: TestList;
  readonly confirmedAddresses: readonly string[];
  /** Set if the list is reserved for this test. */
  readonly lease?: ListLease;
}

/** Creates and sends the campaign of a test. Throws only if nothing was sent; the campaign is deleted then. */
export async function sendToList(
  { connection, what, message }: TestRequest,
  { list, confirmedAddresses, lease }: ListAudience,
  { run, campaignSender, unconfirmedSend, maxRecipients, records }: ListTestContext,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Delivery> {
  report('creating the campaign');
  const subject = getTestSubject(message);
  const fields = {
    ...getSenderFields(message),
    subject,
    body: message.body,
    sending_type: 'now' as const,
    listIds: [list.id],
  };
  return records.withCampaign(connection.id, message.name, async (draft) => {
    const campaign = await run((client) =>
      createTestCampaign(client, { ...fields, name: draft.name }, { list, draft }, signal),
    );
    signal.throwIfAborted();
    report('sending');
    const outcome = await campaignSender.send({
      connection: connection.id,
      what,
      campaignId: campaign.id,
      name: campaign.name ?? subject,
      before: getSendState(campaign),
      resendOf: unconfirmedSend,
      // Campaign and list may have changed during the confirmation, so both are read right before the request.
      check: async (now, client) => {
        await lease?.recordCampaign(now);
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
    return { outcome, ...reached, refused: [], campaignId: campaign.id };
  });
}

async function createTestCampaign(
  client: MailingClient,
  fields: Parameters<MailingClient['createOrUpdateCampaign']>[0],
  { list, draft }: { readonly list: TestList; readonly draft: TestRecord },
  signal: AbortSignal,
): Promise<Campaign> {
  const { campaignId, errors } = await client.createOrUpdateCampaign(fields, { signal });
  await draft.recordId(campaignId);
  const campaign = await client.getCampaignById(campaignId, { signal });
  assertAddressedToList(campaign, list, errors);
  return campaign;
}

/** Throws if the campaign would reach another list. */
function assertAddressedToList({ listIds }: Campaign, list: TestList, [problem]: readonly string[] = []): void {
  const elsewhere = Array.isArray(listIds) && (listIds.length !== 1 || Number(listIds[0]) !== list.id);
  if (!elsewhere && problem === undefined) return;
  throw new Error(
    `The service didn't address the test to the list "${list.name}" alone. Nothing was sent. ${problem ?? ''}`.trim(),
  );
}

/** Throws if the list has subscribers that the confirmation did not name. */
function assertConfirmed(list: TestList, now: readonly string[], agreed: readonly string[]): void {
  const [stranger, ...others] = excludeAddresses(now, agreed);
  if (stranger === undefined) return;
  const and = others.length > 0 ? ` and ${others.length} more` : '';
  const grown = `has grown to ${formatRecipients(now.length)}`;
  const changed = now.length > agreed.length ? grown : `now contains ${stranger}${and}`;
  throw new Error(`The list "${list.name}" ${changed} since you were asked. Nothing was sent. Send the test again.`);
}
