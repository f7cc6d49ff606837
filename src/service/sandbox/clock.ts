/** The sandbox's time: the given clock plus what it was advanced by. */
export interface Clock {
  now(): Date;
  /** Moves the time forward by `ms` milliseconds; what falls due in between happens before it returns. */
  advance(ms: number): void;
}

export interface ClockControl extends Clock {
  /** Forgets what it was advanced by. */
  restart(): void;
}

/** `onDidAdvance` runs after each advance. */
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
