import { DAY, type Membership } from './records.ts';
import { unit } from './random.ts';

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
}

const NEW_MEMBER_PERIOD_MS = 30 * DAY;

/** List memberships: the sample is computed from the user and list id, and changes override it. */
export class Members {
  readonly #userIds: Uint32Array;
  /** Users without sample memberships. */
  readonly #addedIds = new Set<number>();
  readonly #epoch: number;
  readonly #populations: ReadonlyMap<number, Population>;
  readonly #changes = new Map<number, Map<number, Membership>>();
  /** Results since the last change, by lists and status. */
  readonly #selections = new Map<string, Uint32Array>();

  constructor(userCount: number, epoch: number, populations: ReadonlyMap<number, Population>) {
    this.#userIds = Uint32Array.from({ length: userCount }, (_, at) => at + 1);
    this.#epoch = epoch;
    this.#populations = populations;
  }

  get(userId: number, listId: number): Membership | undefined {
    return this.#changes.get(listId)?.get(userId) ?? this.#getSample(userId, listId);
  }

  set(userId: number, listId: number, membership: Membership): void {
    const changes = this.#changes.get(listId) ?? new Map<number, Membership>();
    this.#changes.set(listId, changes.set(userId, membership));
    if (userId > this.#userIds.length) this.#addedIds.add(userId);
    this.#selections.clear();
  }

  /** Returns the ids of the users that any of the lists has with a status, in ascending order. */
  select(listIds: readonly number[], status: 0 | 1): Uint32Array {
    const key = `${status}:${listIds.join()}`;
    const selection =
      this.#selections.get(key) ??
      Uint32Array.from([...this.#userIds, ...this.#addedIds]).filter((userId) =>
        this.#findMember(userId, listIds, status),
      );
    this.#selections.set(key, selection);
    return selection;
  }

  /** Returns at most `limit` of the members after the first `offset`. */
  page(listIds: readonly number[], status: 0 | 1, offset: number, limit: number): Member[] {
    const userIds = [...this.select(listIds, status).subarray(offset, offset + limit)];
    return userIds.flatMap((userId) => this.#findMember(userId, listIds, status) ?? []);
  }

  /** Returns the ids of the users of the sample who were subscribed to any of the lists at a time. */
  selectSample(listIds: readonly number[], at: number): Uint32Array {
    return this.#userIds.filter((userId) =>
      listIds.some((listId) => {
        const { subscribed = Infinity, unsubscribed } = this.#getSample(userId, listId) ?? {};
        return subscribed <= at && (unsubscribed ?? Infinity) > at;
      }),
    );
  }

  /** Counts the members of a list with a status, and those who have had it since 30 days before the sandbox started. */
  count(listId: number, status: 0 | 1): { readonly total: number; readonly recent: number } {
    const members = this.page([listId], status, 0, Infinity);
    const since = this.#epoch - NEW_MEMBER_PERIOD_MS;
    const recent = members.filter(({ subscribed, unsubscribed }) => (unsubscribed ?? subscribed) >= since);
    return { total: members.length, recent: recent.length };
  }

  #findMember(userId: number, listIds: readonly number[], status: 0 | 1): Member | undefined {
    for (const listId of listIds) {
      const membership = this.get(userId, listId);
      if (membership?.status === status) return { ...membership, userId };
    }
    return undefined;
  }

  #getSample(userId: number, listId: number): Membership | undefined {
    const population = this.#populations.get(listId);
    if (!population || userId < 1 || userId > Math.min(this.#userIds.length, population.maxUserId ?? Infinity))
      return undefined;
    const position = unit(21, userId, listId);
    if (position >= population.subscribed + population.unsubscribed) return undefined;
    const age = 2 * DAY + unit(22, userId, listId) ** 1.4 * 700 * DAY;
    const subscribed = this.#epoch - age;
    if (position < population.subscribed) return { status: 1, subscribed, unsubscribed: null };
    return { status: 0, subscribed, unsubscribed: subscribed + age * (0.05 + 0.9 * unit(23, userId, listId)) };
  }
}
