import type { RecordRef } from '../../connections/record.ts';
import type { RecordSource } from '../../documents/recordCommands.ts';
import type { TestMessage } from './model.ts';
import type { CommandArgument } from '../../ui/commands.ts';

/** The emails of a noun that tests can be sent of, as its room hands them over. */
export interface TestableCollection {
  /** Name of the collection in URIs. */
  readonly collection: string;
  /** What they stand under in the picker: "Templates". */
  readonly heading: string;
  readonly codicon: string;
  /** Loads what knows them. */
  load(): Promise<TestableSource>;
}

export interface TestableSource {
  readonly picking: RecordSource;
  /** The email of a record; of several the one that `argument` names or the user picks. Undefined where they cancel. Throws `ApiError`. */
  open(ref: RecordRef, argument: CommandArgument): Promise<TestableMail | undefined>;
}

export interface TestableMail {
  /** Tells it apart from others of the connection: `templates/7`. */
  readonly what: string;
  readonly message: TestMessage;
}

/** All emails that tests can be sent of, by what the rooms have registered. */
export class TestableCollections {
  readonly #all: TestableCollection[] = [];

  get all(): readonly TestableCollection[] {
    return this.#all;
  }

  register(mails: TestableCollection): void {
    this.#all.push(mails);
  }
}
