import { hash, pickWeighted, unit } from './data/random.ts';
import { bounceRules, readers } from './data/audience.ts';
import type { Sending } from './records.ts';
import { DAY, HOUR, MINUTE, SECOND } from './time.ts';

/** Clicks of one recipient on one link until a point in time. */
export interface Clicks {
  /** Index in the result of `extractLinks`. */
  readonly link: number;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** Activity of one recipient until a point in time. */
export interface Reaction {
  readonly userId: number;
  readonly bounce: string | null;
  /** Times in ascending order. */
  readonly opens: readonly number[];
  readonly clicks: readonly Clicks[];
  readonly purchaseCents: number;
  readonly unsubscribed: boolean;
  readonly device: string | null;
  readonly openedWith: string | null;
}

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
const isShopLink = (address: string): boolean => /^https?:\/\/[^/]+\/sale(?:[/?#]|$)/i.test(address);

/** Returns the index of the version that a recipient got; 0 is the original. */
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
/** Maps a fraction to an exponentially distributed delay. */
const sampleExponential = (mean: number, fraction: number): number => -Math.log(1 - fraction) * mean;

/** Moves most nighttime activity (23:00 to 7:00) to the morning. */
function shiftToWakingHours(time: number, chance: number, later: number): number {
  const hour = (time % DAY) / HOUR;
  if ((hour >= 7 && hour < 23) || chance < 0.2) return time;
  const midnight = time - (time % DAY) + (hour >= 23 ? DAY : 0);
  return midnight + 7 * HOUR + sampleExponential(80 * MINUTE, later);
}

/**
 * Computes the activity of a recipient until `now`. It depends only on the ids and the time of the sending, so repeated calls agree and
 * later calls only add activity.
 */
export function computeReaction(sending: Sending, links: readonly string[], userId: number, now: number): Reaction {
  const {
    mail: { id },
    sentAt,
  } = sending;
  const chance = (what: number, which = 0): number => unit(what, id, userId, which);
  if (chance(50) < 0.017) {
    const isReported = sentAt + sampleExponential(4 * MINUTE, chance(51)) <= now;
    return { ...noReaction, userId, bounce: isReported ? pickWeighted(bounceRules, chance(52)).name : null };
  }
  // The open rate depends on the recipient, not the mail.
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
  const clickCount = 1 + Math.floor(sampleExponential(0.7, chance(70)));
  for (let at = 0; at < Math.min(clickCount, 6); at += 1) {
    const time = opened + 4 * SECOND + sampleExponential(50 * SECOND, chance(71, at)) * (at + 1);
    if (time > now) continue;
    // Earlier links get more clicks.
    const link = Math.floor(links * chance(72, at) ** 2.2);
    const previous = found.get(link);
    found.set(link, {
      link,
      count: (previous?.count ?? 0) + 1,
      first: Math.min(previous?.first ?? time, time),
      last: Math.max(previous?.last ?? 0, time),
    });
  }
  return [...found.values()].sort((a, b) => a.link - b.link);
}
