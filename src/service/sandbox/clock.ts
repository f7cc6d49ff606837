/** The sandbox's clock: the base clock plus an offset. */
export interface Clock {
  now(): Date;
  /** Advances the clock by `ms` milliseconds and runs everything that falls due before it returns. */
  advance(ms: number): void;
}

export interface ClockControl extends Clock {
  /** Resets the offset. */
  restart(): void;
}

export function createClock(base: () => Date, onDidAdvance: () => void): ClockControl {
  let offset = 0;
  return {
    now: () => new Date(base().getTime() + offset),
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0)
        throw new RangeError(`A clock advances by zero or more milliseconds, not by ${ms}.`);
      offset += ms;
      onDidAdvance();
    },
    restart() {
      offset = 0;
    },
  };
}
