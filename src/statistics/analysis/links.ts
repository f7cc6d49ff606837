import type { Row } from '../model.ts';
import { numberOf, textOf, valueOf } from './fields.ts';

/** How hot a link is. */
export interface LinkClicks {
  /** As the service has it: hostile text. */
  readonly address: string;
  readonly total: number;
  readonly unique: number;
  /** Of the clicks on all links, 0 to 1. */
  readonly share: number;
}

/** What the links of an e-mail can be clicked for. */
const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** More links than these no e-mail has. */
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
    const count = (role: 'totalClicks' | 'uniqueClicks'): number => Math.max(0, numberOf(valueOf('link', row, role)) ?? 0);
    const sum = sums.get(address) ?? { total: 0, unique: 0 };
    const unique = count('uniqueClicks');
    // Some tell only how many clicked: each of them did so once at least.
    sum.total += Math.max(count('totalClicks'), unique);
    sum.unique += unique;
    sums.set(address, sum);
  }
  const all = [...sums.values()].reduce((clicks, { total }) => clicks + total, 0);
  return [...sums]
    .map(([address, { total, unique }]) => ({ address, total, unique, share: all === 0 || !Number.isFinite(all) ? 0 : total / all }))
    .sort((a, b) => b.total - a.total || b.unique - a.unique || (a.address < b.address ? -1 : 1))
    .slice(0, most);
}
