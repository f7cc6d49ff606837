import * as vscode from 'vscode';
import type { Campaign, MailingClient, MailingList } from '../api/index.ts';
import { marksOf } from '../sending/marks.ts';
import { whenAsked } from '../sending/news.ts';
import type { SendNote } from '../sending/sendNotes.ts';
import type { SendOutcome } from '../sending/sends.ts';
import { allLists } from '../api/allLists.ts';
import { formatAmount, formatDateTime } from '../ui/format.ts';
import { confirm, showError, showInfo, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import type { RecordRef } from '../connections/record.ts';
import { recordDocuments } from '../documents/recordDocuments.ts';
import { inMessage } from '../ui/text.ts';
import { isUnsaved } from '../documents/unsaved.ts';
import { countAudience, type Audience } from './audience.ts';
import type { Campaigns } from './campaigns.ts';
import { changedSince } from './agreed.ts';
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
  /** What was told to go out before, where the answer was lost and it is not known what came of it. */
  readonly lost: SendNote | undefined;
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
    const sends = await this.#campaigns.rooms.sends();
    const what = `${campaignDocuments.collection}/${ref.id}`;
    const lost = await sends.lost(ref.connection, what);
    const plan = await withProgress('Reading the campaign and its recipients', (signal) =>
      this.#campaigns.run(ref, (client) => this.#plan(ref, client, lost, signal)),
    );
    if (!(await this.#ask(ref, plan))) return undefined;

    await saveDocuments(ref);
    const { campaign } = plan;
    const order = { connection: ref.connection, what, campaignId: ref.id, name: nameOf(campaign), before: marksOf(campaign), again: lost };
    // What was agreed to is what goes out, and nothing that somebody else has written or sent while the question stood.
    const check = (now: Campaign): void => {
      const changed = changedSince(campaign, now);
      if (changed.length === 0) return;
      const fields = changed.join(', ');
      throw new Error(`The campaign was changed since you were asked (${fields}). Nothing was sent: send it again to see what it is now.`);
    };
    const outcome = await withProgress(`Sending "${nameOf(campaign)}"`, () => sends.send({ ...order, check }), { cancellable: false });
    void this.#tell(ref, plan, outcome);
    return { ...ref, outcome };
  }

  async #plan(ref: RecordRef, client: MailingClient, lost: SendNote | undefined, signal: AbortSignal): Promise<Plan> {
    const campaign = await client.getCampaignById(ref.id, { signal });
    const details = detailsOf(campaign);
    const [problem] = await validate(details);
    if (problem !== undefined) throw new Error(`It can't be sent: ${problem.path.join('.')}: ${problem.message} Nothing was sent.`);
    if ((campaign.body ?? '').trim() === '') throw new Error("It can't be sent: it has no text. Nothing was sent.");
    const profile = this.#campaigns.rooms.connections.get(ref.connection)?.profile ?? 'documented';
    const effect = effectOf(details, profile, new Date().toISOString().slice(0, 10));
    const { listIds } = details;
    if (listIds === undefined) return { campaign, effect, lists: undefined, audience: undefined, lost };
    if (listIds.length === 0) throw new Error("It can't be sent: no list is chosen. Nothing was sent.");
    const lists = await listsOf(client, listIds, signal);
    const audience = await audienceOf(client, lists, listIds, signal);
    if (audience.exact && audience.count === 0) throw new Error("It can't be sent: nobody is subscribed to its lists. Nothing was sent.");
    return { campaign, effect, lists, audience, lost };
  }

  /** The question that can't be skipped. */
  #ask(ref: RecordRef, { campaign, effect, lists, audience, lost }: Plan): Promise<boolean> {
    const wasSent = stateOf(campaign) === 'sent';
    const again = wasSent || lost !== undefined;
    const to = `to ${audience === undefined ? 'the recipients of its lists' : recipients(audience)} on ${this.#campaigns.service(ref)}`;
    const name = nameOf(campaign);
    const isSent = wasSent || lost === undefined;
    const before = isSent ? `was sent already${dateOf(campaign)}` : `was told to go out at ${whenAsked(lost)}, and no answer came`;
    const message = again ? `"${name}" ${before}. Send it AGAIN ${to}?` : `Send "${name}" ${to}?`;
    const detail = [
      ...(lost === undefined ? [] : [lostDetail]),
      `Subject: ${campaign.subject ?? ''}`,
      lists === undefined
        ? 'Lists: the service does not tell them. Look at the campaign on its website.'
        : `Lists: ${lists.map((list) => list.name ?? `#${list.id}`).join(', ')}`,
      `What happens: it ${effect.words}. Sending type: ${campaign.sending_type ?? 'now'}.`,
      ...(effect.warning === undefined ? [] : [effect.warning]),
      ...(wasSent ? ['Everybody who got it will get it a second time.'] : []),
      ...(effect.atOnce ? ["An e-mail that went out can't be taken back."] : []),
    ];
    return confirm(message, detail, again ? 'Send Again' : effect.atOnce ? 'Send Now' : 'Start');
  }

  async #tell(ref: RecordRef, { campaign, effect, audience }: Plan, outcome: SendOutcome): Promise<void> {
    const name = nameOf(campaign);
    const [statistics, open, stop] = ['Show Statistics', 'Open Campaign', 'Stop Watching'];
    const lost = `The answer to sending "${name}" was lost, and it is not known whether it went out: the service may still be at it.`;
    const to = audience === undefined ? '' : ` to ${recipients(audience)}`;
    const news: Readonly<Record<SendOutcome, () => Promise<string | undefined>>> = {
      sent: () => showInfo(effect.atOnce ? `"${name}" was sent${to}.` : `"${name}" is started: it ${effect.words}.`, statistics),
      unknown: () => showWarning(`${lost} ${watched}`, statistics, open, stop),
    };
    try {
      await this.#campaigns.changed(ref).catch(() => undefined);
      const choice = await news[outcome]();
      if (choice === statistics) await vscode.commands.executeCommand('mailing.campaign.showStatistics', ref);
      if (choice === stop) await (await this.#campaigns.rooms.sends()).stopWatching(ref.connection, ref.id);
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
