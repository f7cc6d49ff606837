import type { Membership } from './records.ts';
import type { Range } from './query.ts';
import { unit } from './data/random.ts';
import { DAY } from './time.ts';

/** Size of a sample list. */
export interface Population {
  /** Fractions of all subscribers. */
  readonly subscribed: number;
  readonly unsubscribed: number;
  /** Only users up to this id are members. */
  readonly maxUserId?: number;
}

export interface Member extends Membership {
  readonly userId: number;
  readonly listId: number;
}

export interface Counts {
  readonly subscribers: number;
  readonly unsubscribed: number;
  /** Since 30 days before the sandbox started. */
  readonly newSubscribers: number;
  readonly newUnsubscribed: number;
}

const MARK_INTERVAL = 100;
const NEW_MEMBER_PERIOD_MS = 30 * DAY;
const noCounts: Counts = { subscribers: 0, unsubscribed: 0, newSubscribers: 0, newUnsubscribed: 0 };

/** List memberships: the sample is computed from the user and list id, and changes override it. */
export class Members {
  readonly #userCount: number;
  readonly #epoch: number;
  readonly #populations: ReadonlyMap<number, Population>;
  readonly #changes = new Map<number, Map<number, Membership>>();
  readonly #sampleCounts = new Map<number, Counts>();
  /** Per combination of lists, the user of every hundredth match, so that the next page resumes there. */
  readonly #marks = new Map<string, number[]>();

  constructor(userCount: number, epoch: number, populations: ReadonlyMap<number, Population>) {
    this.#userCount = userCount;
    this.#epoch = epoch;
    this.#populations = populations;
  }

  get(userId: number, listId: number): Membership | undefined {
    return this.#changes.get(listId)?.get(userId) ?? this.#getSample(userId, listId);
  }

  set(userId: number, listId: number, membership: Membership): void {
    const changes = this.#changes.get(listId) ?? new Map<number, Membership>();
    this.#changes.set(listId, changes.set(userId, membership));
    this.#marks.clear();
  }

  /** Returns the members of any of the lists with a status, each user once, in ascending order of id. */
  page(listIds: readonly number[], status: 0 | 1, { offset, limit }: Range): Member[] {
    const key = `${status}:${listIds.join()}`;
    const marks = this.#marks.get(key) ?? [1];
    this.#marks.set(key, marks);
    const block = Math.min(Math.floor(offset / MARK_INTERVAL), marks.length - 1);
    const page: Member[] = [];
    let matched = block * MARK_INTERVAL;
    for (let userId = marks[block] ?? 1; userId <= this.#userCount && page.length < limit; userId += 1) {
      const member = this.#findMember(userId, listIds, status);
      if (!member) continue;
      if (matched % MARK_INTERVAL === 0 && matched / MARK_INTERVAL === marks.length) marks.push(userId);
      if (matched >= offset) page.push(member);
      matched += 1;
    }
    return page;
  }

  /**
   * Returns the ids of the users who are subscribed to any of the lists. With `at`, returns those of the sample who were subscribed at that
   * time.
   */
  recipients(listIds: readonly number[], at?: number): Uint32Array {
    const ids: number[] = [];
    for (let userId = 1; userId <= this.#userCount; userId += 1) {
      const isRecipient =
        at === undefined
          ? this.#findMember(userId, listIds, 1) !== undefined
          : listIds.some((listId) => wasSubscribed(this.#getSample(userId, listId), at));
      if (isRecipient) ids.push(userId);
    }
    return Uint32Array.from(ids);
  }

  counts(listId: number): Counts {
    let counts = this.#countSample(listId);
    for (const [userId, membership] of this.#changes.get(listId) ?? []) {
      counts = this.#addToCounts(counts, this.#getSample(userId, listId), -1);
      counts = this.#addToCounts(counts, membership, 1);
    }
    return counts;
  }

  #findMember(userId: number, listIds: readonly number[], status: 0 | 1): Member | undefined {
    for (const listId of listIds) {
      const membership = this.get(userId, listId);
      if (membership?.status === status) return { ...membership, userId, listId };
    }
    return undefined;
  }

  #getSample(userId: number, listId: number): Membership | undefined {
    const population = this.#populations.get(listId);
    if (!population || userId < 1 || userId > Math.min(this.#userCount, population.maxUserId ?? Infinity))
      return undefined;
    const position = unit(21, userId, listId);
    if (position >= population.subscribed + population.unsubscribed) return undefined;
    const age = 2 * DAY + unit(22, userId, listId) ** 1.4 * 700 * DAY;
    const subscribed = this.#epoch - age;
    if (position < population.subscribed) return { status: 1, subscribed, unsubscribed: null };
    return { status: 0, subscribed, unsubscribed: subscribed + age * (0.05 + 0.9 * unit(23, userId, listId)) };
  }

  #countSample(listId: number): Counts {
    const cached = this.#sampleCounts.get(listId);
    if (cached) return cached;
    let counts = noCounts;
    if (this.#populations.has(listId)) {
      for (let userId = 1; userId <= this.#userCount; userId += 1)
        counts = this.#addToCounts(counts, this.#getSample(userId, listId), 1);
    }
    this.#sampleCounts.set(listId, counts);
    return counts;
  }

  #addToCounts(counts: Counts, membership: Membership | undefined, by: 1 | -1): Counts {
    if (!membership) return counts;
    const since = this.#epoch - NEW_MEMBER_PERIOD_MS;
    if (membership.status === 1) {
      return {
        ...counts,
        subscribers: counts.subscribers + by,
        newSubscribers: counts.newSubscribers + (membership.subscribed >= since ? by : 0),
      };
    }
    return {
      ...counts,
      unsubscribed: counts.unsubscribed + by,
      newUnsubscribed: counts.newUnsubscribed + ((membership.unsubscribed ?? 0) >= since ? by : 0),
    };
  }
}

function wasSubscribed(membership: Membership | undefined, at: number): boolean {
  return (
    membership !== undefined &&
    membership.subscribed <= at &&
    (membership.unsubscribed === null || membership.unsubscribed > at)
  );
}
