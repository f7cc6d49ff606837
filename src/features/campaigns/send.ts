import * as vscode from 'vscode';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import type { RecordRef } from '../../platform/connections/record.ts';
import { isUnsaved, findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { nameOf as listName } from '../lists/model.ts';
import { openSendReview } from '../../platform/sending/host/sendReview.ts';
import { getSendState } from '../../platform/sending/sendJournal.ts';
import type { SendOutcome } from '../../platform/sending/campaignSender.ts';
import { formatRequestTime } from '../../platform/sending/requestTime.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { confirm, showError, showInfo, showWarning } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import type { Campaigns } from './campaigns.ts';
import { errorLines, errorsIn, type LastCheck } from './lastCheck.ts';
import { lookAt } from './lastLook.ts';
import { collection, dateOf, nameOf as nameOfCampaign, stateOf } from './model.ts';
import { editedSince, planOf, type Audience, type Plan } from './plan.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

/** What became of a campaign that was told to go out. */
export interface Sending extends RecordRef {
  readonly outcome: SendOutcome;
}

/** Sends campaigns, one at a time each, and none twice by accident. */
export class Sendings {
  readonly #campaigns: Campaigns;
  /** Campaigns whose sending is asked for or under way in this window. */
  readonly #running = new Set<string>();

  constructor(campaigns: Campaigns) {
    this.#campaigns = campaigns;
  }

  /**
   * Sends a campaign after a modal question; undefined where the user cancels. Throws with the reason where it is refused: nothing was sent
   * then.
   */
  async send(argument: CommandArgument): Promise<Sending | undefined> {
    const ref = await this.#campaigns.choose(argument, 'Send Campaign');
    if (ref === undefined) return undefined;
    const key = `${ref.connection}/${ref.id}`;
    if (this.#running.has(key))
      throw new Error('This campaign is being sent already. Wait until it is known what became of it.');
    this.#running.add(key);
    try {
      return await this.#send(ref);
    } finally {
      this.#running.delete(key);
    }
  }

  async #send(ref: RecordRef): Promise<Sending | undefined> {
    await saveDocuments(ref);
    const sends = await this.#campaigns.services.getCampaignSender();
    const what = `${collection}/${ref.id}`;
    const lost = await sends.findUnconfirmed(ref.connection, what);
    const profile = this.#campaigns.services.connections.get(ref.connection)?.profile ?? 'documented';
    const plan = await withProgress('Reading the campaign and its recipients', (signal) =>
      this.#campaigns.run(ref, (client) => planOf(client, { id: ref.id, profile, lost, signal })),
    );
    if (!(await this.#lookAndAsk(ref, plan))) return undefined;

    await saveDocuments(ref);
    const { campaign } = plan;
    const order = {
      connection: ref.connection,
      what,
      campaignId: ref.id,
      name: nameOf(campaign),
      before: getSendState(campaign),
      again: lost,
    };
    // What was agreed to is what goes out, and nothing that somebody else has written or sent while the question stood.
    const check = async (now: Campaign, client: MailingClient): Promise<void> => {
      const changed = await editedSince(campaign, now, () => client.getCampaignById(ref.id));
      if (changed.length === 0) return;
      const fields = changed.join(', ');
      throw new Error(
        `The campaign was changed since you were asked (${fields}). Nothing was sent: send it again to see what it is now.`,
      );
    };
    const outcome = await withProgress(`Sending "${nameOf(campaign)}"`, () => sends.send({ ...order, check }), {
      cancellable: false,
    });
    void this.#tell(ref, plan, outcome);
    return { ...ref, outcome };
  }

  /** Shows what goes out, and asks once the user has looked. */
  async #lookAndAsk(ref: RecordRef, plan: Plan): Promise<boolean> {
    const look = await lookAt(this.#campaigns, ref, plan);
    const { confirmation, close } = openSendReview(this.#campaigns.services.context.extensionUri, look);
    try {
      return (await confirmation) && (await this.#ask(ref, plan, look)) && (await askDespite(plan, look));
    } finally {
      close();
    }
  }

  /** The question that can't be skipped. */
  #ask(ref: RecordRef, { campaign, effect, lists, audience, lost }: Plan, found: LastCheck): Promise<boolean> {
    const wasSent = stateOf(campaign) === 'sent';
    const again = wasSent || lost !== undefined;
    const to = `to ${audience === undefined ? 'the recipients of its lists' : recipients(audience)} on ${this.#campaigns.getServiceName(ref)}`;
    const name = nameOf(campaign);
    const date = dateOf(campaign);
    const before =
      wasSent || lost === undefined
        ? `was sent already${date === undefined ? '' : ` on ${date}`}`
        : `was told to go out at ${formatRequestTime(lost)}, and no answer came`;
    const message = again ? `"${name}" ${before}. Send it AGAIN ${to}?` : `Send "${name}" ${to}?`;
    const detail = [
      ...(lost === undefined ? [] : [lostDetail]),
      `Subject: ${campaign.subject ?? ''}`,
      lists === undefined
        ? 'Lists: the service does not tell them. Look at the campaign on its website.'
        : `Lists: ${lists.map(listName).join(', ')}`,
      `What happens: it ${effect.words}. Sending type: ${campaign.sending_type ?? 'now'}.`,
      ...(effect.warning === undefined ? [] : [effect.warning]),
      ...(wasSent ? ['Everybody who got it will get it a second time.'] : []),
      ...(effect.atOnce ? ["An email that went out can't be taken back."] : []),
      ...errorLines(found),
    ];
    return confirm(message, detail, again ? 'Send Again' : effect.atOnce ? 'Send Now' : 'Start');
  }

  async #tell(ref: RecordRef, { campaign, effect, audience }: Plan, outcome: SendOutcome): Promise<void> {
    const name = nameOf(campaign);
    const [statistics, open, stop] = ['Show Statistics', 'Open Campaign', 'Stop Watching'];
    const lost = `The answer to sending "${name}" was lost, and it is not known whether it went out: the service may still be at it.`;
    const to = audience === undefined ? '' : ` to ${recipients(audience)}`;
    const news: Readonly<Record<SendOutcome, () => Promise<string | undefined>>> = {
      sent: () =>
        showInfo(effect.atOnce ? `"${name}" was sent${to}.` : `"${name}" is started: it ${effect.words}.`, statistics),
      unknown: () => showWarning(`${lost} ${watched}`, statistics, open, stop),
    };
    try {
      this.#campaigns.refreshTree(ref);
      await this.#campaigns.services.documents.refreshIfUsed(collection, ref).catch(() => undefined);
      const choice = await news[outcome]();
      if (choice === statistics) await vscode.commands.executeCommand('mailing.campaign.showStatistics', ref);
      if (choice === stop)
        await (await this.#campaigns.services.getCampaignSender()).stopWatching(ref.connection, ref.id);
      if (choice === open) await vscode.commands.executeCommand('mailing.campaign.open', ref);
    } catch (error) {
      void showError(error, { title: 'Send Campaign', connection: ref.connection });
    }
  }
}

const lostDetail =
  'It is not known whether it went out, and the service may still be at it: if it goes out after all, everybody gets it twice.';
const watched = 'The campaign is watched, and you will be told. Look before you send it again.';

/** Saves what is unsaved of a campaign. Throws where that fails: nothing may go out that is not what the editor shows. */
async function saveDocuments(ref: RecordRef): Promise<void> {
  const saved = await Promise.all(
    findRecordDocuments(collection, ref)
      .filter(isUnsaved)
      .map((document) => document.save()),
  );
  if (saved.some((done) => !done)) throw new Error('The changes of the campaign could not be saved. Nothing was sent.');
}

/** What has errors goes out only after a second, explicit step. */
async function askDespite({ campaign }: Plan, found: LastCheck): Promise<boolean> {
  const errors = errorsIn(found);
  if (errors.length === 0) return true;
  const detail = ['Its readers will see them. Cancel to mend them first.', ...errorLines(found)];
  return confirm(
    `Send "${nameOf(campaign)}" with ${formatAmount(errors.length, 'error')}?`,
    detail,
    'Send With Errors',
  );
}

function recipients({ count, exact }: Audience): string {
  return `${exact ? '' : 'more than '}${formatAmount(count, 'recipient')}`;
}

function nameOf(campaign: Campaign): string {
  return escapeMessage(nameOfCampaign(campaign));
}

/** Says of a campaign that waited for its date or its rhythm that it is a draft again: an update makes one of it. */
export async function sayThatItIsADraft(connection: string, { id, name }: Campaign): Promise<void> {
  const send = 'Send…';
  const choice = await showWarning(
    `"${name ?? id}" was saved, and is a draft again: services stop what they were waiting for when a campaign changes. ` +
      'Send it to start it again.',
    send,
  );
  if (choice === send) await vscode.commands.executeCommand('mailing.campaign.send', { connection, id });
}
