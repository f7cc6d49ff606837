import { hash } from '../random.ts';
import { DAY, MINUTE, SECOND, formatTime, type StoredMail, type Sending } from '../records.ts';
import { fail, ok, readId, readPageRange, type RouteContext, type RouteResult, type Routes } from './route.ts';

/** Activity of one recipient until a point in time. */
type Reaction = ReturnType<typeof computeReaction>;

/** Returns the distinct web links of a body in document order. */
export function extractLinks(body: string): string[] {
  const links = new Set<string>();
  for (const [, double, single] of body.matchAll(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)) {
    const address = (double ?? single ?? '').trim().replaceAll('&amp;', '&');
    if (/^https?:\/\/[^{}\s]+$/i.test(address)) links.add(address);
  }
  return [...links];
}

/** Some recipients who follow these links buy something. */
const isShopLink = (address: string) => /^https?:\/\/[^/]+\/sale(?:[/?#]|$)/i.test(address);

const readers = [
  { openedWith: 'Apple Mail', device: 'iPhone' },
  { openedWith: 'Gmail', device: 'Android' },
  { openedWith: 'Outlook', device: 'Desktop' },
];

/**
 * Returns the sample activity of a recipient until `now`. It depends only on the ids and the time of the sending, so repeated calls agree and
 * later calls only add activity.
 */
function computeReaction({ mail, sentAt }: Sending, links: readonly string[], userId: number, now: number) {
  const share = hash(50, mail.id, userId) % 100;
  const opened = sentAt + 2 * share ** 2 * MINUTE + MINUTE;
  const hasOpened = share < 45 && opened <= now;
  const opens = hasOpened ? [opened, ...(share % 4 === 0 ? [opened + DAY] : [])].filter((time) => time <= now) : [];
  const link = Math.floor(share / 3) % links.length;
  const clicked = opened + MINUTE;
  const hasClicked = hasOpened && links.length > 0 && share % 3 === 0 && clicked <= now;
  const reader = hasOpened ? readers[userId % readers.length] : undefined;
  return {
    bounce: share >= 97 && sentAt < now ? 'Mailbox full' : null,
    opens,
    clicks: hasClicked ? [{ link, count: 1, last: clicked }] : [],
    purchaseCents: hasClicked && isShopLink(links[link] ?? '') ? 2900 : 0,
    unsubscribed: share % 20 === 7 && hasOpened,
    device: reader?.device ?? null,
    openedWith: reader?.openedWith ?? null,
  };
}

/** One version of the latest sending of a campaign, with the activity of its recipients. Most campaigns have one version. */
interface VersionResult {
  readonly mail: StoredMail;
  readonly sentAt: number;
  /** Mail id of the original; link ids are the same in all versions. */
  readonly firstMailId: number;
  readonly links: readonly string[];
  readonly recipients: Uint32Array;
  getReaction(userId: number): Reaction;
}

/** Returns the results of each version of the campaign in the query; none if it was not sent. */
function getResults({ query, store }: RouteContext): VersionResult[] {
  const campaign = store.campaigns.get(readId(query, 'campaignId') ?? 0) ?? fail(404, 'Campaign not found');
  const sending = store.sendings.get(campaign.id);
  if (!sending) return [];
  const { mail: sentMail, sentAt, versions } = sending;
  const links = extractLinks(sentMail.body);
  const now = store.now();
  const firstMailId = campaign.mail_id;
  const mails = [{ ...sentMail, id: firstMailId }, ...versions];
  return mails.map((mail, version) => ({
    mail,
    sentAt,
    firstMailId,
    links,
    // Each recipient gets one of the versions.
    recipients: sending.recipients().filter((userId) => hash(90, sentMail.id, userId) % mails.length === version),
    getReaction: (userId) => computeReaction(sending, links, userId, now),
  }));
}

/** Formats an amount of cents. */
const toAmount = (cents: number) =>
  cents === 0 ? { tracking_sale: null, currency: null } : { tracking_sale: (cents / 100).toFixed(2), currency: 'EUR' };

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function toOverviewRow({ mail, sentAt, recipients, getReaction }: VersionResult) {
  const reactions = Array.from(recipients, getReaction);
  const count = (read: (reaction: Reaction) => number) => String(sum(reactions.map(read)));
  const bounces: Record<string, number> = {};
  for (const { bounce } of reactions) if (bounce !== null) bounces[bounce] = (bounces[bounce] ?? 0) + 1;
  const bounceCount = sum(Object.values(bounces));
  return {
    mail_id: String(mail.id),
    total_subscribers: String(recipients.length),
    sent: String(recipients.length),
    send_date: formatTime(sentAt),
    fail: '0',
    open_unique: count(({ opens }) => Math.min(opens.length, 1)),
    open_total: count(({ opens }) => opens.length),
    click_unique: count(({ clicks }) => Math.min(clicks.length, 1)),
    click_total: count(({ clicks }) => sum(clicks.map((click) => click.count))),
    bounce_unique: String(bounceCount),
    bounce_details: bounceCount > 0 ? JSON.stringify(bounces) : null,
    unsubscribe_total: count(({ unsubscribed }) => Number(unsubscribed)),
    ...toAmount(sum(reactions.map(({ purchaseCents }) => purchaseCents))),
  };
}

function toUserRow(userId: number, { mail, sentAt, getReaction }: VersionResult, { store }: RouteContext) {
  const { opens, bounce, purchaseCents, unsubscribed, device, openedWith } = getReaction(userId);
  const [first] = opens;
  return {
    user_id: String(userId),
    mail_id: String(mail.id),
    send_date: formatTime(sentAt),
    fail: '0',
    sent: '1',
    open: String(opens.length),
    open_date: first === undefined ? null : formatTime(first),
    bounce: bounce === null ? '0' : '1',
    bounce_rule: bounce,
    ...toAmount(purchaseCents),
    unsubscribe: unsubscribed ? '1' : '0',
    device,
    opened_with: openedWith,
    email: store.people.get(userId).email,
  };
}

/** Returns the id of a link, numbered consecutively per mail. */
const getUrlId = ({ firstMailId }: VersionResult, link: number) => String(firstMailId * 1000 + link + 1);

function toClickRows(result: VersionResult, { store }: RouteContext) {
  return [...result.recipients].flatMap((userId) =>
    result.getReaction(userId).clicks.map(({ link, count, last }) => ({
      url_id: getUrlId(result, link),
      user_id: String(userId),
      click: String(count),
      date_click: formatTime(last),
      email: store.people.get(userId).email,
      url: result.links[link] ?? '',
    })),
  );
}

function toLinkRows(result: VersionResult) {
  const { mail, links, recipients, getReaction } = result;
  const clicks = [...recipients].flatMap((userId) => getReaction(userId).clicks);
  return links.flatMap((name, at) => {
    const counts = clicks.filter(({ link }) => link === at).map(({ count }) => count);
    if (counts.length === 0) return [];
    return {
      id: getUrlId(result, at),
      name,
      total_click: String(sum(counts)),
      unique_click: String(counts.length),
      mail_subject: mail.subject,
      mail_name: mail.name,
    };
  });
}

/** Pages of detailed rows, one inner array per version. Versions follow each other, so a page may span two. */
function getDetailedRows(call: RouteContext) {
  const results = getResults(call);
  const [offset, limit] = readPageRange(call);
  let before = 0;
  const rows = results.map((result) => {
    const [from, to] = [Math.max(0, offset - before), Math.max(0, offset + limit - before)];
    before += result.recipients.length;
    return [...result.recipients.subarray(from, to)].map((userId) => toUserRow(userId, result, call));
  });
  return ok(results.length > 0 ? rows : [[]]);
}

export const statisticsRoutes: Routes = {
  getCampaignStatistics(call) {
    const results = getResults(call);
    return ok(results.length > 0 ? results.map(toOverviewRow) : [null]);
  },
  getCampaignStatisticsDetailed: getDetailedRows,
  getCampaignStatisticsClicks: (call) => ok(getResults(call).flatMap((result) => toClickRows(result, call))),
  getCampaignStatisticsLinks(call) {
    const results = getResults(call);
    // The API document does not cover unsent campaigns; real installations return this message.
    if (results.length === 0 && call.store.profile.isInstallation) fail(404, 'No variations found');
    const [offset, limit] = readPageRange(call, Infinity);
    return ok(results.flatMap(toLinkRows).slice(offset, offset + limit));
  },
};

/** Returns a row for each mail of a follow-up in the order of their delays; null before the last trigger has reached it. */
export function getFollowupStatistics({ query, store }: RouteContext): RouteResult {
  const { list_id, last_trigger, mails } =
    store.followUps.get(readId(query, 'followupId') ?? 0) ?? fail(404, 'Follow-up not found');
  const getDelay = ({ delay, unit }: (typeof mails)[number]) => delay * unit;
  const ordered = mails.toSorted((one, other) => getDelay(one) - getDelay(other));
  const now = store.now();
  return ok(
    ordered.map((entry) => {
      const mail = store.mails.get(entry.mailId);
      const sentAt = ((last_trigger ?? Infinity) + getDelay(entry)) * SECOND;
      if (!mail || sentAt > now) return null;
      const recipients = store.members.selectSample([list_id], sentAt);
      const links = extractLinks(mail.body);
      const sending = { mail, versions: [], sentAt, recipients: () => recipients };
      const getReaction = (userId: number) => computeReaction(sending, links, userId, now);
      return toOverviewRow({ mail, sentAt, firstMailId: mail.id, links, recipients, getReaction });
    }),
  );
}
