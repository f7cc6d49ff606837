import { hash, pickWeighted, unit } from './data/random.ts';
import { bounceRules, readers } from './data/audience.ts';
import type { Sending } from './records.ts';
import { DAY, HOUR, MINUTE, SECOND } from './time.ts';

/** Clicks of one recipient on one link, so far. */
export interface Clicks {
  /** Place in `linksOf`. */
  readonly link: number;
  readonly count: number;
  /** Time of the earliest. */
  readonly first: number;
  /** Time of the latest. */
  readonly last: number;
}

/** What one recipient has done with a message until a moment. */
export interface Reaction {
  readonly userId: number;
  readonly bounce: string | null;
  /** Times, the earliest first. */
  readonly opens: readonly number[];
  readonly clicks: readonly Clicks[];
  /** What they bought for, in cents. */
  readonly purchaseCents: number;
  readonly unsubscribed: boolean;
  readonly device: string | null;
  readonly openedWith: string | null;
}

/** The web addresses that a body links to, each once, in the order they come. */
export function extractLinks(body: string): string[] {
  const links = new Set<string>();
  for (const [, double, single] of body.matchAll(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)) {
    const address = (double ?? single ?? '').trim().replaceAll('&amp;', '&');
    if (/^https?:\/\/[^{}\s]+$/i.test(address)) links.add(address);
  }
  return [...links];
}

/** Links to a shop's offers, which some who follow them buy from. */
const isShopLink = (address: string): boolean => /^https?:\/\/[^/]+\/sale(?:[/?#]|$)/i.test(address);

/** Which version of the mail a recipient got: 0 for the campaign's own. */
export function getVersion({ mail, versions = [] }: Sending, userId: number): number {
  return versions.length === 0 ? 0 : hash(90, mail.id, userId) % (versions.length + 1);
}

const noReaction = {
  bounce: null,
  opens: [],
  clicks: [],
  purchaseCents: 0,
  unsubscribed: false,
  device: null,
  openedWith: null,
} as const;
/** A waiting time that is short for most and long for some. */
const sampleExponential = (mean: number, fraction: number): number => -Math.log(1 - fraction) * mean;

/** People sleep: what would fall between 23 and 7 o'clock mostly happens in the morning. */
function shiftToWakingHours(time: number, chance: number, later: number): number {
  const hour = (time % DAY) / HOUR;
  if ((hour >= 7 && hour < 23) || chance < 0.2) return time;
  const midnight = time - (time % DAY) + (hour >= 23 ? DAY : 0);
  return midnight + 7 * HOUR + sampleExponential(80 * MINUTE, later);
}

/**
 * What a recipient has done with a sending until `now`. It follows from the ids and the time of the sending alone, so that the
 * same question has the same answer, and a later one only adds to it.
 */
export function computeReaction(sending: Sending, links: readonly string[], userId: number, now: number): Reaction {
  const {
    mail: { id },
    sentAt,
  } = sending;
  const chance = (what: number, which = 0): number => unit(what, id, userId, which);
  if (chance(50) < 0.017) {
    const isKnown = sentAt + sampleExponential(4 * MINUTE, chance(51)) <= now;
    return { ...noReaction, userId, bounce: isKnown ? pickWeighted(bounceRules, chance(52)).name : null };
  }
  // Some read every letter, others none: the person's own habit, not the letter's.
  if (chance(53) >= 0.12 + 0.58 * unit(54, userId)) return { ...noReaction, userId };

  const slowness = chance(55);
  const prompt = slowness < 0.4;
  const delay = 8 * SECOND + sampleExponential(prompt ? 25 * MINUTE : slowness < 0.85 ? 9 * HOUR : 3 * DAY, chance(56));
  const first = prompt ? sentAt + delay : shiftToWakingHours(sentAt + delay, chance(57), chance(58));
  if (first > now) return { ...noReaction, userId };
  const again = Math.floor(sampleExponential(0.6, chance(59)));
  const opens = [
    first,
    ...Array.from({ length: Math.min(again, 5) }, (_, at) =>
      shiftToWakingHours(first + MINUTE + sampleExponential(1.2 * DAY, chance(60, at)), chance(61, at), chance(62, at)),
    ),
  ]
    .filter((time) => time <= now)
    .sort((a, b) => a - b);

  const reader = pickWeighted(readers, unit(63, userId));
  const clicks = links.length > 0 && chance(64) < 0.31 ? computeClicks(links.length, first, now, chance) : [];
  const bought = clicks.filter(
    ({ link, first: clicked }) =>
      isShopLink(links[link] ?? '') &&
      chance(80, link) < 0.24 &&
      clicked + 2 * MINUTE + sampleExponential(14 * MINUTE, chance(81, link)) <= now,
  );
  const cents = bought.reduce(
    (sum, { link }) => sum + Math.min(60_000, 1490 + Math.round(sampleExponential(5200, chance(82, link)))),
    0,
  );
  return {
    userId,
    bounce: null,
    opens,
    clicks,
    purchaseCents: cents,
    unsubscribed: chance(65) < 0.014 && first + 9 * MINUTE * chance(66) <= now,
    device: reader.device,
    openedWith: reader.name,
  };
}

function computeClicks(
  links: number,
  opened: number,
  now: number,
  chance: (what: number, which?: number) => number,
): Clicks[] {
  const found = new Map<number, Clicks>();
  const wanted = 1 + Math.floor(sampleExponential(0.7, chance(70)));
  for (let at = 0; at < Math.min(wanted, 6); at += 1) {
    const time = opened + 4 * SECOND + sampleExponential(50 * SECOND, chance(71, at)) * (at + 1);
    if (time > now) continue;
    // The first links of a letter are seen by all, the last by few.
    const link = Math.floor(links * chance(72, at) ** 2.2);
    const before = found.get(link);
    found.set(link, {
      link,
      count: (before?.count ?? 0) + 1,
      first: Math.min(before?.first ?? time, time),
      last: Math.max(before?.last ?? 0, time),
    });
  }
  return [...found.values()].sort((a, b) => a.link - b.link);
}
