export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Formats a time in UTC as `YYYY-MM-DD HH:MM:SS`. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** Parses `YYYY-MM-DD`, optionally with ` HH:MM[:SS]`, as UTC. Returns milliseconds since 1970; undefined if the date is invalid. */
export function parseTime(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  // `Date.UTC` silently converts 2026-02-31 to March 3.
  return new Date(time).getUTCDate() === day && month <= 12 && hour < 24 && minute < 60 && second < 60
    ? time
    : undefined;
}

/** The sandbox's clock: the base clock plus an offset. */
export class Clock {
  readonly #base: () => Date;
  readonly #onDidAdvance: () => void;
  #offset = 0;

  constructor(base: () => Date, onDidAdvance: () => void) {
    this.#base = base;
    this.#onDidAdvance = onDidAdvance;
  }

  now(): Date {
    return new Date(this.#base().getTime() + this.#offset);
  }

  /** Advances the clock by `ms` milliseconds and runs everything that falls due before it returns. */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0)
      throw new RangeError(`A clock advances by zero or more milliseconds, not by ${ms}.`);
    this.#offset += ms;
    this.#onDidAdvance();
  }

  /** Resets the offset. */
  restart(): void {
    this.#offset = 0;
  }
}
