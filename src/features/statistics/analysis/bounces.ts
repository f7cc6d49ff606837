import { mapRolesToKeys, parseNumber, toFieldText } from './fields.ts';
import type { StatisticsRow } from '../model.ts';

export interface BounceReasons {
  /** Bounces by reason (untrusted text), summed over the versions. */
  readonly counts: ReadonlyMap<string, number>;
  /** Keys of the field in rows whose value isn't a list of reasons. */
  readonly unreadableKeys: ReadonlySet<string>;
}

/** In characters. Longer texts are not parsed. */
const MAX_DETAILS_LENGTH = 100_000;

function parseJson(text: string): unknown {
  if (text.length > MAX_DETAILS_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses an object of counts, or an array of objects with a text and a number each. */
function parseReasons(value: unknown): [reason: string, count: number][] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const pairs = Array.isArray(value)
    ? value.map((entry: unknown): [unknown, unknown] => {
        const values = typeof entry === 'object' && entry !== null ? Object.values(entry) : [];
        return [
          values.find((candidate) => parseNumber(candidate) === undefined && toFieldText(candidate) !== undefined),
          values.find((candidate) => parseNumber(candidate) !== undefined),
        ];
      })
    : Object.entries(value);
  const reasons: [string, number][] = [];
  for (const [reason, count] of pairs) {
    const number = parseNumber(count);
    if (typeof reason !== 'string' || number === undefined) return undefined;
    reasons.push([reason, number]);
  }
  return reasons;
}

/** Sums the bounces by reason. Services send the reasons as an object, an array, or the JSON of either. */
export function sumBounceReasons(rows: readonly StatisticsRow[]): BounceReasons {
  const counts = new Map<string, number>();
  const unreadableKeys = new Set<string>();
  for (const row of rows) {
    const key = mapRolesToKeys('campaign', row).get('bounceDetails');
    const value = key === undefined ? undefined : row[key];
    if (key === undefined || value === undefined || value === null || value === '') continue;
    const reasons = parseReasons(typeof value === 'string' ? parseJson(value) : value);
    if (reasons === undefined) unreadableKeys.add(key);
    for (const [reason, count] of reasons ?? []) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return { counts, unreadableKeys };
}
