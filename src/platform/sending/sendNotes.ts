import type { Campaign } from '../../service/client/index.ts';
import { hasFields, Journal, type Entry } from './journal.ts';

export type { SendSubject } from './journal.ts';

/** Says that a campaign was told to go out, and that no answer is known. */
export interface SendNote extends Entry {
  readonly campaignId: number;
  /** Its name, for messages. It comes from the service. */
  readonly name: string;
  readonly before: Marks;
  /** Until when its record is watched, in ms since the epoch. */
  readonly watchUntil: number;
}

/** The campaigns that were told to go out and are not known to have gone out. */
export class SendNotes extends Journal<SendNote> {
  constructor(folder: string, now?: () => number) {
    super(folder, isSendNote, now);
  }

  /** Changes until when a campaign is watched, in ms since the epoch. */
  async watch(note: SendNote, watchUntil: number): Promise<void> {
    await this.recordOutcome({ ...note, watchUntil });
  }
}

function isSendNote(value: unknown): value is SendNote {
  return hasFields(value, fieldTypes);
}

const fieldTypes: Readonly<Record<keyof SendNote, string>> = {
  connection: 'string',
  baseUrl: 'string',
  what: 'string',
  campaignId: 'number',
  name: 'string',
  before: 'object',
  asked: 'number',
  watchUntil: 'number',
};

/** What of a campaign's record changes when it goes out, or begins to wait for its date. */
export type Marks = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

/** The marks of a record, and nothing else of it. */
export function marksOf({ draft, active, sent, sending_date }: Marks): Marks {
  return { draft, active, sent, sending_date };
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
