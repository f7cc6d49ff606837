import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { formatList, plural } from '../../l10n.ts';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { isUnsaved, findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { getListName } from '../lists/model.ts';
import { formatRequestTime } from '../../sync/requests/journal.ts';
import { getSendState } from '../sending/sendState.ts';
import { showSendOutcome } from '../sending/sendOutcomes.ts';
import { createSendInProgressError, type SendOutcome } from '../sending/campaignSender.ts';
import { confirm, showWarning } from '../../ui/messages.ts';
import { withProgress } from '../../ui/progress.ts';
import { escapeMessage, toSingleLine } from '../../service/text.ts';
import type { Campaigns } from './campaigns.ts';
import {
  getUnreportedListsNote,
  createSendReview,
  formatErrors,
  formatForAudience,
  getErrors,
  type PreSendCheck,
} from './review/sendReview.ts';
import { getCampaignState } from './details.ts';
import { collection } from './model.ts';
import { unsentCampaignPicking } from './picker.ts';
import { formatSendingDate, getCampaignName } from './wording.ts';
import { assertSameAudience, findEditedFields, createSendPlan, type SendPlan } from './plan.ts';
import type { CommandArgument } from '../../ui/commands.ts';
import { WebviewHost } from '../../ui/webview/webview.ts';
import { fromPage, type FromPage, type SendReview, type ToPage } from './review/protocol.ts';

interface SendResult extends RecordRef {
  readonly outcome: SendOutcome;
}

/** Keys of campaigns whose send is being confirmed or is in progress in this window. */
const running = new Set<string>();

/**
 * Sends a campaign after a modal confirmation. Refuses a second send of a campaign while one is in progress. Returns undefined if the user
 * cancels. If it throws, nothing was sent.
 */
export async function sendCampaign(campaigns: Campaigns, argument: CommandArgument): Promise<SendResult | undefined> {
  const picking = { ...unsentCampaignPicking, title: t('Send Campaign'), fromEditor: true };
  const ref = await campaigns.targets.pickRecord(argument, picking);
  if (ref === undefined) return undefined;
  const key = getKey(ref);
  if (running.has(key)) throw createSendInProgressError();
  running.add(key);
  try {
    return await confirmAndSend(campaigns, ref);
  } finally {
    running.delete(key);
  }
}

function getKey({ connection, id }: RecordRef) {
  return `${connection}/${id}`;
}

async function confirmAndSend(campaigns: Campaigns, ref: RecordRef): Promise<SendResult | undefined> {
  await saveDocuments(ref);
  const sends = await campaigns.services.getCampaignSender();
  const what = `${collection}/${ref.id}`;
  const { connection, baseUrl } = ref;
  const unconfirmed = await sends.findUnconfirmed({ connection, baseUrl }, what);
  const profile = campaigns.services.connections.get(connection)?.profile ?? 'documented';
  const plan = await withProgress(t('Reading the campaign and its recipients'), (signal) =>
    campaigns.run(ref, (client) => createSendPlan(client, { id: ref.id, profile, unconfirmed, signal })),
  );
  if (!(await reviewAndConfirm(campaigns, ref, plan))) return undefined;

  await saveDocuments(ref);
  const { campaign } = plan;
  const request = {
    connection,
    baseUrl,
    what,
    campaignId: ref.id,
    name: formatCampaignName(campaign),
    before: getSendState(campaign),
    resendOf: unconfirmed,
    // Another user may have edited or sent the campaign during the confirmation. Only the confirmed version may be sent.
    check: async (now: Campaign, client: MailingClient) => {
      const changed = await findEditedFields(campaign, now, () => client.getCampaignById(ref.id));
      if (changed.length > 0)
        throw new Error(
          t`The campaign changed during the confirmation (${formatList(changed)}). Nothing was sent: send it again to review the current version.`,
        );
      await assertSameAudience(client, plan);
    },
  };
  const outcome = await withProgress(t`Sending "${request.name}"`, () => sends.send(request), {
    cancellable: false,
  });
  void notifyOutcome(campaigns, ref, plan, outcome);
  return { ...ref, outcome };
}

/** Open reviews by key. They stay open until their campaign is sent, and continue by running the command again. */
const reviews = new Map<string, OpenSendReview>();

/** Shows the review, then the confirmations. A review that the user continued isn't shown again if it is still the same. */
async function reviewAndConfirm(campaigns: Campaigns, ref: RecordRef, plan: SendPlan) {
  const review = await createSendReview(campaigns, ref, plan);
  const key = getKey(ref);
  const last = reviews.get(key);
  const isContinued = last?.takeContinued() === true && isDeepStrictEqual(last.review, review);
  if (!isContinued) last?.panel.dispose();
  const open = isContinued ? last : openSendReview(campaigns.services.context.extensionUri, ref, review);
  if (!isContinued && !(await open.continued)) return false;
  const isConfirmed =
    (await confirmSend(campaigns.getServiceName(ref), plan, review)) && (await confirmDespiteErrors(plan, review));
  if (isConfirmed) open.panel.dispose();
  // Returns the focus to the page's button.
  else if (reviews.get(key) === open) open.panel.reveal();
  return isConfirmed;
}

/** Shows the confirmation that no setting or argument skips. */
function confirmSend(
  service: string,
  { campaign, effect, lists, audience, unconfirmed }: SendPlan,
  found: PreSendCheck,
) {
  const wasSent = getCampaignState(campaign) === 'sent';
  const again = wasSent || unconfirmed !== undefined;
  const name = formatCampaignName(campaign);
  const date = formatSendingDate(campaign);
  const before =
    wasSent || unconfirmed === undefined
      ? date === undefined
        ? t`"${name}" was already sent.`
        : t`"${name}" was already sent on ${date}.`
      : t`"${name}" may have been sent on ${formatRequestTime(unconfirmed)}: the response was lost.`;
  const message = again
    ? `${before} ${formatForAudience(
        audience,
        t`Send it again to the recipients of its lists on ${service}?`,
        [t('Send it again to {0} recipient on {1}?'), t('Send it again to {0} recipients on {1}?')],
        [t('Send it again to more than {0} recipient on {1}?'), t('Send it again to more than {0} recipients on {1}?')],
        service,
      )}`
    : effect.isImmediate
      ? formatForAudience(
          audience,
          t`Send "${name}" to the recipients of its lists on ${service}?`,
          [t('Send "{1}" to {0} recipient on {2}?'), t('Send "{1}" to {0} recipients on {2}?')],
          [t('Send "{1}" to more than {0} recipient on {2}?'), t('Send "{1}" to more than {0} recipients on {2}?')],
          name,
          service,
        )
      : formatForAudience(
          audience,
          t`Schedule "${name}" for the recipients of its lists on ${service}?`,
          [t('Schedule "{1}" for {0} recipient on {2}?'), t('Schedule "{1}" for {0} recipients on {2}?')],
          [
            t('Schedule "{1}" for more than {0} recipient on {2}?'),
            t('Schedule "{1}" for more than {0} recipients on {2}?'),
          ],
          name,
          service,
        );
  const detail = [
    unconfirmed && t('The service may still be sending it. If you send it again, all recipients may get it twice.'),
    t`Subject: ${campaign.subject ?? ''}`,
    lists === undefined ? getUnreportedListsNote() : t`Lists: ${lists.map(getListName).join(', ')}`,
    effect.description,
    effect.warning,
    wasSent && t('Everyone who got it will get it a second time.'),
    effect.isImmediate && t("You can't undo this."),
    ...formatErrors(found),
  ];
  const lines = detail.filter((line) => typeof line === 'string');
  return confirm(
    message,
    lines,
    again
      ? t('Send Again')
      : effect.isImmediate
        ? t({ message: 'Send', comment: 'Button that sends a campaign' })
        : t({ message: 'Schedule', comment: 'Button that schedules a campaign' }),
  );
}

async function notifyOutcome(
  campaigns: Campaigns,
  ref: RecordRef,
  { campaign, effect, audience }: SendPlan,
  outcome: SendOutcome,
) {
  const name = formatCampaignName(campaign);
  const success = effect.isImmediate
    ? formatForAudience(
        audience,
        t`"${name}" was sent.`,
        [t('"{1}" was sent to {0} recipient.'), t('"{1}" was sent to {0} recipients.')],
        [t('"{1}" was sent to more than {0} recipient.'), t('"{1}" was sent to more than {0} recipients.')],
        name,
      )
    : `${t`"${name}" was scheduled.`} ${effect.description}`;
  const { services } = campaigns;
  campaigns.refreshTree(ref);
  const reading = services.documents.getRecord(collection, ref).then((record) => record.refresh());
  await reading.catch(() => undefined);
  await showSendOutcome(services, {
    service: ref,
    campaignId: ref.id,
    state: outcome,
    message:
      outcome === 'sent'
        ? success
        : t`"${name}" may have been sent: the response was lost. Mailing Studio keeps checking; check the campaign before you send it again.`,
    isWarning: outcome !== 'sent',
  });
}

/** Saves the dirty documents of a campaign. Throws on failure, because the sent email must match the editor. */
async function saveDocuments(ref: RecordRef) {
  const saved = await Promise.all(
    findRecordDocuments(collection, ref)
      .filter(isUnsaved)
      .map((document) => document.save()),
  );
  if (saved.some((done) => !done)) throw new Error(t("Couldn't save the campaign's changes. Nothing was sent."));
}

/** Requires a second confirmation for an email with errors. */
async function confirmDespiteErrors({ campaign }: SendPlan, found: PreSendCheck) {
  const errors = getErrors(found);
  if (errors.length === 0) return true;
  const name = formatCampaignName(campaign);
  const question = plural(errors.length, t('Send "{1}" with {0} error?'), t('Send "{1}" with {0} errors?'), name);
  const detail = [t('Recipients will see them. Cancel to fix them first.'), ...formatErrors(found)];
  return confirm(question, detail, t('Send With Errors'));
}

function formatCampaignName(campaign: Campaign) {
  return escapeMessage(getCampaignName(campaign));
}

/** Warns that an update turned a scheduled or automatic campaign into a draft. */
export async function showDraftWarning(connection: string, { id, name }: Campaign): Promise<void> {
  const send = t('Send…');
  const choice = await showWarning(
    t`"${name ?? id}" was saved and is a draft again, because services stop campaigns that change. Send it to restart it.`,
    send,
  );
  if (choice === send) await vscode.commands.executeCommand('mailing.campaign.send', { connection, id });
}

/** Available to `when` clauses: `activeWebviewPanelId == 'mailing.sendReview'`. */
const SEND_REVIEW_VIEW_TYPE = 'mailing.sendReview';

type OpenSendReview = ReturnType<typeof openSendReview>;

/** Shows what will be sent, in a tab. `continued`: true once the user continues; false if they cancel or close the tab. */
function openSendReview(extensionUri: vscode.Uri, ref: RecordRef, review: SendReview) {
  const key = getKey(ref);
  let isContinued = false;
  const title = t`Review before sending: ${toSingleLine(review.name, 60)}`;
  const panel = vscode.window.createWebviewPanel(SEND_REVIEW_VIEW_TYPE, title, vscode.ViewColumn.Active);
  const continued = new Promise<boolean>((resolve) => {
    const host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      extensionUri,
      { page: 'sendReview', title },
      fromPage,
      {
        ready: () => void host.post({ type: 'review', review }),
        continue: () => {
          resolve(true);
          if (running.has(key)) return;
          isContinued = true;
          // If the command fails earlier, the next one shows the review again.
          void vscode.commands.executeCommand('mailing.campaign.send', ref).then(
            () => (isContinued = false),
            () => (isContinued = false),
          );
        },
        cancel: () => panel.dispose(),
      },
    );
    panel.onDidChangeViewState(() => (panel.visible ? undefined : host.suspend()));
    panel.onDidDispose(() => {
      host.dispose();
      resolve(false);
      if (reviews.get(key) === open) reviews.delete(key);
    });
  });
  const open = {
    panel,
    review,
    continued,
    /** Returns whether the user continued after canceling the confirmation, once. */
    takeContinued: () => {
      const wasContinued = isContinued;
      isContinued = false;
      return wasContinued;
    },
  };
  reviews.set(key, open);
  return open;
}
