import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { ClicksKey, StatisticsRow } from '../model.ts';
import { isBlank, parseNumber } from './counts.ts';

/** Key of the click count in a recipient's row. */
export const RECIPIENT_CLICKS_KEY: ClicksKey = '#clicks';

/** Counts the clicks of each user. A row without a count is one click. */
export function countClicksByUser(clicks: readonly StatisticsRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of clicks) {
    const user = stringifyFieldValue(row['user_id']);
    counts.set(user, (counts.get(user) ?? 0) + readClickCount(row));
  }
  return counts;
}

/** Returns the click count of a row of the clicks table; 1 if it has none. */
export function readClickCount({ click }: StatisticsRow): number {
  return Math.max(0, parseNumber(click) ?? 1);
}

/**
 * Adds each recipient's click count under `RECIPIENT_CLICKS_KEY`.
 * @param clicks the result of `countClicksByUser`; if undefined, the rows get no count
 */
export function addClickCounts(
  rows: readonly StatisticsRow[],
  clicks: ReadonlyMap<string, number> | undefined,
): StatisticsRow[] {
  return rows.map((row) => {
    const { [RECIPIENT_CLICKS_KEY]: _own, ...fields } = row;
    const { user_id: user } = fields;
    return clicks === undefined || isBlank(user)
      ? fields
      : { ...fields, [RECIPIENT_CLICKS_KEY]: clicks.get(stringifyFieldValue(user)) ?? 0 };
  });
}

/** The clicks on a link. */
export interface LinkClicks {
  /** Untrusted text. */
  readonly address: string;
  readonly total: number;
  readonly unique: number;
  /** Share of the clicks on all links, 0 to 1. */
  readonly share: number;
}

const CLICKABLE_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MAX_LINKS = 2000;

/**
 * Returns the links of a campaign with their clicks, the most clicked first. Rows with the same address (one for each version of the email)
 * are summed. Addresses with other schemes than web, mail and telephone are left out.
 */
export function sumLinkClicks(links: readonly StatisticsRow[]): LinkClicks[] {
  const sums = new Map<string, { total: number; unique: number }>();
  for (const { name, total_click, unique_click } of links) {
    const address = typeof name === 'string' ? name.trim() : '';
    if (!URL.canParse(address) || !CLICKABLE_SCHEMES.has(new URL(address).protocol)) continue;
    const sum = sums.get(address) ?? { total: 0, unique: 0 };
    sum.total += Math.max(0, parseNumber(total_click) ?? 0);
    sum.unique += Math.max(0, parseNumber(unique_click) ?? 0);
    sums.set(address, sum);
  }
  const totalClicks = [...sums.values()].reduce((clicks, { total }) => clicks + total, 0);
  return [...sums]
    .map(([address, sum]) => ({ address, ...sum, share: totalClicks === 0 ? 0 : sum.total / totalClicks }))
    .sort((a, b) => b.total - a.total || b.unique - a.unique || (a.address < b.address ? -1 : 1))
    .slice(0, MAX_LINKS);
}
