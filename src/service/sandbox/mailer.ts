import type { Outbox } from './outbox.ts';
import type { Store } from './store.ts';
import { newCampaign } from './records.ts';
import type { StoredCampaign, StoredFollowUp } from './records.ts';
import { HOUR } from './time.ts';

/** Interval of the service's cron, and of `cron` campaigns. */
const CRON_INTERVAL_MS = HOUR;
/** Limits how many missed runs are made up after the clock jumps ahead. */
const MAX_CATCH_UP_RUNS = 50;

interface ScheduledMail {
  readonly due: number;
  readonly followUpId: number;
  readonly mailId: number;
  readonly userId: number;
}

/** Returns the interval of an automatic campaign in milliseconds. */
export function getPeriodMs({ schedule }: Pick<StoredCampaign, 'schedule'>): number {
  return schedule?.every ? schedule.every.type * schedule.every.number * 1000 : CRON_INTERVAL_MS;
}

/** Sends campaigns immediately or when they fall due, single mails, and the mails of follow-ups. */
export class Mailer {
  readonly #store: Store;
  readonly #outbox: Outbox;
  readonly #waiting: ScheduledMail[] = [];
  /** Time of the last mail of each follow-up per user. */
  readonly #finished = new Map<string, number>();

  constructor(store: Store, outbox: Outbox) {
    this.#store = store;
    this.#outbox = outbox;
  }

  /** Starts a campaign: sends it now, or waits for its date or schedule. Returns the errors. */
  start(campaign: StoredCampaign): string[] {
    const store = this.#store;
    const waits =
      campaign.sending_type === 'auto' ||
      (campaign.sending_type === 'scheduled' && (campaign.sending_date ?? 0) > store.now());
    if (!waits || store.profile.sendsAtOnce) return this.#send(campaign, store.now());
    if (!campaign.listIds.some((id) => store.lists.get(id))) return ['No list selected'];
    store.campaigns.set({ ...campaign, draft: 0, active: 1 });
    return [];
  }

  /** Delivers one mail to one user if the mail exists. `listIds` are the related lists. */
  deliver(mailId: number | null, userId: number, listIds: readonly number[] = [], sentAt = this.#store.now()): void {
    const mail = mailId === null ? undefined : this.#store.mail(mailId);
    if (mail) this.#outbox.deliver({ mail, campaignId: null, listIds, recipients: Uint32Array.of(userId), sentAt });
  }

  /** Starts the active follow-ups with a trigger for a user who joined a list. */
  trigger(trigger: string, userId: number, listId: number): void {
    for (const followUp of [...this.#store.followUps.from()]) {
      if (followUp.active && followUp.trigger === trigger && matchesCondition(followUp, listId))
        this.#startFollowUp(followUp, userId);
    }
  }

  /** Runs everything that is due, in order. */
  catchUp(): void {
    for (let next = this.#findNextEvent(); next.due <= this.#store.now(); next = this.#findNextEvent()) next.run();
  }

  /** Sends a campaign. Returns the errors; empty if it was sent. */
  #send(campaign: StoredCampaign, at: number): string[] {
    const store = this.#store;
    const lists = campaign.listIds.flatMap((id) => store.lists.get(id) ?? []);
    const mail = store.mails.get(campaign.mail_id);
    if (lists.length === 0 || !mail) return ['No list selected'];
    const recipients = store.members.recipients(lists.filter(({ active }) => active === '1').map(({ id }) => id));
    const isOnTime = campaign.sending_type === 'scheduled' && (campaign.sending_date ?? Infinity) <= at;
    const sending_date = isOnTime ? campaign.sending_date : at;
    store.campaigns.set({ ...campaign, draft: 0, active: 1, sent: 1, sending_date });
    store.sendings.set(campaign.id, { mail, sentAt: at, recipients: () => recipients });
    this.#outbox.deliver({ mail, campaignId: campaign.id, listIds: campaign.listIds, recipients, sentAt: at });
    return [];
  }

  /** Creates the next edition of an automatic campaign: sends it, or leaves one draft for confirmation. */
  #generateEdition(parent: StoredCampaign, at: number): void {
    const store = this.#store;
    const period = getPeriodMs(parent);
    const missed = Math.floor((store.now() - at) / period) - MAX_CATCH_UP_RUNS;
    store.campaigns.set({ ...parent, last_generated: at, next_trigger: at + period * Math.max(1, missed) });
    const editions = [...store.campaigns.from()].filter(({ parent_id }) => parent_id === parent.id);
    const needsConfirmation = parent.schedule?.need_confirm_to_send === 1;
    const mail = store.mails.get(parent.mail_id);
    if (!mail || (needsConfirmation && editions.some(({ draft }) => draft === 1))) return;
    const mail_id = store.nextId('mail');
    store.mails.set({ ...mail, id: mail_id, name: `${mail.name} (${editions.length + 1})` });
    const id = store.nextId('campaign');
    const edition: StoredCampaign = { ...newCampaign, id, mail_id, parent_id: parent.id, listIds: parent.listIds };
    store.campaigns.set(edition);
    if (!needsConfirmation) this.#send(edition, at);
  }

