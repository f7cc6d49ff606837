import type { Campaign } from '../api/index.ts';

/** What of a campaign's record changes when it goes out, or begins to wait for its date. */
export type Marks = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

/** The marks of a record, and nothing else of it. */
export function marksOf({ draft, active, sent, sending_date }: Marks): Marks {
  return {
    ...(draft === undefined ? {} : { draft }),
    ...(active === undefined ? {} : { active }),
    ...(sent === undefined ? {} : { sent }),
    ...(sending_date === undefined ? {} : { sending_date }),
  };
}

export function sameMarks(one: Marks, other: Marks): boolean {
  return JSON.stringify(marksOf(one)) === JSON.stringify(marksOf(other));
}

/**
 * Whether a record shows that the campaign was sent since `before`. False says nothing: a service whose answer was lost may still be at it,
 * so nothing that a record shows proves that it won't go out.
 */
export function wasSent(before: Marks, after: Marks): boolean {
  if (after.sent === 1 && before.sent !== 1) return true;
  // One that was sent before looks the same after a second sending, but for its date.
  if (before.sent === 1) return after.sent === 1 && after.sending_date !== before.sending_date;
  return (after.active === 1 && before.active !== 1) || (after.draft === 0 && before.draft === 1);
}
