import { createHash } from 'node:crypto';
import type { Uri } from 'vscode';
import type { MailingClient } from '../../service/client/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { RecordRef } from '../connections/record.ts';

/** Fields to be changed on a record, by the API document's own names. */
export type Fields = Readonly<Record<string, unknown>>;

/** One document of a record: which of its fields it shows, and how they are read back from text. */
export interface DocumentPart<R> {
  /** Tells the parts of a record apart, and ends the file's name: `.html`, `.css`, `.template.json`. */
  readonly suffix: string;
  /** Path below the record's folder of a document that is not named after the record: `mails/12.html`. */
  readonly file?: string;
  /** Why the record has no such document now; undefined where it has. Every record has a document that doesn't tell. */
  getMissingReason?(record: R): string | undefined;
  render(record: R): string;
  /** The fields the text stands for. Throws `InvalidDocument` where the text can't be read. */
  parse(text: string): Fields | Promise<Fields>;
}

/** Documents of a record in a folder of their own, as many as it has. */
export interface DocumentFolder<R> {
  /** Name of the folder below the record's. */
  readonly name: string;
  /** The document that a file name in it stands for, in any record; undefined where it can name none. */
  part(file: string): DocumentPart<R> | undefined;
  /** Those that this record has. */
  parts(record: R): readonly DocumentPart<R>[];
}

/** What a kind knows of the call it is asked for. */
export interface CallContext {
  /** Id of the connection that the client belongs to. */
  readonly connection: string;
  readonly signal?: AbortSignal;
}

/** The text of a document can't be stored. `line` is zero-based. */
export class InvalidDocumentError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = 'InvalidDocument';
    this.line = line;
    this.column = column;
  }
}

/** Some of an update's fields were stored and others not. The message says which, and what can be done. */
export class PartialUpdateError extends Error {}

/** The service confirmed an update, but the record couldn't be read after it. The cause is why. */
export class ReadBackError extends Error {}

/** A noun's records as folders of documents. A room hands one to the file system; the file system knows no noun. */
export interface DocumentKind<R extends { readonly id: number }> {
  /** Name of the collection in URIs: `templates`, `campaigns`, `follow-ups`. */
  readonly collection: string;
  /** What one record is called in sentences: "template". */
  readonly noun: string;
  readonly parts: readonly DocumentPart<R>[];
  readonly folder?: DocumentFolder<R>;
  /** The record's name, for file names and sentences. */
  name(record: R): string;
  /** Date-time of the record's creation in ms since the epoch, where known. */
  getCreationTime(record: R): number | undefined;
  list(client: MailingClient, options: { signal?: AbortSignal }): AsyncIterable<R>;
  read(client: MailingClient, id: number, context: CallContext): Promise<R>;
  /** Stores fields on the service. `record` is what was read just before; a service that resets what is left out needs it. */
  update(client: MailingClient, record: R, fields: Fields, context: CallContext): Promise<void>;
  /** The value a field of the record has, in the form that `parse` gives it. */
  getField(record: R, name: string): unknown;
  /** Why the record can't be edited, or nothing where it can. */
  getReadOnlyReason(record: R): string | undefined;
  /** Command that the reason offers as a way out. It is given the document's URI. */
  readonly readOnlyCommand?: string;
}

/** A record type with its shape forgotten: what the file system handles. */
export type AnyRecord = { readonly id: number };
export type AnyKind = DocumentKind<AnyRecord>;
export type AnyPart = DocumentPart<AnyRecord>;
export type AnyFolder = DocumentFolder<AnyRecord>;

/** What is needed of the connections. */
export type DocumentConnections = Pick<Connections, 'get' | 'run'>;

/** A record of a kind, on a connection. */
export interface RecordAddress extends RecordRef {
  readonly kind: AnyKind;
}

/** A document of a record. `uri` is the address it was asked for by: the base name in it may be out of date. */
export interface DocumentAddress extends RecordAddress {
  readonly part: AnyPart;
  readonly uri: Uri;
}

/** The part a file stands for: one of the record's folder, or the one with the longest suffix: `x.template.json` is no other `.json`. */
export function findPart<R extends { readonly id: number }>(
  kind: DocumentKind<R>,
  file: string,
): DocumentPart<R> | undefined {
  const { folder: inner } = kind;
  if (inner !== undefined && file.startsWith(`${inner.name}/`)) return inner.part(file.slice(inner.name.length + 1));
  return kind.parts
    .filter(({ suffix }) => file.endsWith(suffix))
    .sort((one, other) => other.suffix.length - one.suffix.length)[0];
}

/** Whether a record has these values in its fields. */
export function hasFieldValues({ kind }: RecordAddress, fields: Fields, record: AnyRecord): boolean {
  return Object.entries(fields).every(([name, value]) => isSameValue(value, kind.getField(record, name)));
}

/*
 * Two texts are the same document where they differ in nothing but line endings and a leading byte order mark: editors
 * and services change both without anybody having edited anything.
 */

/** The text in the form in which texts are compared. */
export function normalizeText(text: string): string {
  const marked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  // Most texts have none, and to look for one is much quicker than to replace.
  return marked.includes('\r') ? marked.replace(/\r\n?/g, '\n') : marked;
}

/** Identifies what a text says. */
export function hashText(text: string): string {
  return createHash('sha256').update(normalizeText(text)).digest('base64url');
}

export function isSameText(one: string, other: string): boolean {
  return one === other || normalizeText(one) === normalizeText(other);
}

/** Lists of ids are sets: neither their order nor a repetition says anything. */
function asSet(_: string, value: unknown): unknown {
  const isIds = Array.isArray(value) && value.every((id) => Number.isSafeInteger(id));
  return isIds ? [...new Set(value as readonly number[])].sort((one, other) => one - other) : value;
}

/** Equality of field values: texts by `sameText`, "no value" in all its forms, lists of ids as sets, others by their JSON. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const left = one ?? '';
  const right = other ?? '';
  if (typeof left === 'string' && typeof right === 'string') return isSameText(left, right);
  return JSON.stringify(left, asSet) === JSON.stringify(right, asSet);
}

/** A text under the byte order mark of the one that it replaces: editors hide it, so nobody has taken it away. */
export function preserveByteOrderMark(value: unknown, replaced: unknown): unknown {
  const isMarked = (text: unknown): text is string => typeof text === 'string' && text.startsWith('\uFEFF');
  return typeof value === 'string' && isMarked(replaced) && !isMarked(value) ? `\uFEFF${value}` : value;
}
