import type { OutboxControl } from './outbox.ts';
import type { Store } from './store.ts';
import type { StoredCampaign, StoredFollowUp, StoredMail } from './records.ts';
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

/** Sends campaigns immediately or when they fall due, single mails, and the mails of follow-ups. */
export interface Mailer {
  /** Sends a campaign. Returns the errors; empty if it was sent. */
  send(campaign: StoredCampaign, at?: number): string[];
  /** Starts a campaign: sends it now, or waits for its date or schedule. Returns the errors. */
  start(campaign: StoredCampaign): string[];
  /** Delivers one mail to one user if the mail exists. `listId` is the related list, if any. */
  deliver(mailId: number | null, userId: number, listId?: number): void;
  /** Starts the active follow-ups with a trigger for a user who joined a list. */
  trigger(trigger: string, userId: number, listId: number): void;
  /** Runs everything that is due, in order. */
  catchUp(): void;
  /** Returns the time of the next event. */
  nextDue(): number | undefined;
}

/** Returns the interval of an automatic campaign in milliseconds. */
export function getPeriodMs({ schedule }: Pick<StoredCampaign, 'schedule'>): number {
  return schedule?.every ? schedule.every.type * schedule.every.number * 1000 : CRON_INTERVAL_MS;
}

export function createMailer(store: Store, outbox: OutboxControl): Mailer {
  const waiting: ScheduledMail[] = [];
  /** Time of the last mail of each follow-up per user. */
  const finished = new Map<string, number>();

  const send = (campaign: StoredCampaign, at = store.now()): string[] => {
    const lists = campaign.listIds.flatMap((id) => store.lists.get(id) ?? []);
    const mail = store.mails.get(campaign.mailId);
    if (lists.length === 0 || !mail) return ['No list selected'];
    const recipients = store.members.recipients(lists.filter(({ active }) => active === '1').map(({ id }) => id));
    store.campaigns.set({
      ...campaign,
      draft: 0,
      active: 1,
      sent: 1,
      sendingDate:
        campaign.sendingType === 'scheduled' && (campaign.sendingDate ?? Infinity) <= at ? campaign.sendingDate : at,
    });
    store.sendings.set(campaign.id, { mail, sentAt: at, recipients: () => recipients });
    outbox.deliver({ mail, campaignId: campaign.id, listIds: campaign.listIds, recipients, sentAt: at });
    return [];
  };

  const startCampaign = (campaign: StoredCampaign): string[] => {
    const waits =
      campaign.sendingType === 'auto' ||
      (campaign.sendingType === 'scheduled' && (campaign.sendingDate ?? 0) > store.now());
    if (!waits || store.profile.sendsAtOnce) return send(campaign);
    if (!campaign.listIds.some((id) => store.lists.get(id))) return ['No list selected'];
    store.campaigns.set({ ...campaign, draft: 0, active: 1 });
    return [];
  };

  const deliverMail = (mail: StoredMail | undefined, userId: number, listIds: readonly number[], at: number): void => {
    if (mail) outbox.deliver({ mail, campaignId: null, listIds, recipients: Uint32Array.of(userId), sentAt: at });
  };

  /** Creates the next edition of an automatic campaign: sends it, or leaves one draft for confirmation. */
  const generateEdition = (parent: StoredCampaign, at: number): void => {
    const period = getPeriodMs(parent);
    const missed = Math.floor((store.now() - at) / period) - MAX_CATCH_UP_RUNS;
    store.campaigns.set({ ...parent, lastGenerated: at, nextTrigger: at + period * Math.max(1, missed) });
    const editions = [...store.campaigns.from()].filter(({ parentId }) => parentId === parent.id);
    const confirm = parent.schedule?.need_confirm_to_send === 1;
    const mail = store.mails.get(parent.mailId);
    if (!mail || (confirm && editions.some(({ draft }) => draft === 1))) return;
    const mailId = store.nextId('mail');
    store.mails.set({ ...mail, id: mailId, name: `${mail.name} (${editions.length + 1})` });
    const edition: StoredCampaign = {
      id: store.nextId('campaign'),
      mailId,
      sendingType: 'now',
      sendingDate: null,
      draft: 1,
      active: 0,
      sent: 0,
      schedule: null,
      parentId: parent.id,
      lastGenerated: null,
      nextTrigger: null,
      listIds: parent.listIds,
    };
    store.campaigns.set(edition);
    if (!confirm) send(edition, at);
  };

  const getDueTime = (campaign: StoredCampaign): number | undefined => {
    if (campaign.sendingType === 'auto') return campaign.nextTrigger ?? undefined;
    const isDue =
      campaign.sendingType === 'scheduled' &&
      campaign.sent === 0 &&
      store.mails.get(campaign.mailId) &&
      campaign.listIds.some((id) => store.lists.get(id));
    return isDue ? (campaign.sendingDate ?? undefined) : undefined;
  };

  const findNextEvent = (): { due: number; run: () => void } | undefined => {
    let found: { due: number; run: () => void } | undefined;
    const consider = (due: number | undefined, run: () => void): void => {
      if (due !== undefined && due < (found?.due ?? Infinity)) found = { due, run };
    };
    for (const campaign of store.campaigns.from()) {
      const due = getDueTime(campaign);
      consider(due, () =>
        campaign.sendingType === 'auto' ? generateEdition(campaign, due ?? 0) : void send(campaign, due),
      );
    }
    const next = waiting[0];
    consider(next?.due, () => {
      waiting.shift();
      const followUp = store.followUps.get(next?.followUpId ?? 0);
      if (next && followUp?.mails.some(({ mailId }) => mailId === next.mailId))
        deliverMail(store.mails.get(next.mailId), next.userId, [followUp.listId], next.due);
    });
    return found;
  };

  const startFollowUp = (followUp: StoredFollowUp, userId: number): void => {
    const key = `${followUp.id}:${userId}`;
    const now = store.now();
    const finishedAt = finished.get(key);
    if (finishedAt !== undefined && (!followUp.loop || now < finishedAt + followUp.loop_delay * 1000)) return;
    const mails = followUp.mails.filter(
      ({ mailId }) => finishedAt === undefined || !followUp.loop_mail_skip.includes(mailId),
    );
    const planned = mails.map(({ mailId, delay, unit }) => ({
      due: now + delay * unit * 1000,
      followUpId: followUp.id,
      mailId,
      userId,
    }));
    waiting.push(...planned);
    waiting.sort((a, b) => a.due - b.due);
    finished.set(key, Math.max(now, ...planned.map(({ due }) => due)));
    store.followUps.set({ ...followUp, lastTrigger: Math.floor(now / 1000) });
    store.members.set(userId, followUp.listId, { status: 1, subscribed: now, unsubscribed: null });
  };

  return {
    send,
    start: startCampaign,
    deliver: (mailId, userId, listId) =>
      deliverMail(
        mailId === null ? undefined : store.mail(mailId),
        userId,
        listId === undefined ? [] : [listId],
        store.now(),
      ),
    trigger(trigger, userId, listId) {
      for (const followUp of [...store.followUps.from()]) {
        if (followUp.active && followUp.trigger === trigger && matchesCondition(followUp, listId))
          startFollowUp(followUp, userId);
      }
    },
    catchUp() {
      for (let next = findNextEvent(); next && next.due <= store.now(); next = findNextEvent()) next.run();
    },
    nextDue: () => findNextEvent()?.due,
  };
}

/** Returns whether the condition of a follow-up includes users who joined the list. */
function matchesCondition({ condition }: StoredFollowUp, listId: number): boolean {
  const lists = Array.isArray(condition['lists']) ? condition['lists'].map(Number) : [];
  if (lists.length === 0) return true;
  return lists.includes(listId) === (condition['lists_status'] !== 'is_not');
}
