import { extractLinks, computeReaction, getVersion } from '../reactions.ts';
import type { Reaction } from '../reactions.ts';
import { readId, readRange } from '../query.ts';
import type { StoredCampaign, StoredMail } from '../records.ts';
import { formatTime } from '../time.ts';
import type { RouteResult, RouteContext, RouteHandlers } from './route.ts';
import { fail, ok } from './route.ts';

/** One version of the latest sending of a campaign, with the activity of its recipients. Most campaigns have one version. */
interface VersionResult {
  readonly mail: StoredMail;
  readonly sentAt: number;
  /** Mail id of the original; link ids are the same in all versions. */
  readonly firstMailId: number;
  readonly links: readonly string[];
  readonly recipients: Uint32Array;
  reaction(userId: number): Reaction;
}

function getVersionResults(campaign: StoredCampaign, { store }: RouteContext): VersionResult[] {
  const sending = store.sendings.get(campaign.id);
  if (!sending) return [];
  const links = extractLinks(sending.mail.body);
  const now = store.now();
  const all = sending.recipients();
  const { sentAt, versions = [] } = sending;
  return [{ ...sending.mail, id: campaign.mail_id }, ...versions].map((mail, version) => ({
    mail,
    sentAt,
    firstMailId: campaign.mail_id,
    links,
    recipients: versions.length === 0 ? all : all.filter((userId) => getVersion(sending, userId) === version),
    reaction: (userId) => computeReaction(sending, links, userId, now),
  }));
}

/** Runs `use` with the results of each version of the campaign in the query. Returns `unsent` if it was not sent. */
function withResults(
  call: RouteContext,
  unsent: RouteResult,
  use: (results: readonly VersionResult[]) => unknown,
): RouteResult {
  const campaign = call.store.campaigns.get(readId(call.query, 'campaignId') ?? 0);
  if (!campaign) return fail(404, 'Campaign not found');
  const results = getVersionResults(campaign, call);
  return results.length > 0 ? ok(use(results)) : unsent;
}

/** Formats an amount of cents. */
const toAmount = (cents: number): { tracking_sale: string | null; currency: string | null } =>
  cents === 0 ? { tracking_sale: null, currency: null } : { tracking_sale: (cents / 100).toFixed(2), currency: 'EUR' };

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

function toOverviewRow({ mail, sentAt, recipients, reaction }: VersionResult): object {
  const bounces = new Map<string, number>();
  let openUnique = 0,
    openTotal = 0,
    clickUnique = 0,
    clickTotal = 0,
    unsubscribed = 0,
    cents = 0;
  for (const userId of recipients) {
    const { bounce, opens, clicks, purchaseCents: bought, unsubscribed: left } = reaction(userId);
    if (bounce !== null) bounces.set(bounce, (bounces.get(bounce) ?? 0) + 1);
    openUnique += opens.length > 0 ? 1 : 0;
    openTotal += opens.length;
    clickUnique += clicks.length > 0 ? 1 : 0;
    for (const { count } of clicks) clickTotal += count;
    unsubscribed += left ? 1 : 0;
    cents += bought;
  }
  return {
    mail_id: String(mail.id),
    total_subscribers: String(recipients.length),
    sent: String(recipients.length),
    send_date: formatTime(sentAt),
    fail: '0',
    open_unique: String(openUnique),
    open_total: String(openTotal),
    click_unique: String(clickUnique),
    click_total: String(clickTotal),
    bounce_unique: String(sum(bounces.values())),
    bounce_details: bounces.size > 0 ? JSON.stringify(Object.fromEntries(bounces)) : null,
    unsubscribe_total: String(unsubscribed),
    ...toAmount(cents),
  };
}

function toUserRow(userId: number, { mail, sentAt, reaction }: VersionResult, { store }: RouteContext): object {
  const {
    opens: [first],
    opens,
    bounce,
    purchaseCents: bought,
    unsubscribed,
    device,
    openedWith,
  } = reaction(userId);
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
    ...toAmount(bought),
    unsubscribe: unsubscribed ? '1' : '0',
    device,
    opened_with: openedWith,
    email: store.people.get(userId).email,
  };
}

/** Returns the id of a link, numbered consecutively per mail. */
const getUrlId = ({ firstMailId }: VersionResult, link: number): string => String(firstMailId * 1000 + link + 1);

function toClickRows(result: VersionResult, { store }: RouteContext): object[] {
  return [...result.recipients].flatMap((userId) =>
    result.reaction(userId).clicks.map(({ link, count, last }) => ({
      url_id: getUrlId(result, link),
      user_id: String(userId),
      click: String(count),
      date_click: formatTime(last),
      email: store.people.get(userId).email,
      url: result.links[link] ?? '',
    })),
  );
}

function toLinkRows(result: VersionResult): object[] {
  const { mail, links, recipients, reaction } = result;
  const totals = links.map(() => ({ total: 0, unique: 0 }));
  for (const userId of recipients) {
    for (const { link, count } of reaction(userId).clicks) {
      const entry = totals[link];
      if (!entry) continue;
      entry.total += count;
      entry.unique += 1;
    }
  }
  return totals.flatMap(({ total, unique }, link) =>
    unique === 0
      ? []
      : [
          {
            id: getUrlId(result, link),
            name: links[link] ?? '',
            total_click: String(total),
            unique_click: String(unique),
            mail_subject: mail.subject,
            mail_name: mail.name,
          },
        ],
  );
}

export const statisticsRoutes: RouteHandlers = {
  getCampaignStatistics: {
    failure: 'Error getting the statistics: <detail>',
    run: (call) => withResults(call, ok([null]), (results) => results.map(toOverviewRow)),
  },
  getCampaignStatisticsDetailed: {
    failure: 'Error getting the statistics: <detail>',
    run: (call) =>
      withResults(call, ok([[]]), (results) => {
        const { offset, limit } = readRange(call.query, 100, call.store.profile.limitCap);
        let before = 0;
        // Versions follow each other, so a page may span two.
        return results.map((result) => {
          const [from, to] = [Math.max(0, offset - before), Math.max(0, offset + limit - before)];
          before += result.recipients.length;
          return [...result.recipients.subarray(from, to)].map((userId) => toUserRow(userId, result, call));
        });
      }),
  },
  getCampaignStatisticsClicks: {
    failure: 'Error getting the statistics: <detail>',
    run: (call) => withResults(call, ok([]), (results) => results.flatMap((result) => toClickRows(result, call))),
  },
  getCampaignStatisticsLinks: {
    failure: 'Error getting the statistics: <detail>',
    // The API document does not cover unsent campaigns; real installations return this message.
    run: (call) =>
      withResults(call, call.store.profile.richRecords ? fail(404, 'No variations found') : ok([]), (results) => {
        const { offset, limit } = readRange(call.query, Infinity, call.store.profile.limitCap);
        return results.flatMap(toLinkRows).slice(offset, offset + limit);
      }),
  },
};
