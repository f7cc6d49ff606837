import people from '../data/people.json' with { type: 'json' };
import { hash, pickWeighted, unit } from '../random.ts';
import { DAY, HOUR, MINUTE, SECOND, formatTime, type StoredMail, type Sending } from '../records.ts';
import { fail, ok, readId, readPageRange, type RouteContext, type RouteResult, type Routes } from './route.ts';

/** Clicks of one recipient on one link until a point in time; `link` is its index in the result of `extractLinks`. */
interface Clicks {
  readonly link: number;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

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

const noReaction = {
  bounce: null,
  opens: [],
  clicks: [],
  purchaseCents: 0,
  unsubscribed: false,
  device: null,
  openedWith: null,
} as const;

/** Maps a fraction to an exponentially distributed delay. */
const sampleExponential = (mean: number, fraction: number) => -Math.log(1 - fraction) * mean;

/** Moves most nighttime activity (23:00 to 7:00) to the morning. */
function shiftToWakingHours(time: number, chance: number, later: number) {
  const hour = (time % DAY) / HOUR;
  if ((hour >= 7 && hour < 23) || chance < 0.2) return time;
  const midnight = time - (time % DAY) + (hour >= 23 ? DAY : 0);
  return midnight + 7 * HOUR + sampleExponential(80 * MINUTE, later);
}

type Chance = (what: number, which?: number) => number;

/**
 * Computes the activity of a recipient until `now`. It depends only on the ids and the time of the sending, so repeated calls agree and
 * later calls only add activity.
 */
function computeReaction({ mail, sentAt }: Sending, links: readonly string[], userId: number, now: number) {
  const chance: Chance = (what, which = 0) => unit(what, mail.id, userId, which);
  if (chance(50) < 0.017) {
    const isReported = sentAt + sampleExponential(4 * MINUTE, chance(51)) <= now;
    return { ...noReaction, bounce: isReported ? pickWeighted(people.bounceRules, chance(52)).name : null };
  }
  // The open rate depends on the recipient, not the mail.
  if (chance(53) >= 0.12 + 0.58 * unit(54, userId)) return noReaction;

  const slowness = chance(55);
  const isPrompt = slowness < 0.4;
  const meanDelay = isPrompt ? 25 * MINUTE : slowness < 0.85 ? 9 * HOUR : 3 * DAY;
  const opened = sentAt + 8 * SECOND + sampleExponential(meanDelay, chance(56));
  const first = isPrompt ? opened : shiftToWakingHours(opened, chance(57), chance(58));
  if (first > now) return noReaction;
  const again = Math.min(Math.floor(sampleExponential(0.6, chance(59))), 5);
  const later = Array.from({ length: again }, (_, at) =>
    shiftToWakingHours(first + MINUTE + sampleExponential(1.2 * DAY, chance(60, at)), chance(61, at), chance(62, at)),
  );
  const { name: openedWith, device } = pickWeighted(people.readers, unit(63, userId));
  const clicks = links.length > 0 && chance(64) < 0.31 ? computeClicks(links.length, first, now, chance) : [];
  const prices = clicks.flatMap(({ link, first: clicked }) =>
    isShopLink(links[link] ?? '') &&
    chance(80, link) < 0.24 &&
    clicked + 2 * MINUTE + sampleExponential(14 * MINUTE, chance(81, link)) <= now
      ? Math.min(60_000, 1490 + Math.round(sampleExponential(5200, chance(82, link))))
      : [],
  );
  return {
    ...noReaction,
    opens: [first, ...later].filter((time) => time <= now).sort((a, b) => a - b),
    clicks,
    purchaseCents: sum(prices),
    unsubscribed: chance(65) < 0.014 && first + 9 * MINUTE * chance(66) <= now,
    device,
    openedWith,
  };
}

function computeClicks(linkCount: number, opened: number, now: number, chance: Chance): Clicks[] {
  const found = new Map<number, Clicks>();
  const clickCount = Math.min(1 + Math.floor(sampleExponential(0.7, chance(70))), 6);
  for (let at = 0; at < clickCount; at += 1) {
    const time = opened + 4 * SECOND + sampleExponential(50 * SECOND, chance(71, at)) * (at + 1);
    if (time > now) continue;
    // Earlier links get more clicks.
    const link = Math.floor(linkCount * chance(72, at) ** 2.2);
    const { count, first, last } = found.get(link) ?? { count: 0, first: time, last: time };
    found.set(link, { link, count: count + 1, first: Math.min(first, time), last: Math.max(last, time) });
  }
  return [...found.values()].sort((a, b) => a.link - b.link);
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
