import type { MailingClient } from '../../service/client/index.ts';

/** A text that may have been taken over by others. */
export interface SourceText {
  readonly name: string;
  readonly subject: string;
  /** The body, in each form that it may have been taken over in. */
  readonly bodies: readonly string[];
}

/** A record that was made from a text, as far as that can be seen. */
export interface Reference {
  /** Of the document that opens, and of the record. */
  readonly command: string;
  readonly argument: Readonly<Record<string, unknown>>;
  /** `Campaign "Autumn"`. Plain text. */
  readonly label: string;
  /** Why it is thought so: "has the same text". */
  readonly reason: string;
}

/** What one room has found. */
export interface ReferenceResult {
  readonly references: readonly Reference[];
  /** What could not be looked at, as a sentence; undefined where all could. */
  readonly incompleteReason?: string;
}

/** Looks for what was made from a text, in a noun's room. Throws `ApiError`. */
export type ReferenceProvider = (
  connection: string,
  client: MailingClient,
  text: SourceText,
  signal: AbortSignal,
) => Promise<ReferenceResult>;

/** What was made from a text, by all rooms that can tell. */
export class ReferenceProviders {
  readonly #all: ReferenceProvider[] = [];

  register(find: ReferenceProvider): void {
    this.#all.push(find);
  }

  async find(
    connection: string,
    client: MailingClient,
    text: SourceText,
    signal: AbortSignal,
  ): Promise<readonly ReferenceResult[]> {
    return Promise.all(this.#all.map((find) => find(connection, client, text, signal)));
  }
}

/** Bodies are the same where they differ in blanks at their ends and in how lines end alone. */
export function matchesAnyBody(body: string, bodies: readonly string[]): boolean {
  const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();
  return body.trim() !== '' && bodies.some((each) => plain(each) === plain(body));
}
