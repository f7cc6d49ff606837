import { hasFields, Journal, type JournalEntry } from '../journal.ts';
import type { SendState } from '../sendJournal.ts';

/** The test of another window is over after this, in ms. */
export const TEST_TIMEOUT_MS = 2 * 60_000;
/** How long a record whose creation got no answer may still appear, in ms. */
export const LATE_RECORD_MS = 15 * 60_000;

/**
 * Says that a test was requested for addresses, that a template or a campaign made for one is to be deleted, or that a list is reserved for
 * one.
 */
export interface TestEntry extends JournalEntry {
  /** Of the email, for messages. */
  readonly name: string;
  /** Those of whom it is not known whether they got it. */
  readonly addresses: readonly string[];
  /** Of the template, as soon as it is known. */
  readonly templateId?: number;
  /** Of the campaign, as soon as it is known. */
  readonly campaignId?: number;
  /** Of that campaign, before it was sent. */
  readonly before?: SendState;
}

/** The tests to addresses of which something is left. */
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
