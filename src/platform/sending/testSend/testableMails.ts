import type { RecordRef } from '../../connections/model.ts';
import type { RecordSource } from '../../documents/recordCommands.ts';
import type { TestMessage } from './model.ts';
import type { CommandArgument } from '../../ui/commands.ts';

/** The emails of one record type, registered by its feature. */
export interface TestableCollection {
  /** Name of the collection in URIs. */
  readonly collection: string;
  /** Heading in the picker: "Templates". */
  readonly heading: string;
  readonly codicon: string;
  load(): Promise<TestableSource>;
}

export interface TestableSource {
  readonly picking: RecordSource;
  /**
   * Opens the email of a record. If there are several, `argument` or the user selects one. Undefined if the user
   * cancels. Throws `ApiError`.
   */
  open(ref: RecordRef, argument: CommandArgument): Promise<TestableMail | undefined>;
}

export interface TestableMail {
  /** Unique within the connection: `templates/7`. */
  readonly what: string;
  readonly message: TestMessage;
}
