import type { OutboxControl } from './outbox.ts';
import type { Store } from './store.ts';
import type { StoredCampaign, StoredFollowUp, StoredMail } from './records.ts';
import { HOUR } from './time.ts';

/** How often the service's cron runs: the schedule of `cron` campaigns. */
const CRON_INTERVAL_MS = HOUR;
/** Runs that were missed while the clock stood are made up, but no more than these. */
const MAX_CATCH_UP_RUNS = 50;

interface ScheduledMail {
  readonly due: number;
  readonly followUpId: number;
  readonly mailId: number;
  readonly userId: number;
}

/** What sends: campaigns at once or when they fall due, single mails, and the mails of follow-ups. */
export interface Mailer {
  /** Sends the campaign as it is now. Returns what speaks against it; empty when it went out. */
  send(campaign: StoredCampaign, at?: number): string[];
  /** Takes a campaign out of its draft: it goes out now, or waits for its date or its schedule. Returns what speaks against it. */
  start(campaign: StoredCampaign): string[];
  /** Delivers one mail to one user, if the mail exists. `listId`: the list that it is about, where there is one. */
  deliver(mailId: number | null, userId: number, listId?: number): void;
  /** Starts the active follow-ups of that trigger for a user of that list. */
  trigger(trigger: string, userId: number, listId: number): void;
  /** Lets happen, in order, what fell due until now. */
  catchUp(): void;
  /** When something falls due next. */
  nextDue(): number | undefined;
}

/** Milliseconds between two runs of an automatic campaign. */
export function getPeriodMs({ schedule }: Pick<StoredCampaign, 'schedule'>): number {
  return schedule?.every ? schedule.every.type * schedule.every.number * 1000 : CRON_INTERVAL_MS;
}

export function createMailer(store: Store, outbox: OutboxControl): Mailer {
  const waiting: ScheduledMail[] = [];
  /** When each follow-up has sent its last mail to each user. */
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

  /** The next edition of an automatic campaign: sent, or left as a draft for confirmation (one at a time). */
  const generate = (parent: StoredCampaign, at: number): void => {
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

  const dueOf = (campaign: StoredCampaign): number | undefined => {
    if (campaign.sendingType === 'auto') return campaign.nextTrigger ?? undefined;
    const isDue =
      campaign.sendingType === 'scheduled' &&
      campaign.sent === 0 &&
      store.mails.get(campaign.mailId) &&
      campaign.listIds.some((id) => store.lists.get(id));
    return isDue ? (campaign.sendingDate ?? undefined) : undefined;
  };

  const first = (): { due: number; happen: () => void } | undefined => {
    let found: { due: number; happen: () => void } | undefined;
    const consider = (due: number | undefined, happen: () => void): void => {
      if (due !== undefined && due < (found?.due ?? Infinity)) found = { due, happen };
    };
    for (const campaign of store.campaigns.from()) {
      const due = dueOf(campaign);
      consider(due, () => (campaign.sendingType === 'auto' ? generate(campaign, due ?? 0) : void send(campaign, due)));
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

  const start = (followUp: StoredFollowUp, userId: number): void => {
    const key = `${followUp.id}:${userId}`;
    const now = store.now();
    const before = finished.get(key);
    if (before !== undefined && (!followUp.loop || now < before + followUp.loop_delay * 1000)) return;
    const mails = followUp.mails.filter(
      ({ mailId }) => before === undefined || !followUp.loop_mail_skip.includes(mailId),
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
          start(followUp, userId);
      }
    },
    catchUp() {
      for (let next = first(); next && next.due <= store.now(); next = first()) next.happen();
    },
    nextDue: () => first()?.due,
  };
}

/** Whether the follow-up's condition speaks for a user who joined that list. */
function matchesCondition({ condition }: StoredFollowUp, listId: number): boolean {
  const lists = Array.isArray(condition['lists']) ? condition['lists'].map(Number) : [];
  if (lists.length === 0) return true;
  return lists.includes(listId) === (condition['lists_status'] !== 'is_not');
}
