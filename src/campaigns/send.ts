import * as vscode from 'vscode';
import type { Campaign, MailingClient, MailingList } from '../api/index.ts';
import { allLists } from '../api/allLists.ts';
import { formatAmount, formatDateTime } from '../ui/format.ts';
import { confirm, showError, showInfo, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import type { RecordRef } from '../connections/record.ts';
import { recordDocuments } from '../documents/recordDocuments.ts';
import { sendOnce, type SendOutcome } from '../sending/sendOnce.ts';
import { inMessage } from '../ui/text.ts';
import { isUnsaved } from '../documents/unsaved.ts';
import { countAudience, type Audience } from './audience.ts';
import type { Campaigns } from './campaigns.ts';
import { campaignDocuments } from './documents.ts';
import { effectOf, type Effect } from './effects.ts';
import { detailsOf } from './fields.ts';
import { stateOf } from './state.ts';
import { validate } from './validation.ts';

/** What became of a campaign that was told to go out. */
export interface Sending extends RecordRef {
  readonly outcome: SendOutcome;
}

/** Everything that the question before a sending names. */
interface Plan {
  readonly campaign: Campaign;
  readonly effect: Effect;
  readonly lists: readonly MailingList[] | undefined;
  readonly audience: Audience | undefined;
}

/** Records read to count the recipients of several lists: beyond that, "more than" is said. */
const countLimit = 5000;

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
  async send(argument: unknown): Promise<Sending | undefined> {
    const ref = await this.#campaigns.choose(argument, 'Send Campaign');
    if (ref === undefined) return undefined;
    const key = `${ref.connection}/${ref.id}`;
    if (this.#running.has(key)) throw new Error('This campaign is being sent already. Wait until it is known what became of it.');
    this.#running.add(key);
    try {
      return await this.#send(ref);
    } finally {
      this.#running.delete(key);
    }
  }

  async #send(ref: RecordRef): Promise<Sending | undefined> {
    await saveDocuments(ref);
    const plan = await withProgress('Reading the campaign and its recipients', (signal) =>
      this.#campaigns.run(ref, (client) => this.#plan(ref, client, signal)),
    );
    if (!(await this.#ask(ref, plan))) return undefined;

    // What was agreed to is what goes out, and nothing that somebody else has written while the question stood.
    await saveDocuments(ref);
    const now = await this.#campaigns.read(ref);
    if (JSON.stringify(now) !== JSON.stringify(plan.campaign))
      throw new Error('The campaign was changed since you were asked. Nothing was sent: send it again to see what it is now.');
    const outcome = await withProgress(
      `Sending "${nameOf(plan.campaign)}"`,
      () => this.#campaigns.run(ref, (client) => sendOnce(client, now)),
      { cancellable: false },
    );
    void this.#tell(ref, plan, outcome);
    return { ...ref, outcome };
  }

  async #plan(ref: RecordRef, client: MailingClient, signal: AbortSignal): Promise<Plan> {
    const campaign = await client.getCampaignById(ref.id, { signal });
    const details = detailsOf(campaign);
    const [problem] = await validate(details);
    if (problem !== undefined) throw new Error(`It can't be sent: ${problem.path.join('.')}: ${problem.message} Nothing was sent.`);
    if ((campaign.body ?? '').trim() === '') throw new Error("It can't be sent: it has no text. Nothing was sent.");
    const profile = this.#campaigns.rooms.connections.get(ref.connection)?.profile ?? 'documented';
    const effect = effectOf(details, profile, new Date().toISOString().slice(0, 10));
    const { listIds } = details;
    if (listIds === undefined) return { campaign, effect, lists: undefined, audience: undefined };
    if (listIds.length === 0) throw new Error("It can't be sent: no list is chosen. Nothing was sent.");
    const lists = await listsOf(client, listIds, signal);
    const audience = await audienceOf(client, lists, listIds, signal);
    if (audience.exact && audience.count === 0) throw new Error("It can't be sent: nobody is subscribed to its lists. Nothing was sent.");
    return { campaign, effect, lists, audience };
  }

  /** The question that can't be skipped. */
  #ask(ref: RecordRef, { campaign, effect, lists, audience }: Plan): Promise<boolean> {
    const again = stateOf(campaign) === 'sent';
    const to = audience === undefined ? 'the recipients of its lists' : recipients(audience);
    const name = nameOf(campaign);
    const message = again
      ? `"${name}" was sent already${dateOf(campaign)}. Send it AGAIN to ${to} on ${this.#campaigns.service(ref)}?`
      : `Send "${name}" to ${to} on ${this.#campaigns.service(ref)}?`;
    const detail = [
      `Subject: ${campaign.subject ?? ''}`,
      lists === undefined
        ? 'Lists: the service does not tell them. Look at the campaign on its website.'
        : `Lists: ${lists.map((list) => list.name ?? `#${list.id}`).join(', ')}`,
      `What happens: it ${effect.words}. Sending type: ${campaign.sending_type ?? 'now'}.`,
      ...(effect.warning === undefined ? [] : [effect.warning]),
      ...(again ? ['Everybody who got it will get it a second time.'] : []),
      ...(effect.atOnce ? ["An e-mail that went out can't be taken back."] : []),
    ];
    return confirm(message, detail, again ? 'Send Again' : effect.atOnce ? 'Send Now' : 'Start');
  }

  async #tell(ref: RecordRef, { campaign, effect, audience }: Plan, outcome: SendOutcome): Promise<void> {
    const name = nameOf(campaign);
    const [statistics, again, open] = ['Show Statistics', 'Send Again…', 'Open Campaign'];
    const to = audience === undefined ? '' : ` to ${recipients(audience)}`;
    const news: Readonly<Record<SendOutcome, () => Promise<string | undefined>>> = {
      sent: () => showInfo(effect.atOnce ? `"${name}" was sent${to}.` : `"${name}" is started: it ${effect.words}.`, statistics),
      notSent: () =>
        showWarning(`The answer to sending "${name}" was lost. The service says that it was not sent: send again?`, again, open),
      unknown: () =>
        showWarning(
          `The answer to sending "${name}" was lost, and it is not known whether it went out. Look before you send it again.`,
          statistics,
          open,
        ),
    };
    try {
      await this.#campaigns.changed(ref).catch(() => undefined);
      const choice = await news[outcome]();
      if (choice === statistics) await vscode.commands.executeCommand('mailing.campaign.showStatistics', ref);
      if (choice === again) await vscode.commands.executeCommand('mailing.campaign.send', ref);
      if (choice === open) await vscode.commands.executeCommand('mailing.campaign.open', ref);
    } catch (error) {
      void showError(error, { title: 'Send Campaign', connection: ref.connection });
    }
  }
}