  #getDueTime(campaign: StoredCampaign): number {
    if (campaign.sending_type === 'auto') return campaign.next_trigger ?? Infinity;
    const isDue =
      campaign.sending_type === 'scheduled' &&
      campaign.sent === 0 &&
      this.#store.mails.get(campaign.mail_id) &&
      campaign.listIds.some((id) => this.#store.lists.get(id));
    return isDue ? (campaign.sending_date ?? Infinity) : Infinity;
  }

  /** Returns the next event; one that is never due if there is none. */
  #findNextEvent(): { readonly due: number; readonly run: () => void } {
    const [mail] = this.#waiting;
    let campaign: StoredCampaign | undefined;
    let due = Infinity;
    for (const candidate of this.#store.campaigns.from()) {
      const candidateDue = this.#getDueTime(candidate);
      if (candidateDue < due) [campaign, due] = [candidate, candidateDue];
    }
    if (mail && mail.due < due) return { due: mail.due, run: () => this.#sendWaitingMail() };
    return {
      due,
      run: () => {
        if (campaign?.sending_type === 'auto') this.#generateEdition(campaign, due);
        else if (campaign) this.#send(campaign, due);
      },
    };
  }

  #sendWaitingMail(): void {
    const mail = this.#waiting.shift();
    if (!mail) return;
    const followUp = this.#store.followUps.get(mail.followUpId);
    if (followUp?.mails.some(({ mailId }) => mailId === mail.mailId))
      this.deliver(mail.mailId, mail.userId, [followUp.list_id], mail.due);
  }

  #startFollowUp(followUp: StoredFollowUp, userId: number): void {
    const key = `${followUp.id}:${userId}`;
    const now = this.#store.now();
    const finishedAt = this.#finished.get(key);
    if (finishedAt !== undefined && (!followUp.loop || now < finishedAt + followUp.loop_delay * 1000)) return;
    const planned = followUp.mails
      .filter(({ mailId }) => finishedAt === undefined || !followUp.loop_mail_skip.includes(mailId))
      .map(({ mailId, delay, unit }) => ({ due: now + delay * unit * 1000, followUpId: followUp.id, mailId, userId }));
    this.#waiting.push(...planned);
    this.#waiting.sort((a, b) => a.due - b.due);
    this.#finished.set(key, Math.max(now, ...planned.map(({ due }) => due)));
    this.#store.followUps.set({ ...followUp, last_trigger: Math.floor(now / 1000) });
    this.#store.members.set(userId, followUp.list_id, { status: 1, subscribed: now, unsubscribed: null });
  }
}

/** Returns whether the condition of a follow-up includes users who joined the list. */
function matchesCondition({ condition }: StoredFollowUp, listId: number): boolean {
  const lists = Array.isArray(condition['lists']) ? condition['lists'].map(Number) : [];
  if (lists.length === 0) return true;
  return lists.includes(listId) === (condition['lists_status'] !== 'is_not');
}
