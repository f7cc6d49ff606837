import type { MailingClient } from '../../../service/client/index.ts';
import type { Connection } from '../../connections/model.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import type { ReportProgress } from '../../ui/progress.ts';
import { formatAmount } from '../../ui/format.ts';
import type { SendOutcome } from '../campaignSender.ts';

/** The email that a test sends, composed from its editors. */
export interface TestMessage {
  readonly name: string;
  readonly envelope: Envelope;
  readonly body: string;
  /** Whether the body was empty before composing. */
  readonly isEmpty: boolean;
  /**
   * Returns the id of the mail in which the service stores exactly this text; undefined if it stores another. Throws
   * `ApiError`.
   */
  findStoredMailId?(client: MailingClient, signal: AbortSignal): Promise<number | undefined>;
  /** People that the preview can show the email as. */
  readonly persons?: readonly PreviewPerson[];
}

export interface PreviewPerson {
  readonly title: string;
  readonly email: string;
  /** Whether the preview currently shows this person. */
  readonly isShown: boolean;
}

export type TestRecipients =
  | { readonly kind: 'list'; readonly list: TestList }
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] };

export interface TestList {
  readonly id: number;
  readonly name: string;
}

export interface TestRequest {
  readonly connection: Connection;
  /** The tested record: `tests/templates/7`. */
  readonly what: string;
  readonly message: TestMessage;
  readonly to: TestRecipients;
  /** Additional line in the confirmation: who requested the test. */
  readonly remark?: string;
  /** Called after the confirmation. Throws if the request was withdrawn: nothing is sent then. */
  assertStillWanted?(): void;
}

/** The result of sending a test. */
export interface Delivery {
  readonly outcome: SendOutcome;
  /** Recipients that the service reports as sent. */
  readonly sent: readonly string[];
  /** Recipients without a confirmed outcome. */
  readonly unknown: readonly string[];
  /** Recipients that got no email, with the reason. */
  readonly refused: readonly { readonly address: string; readonly reason: string }[];
  readonly campaignId?: number;
}

/** How a test will be sent, as shown in the confirmation. */
export interface TestStrategy {
  readonly subject: string;
  readonly recipientSummary: string;
  /** All recipients. */
  readonly addresses: readonly string[];
  /** How it will be sent, one sentence per line. */
  readonly deliveryNotes: readonly string[];
  /** Throws only if nothing was sent. */
  send(signal: AbortSignal, report: ReportProgress): Promise<Delivery>;
}

const EMPTY_SUBJECT = '(no subject)';

export function getTestSubject({ envelope }: TestMessage): string {
  return `[Test] ${envelope.subject.trim() || EMPTY_SUBJECT}`;
}

/** Returns the sender and other envelope fields that have a value. */
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

export function normalizeAddress(address: string): string {
  return address.trim().toLowerCase();
}

/** Returns the addresses that are not in `others`. */
export function excludeAddresses(addresses: readonly string[], others: readonly string[]): readonly string[] {
  const excluded = new Set(others.map(normalizeAddress));
  return addresses.filter((address) => !excluded.has(normalizeAddress(address)));
}

/** Removes duplicates, keeping the first spelling of each address. */
export function uniqueAddresses(addresses: readonly string[]): readonly string[] {
  const keys = addresses.map(normalizeAddress);
  return addresses.filter((_, at) => keys.indexOf(keys[at] ?? '') === at).map((address) => address.trim());
}

/** Only a rough check: the service decides whether the address belongs to a user. */
const ADDRESS_PATTERN = /^[^\s@,;<>()"]+@[^\s@,;<>()"]+\.[^\s@,;<>()".]+$/u;

/** Parses addresses separated by commas, semicolons or whitespace. Undefined if any part isn't an address. */
export function parseAddresses(text: string): readonly string[] | undefined {
  const parts = text
    .split(/[\s,;]+/u)
    .filter((part) => part !== '')
    .map((part) => part.replace(/^<|>$/gu, ''));
  return parts.length > 0 && parts.every((part) => ADDRESS_PATTERN.test(part)) ? uniqueAddresses(parts) : undefined;
}