/** Saves what is unsaved of a campaign. Throws where that fails: nothing may go out that is not what the editor shows. */
async function saveDocuments(ref: RecordRef): Promise<void> {
  const saved = await Promise.all(recordDocuments(campaignDocuments.collection, ref).filter(isUnsaved).map((document) => document.save()));
  if (saved.some((done) => !done)) throw new Error('The changes of the campaign could not be saved. Nothing was sent.');
}

async function listsOf(client: MailingClient, ids: readonly number[], signal: AbortSignal): Promise<readonly MailingList[]> {
  const found = (await allLists(client, signal)).filter(({ id }) => ids.includes(id));
  const missing = ids.filter((id) => !found.some((list) => list.id === id));
  if (missing.length > 0)
    throw new Error(`It can't be sent: the service has no list ${missing.map((id) => `#${id}`).join(', ')}. Nothing was sent.`);
  return found;
}

/** The number of recipients: a single list's own count where the service gives it, else counted page by page. */
async function audienceOf(
  client: MailingClient,
  lists: readonly MailingList[],
  ids: readonly number[],
  signal: AbortSignal,
): Promise<Audience> {
  const own = lists.length === 1 ? Number(lists[0]?.subscribers ?? NaN) : NaN;
  return Number.isInteger(own) && own > 0 ? { count: own, exact: true } : countAudience(client, ids, { limit: countLimit, signal });
}

function recipients({ count, exact }: Audience): string {
  return `${exact ? '' : 'more than '}${formatAmount(count, 'recipient')}`;
}

function nameOf(campaign: Campaign): string {
  return inMessage(campaign.name || campaign.subject || `Campaign ${campaign.id}`);
}

function dateOf(campaign: Campaign): string {
  const date = formatDateTime(campaign.sending_date);
  return date === undefined ? '' : ` on ${date}`;
}
