/** What an event happens to. Events of a dead owner never run; those of a sleeping one run when it wakes. */
export interface Owner {
  readonly isDead: boolean;
  /** In ms since the epoch. */
  readonly asleepUntil: number;
}

export interface Scheduled {
  readonly time: number;
  readonly order: number;
  readonly owner: Owner | undefined;
  run: (() => void) | undefined;
}

const isBefore = (one: Scheduled, other: Scheduled) =>
  one.time === other.time ? one.order < other.order : one.time < other.time;

/** Resolves when all promises have settled that need no event. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Virtual time. Everything that takes time is an event: timers, files, requests and the decisions of users. */
export class Scheduler {
  /** In ms since the epoch. */
  now: number;
  /** Number of events that ran. */
  count = 0;
  #order = 0;
  /** A binary heap. */
  readonly #heap: Scheduled[] = [];

  readonly #enter: (owner: Owner) => void;

  /** @param enter is called before an event of an owner runs */
  constructor(now: number, enter: (owner: Owner) => void) {
    this.#enter = enter;
    this.now = now;
  }

  /** Schedules an event. */
  after(ms: number, run: () => void, owner?: Owner): Scheduled {
    const event = { time: this.now + Math.max(0, ms), order: (this.#order += 1), owner, run };
    this.#push(event);
    return event;
  }

  /** Resolves after a time, or never if the owner dies first. */
  pause(ms: number, owner?: Owner): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve, owner));
  }

  get nextTime(): number {
    return this.#heap[0]?.time ?? Infinity;
  }

  /** Runs at most `events` events up to a time, each after all consequences of the one before. Resolves with the number of events. */
  async run(until: number, events = Infinity): Promise<number> {
    await settle();
    let ran = 0;
    while (ran < events && this.#heap.length > 0 && this.nextTime <= until) {
      const event = this.#pop();
      const { owner } = event;
      if (event.run === undefined || owner?.isDead === true) continue;
      if (owner !== undefined && owner.asleepUntil > event.time) {
        this.#push({ ...event, time: owner.asleepUntil, order: (this.#order += 1) });
        continue;
      }
      this.now = event.time;
      ran += 1;
      if (owner !== undefined) this.#enter(owner);
      event.run();
      await settle();
    }
    this.count += ran;
    if (until !== Infinity && ran < events) this.now = Math.max(this.now, until);
    return ran;
  }

  #push(event: Scheduled) {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = heap[parent] as Scheduled;
      if (!isBefore(event, other)) break;
      heap[at] = other;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): Scheduled {
    const heap = this.#heap;
    const [first, last] = [heap[0] as Scheduled, heap.pop() as Scheduled];
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Scheduled, heap[child] as Scheduled)) child += 1;
      if (isBefore(last, heap[child] as Scheduled)) break;
      heap[at] = heap[child] as Scheduled;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
