import { hasFields, Journal, type JournalEntry } from '../journal.ts';
import type { SendState } from '../sendJournal.ts';

/** A test of another window has ended after this time. */
export const TEST_TIMEOUT_MS = 2 * 60_000;
/** A record whose creation got no response may still appear within this time. */
export const LATE_RECORD_MS = 15 * 60_000;

/** A test to addresses without a confirmed outcome, a template or campaign to delete, or a reserved list. */
export interface TestEntry extends JournalEntry {
  /** Name of the email, for messages. */
  readonly name: string;
  /** Recipients without a confirmed outcome. */
  readonly addresses: readonly string[];
  /** Undefined until the service reports it. */
  readonly templateId?: number;
  /** Undefined until the service reports it. */
  readonly campaignId?: number;
  /** State of the campaign before it was sent. */
  readonly before?: SendState;
}

export class TestJournal extends Journal<TestEntry> {
  constructor(folder: string, now?: () => number) {
    super(folder, isTestEntry, now);
  }
}

const testEntryFieldTypes: Readonly<Record<Exclude<keyof TestEntry, 'templateId' | 'campaignId' | 'before'>, string>> =
  {
    connection: 'string',
    baseUrl: 'string',
    what: 'string',
    asked: 'number',
    name: 'string',
    addresses: 'object',
  };

function isTestEntry(value: unknown): value is TestEntry {
  if (!hasFields(value, testEntryFieldTypes)) return false;
  const { addresses, templateId, campaignId, before } = value as Readonly<Record<string, unknown>>;
  const isId = [templateId, campaignId].every((id) => id === undefined || typeof id === 'number');
  const isRecord = isId && (before === undefined || typeof before === 'object');
  return isRecord && Array.isArray(addresses) && addresses.every((address) => typeof address === 'string');
}
