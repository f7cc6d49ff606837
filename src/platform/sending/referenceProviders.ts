import type { MailingClient } from '../../service/client/index.ts';
import type { JsonObject } from '../../service/client/shapes.ts';

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
  connection: string,
  client: MailingClient,
  text: SourceText,
  signal: AbortSignal,
) => Promise<ReferenceResult>;

/** Returns whether bodies are equal, ignoring line ending style and whitespace at both ends. */
export function matchesAnyBody(body: string, bodies: readonly string[]): boolean {
  const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();
  return body.trim() !== '' && bodies.some((each) => plain(each) === plain(body));
}
