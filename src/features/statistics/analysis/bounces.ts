import { rolesIn, numberOf, textOf } from './fields.ts';
import type { StatisticsRow } from './counts.ts';

/** Why messages came back, as far as it can be read. */
export interface BounceReasons {
  /** How many by which reason (hostile text), summed over the versions. */
  readonly counts: ReadonlyMap<string, number>;
  /** Keys of the field in rows where it holds something else. */
  readonly unread: ReadonlySet<string>;
}

/** Longer than every text of reasons. */
const longest = 100_000;

function parsed(text: string): unknown {
  if (text.length > longest) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The reasons in a value: an object of counts, or a list of objects that have a text and a number each. */
function reasonsIn(value: unknown): [reason: string, count: number][] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const pairs = Array.isArray(value)
    ? value.map((one: unknown): [unknown, unknown] => {
        const parts = typeof one === 'object' && one !== null ? Object.values(one) : [];
        return [
          parts.find((part) => numberOf(part) === undefined && textOf(part) !== undefined),
          parts.find((part) => numberOf(part) !== undefined),
        ];
      })
    : Object.entries(value);
  const reasons: [string, number][] = [];
  for (const [reason, count] of pairs) {
    const number = numberOf(count);
    if (typeof reason !== 'string' || number === undefined) return undefined;
    reasons.push([reason, number]);
  }
  return reasons;
}

/** Why messages came back: services write it as an object, or as such a one's JSON. */
export function bounceReasons(rows: readonly StatisticsRow[]): BounceReasons {
  const counts = new Map<string, number>();
  const unread = new Set<string>();
  for (const row of rows) {
    const key = rolesIn('campaign', row).get('bounceDetails');
    const value = key === undefined ? undefined : row[key];
    if (key === undefined || value === undefined || value === null || value === '') continue;
    const reasons = reasonsIn(typeof value === 'string' ? parsed(value) : value);
    if (reasons === undefined) unread.add(key);
    for (const [reason, count] of reasons ?? []) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return { counts, unread };
}
