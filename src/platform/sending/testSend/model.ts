import type { MailingClient } from '../../../service/client/index.ts';
import type { Connection } from '../../connections/model.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import type { ReportProgress } from '../../ui/progress.ts';
import { formatAmount } from '../../ui/format.ts';
import type { SendEntry } from '../sendJournal.ts';
import type { SendOutcome } from '../campaignSender.ts';
import type { ListLeases } from './listLeases.ts';
import type { TestCampaigns } from './testCampaigns.ts';

/** What a test sends: the text of now, composed. */
export interface TestMessage {
  readonly name: string;
  readonly envelope: Envelope;
  /** The composed body. */
  readonly body: string;
  /** Whether the body was empty before it was composed. */
  readonly isEmpty: boolean;
  /** Id of the mail by which the service holds this very text now; undefined where it holds another. Throws `ApiError`. */
  findStoredMailId?(client: MailingClient, signal: AbortSignal): Promise<number | undefined>;
  /** Whom its preview can show it as. */
  readonly persons?: readonly PreviewPerson[];
}

/** Somebody whom an email is previewed as. */
export interface PreviewPerson {
  readonly title: string;
  readonly email: string;
  /** Whether the preview shows it as this person now. */
  readonly isShown: boolean;
}

/** Whom a test is for: the subscribers of a list, or some addresses. */
export type TestRecipients =
  | { readonly kind: 'list'; readonly list: TestList }
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] };

export interface TestList {
  readonly id: number;
  readonly name: string;
}

/** A test that somebody wants to send. */
export interface TestRequest {
  readonly connection: Connection;
  /** What it is a test of: `tests/templates/7`. */
  readonly what: string;
  readonly message: TestMessage;
  readonly to: TestRecipients;
  /** What the question says besides: who wants it. */
  readonly remark?: string;
  /** Asked once the user has agreed. Throws where it is not wanted any more: nothing is sent then. */
  assertStillWanted?(): void;
}

/** What came of a test. */
export interface Delivery {
  readonly outcome: SendOutcome;
  /** Those whom the service says to have sent it to. */
  readonly sent: readonly string[];
  /** Those of whom it is not known. */
  readonly unknown: readonly string[];
  /** Those who got none, with the reason. */
  readonly refused: readonly { readonly address: string; readonly reason: string }[];
  /** The campaign that it was sent as. */
  readonly campaignId?: number;
}

/** How a test would go out, as the question before it tells. */
export interface TestStrategy {
  readonly subject: string;
  /** "3 recipients of the list “Test”". */
  readonly recipientSummary: string;
  /** Everybody it reaches. */
  readonly addresses: readonly string[];
  /** How it goes out, a sentence for each line. */
  readonly deliveryNotes: readonly string[];
  /** Throws where it is known that nothing was sent. */
  send(signal: AbortSignal, report: ReportProgress): Promise<Delivery>;
}

/** What the ways of sending need. */
export interface TestStrategyContext {
  run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T>;
  /** The lost sending of this email's test, where the user agrees to send it in spite of that. */
  readonly unconfirmedSend: SendEntry | undefined;
  /** Recipients that a test may have at most. */
  readonly maxRecipients: number;
  readonly campaigns: TestCampaigns;
  readonly leases: ListLeases;
}

const EMPTY_SUBJECT = '(no subject)';

/** The subject that marks a test. */
export function getTestSubject({ envelope }: TestMessage): string {
  return `[Test] ${envelope.subject.trim() || EMPTY_SUBJECT}`;
}

/** The sender and other fields that a test takes over: those that have a value. */
export function getSenderFields({
  envelope: { subject: _, preheader: __, ...sender },
}: TestMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(sender as Readonly<Record<string, string | undefined>>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

export function formatRecipients(count: number): string {
  return formatAmount(count, 'recipient');
}

/** Addresses that differ in capitals are one. */
export function normalizeAddress(address: string): string {
  return address.trim().toLowerCase();
}

/** Those of `addresses` that are not among `others`. */
export function excludeAddresses(addresses: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others.map(normalizeAddress));
  return addresses.filter((address) => !known.has(normalizeAddress(address)));
}

/** Each address once, as it was written first. */
export function uniqueAddresses(addresses: readonly string[]): readonly string[] {
  const keys = addresses.map(normalizeAddress);
  return addresses.filter((_, at) => keys.indexOf(keys[at] ?? '') === at).map((address) => address.trim());
}
