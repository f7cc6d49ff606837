import type { Campaign } from '../../service/client/index.ts';
import { hasFields, Journal, type JournalEntry } from './journal.ts';

export type { SendSubject } from './journal.ts';

/** Says that a campaign was told to go out, and that no answer is known. */
export interface SendEntry extends JournalEntry {
  readonly campaignId: number;
  /** Its name, for messages. It comes from the service. */
  readonly name: string;
  readonly before: SendState;
  /** Until when its record is watched, in ms since the epoch. */
  readonly watchUntil: number;
}

/** The campaigns that were told to go out and are not known to have gone out. */
export class SendJournal extends Journal<SendEntry> {
  constructor(folder: string, now?: () => number) {
    super(folder, isSendEntry, now);
  }

  /** Changes until when a campaign is watched, in ms since the epoch. */
  async setWatchUntil(note: SendEntry, watchUntil: number): Promise<void> {
    await this.recordOutcome({ ...note, watchUntil });
  }
}

function isSendEntry(value: unknown): value is SendEntry {
  return hasFields(value, sendEntryFieldTypes);
}

const sendEntryFieldTypes: Readonly<Record<keyof SendEntry, string>> = {
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
export type SendState = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

/** The marks of a record, and nothing else of it. */
export function getSendState({ draft, active, sent, sending_date }: SendState): SendState {
  return { draft, active, sent, sending_date };
}

export function isSameSendState(one: SendState, other: SendState): boolean {
  return JSON.stringify(getSendState(one)) === JSON.stringify(getSendState(other));
}

/**
 * Whether a record shows that the campaign was sent since `before`. False says nothing: a service whose answer was lost may still be at it,
 * so nothing that a record shows proves that it won't go out.
 */
export function wasSent(before: SendState, after: SendState): boolean {
  if (after.sent === 1 && before.sent !== 1) return true;
  // One that was sent before looks the same after a second sending, but for its date.
  if (before.sent === 1) return after.sent === 1 && after.sending_date !== before.sending_date;
  return (after.active === 1 && before.active !== 1) || (after.draft === 0 && before.draft === 1);
}
