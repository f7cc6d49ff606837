import type { Outbox } from './outbox.ts';
import type { Store } from './store.ts';
import { HOUR, newCampaign, type Schedule, type StoredCampaign, type StoredFollowUp } from './records.ts';

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
export function getPeriodMs(schedule: Partial<Schedule> | null): number {
  return schedule?.every ? schedule.every.type * schedule.every.number * 1000 : CRON_INTERVAL_MS;
}

/** Sends campaigns immediately or when they fall due, single mails, and the mails of follow-ups. */
export class Mailer {
  readonly store: Store;
  readonly #outbox: Outbox;
  /** In order of time. */
  readonly #waiting: ScheduledMail[] = [];
  /** Time of the last mail of each follow-up per user. */
  readonly #finished = new Map<string, number>();

  constructor(store: Store, outbox: Outbox) {
    this.store = store;
    this.#outbox = outbox;
  }

  /** Starts a campaign: sends it now, or waits for its date or schedule. Returns false if it has no list. */
  start(campaign: StoredCampaign): boolean {
    const { store } = this;
    const isLater =
      campaign.sending_type === 'auto' ||
      (campaign.sending_type === 'scheduled' && (campaign.sending_date ?? 0) > store.now());
    if (!isLater || store.profile.isInstallation) return this.#send(campaign, store.now());
    if (!campaign.listIds.some((id) => store.lists.get(id))) return false;
    store.campaigns.put({ ...campaign, draft: 0, active: 1 });
    return true;
  }

  /** Delivers one mail to one user if the mail exists. `listIds` are the related lists. */
  deliver(mailId: number | null, userId: number, listIds: readonly number[] = [], sentAt = this.store.now()): void {
    const { store } = this;
    const mail = store.mail(mailId ?? 0);
    if (mail)
      this.#outbox.deliver({ store, mail, campaignId: null, listIds, recipients: Uint32Array.of(userId), sentAt });
  }

  /** Starts the active follow-ups with a trigger for a user who joined a list. */
  trigger(trigger: string, userId: number, listId: number): void {
    for (const followUp of this.store.followUps.all())
      if (followUp.active && followUp.trigger === trigger && matchesCondition(followUp, listId))
        this.#startFollowUp(followUp, userId);
  }

  /** Runs everything that is due, in order. */
  catchUp(): void {
    const now = this.store.now();
    for (;;) {
      const [next] = this.store.campaigns
        .all()
        .map((campaign) => ({ campaign, due: this.#getDueTime(campaign) }))
        .filter(({ due }) => due <= now)
        .sort((a, b) => a.due - b.due);
      const mailDue = this.#waiting[0]?.due ?? Infinity;
      if (mailDue <= now && mailDue < (next?.due ?? Infinity)) this.#sendWaitingMail();
      else if (next?.campaign.sending_type === 'auto') this.#generateEdition(next.campaign, next.due);
      else if (next) this.#send(next.campaign, next.due);
      else return;
    }
  }

  /** Sends a campaign. Returns false if it has no list. */
  #send(campaign: StoredCampaign, at: number) {
    const { store } = this;
    const lists = campaign.listIds.flatMap((id) => store.lists.get(id) ?? []);
    const mail = store.mails.get(campaign.mail_id);
    if (lists.length === 0 || !mail) return false;
    const activeIds = lists.filter(({ active }) => active === '1').map(({ id }) => id);
    const recipients = store.members.select(activeIds, 1);
    const isOnTime = campaign.sending_type === 'scheduled' && (campaign.sending_date ?? Infinity) <= at;
    const sending_date = isOnTime ? campaign.sending_date : at;
    store.campaigns.put({ ...campaign, draft: 0, active: 1, sent: 1, sending_date });
    store.sendings.set(campaign.id, { mail, versions: [], sentAt: at, recipients: () => recipients });
    this.#outbox.deliver({ store, mail, campaignId: campaign.id, listIds: campaign.listIds, recipients, sentAt: at });
    return true;
  }

  /** Creates the next edition of an automatic campaign: sends it, or leaves one draft for confirmation. */
  #generateEdition(parent: StoredCampaign, at: number) {
    const { store } = this;
    const period = getPeriodMs(parent.schedule);
    const missed = Math.floor((store.now() - at) / period) - MAX_CATCH_UP_RUNS;
    store.campaigns.put({ ...parent, last_generated: at, next_trigger: at + period * Math.max(1, missed) });
    const editions = store.campaigns.all().filter(({ parent_id }) => parent_id === parent.id);
    const needsConfirmation = parent.schedule?.need_confirm_to_send === 1;
    const mail = store.mails.get(parent.mail_id);
    if (!mail || (needsConfirmation && editions.some(({ draft }) => draft === 1))) return;
    const mail_id = store.nextId('mail');
    store.mails.put({ ...mail, id: mail_id, name: `${mail.name} (${editions.length + 1})` });
    const id = store.nextId('campaign');
    const edition: StoredCampaign = { ...newCampaign, id, mail_id, parent_id: parent.id, listIds: parent.listIds };
    store.campaigns.put(edition);
    if (!needsConfirmation) this.#send(edition, at);
  }

  #getDueTime({ sending_type, next_trigger, sent, mail_id, listIds, sending_date }: StoredCampaign) {
    if (sending_type === 'auto') return next_trigger ?? Infinity;
    const { mails, lists } = this.store;
    const isWaiting = sending_type === 'scheduled' && sent === 0;
    const canBeSent = isWaiting && mails.get(mail_id) && listIds.some((id) => lists.get(id));
    return canBeSent ? (sending_date ?? Infinity) : Infinity;
  }

  #sendWaitingMail() {
    const mail = this.#waiting.shift();
    const followUp = this.store.followUps.get(mail?.followUpId ?? 0);
    if (mail && followUp?.mails.some(({ mailId }) => mailId === mail.mailId))
      this.deliver(mail.mailId, mail.userId, [followUp.list_id], mail.due);
  }

  #startFollowUp(followUp: StoredFollowUp, userId: number) {
    const { id: followUpId, loop, loop_delay, loop_mail_skip, list_id, mails } = followUp;
    const key = `${followUpId}:${userId}`;
    const now = this.store.now();
    const finishedAt = this.#finished.get(key);
    if (finishedAt !== undefined && (!loop || now < finishedAt + loop_delay * 1000)) return;
    const planned = mails
      .filter(({ mailId }) => finishedAt === undefined || !loop_mail_skip.includes(mailId))
      .map(({ mailId, delay, unit }) => ({ due: now + delay * unit * 1000, followUpId, mailId, userId }));
    this.#waiting.push(...planned);
    this.#waiting.sort((a, b) => a.due - b.due);
    this.#finished.set(key, Math.max(now, ...planned.map(({ due }) => due)));
    this.store.followUps.put({ ...followUp, last_trigger: Math.floor(now / 1000) });
    this.store.members.set(userId, list_id, { status: 1, subscribed: now, unsubscribed: null });
  }
}

/** Returns whether the condition of a follow-up includes users who joined the list. */
function matchesCondition({ condition }: StoredFollowUp, listId: number) {
  const lists = Array.isArray(condition['lists']) ? condition['lists'].map(Number) : [];
  return lists.length === 0 || lists.includes(listId) === (condition['lists_status'] !== 'is_not');
}
