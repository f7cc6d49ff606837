import type { Uri } from 'vscode';
import type { RecordRef, ServiceRef } from '../connections/model.ts';
import type { RecordSource } from './recordCommands.ts';
import type { Envelope } from '../../email/compose/compose.ts';
import type { CommandArgument } from '../../ui/commands.ts';
import type { MailingClient } from '../../service/client/index.ts';
import type { JsonObject } from '../../service/client/shapes.ts';

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

/** An email that can be sent as a test. */
export interface TestableMail {
  /** Unique within the connection: `templates/7`. */
  readonly what: string;
  readonly message: TestMessage;
}

/** What can be done with the records of a collection. */
export interface RecordOperations {
  readonly picking: RecordSource;
  /** `preview`: whether the next preview replaces the tab. */
  open(ref: RecordRef, preview?: boolean): Promise<unknown>;
  /** Must ask for confirmation. */
  delete?(ref: RecordRef): Promise<unknown>;
  /** `argument` may name another connection for the copy. */
  duplicate?(ref: RecordRef, argument: CommandArgument): Promise<unknown>;
  /**
   * Returns the body document of the record's email. If there are several, `argument` or the user selects one. Undefined if the user cancels.
   * Throws `ApiError`.
   */
  findBody?(ref: RecordRef, argument: CommandArgument): Promise<Uri | undefined>;
  /**
   * Opens the email of a record. If there are several, `argument` or the user selects one. Undefined if the user
   * cancels. Throws `ApiError`.
   */
  openTestable?(ref: RecordRef, argument: CommandArgument): Promise<TestableMail | undefined>;
}

/** The records of one type. */
export interface RecordCollection {
  /** Name of the collection in URIs. */
  readonly collection: string;
  /** Heading in the picker: "Templates". */
  readonly heading: string;
  readonly codicon: string;
  load(): Promise<RecordOperations>;
}

/** A template that other records may have been created from. */
export interface SourceText {
  readonly name: string;
  readonly subject: string;
  /** The body in every form in which another record may contain it. */
  readonly bodies: readonly string[];
}

/** A record that was probably created from a template. */
export interface Reference {
  /** Opens the record. */
  readonly command: string;
  readonly argument: Readonly<JsonObject>;
  /** Plain text: `Campaign "Autumn"`. */
  readonly label: string;
  /** Why it counts as a reference: "has the same text". */
  readonly reason: string;
}

export interface ReferenceResult {
  readonly references: readonly Reference[];
  /** What could not be checked, as a sentence. */
  readonly incompleteReason?: string;
}

/** Finds the records of one type that were created from a template. Throws `ApiError`. */
export type ReferenceProvider = (
  service: ServiceRef,
  client: MailingClient,
  text: SourceText,
  signal: AbortSignal,
) => Promise<ReferenceResult>;

/** Returns whether bodies are equal, ignoring line ending style and whitespace at both ends. */
export function matchesAnyBody(body: string, bodies: readonly string[]): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trim();
  return body.trim() !== '' && bodies.some((each) => plain(each) === plain(body));
}
