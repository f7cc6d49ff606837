import type { Campaign } from '../../service/client/index.ts';
import { hasFields, Journal, type JournalEntry } from './journal.ts';

export type { SendSubject } from './journal.ts';

/** A campaign that was requested to be sent, without a confirmed outcome. */
export interface SendEntry extends JournalEntry {
  readonly campaignId: number;
  /** For messages. Untrusted. */
  readonly name: string;
  readonly before: SendState;
  /** When watching its record ends, in ms since the epoch. */
  readonly watchUntil: number;
}

export class SendJournal extends Journal<SendEntry> {
  constructor(folder: string, now?: () => number) {
    super(folder, isSendEntry, now);
  }

  async setWatchUntil(entry: SendEntry, watchUntil: number): Promise<void> {
    await this.recordOutcome({ ...entry, watchUntil });
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

/** The fields of a campaign that change when it is sent or scheduled. */
export type SendState = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

export function getSendState({ draft, active, sent, sending_date }: SendState): SendState {
  return { draft, active, sent, sending_date };
}

export function isSameSendState(one: SendState, other: SendState): boolean {
  return JSON.stringify(getSendState(one)) === JSON.stringify(getSendState(other));
}

/**
 * Returns whether a record shows that the campaign was sent since `before`. False proves nothing: if the response was
 * lost, the service may still be processing the request.
 */
export function wasSent(before: SendState, after: SendState): boolean {
  if (after.sent === 1 && before.sent !== 1) return true;
  // After a repeated send, only the date differs.
  if (before.sent === 1) return after.sent === 1 && after.sending_date !== before.sending_date;
  return (after.active === 1 && before.active !== 1) || (after.draft === 0 && before.draft === 1);
}
