import { t } from '@vscode/l10n';
import type { RecordRef } from '../../platform/connections/model.ts';
import { isUnsaved, findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { getSendState } from '../sending/sendState.ts';
import { showSendOutcome } from '../sending/sendOutcomes.ts';
import { createSendInProgressError, type SendOutcome } from '../sending/campaignSender.ts';
import { showCommandError, withProgress } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import type { Campaigns } from './campaigns.ts';
import { confirmSend } from './confirmation.ts';
import { createSendReview, formatForAudience, type ReviewedSend } from './review/sendReview.ts';
import { collection } from './model.ts';
import { unsentCampaignPicking } from './picker.ts';
import { getCampaignName } from './wording.ts';
import { assertSamePlan, createSendPlan, PlanChangedError, type SendPlan } from './plan.ts';
import type { CommandArgument } from '../../ui/commands.ts';
import { SendReviewPage } from './review/sendReviewPage.ts';

interface SendResult extends RecordRef {
  readonly outcome: SendOutcome;
}

/**
 * Sends a campaign after a review and a modal confirmation. Refuses a second send of a campaign while one is in progress. Returns undefined
 * if the user cancels. If it throws, nothing was sent.
 */
export async function sendCampaign(
  campaigns: Campaigns,
  argument: CommandArgument,
  picking = { ...unsentCampaignPicking, title: t('Send Campaign'), fromEditor: true },
): Promise<SendResult | undefined> {
  const ref = await campaigns.targets.pickRecord(argument, picking);
  return ref && new CampaignSend(campaigns, ref).start();
}

/**
 * A campaign on its way through the states of a send: read, review, confirm, check again, send, outcome. It always asks about the version that
 * its page shows, sends nothing else, and ends once the page is closed. A window has at most one for each campaign.
 */
class CampaignSend {
  static readonly #open = new Map<string, CampaignSend>();

  readonly #campaigns: Campaigns;
  readonly #ref: RecordRef;
  readonly #key: string;
  #page: SendReviewPage | undefined;
  /** False only while the page waits for the user. */
  #isBusy = true;
  #wasCanceled = false;

  constructor(campaigns: Campaigns, ref: RecordRef) {
    this.#campaigns = campaigns;
    this.#ref = ref;
    this.#key = `${ref.connection}/${ref.id}`;
  }

  /**
   * Shows the review, and resolves with what its first *Continue* leads to; undefined if the user cancels. Replaces a review of the campaign
   * that is open already. Throws if this window is confirming or sending it.
   */
  async start(): Promise<SendResult | undefined> {
    const last = CampaignSend.#open.get(this.#key);
    if (last !== undefined) {
      if (last.#isBusy) throw createSendInProgressError();
      last.#page?.close();
    }
    CampaignSend.#open.set(this.#key, this);
    try {
      const reviewed = await this.#read();
      const { context, log } = this.#campaigns.services;
      return new Promise((resolve) => {
        this.#page = new SendReviewPage(context.extensionUri, reviewed, {
          continue: () => {
            if (this.#isBusy) return;
            const attempt = this.#continue();
            resolve(attempt);
            // The command reports errors of the first attempt.
            if (this.#wasCanceled)
              attempt.catch((error: unknown) => showCommandError(error, 'mailing.campaign.send', { log }));
          },
          close: () => {
            this.#page = undefined;
            if (!this.#isBusy) this.#rest();
            resolve(undefined);
          },
        });
      });
    } finally {
      this.#rest();
    }
  }

  /** Waits for the user. Ends if there is no page. */
  #rest() {
    this.#isBusy = false;
    if (this.#page === undefined) CampaignSend.#open.delete(this.#key);
  }

  async #read(): Promise<ReviewedSend> {
    const { services } = this.#campaigns;
    const { connection, baseUrl, id } = this.#ref;
    await this.#save();
    const sends = await services.getCampaignSender();
    const unconfirmed = await sends.findUnconfirmed({ connection, baseUrl }, `${collection}/${id}`);
    const profile = services.connections.get(connection)?.profile ?? 'documented';
    const plan = await withProgress(readingTitle(), (signal) =>
      this.#campaigns.run(this.#ref, (client) => createSendPlan(client, { id, profile, unconfirmed, signal })),
    );
    return { plan, review: await createSendReview(this.#campaigns, this.#ref, plan) };
  }

  async #continue(): Promise<SendResult | undefined> {
    const page = this.#page;
    if (page === undefined) return undefined;
    this.#isBusy = true;
    try {
      const { reviewed } = page;
      if (this.#wasCanceled && !(await this.#isCurrent(reviewed.plan))) {
        page.show(await this.#read());
      } else if (this.#page && (await confirmSend(this.#campaigns.getServiceName(this.#ref), reviewed))) {
        page.close();
        return await this.#send(reviewed.plan);
      } else {
        this.#wasCanceled = true;
        this.#page?.reveal();
      }
      return undefined;
    } finally {
      this.#rest();
    }
  }

  async #send(plan: SendPlan) {
    await this.#save();
    const sends = await this.#campaigns.services.getCampaignSender();
    const { connection, baseUrl, id } = this.#ref;
    const { campaign, unconfirmed } = plan;
    const request = {
      connection,
      baseUrl,
      what: `${collection}/${id}`,
      campaignId: id,
      name: escapeMessage(getCampaignName(campaign)),
      before: getSendState(campaign),
      resendOf: unconfirmed,
      // Another user may have edited or sent the campaign during the confirmation. Only the confirmed version may be sent.
      check: (now: Campaign, client: MailingClient) => assertSamePlan(client, plan, now),
    };
    const outcome = await withProgress(t`Sending "${request.name}"`, () => sends.send(request), { cancellable: false });
    void notifyOutcome(this.#campaigns, this.#ref, plan, outcome);
    return { ...this.#ref, outcome };
  }

  /** Returns whether what would be sent is still what the user reviewed, with the changes in editors. */
  async #isCurrent(plan: SendPlan) {
    const { id } = this.#ref;
    await this.#save();
    try {
      await withProgress(readingTitle(), (signal) =>
        this.#campaigns.run(this.#ref, async (client) =>
          assertSamePlan(client, plan, await client.getCampaignById(id, { signal })),
        ),
      );
      return true;
    } catch (error) {
      if (error instanceof PlanChangedError) return false;
      throw error;
    }
  }

  /** Saves the dirty documents of the campaign. Throws on failure, because the sent email must match the editor. */
  async #save() {
    const documents = findRecordDocuments(collection, this.#ref).filter(isUnsaved);
    const saved = await Promise.all(documents.map((document) => document.save()));
    if (saved.some((done) => !done)) throw new Error(t("Couldn't save the campaign's changes. Nothing was sent."));
  }
}

const readingTitle = () => t('Reading the campaign and its recipients');

async function notifyOutcome(
  campaigns: Campaigns,
  ref: RecordRef,
  { campaign, effect, audience }: SendPlan,
  outcome: SendOutcome,
) {
  const name = escapeMessage(getCampaignName(campaign));
  const success =
    effect.isImmediate && !effect.mayBeLater
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
