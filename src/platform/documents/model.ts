import type { Uri } from 'vscode';
import type { ApiErrorKind } from '../../service/client/errors.ts';
import type { MailingClient } from '../../service/client/index.ts';
import type { JsonObject } from '../../service/client/shapes.ts';
import type { Connections } from '../connections/connections.ts';
import type { RecordKey, ServiceRef } from '../connections/model.ts';

/** Values of record fields, by the names in the API document. */
export type Fields = Readonly<JsonObject>;

/** One document of a record: formats some of its fields as text, and parses them. */
export interface DocumentPart<R> {
  /** Identifies the part, and ends the file name: `.html`, `.css`, `.template.json`. */
  readonly suffix: string;
  /** Path below the record's folder, if the document isn't named after the record: `mails/12.html`. */
  readonly file?: string;
  /** Returns why the record has no such document, or undefined if it has. Without this method, every record has it. */
  getMissingReason?(record: R): string | undefined;
  render(record: R): string;
  /** Parses the text. Throws `InvalidDocumentError`. */
  parse(text: string): Fields | Promise<Fields>;
}

/** A folder with a variable number of documents. */
interface DocumentFolder<R> {
  /** Name of the folder below the record's. */
  readonly name: string;
  /** Returns the document for a file name in the folder, for any record; undefined if the name is invalid. */
  part(file: string): DocumentPart<R> | undefined;
  /** Returns the documents that a record has. */
  parts(record: R): readonly DocumentPart<R>[];
}

/** The context of a request. */
interface CallContext extends ServiceRef {
  readonly signal?: AbortSignal;
}

/** Some fields of an update were stored and others weren't. The message says which, and what to do. */
export class PartialUpdateError extends Error {}

/** A stored document, with its record before and after. */
export interface SavedDocument {
  readonly address: DocumentAddress;
  readonly before: AnyRecord;
  readonly record: AnyRecord;
  /** The sent text, and the fields that the service stored differently. */
  readonly text: string;
  readonly storedDifferently: readonly string[];
}

interface SaveErrorDetails {
  /** The record was deleted, or can't be edited. */
  readonly kind?: Extract<ApiErrorKind, 'notFound' | 'forbidden'>;
  /** Another user wrote `theirs`. `isNew`: the user wasn't asked yet. */
  readonly conflict?: { readonly theirs: string; readonly isNew: boolean };
  /** Some of the fields were stored. */
  readonly saved?: SavedDocument;
}

/** A document wasn't stored, or the outcome is unconfirmed. Its text stays in its tab. */
export class SaveError extends Error {
  readonly details: SaveErrorDetails;
  constructor(message: string, details: SaveErrorDetails = {}) {
    super(message);
    this.details = details;
  }
}

/** A record type as folders of documents. Features register their kinds; the file system is independent of them. */
export interface DocumentKind<R extends { readonly id: number }> {
  /** Name of the collection in URIs: `templates`, `campaigns`, `follow-ups`. */
  readonly collection: string;
  /** Base name of the files of records without a name: "template". Never part of a sentence. */
  readonly noun: string;
  readonly parts: readonly DocumentPart<R>[];
  readonly folder?: DocumentFolder<R>;
  /** Returns the record's name, for file names and messages. */
  name(record: R): string;
  /** Returns when the record was created, as the service reports it: `YYYY-MM-DD HH:MM:SS`, without a time zone. */
  getCreationDate?(record: R): string | null | undefined;
  list(client: MailingClient, options: { signal?: AbortSignal }): AsyncIterable<R>;
  read(client: MailingClient, id: number, context: CallContext): Promise<R>;
  /** Stores fields. `record` was read just before: some services reset omitted fields, so updates need all of them. */
  update(client: MailingClient, record: R, fields: Fields, context: CallContext): Promise<void>;
  /** Returns the value of a field, in the form that `parse` returns. */
  getField(record: R, name: string): unknown;
  /** Returns why the record can't be edited, or undefined if it can. */
  getReadOnlyReason(record: R): string | undefined;
  /** Command that the read-only reason offers. Its argument is the document's URI. */
  readonly readOnlyCommand?: string;
}

/** Type-erased forms, used by the file system. */
export type AnyRecord = { readonly id: number };
export type AnyKind = DocumentKind<AnyRecord>;
export type AnyPart = DocumentPart<AnyRecord>;
export type AnyFolder = DocumentFolder<AnyRecord>;

export type DocumentConnections = Pick<Connections, 'get' | 'resolve' | 'run'>;

export interface ReadOptions {
  /**
   * How recent the record must be. `new` (default): requested after this call, so it includes everything sent before. `shared`: as of a
   * request that may be running already. `recent`: as of the last seconds. `any`: as of the last read, however long ago.
   */
  readonly freshness?: 'new' | 'shared' | 'recent' | 'any';
  /** For `recent`: each purpose gets a recent read once. The second time, it reads again. */
  readonly purpose?: string;
}

export interface RecordAddress extends RecordKey {
  readonly kind: AnyKind;
}

/** A document of a record. The base name in `uri` may be out of date. */
export interface DocumentAddress extends RecordAddress {
  readonly part: AnyPart;
  readonly uri: Uri;
}

/**
 * Returns the part for a file name: a part of the record's folder, or the one with the longest matching suffix (`x.template.json` also ends
 * in `.json`).
 */
export function findPart<R extends { readonly id: number }>(
  kind: DocumentKind<R>,
  file: string,
): DocumentPart<R> | undefined {
  const { folder: inner } = kind;
  if (inner && file.startsWith(`${inner.name}/`)) return inner.part(file.slice(inner.name.length + 1));
  return kind.parts
    .filter(({ suffix }) => file.endsWith(suffix))
    .sort((one, other) => other.suffix.length - one.suffix.length)[0];
}
