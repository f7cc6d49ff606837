import * as vscode from 'vscode';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { isUnsaved, findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { getListName } from '../lists/model.ts';
import { formatRequestTime, getSendState } from '../../platform/sending/journal.ts';
import { showSendOutcome } from '../../platform/sending/sendOutcomes.ts';
import { SEND_IN_PROGRESS_MESSAGE, type SendOutcome } from '../../platform/sending/campaignSender.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { confirm, showWarning } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { escapeMessage, toSingleLine } from '../../platform/ui/text.ts';
import type { Campaigns } from './campaigns.ts';
import { UNREPORTED_LISTS_NOTE, createSendReview, formatErrors, getErrors, type PreSendCheck } from './sendReview.ts';
import { getCampaignState } from './details.ts';
import { collection } from './model.ts';
import { formatSendingDate, getCampaignName } from './wording.ts';
import { findEditedFields, createSendPlan, type AudienceCount, type SendPlan } from './plan.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';
import { WebviewHost } from '../../platform/ui/webview.ts';
import type { MessageHandlers } from '../../platform/webview/messages.ts';
import { fromPage, type FromPage, type SendReview, type ToPage } from '../../platform/sending/protocol.ts';

export interface SendResult extends RecordRef {
  readonly outcome: SendOutcome;
}

/** Keys of campaigns whose send is being confirmed or is in progress in this window. */
const running = new Set<string>();

/**
 * Sends a campaign after a modal confirmation. Refuses a second send of a campaign while one is in progress. Returns undefined if the user
 * cancels. If it throws, nothing was sent.
 */
export async function sendCampaign(campaigns: Campaigns, argument: CommandArgument): Promise<SendResult | undefined> {
  const ref = await campaigns.choose(argument, 'Send Campaign');
  if (ref === undefined) return undefined;
  const key = `${ref.connection}/${ref.id}`;
  if (running.has(key)) throw new Error(SEND_IN_PROGRESS_MESSAGE);
  running.add(key);
  try {
    return await confirmAndSend(campaigns, ref);
  } finally {
    running.delete(key);
  }
}

async function confirmAndSend(campaigns: Campaigns, ref: RecordRef): Promise<SendResult | undefined> {
  await saveDocuments(ref);
  const sends = await campaigns.services.getCampaignSender();
  const what = `${collection}/${ref.id}`;
  const unconfirmed = await sends.findUnconfirmed(ref.connection, what);
  const profile = campaigns.services.connections.get(ref.connection)?.profile ?? 'documented';
  const plan = await withProgress('Reading the campaign and its recipients', (signal) =>
    campaigns.run(ref, (client) => createSendPlan(client, { id: ref.id, profile, unconfirmed, signal })),
  );
  if (!(await reviewAndConfirm(campaigns, ref, plan))) return undefined;

  await saveDocuments(ref);
  const { campaign } = plan;
  const request = {
    connection: ref.connection,
    what,
    campaignId: ref.id,
    name: formatCampaignName(campaign),
    before: getSendState(campaign),
    resendOf: unconfirmed,
    // Another user may have edited or sent the campaign during the confirmation. Only the confirmed version may be sent.
    check: async (now: Campaign, client: MailingClient): Promise<void> => {
      const changed = await findEditedFields(campaign, now, () => client.getCampaignById(ref.id));
      if (changed.length > 0)
        throw new Error(
          `The campaign changed since you were asked (${changed.join(', ')}). Nothing was sent. Send it again to review the current version.`,
        );
    },
  };
  const outcome = await withProgress(`Sending "${request.name}"`, () => sends.send(request), { cancellable: false });
  void notifyOutcome(campaigns, ref, plan, outcome);
  return { ...ref, outcome };
}

/** Shows the review, then the confirmations. */
async function reviewAndConfirm(campaigns: Campaigns, ref: RecordRef, plan: SendPlan): Promise<boolean> {
  const review = await createSendReview(campaigns, ref, plan);
  const { confirmation, close } = openSendReview(campaigns.services.context.extensionUri, review);
  try {
    return (
      (await confirmation) &&
      (await confirmSend(campaigns.getServiceName(ref), plan, review)) &&
      (await confirmDespiteErrors(plan, review))
    );
  } finally {
    close();
  }
}

/** Shows the confirmation that no setting or argument skips. */
function confirmSend(
  service: string,
  { campaign, effect, lists, audience, unconfirmed }: SendPlan,
  found: PreSendCheck,
): Promise<boolean> {
  const wasSent = getCampaignState(campaign) === 'sent';
  const again = wasSent || unconfirmed !== undefined;
  const to = `to ${audience === undefined ? 'the recipients of its lists' : formatRecipients(audience)} on ${service}`;
  const name = formatCampaignName(campaign);
  const date = formatSendingDate(campaign);
  const before =
    wasSent || unconfirmed === undefined
      ? `was already sent${date === undefined ? '' : ` on ${date}`}`
      : `may have been sent at ${formatRequestTime(unconfirmed)}: the response was lost`;
  const message = again ? `"${name}" ${before}. Send it again ${to}?` : `Send "${name}" ${to}?`;
  const detail = [
    unconfirmed && UNCONFIRMED_SEND_DETAIL,
    `Subject: ${campaign.subject ?? ''}`,
    lists === undefined ? `Lists: ${UNREPORTED_LISTS_NOTE}` : `Lists: ${lists.map(getListName).join(', ')}`,
    `When: it ${effect.description}. Sending type: ${campaign.sending_type ?? 'now'}.`,
    effect.warning,
    wasSent && 'All recipients who already got it will get it a second time.',
    effect.isImmediate && "You can't undo this.",
    ...formatErrors(found),
  ];
  const lines = detail.filter((line) => typeof line === 'string');
  return confirm(message, lines, again ? 'Send Again' : effect.isImmediate ? 'Send Now' : 'Start');
}

async function notifyOutcome(
  campaigns: Campaigns,
  ref: RecordRef,
  { campaign, effect, audience }: SendPlan,
  outcome: SendOutcome,
): Promise<void> {
  const name = formatCampaignName(campaign);
  const to = audience === undefined ? '' : ` to ${formatRecipients(audience)}`;
  const success = effect.isImmediate ? `"${name}" was sent${to}.` : `"${name}" is started: it ${effect.description}.`;
  const { services } = campaigns;
  campaigns.refreshTree(ref);
  const reading = services.documents.getRecord(collection, ref).then((record) => record.refresh());
  await reading.catch(() => undefined);
  await showSendOutcome(services, {
    connection: ref.connection,
    campaignId: ref.id,
    state: outcome,
    message:
      outcome === 'sent'
        ? success
        : `"${name}" may have been sent: the response was lost, and the service may still be sending it. ${WATCHED_HINT}`,
    isWarning: outcome !== 'sent',
  });
}

const UNCONFIRMED_SEND_DETAIL =
  'The service may still be sending it. If you send it again, all recipients may get it twice.';
const WATCHED_HINT = 'Mailing Studio keeps checking and will notify you. Check the campaign before you send it again.';

/** Saves the dirty documents of a campaign. Throws on failure, because the sent email must match the editor. */
async function saveDocuments(ref: RecordRef): Promise<void> {
  const saved = await Promise.all(
    findRecordDocuments(collection, ref)
      .filter(isUnsaved)
      .map((document) => document.save()),
  );
  if (saved.some((done) => !done)) throw new Error("The campaign's changes couldn't be saved. Nothing was sent.");
}

/** Requires a second confirmation for an email with errors. */
async function confirmDespiteErrors({ campaign }: SendPlan, found: PreSendCheck): Promise<boolean> {
  const errors = getErrors(found);
  if (errors.length === 0) return true;
  const detail = ['Recipients will see them. Cancel to fix them first.', ...formatErrors(found)];
  return confirm(
    `Send "${formatCampaignName(campaign)}" with ${formatAmount(errors.length, 'error')}?`,
    detail,
    'Send With Errors',
  );
}

function formatRecipients({ count, exact }: AudienceCount): string {
  return `${exact ? '' : 'more than '}${formatAmount(count, 'recipient')}`;
}

function formatCampaignName(campaign: Campaign): string {
  return escapeMessage(getCampaignName(campaign));
}

/** Warns that an update turned a scheduled or automatic campaign into a draft. */
export async function showDraftWarning(connection: string, { id, name }: Campaign): Promise<void> {
  const send = 'Send…';
  const choice = await showWarning(
    `"${name ?? id}" was saved and is a draft again, because services stop a campaign that changes. Send it to restart it.`,
    send,
  );
  if (choice === send) await vscode.commands.executeCommand('mailing.campaign.send', { connection, id });
}

/** Available to `when` clauses: `activeWebviewPanelId == 'mailing.sendReview'`. */
const SEND_REVIEW_VIEW_TYPE = 'mailing.sendReview';

/** Shows what will be sent, in a tab. `confirmation`: true if the user continues; false if they cancel or close the tab. */
function openSendReview(extensionUri: vscode.Uri, review: SendReview) {
  const title = `Review: ${toSingleLine(review.name, 60)}`;
  const panel = vscode.window.createWebviewPanel(SEND_REVIEW_VIEW_TYPE, title, vscode.ViewColumn.Active);
  const confirmation = new Promise<boolean>((resolve) => {
    const handlers: MessageHandlers<FromPage> = {
      ready: () => host.post({ type: 'review', review }),
      continue: () => resolve(true),
      cancel: () => panel.dispose(),
    };
    const host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      extensionUri,
      { page: 'sendReview', title },
      fromPage,
      handlers,
    );
    panel.onDidChangeViewState(() => (panel.visible ? undefined : host.suspend()));
    panel.onDidDispose(() => {
      host.dispose();
      resolve(false);
    });
  });
  return { confirmation, close: () => panel.dispose() };
}
