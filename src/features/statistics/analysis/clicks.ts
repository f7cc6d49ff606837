import type { ClicksKey, StatisticsRow } from '../model.ts';
import { parseNumber, toFieldText, getRoleValue, type RecordKind } from './fields.ts';

/** Key of the click count in a recipient's row. */
export const RECIPIENT_CLICKS_KEY: ClicksKey = '#clicks';

/** Returns the keys that identify a row's user: by id, then by address. The prefixes keep ids and addresses apart. */
function getUserKeys(kind: RecordKind, row: StatisticsRow): string[] {
  const id = toFieldText(getRoleValue(kind, row, 'user'))?.trim();
  const email = toFieldText(getRoleValue(kind, row, 'email'))
    ?.trim()
    .toLowerCase();
  return [...(id === undefined ? [] : [`id ${id}`]), ...(email === undefined ? [] : [`email ${email}`])];
}

/** Counts the clicks of each user, by id and by address. A row without a count is one click. */
export function countClicksByUser(clicks: readonly StatisticsRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of clicks) {
    for (const user of getUserKeys('click', row)) counts.set(user, (counts.get(user) ?? 0) + readClickCount(row));
  }
  return counts;
}

/** Returns the click count of a row of the clicks table; 1 if it has none. */
export function readClickCount(row: StatisticsRow): number {
  const value = getRoleValue('click', row, 'clicks');
  return value === undefined ? 1 : Math.max(0, parseNumber(value) ?? 1);
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
    if (clicks === undefined) return fields;
    const users = getUserKeys('user', row);
    const matchingUser = users.find((user) => clicks.has(user));
    return users.length === 0
      ? fields
      : { ...fields, [RECIPIENT_CLICKS_KEY]: matchingUser === undefined ? 0 : clicks.get(matchingUser) };
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

function isClickable(address: string): boolean {
  return URL.canParse(address) && CLICKABLE_SCHEMES.has(new URL(address).protocol);
}

/**
 * Returns the links of a campaign with their clicks, the most clicked first. Rows with the same address (one for each version of the email)
 * are summed. Addresses with other schemes than web, mail and telephone are left out.
 */
export function sumLinkClicks(links: readonly StatisticsRow[]): LinkClicks[] {
  const sums = new Map<string, { total: number; unique: number }>();
  for (const row of links) {
    const address = toFieldText(getRoleValue('link', row, 'address'))?.trim();
    if (address === undefined || !isClickable(address)) continue;
    const count = (role: 'totalClicks' | 'uniqueClicks'): number =>
      Math.max(0, parseNumber(getRoleValue('link', row, role)) ?? 0);
    const sum = sums.get(address) ?? { total: 0, unique: 0 };
    const unique = count('uniqueClicks');
    // Some services send only the unique clicks, which are a lower bound of the total.
    sum.total += Math.max(count('totalClicks'), unique);
    sum.unique += unique;
    sums.set(address, sum);
  }
  const totalClicks = [...sums.values()].reduce((clicks, { total }) => clicks + total, 0);
  return [...sums]
    .map(([address, { total, unique }]) => ({
      address,
      total,
      unique,
      share: totalClicks === 0 || !Number.isFinite(totalClicks) ? 0 : total / totalClicks,
    }))
    .sort((a, b) => b.total - a.total || b.unique - a.unique || (a.address < b.address ? -1 : 1))
    .slice(0, MAX_LINKS);
}
