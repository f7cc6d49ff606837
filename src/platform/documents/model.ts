import { createHash } from 'node:crypto';
import type { Uri } from 'vscode';
import type { MailingClient } from '../../service/client/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { RecordRef } from '../connections/model.ts';

/** Values of record fields, by the names in the API document. */
export type Fields = Readonly<Record<string, unknown>>;

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
export interface DocumentFolder<R> {
  /** Name of the folder below the record's. */
  readonly name: string;
  /** Returns the document for a file name in the folder, for any record; undefined if the name is invalid. */
  part(file: string): DocumentPart<R> | undefined;
  /** Returns the documents that a record has. */
  parts(record: R): readonly DocumentPart<R>[];
}

/** The context of a request. */
export interface CallContext {
  /** Id of the connection that the client belongs to. */
  readonly connection: string;
  readonly signal?: AbortSignal;
}

/** The text of a document can't be parsed. `line` and `column` are zero-based. */
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

/** Some fields of an update were stored and others weren't. The message says which, and what to do. */
export class PartialUpdateError extends Error {}

/** The service confirmed an update, but reading the record back failed with `cause`. */
export class ReadBackError extends Error {}

/** A record type as folders of documents. Features register their kinds; the file system is independent of them. */
export interface DocumentKind<R extends { readonly id: number }> {
  /** Name of the collection in URIs: `templates`, `campaigns`, `follow-ups`. */
  readonly collection: string;
  /** The name of one record in sentences: "template". */
  readonly noun: string;
  readonly parts: readonly DocumentPart<R>[];
  readonly folder?: DocumentFolder<R>;
  /** Returns the record's name, for file names and sentences. */
  name(record: R): string;
  /** Returns when the record was created, in ms since the epoch, if the service reports it. */
  getCreationTime(record: R): number | undefined;
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

export type DocumentConnections = Pick<Connections, 'get' | 'run'>;

export interface RecordAddress extends RecordRef {
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
  if (inner !== undefined && file.startsWith(`${inner.name}/`)) return inner.part(file.slice(inner.name.length + 1));
  return kind.parts
    .filter(({ suffix }) => file.endsWith(suffix))
    .sort((one, other) => other.suffix.length - one.suffix.length)[0];
}

/** Returns whether a record has these values. */
export function hasFieldValues({ kind }: RecordAddress, fields: Fields, record: AnyRecord): boolean {
  return Object.entries(fields).every(([name, value]) => isSameValue(value, kind.getField(record, name)));
}

/* Texts are equal if they differ only in line endings and a leading byte order mark: editors and services change both without an edit. */

/** Returns a text in the form used for comparisons. */
export function normalizeText(text: string): string {
  const marked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  // Most texts have none, and `includes` is much faster than `replace`.
  return marked.includes('\r') ? marked.replace(/\r\n?/g, '\n') : marked;
}

/** Returns the SHA-256 hash of the normalized text. */
export function hashText(text: string): string {
  return createHash('sha256').update(normalizeText(text)).digest('base64url');
}

export function isSameText(one: string, other: string): boolean {
  return one === other || normalizeText(one) === normalizeText(other);
}

/** Id lists are sets: order and repetitions are irrelevant. */
function asSet(_: string, value: unknown): unknown {
  const isIds = Array.isArray(value) && value.every((id) => Number.isSafeInteger(id));
  return isIds ? [...new Set(value as readonly number[])].sort((one, other) => one - other) : value;
}

/** Compares field values: texts by `isSameText`, null, undefined and "" as equal, id lists as sets, other values by their JSON. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const left = one ?? '';
  const right = other ?? '';
  if (typeof left === 'string' && typeof right === 'string') return isSameText(left, right);
  return JSON.stringify(left, asSet) === JSON.stringify(right, asSet);
}

/** Restores a leading byte order mark of the replaced text. Editors hide it, so no user has removed it. */
export function preserveByteOrderMark(value: unknown, replaced: unknown): unknown {
  const isMarked = (text: unknown): text is string => typeof text === 'string' && text.startsWith('\uFEFF');
  return typeof value === 'string' && isMarked(replaced) && !isMarked(value) ? `\uFEFF${value}` : value;
}
