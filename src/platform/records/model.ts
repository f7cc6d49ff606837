import type { RecordRef } from '../connections/model.ts';
import type { RecordSource } from '../documents/recordCommands.ts';
import type { MailParts } from '../preview/host/source.ts';
import type { TestMessage } from '../sending/testSend/model.ts';
import type { CommandArgument } from '../ui/commands.ts';

/** An email that can be sent as a test. */
export interface TestableMail {
  /** Unique within the connection: `templates/7`. */
  readonly what: string;
  readonly message: TestMessage;
}

/** What can be done with the records of a collection. */
export interface RecordOperations {
  readonly picking: RecordSource;
  open(ref: RecordRef): Promise<unknown>;
  /** Must ask for confirmation. */
  delete(ref: RecordRef): Promise<unknown>;
  duplicate?(ref: RecordRef): Promise<unknown>;
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
  /** The documents that make up an email, which can be previewed. */
  readonly mailParts?: MailParts;
  load(): Promise<RecordOperations>;
}
