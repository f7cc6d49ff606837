import type { ClicksKey, Row } from '../model.ts';
import { numberOf, textOf, valueOf } from './fields.ts';
import type { Kind } from './fields.ts';

/** Where a recipient's row holds the number of clicks. */
export const clicksKey: ClicksKey = '#clicks';

/** What tells who a row is of: the user's id, then the address. An id can't be taken for an address. */
function usersOf(kind: Kind, row: Row): string[] {
  const id = textOf(valueOf(kind, row, 'user'))?.trim();
  const email = textOf(valueOf(kind, row, 'email'))?.trim().toLowerCase();
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
