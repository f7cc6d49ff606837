import type { ClicksKey, Row } from '../model.ts';
import { numberOf, textOf, valueOf, type Kind } from './fields.ts';

/** Where a recipient's row holds the number of clicks. */
export const clicksKey: ClicksKey = '#clicks';

/** What tells who a row is of: the user's id, then the address. An id can't be taken for an address. */
function usersOf(kind: Kind, row: Row): string[] {
  const id = textOf(valueOf(kind, row, 'user'))?.trim();
  const email = textOf(valueOf(kind, row, 'email'))
    ?.trim()
    .toLowerCase();
  return [...(id === undefined ? [] : [`id ${id}`]), ...(email === undefined ? [] : [`email ${email}`])];
}

/**
 * How often each user clicked, by id and by address, from the rows of the clicks per user. A row that doesn't say how often counts as one
 * click.
 */
export function clicksByUser(clicks: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of clicks) {
    for (const user of usersOf('click', row)) counts.set(user, (counts.get(user) ?? 0) + clicksIn(row));
  }
  return counts;
}

/** The clicks that a row of the clicks per user tells of. */
export function clicksIn(row: Row): number {
  const value = valueOf('click', row, 'clicks');
  return value === undefined ? 1 : Math.max(0, numberOf(value) ?? 1);
}

/**
 * Rows of recipients with how often each of them clicked, under `clicksKey`: what the service tells in another answer.
 * @param clicks what `clicksByUser` gave; undefined where it isn't known: then no row says anything of clicks
 */
export function withClicks(rows: readonly Row[], clicks: ReadonlyMap<string, number> | undefined): Row[] {
  return rows.map((row) => {
    const { [clicksKey]: _own, ...fields } = row;
    if (clicks === undefined) return fields;
    const users = usersOf('user', row);
    const known = users.find((user) => clicks.has(user));
    return users.length === 0 ? fields : { ...fields, [clicksKey]: known === undefined ? 0 : clicks.get(known) };
  });
}

/** How hot a link is. */
export interface LinkClicks {
  /** As the service has it: hostile text. */
  readonly address: string;
  readonly total: number;
  readonly unique: number;
  /** Of the clicks on all links, 0 to 1. */
  readonly share: number;
}

/** What the links of an email can be clicked for. */
const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** More links than these no email has. */
const most = 2000;

function isClickable(address: string): boolean {
  return URL.canParse(address) && schemes.has(new URL(address).protocol);
}

/**
 * The links of a campaign with their clicks, those clicked most first, from the rows of the clicks per address. Several rows of one address
 * (one for each version of the mail) are summed. What isn't an address of the web, of mail or of a telephone is left out.
 */
export function heatOf(links: readonly Row[]): LinkClicks[] {
  const sums = new Map<string, { total: number; unique: number }>();
  for (const row of links) {
    const address = textOf(valueOf('link', row, 'address'))?.trim();
    if (address === undefined || !isClickable(address)) continue;
    const count = (role: 'totalClicks' | 'uniqueClicks'): number =>
      Math.max(0, numberOf(valueOf('link', row, role)) ?? 0);
    const sum = sums.get(address) ?? { total: 0, unique: 0 };
    const unique = count('uniqueClicks');
    // Some tell only how many clicked: each of them did so once at least.
    sum.total += Math.max(count('totalClicks'), unique);
    sum.unique += unique;
    sums.set(address, sum);
  }
  const all = [...sums.values()].reduce((clicks, { total }) => clicks + total, 0);
  return [...sums]
    .map(([address, { total, unique }]) => ({
      address,
      total,
      unique,
      share: all === 0 || !Number.isFinite(all) ? 0 : total / all,
    }))
    .sort((a, b) => b.total - a.total || b.unique - a.unique || (a.address < b.address ? -1 : 1))
    .slice(0, most);
}
