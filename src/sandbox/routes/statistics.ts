import { linksOf, reactionOf } from '../figures.ts';
import type { Reaction } from '../figures.ts';
import { idOf, rangeOf } from '../query.ts';
import type { Campaign, Sending } from '../records.ts';
import { stamp } from '../time.ts';
import type { Answer, Call, Routes } from './route.ts';
import { fail, ok } from './route.ts';

/** A campaign's latest sending, with what its recipients did until now. */
interface Result {
  readonly sending: Sending;
  readonly mailId: string;
  readonly links: readonly string[];
  readonly recipients: Uint32Array;
  reaction(userId: number): Reaction;
}

function resultOf(campaign: Campaign, { store }: Call): Result | undefined {
  const sending = store.sendings.get(campaign.id);
  if (!sending) return undefined;
  const links = linksOf(sending.mail.body);
  const now = store.now();
  return { sending, links, mailId: String(campaign.mailId), recipients: sending.recipients(), reaction: (userId) => reactionOf(sending, links.length, userId, now) };
}

/** Runs `use` with the result of the campaign that the query names; without one it answers `unsent`. */
function withResult(call: Call, unsent: Answer, use: (result: Result) => unknown): Answer {
  const campaign = call.store.campaigns.get(idOf(call.query, 'campaignId') ?? 0);
  if (!campaign) return fail(404, 'Campaign not found');
  const result = resultOf(campaign, call);
  return result ? ok(use(result)) : unsent;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

function overview({ sending: { sentAt }, mailId, recipients, reaction }: Result): object {
  const bounces = new Map<string, number>();
  let openUnique = 0, openTotal = 0, clickUnique = 0, clickTotal = 0, unsubscribed = 0;
  for (const userId of recipients) {
    const { bounce, opens, clicks, unsubscribed: left } = reaction(userId);
    if (bounce !== null) bounces.set(bounce, (bounces.get(bounce) ?? 0) + 1);
    openUnique += opens.length > 0 ? 1 : 0;
    openTotal += opens.length;
    clickUnique += clicks.length > 0 ? 1 : 0;
    for (const { count } of clicks) clickTotal += count;
    unsubscribed += left ? 1 : 0;
  }
  return {
    mail_id: mailId, total_subscribers: String(recipients.length), sent: String(recipients.length), send_date: stamp(sentAt), fail: '0',
    open_unique: String(openUnique), open_total: String(openTotal), click_unique: String(clickUnique), click_total: String(clickTotal),
    bounce_unique: String(sum(bounces.values())), bounce_details: bounces.size > 0 ? JSON.stringify(Object.fromEntries(bounces)) : null,
    unsubscribe_total: String(unsubscribed), tracking_sale: null, currency: null,
  };
}

function userRow(userId: number, { sending: { sentAt }, mailId, reaction }: Result, { store }: Call): object {
  const { opens: [first], opens, bounce, unsubscribed, device, openedWith } = reaction(userId);
  return {
    user_id: String(userId), mail_id: mailId, send_date: stamp(sentAt), fail: '0', sent: '1', open: String(opens.length), open_date: first === undefined ? null : stamp(first),
    bounce: bounce === null ? '0' : '1', bounce_rule: bounce, tracking_sale: null, currency: null, unsubscribe: unsubscribed ? '1' : '0', device, opened_with: openedWith,
    email: store.people.get(userId).email,
  };
}

/** The service's id of a link: the mail's own numbers come after each other. */
const urlId = ({ mailId }: Result, link: number): string => String(Number(mailId) * 1000 + link + 1);

function clickRows(result: Result, { store }: Call): object[] {
  return [...result.recipients].flatMap((userId) =>
    result.reaction(userId).clicks.map(({ link, count, last }) => ({
      url_id: urlId(result, link), user_id: String(userId), click: String(count), date_click: stamp(last), email: store.people.get(userId).email, url: result.links[link] ?? '',
    })));
}

function linkRows(result: Result, { query, store }: Call): object[] {
  const { sending: { mail }, links, recipients, reaction } = result;
  const totals = links.map(() => ({ total: 0, unique: 0 }));
  for (const userId of recipients) {
    for (const { link, count } of reaction(userId).clicks) {
      const entry = totals[link];
      if (!entry) continue;
      entry.total += count;
      entry.unique += 1;
    }
  }
  const { offset, limit } = rangeOf(query, Infinity, store.profile.limitCap);
  return totals
    .flatMap(({ total, unique }, link) => (unique === 0 ? [] : [{
      id: urlId(result, link), name: links[link] ?? '', total_click: String(total), unique_click: String(unique), mail_subject: mail.subject, mail_name: mail.name,
    }]))
    .slice(offset, offset + limit);
}

export const statisticsRoutes: Routes = {
  getCampaignStatistics: {
    method: 'GET',
    failure: 'Error getting the statistics: <detail>',
    run: (call) => withResult(call, ok([null]), (result) => [overview(result)]),
  },
  getCampaignStatisticsDetailed: {
    method: 'GET',
    failure: 'Error getting the statistics: <detail>',
    run: (call) => withResult(call, ok([[]]), (result) => {
      const { offset, limit } = rangeOf(call.query, 100, call.store.profile.limitCap);
      return [[...result.recipients.subarray(offset, offset + limit)].map((userId) => userRow(userId, result, call))];
    }),
  },
  getCampaignStatisticsClicks: {
    method: 'GET',
    failure: 'Error getting the statistics: <detail>',
    run: (call) => withResult(call, ok([]), (result) => clickRows(result, call)),
  },
  getCampaignStatisticsLinks: {
    method: 'GET',
    failure: 'Error getting the statistics: <detail>',
    // The document says nothing of a campaign without a version that was sent; in the field there is a message for it.
    run: (call) => withResult(call, call.store.profile.richRecords ? fail(404, 'No variations found') : ok([]), (result) => linkRows(result, call)),
  },
};
