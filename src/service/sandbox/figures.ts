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
  readonly bought: number;
  readonly unsubscribed: boolean;
  readonly device: string | null;
  readonly openedWith: string | null;
}

/** The web addresses that a body links to, each once, in the order they come. */
export function linksOf(body: string): string[] {
  const links = new Set<string>();
  for (const [, double, single] of body.matchAll(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)) {
    const address = (double ?? single ?? '').trim().replaceAll('&amp;', '&');
    if (/^https?:\/\/[^{}\s]+$/i.test(address)) links.add(address);
  }
  return [...links];
}

/** Links to a shop's offers, which some who follow them buy from. */
const sells = (address: string): boolean => /^https?:\/\/[^/]+\/sale(?:[/?#]|$)/i.test(address);

/** Which version of the mail a recipient got: 0 for the campaign's own. */
export function versionOf({ mail, versions = [] }: Sending, userId: number): number {
  return versions.length === 0 ? 0 : hash(90, mail.id, userId) % (versions.length + 1);
}

const nothing = {
  bounce: null,
  opens: [],
  clicks: [],
  bought: 0,
  unsubscribed: false,
  device: null,
  openedWith: null,
} as const;
/** A waiting time that is short for most and long for some. */
const spread = (mean: number, fraction: number): number => -Math.log(1 - fraction) * mean;

/** People sleep: what would fall between 23 and 7 o'clock mostly happens in the morning. */
function awake(time: number, chance: number, later: number): number {
  const hour = (time % DAY) / HOUR;
  if ((hour >= 7 && hour < 23) || chance < 0.2) return time;
  const midnight = time - (time % DAY) + (hour >= 23 ? DAY : 0);
  return midnight + 7 * HOUR + spread(80 * MINUTE, later);
}

/**
 * What a recipient has done with a sending until `now`. It follows from the ids and the time of the sending alone, so that the
 * same question has the same answer, and a later one only adds to it.
 */
export function reactionOf(sending: Sending, links: readonly string[], userId: number, now: number): Reaction {
  const {
    mail: { id },
    sentAt,
  } = sending;
  const chance = (what: number, which = 0): number => unit(what, id, userId, which);
  if (chance(50) < 0.017) {
    const isKnown = sentAt + spread(4 * MINUTE, chance(51)) <= now;
    return { ...nothing, userId, bounce: isKnown ? pickWeighted(bounceRules, chance(52)).name : null };
  }
  // Some read every letter, others none: the person's own habit, not the letter's.
  if (chance(53) >= 0.12 + 0.58 * unit(54, userId)) return { ...nothing, userId };

  const slowness = chance(55);
  const prompt = slowness < 0.4;
  const delay = 8 * SECOND + spread(prompt ? 25 * MINUTE : slowness < 0.85 ? 9 * HOUR : 3 * DAY, chance(56));
  const first = prompt ? sentAt + delay : awake(sentAt + delay, chance(57), chance(58));
  if (first > now) return { ...nothing, userId };
  const again = Math.floor(spread(0.6, chance(59)));
  const opens = [
    first,
    ...Array.from({ length: Math.min(again, 5) }, (_, at) =>
      awake(first + MINUTE + spread(1.2 * DAY, chance(60, at)), chance(61, at), chance(62, at)),
    ),
  ]
    .filter((time) => time <= now)
    .sort((a, b) => a - b);

  const reader = pickWeighted(readers, unit(63, userId));
  const clicks = links.length > 0 && chance(64) < 0.31 ? clicksOf(links.length, first, now, chance) : [];
  const bought = clicks.filter(
    ({ link, first: clicked }) =>
      sells(links[link] ?? '') &&
      chance(80, link) < 0.24 &&
      clicked + 2 * MINUTE + spread(14 * MINUTE, chance(81, link)) <= now,
  );
  const cents = bought.reduce(
    (sum, { link }) => sum + Math.min(60_000, 1490 + Math.round(spread(5200, chance(82, link)))),
    0,
  );
  return {
    userId,
    bounce: null,
    opens,
    clicks,
    bought: cents,
    unsubscribed: chance(65) < 0.014 && first + 9 * MINUTE * chance(66) <= now,
    device: reader.device,
    openedWith: reader.name,
  };
}

function clicksOf(
  links: number,
  opened: number,
  now: number,
  chance: (what: number, which?: number) => number,
): Clicks[] {
  const found = new Map<number, Clicks>();
  const wanted = 1 + Math.floor(spread(0.7, chance(70)));
  for (let at = 0; at < Math.min(wanted, 6); at += 1) {
    const time = opened + 4 * SECOND + spread(50 * SECOND, chance(71, at)) * (at + 1);
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
